//! Positions that show every element, on boards of several sizes.

use pontifex::board::Cell;
use pontifex::game::{Move, Position, Setup, Supply};
use pontifex::notation::Record;
use pontifex::render::Candidate;

/// A middle game with islands, networks, bridges of both colours and closed cells.
pub(super) const MIDDLE: &str = "rr1w1rwrrr/rw4ww1w/ww4r2w/3wwrr1ww/1rrww3r1/rr5rr1/3w3rw1/rr1ww1www1/3wrr4/1w1rr5 r b3-b5,b8-d7,d4-d6 -";

pub(super) fn position(text: &str) -> Position {
    Setup::parse(text, Supply::Standard, true).unwrap().validate().unwrap()
}

/// The position after `moves` moves of a game, and the last move.
fn game(text: &str, moves: usize) -> (Position, Option<Move>) {
    let record = Record::parse(text).unwrap();
    let last = moves.checked_sub(1).map(|n| record.moves[n].mv);
    (record.position_after(moves).unwrap(), last)
}

/// The position in [`all`] with this name.
pub(super) fn named(name: &str) -> Position {
    all().into_iter().find(|(other, ..)| *other == name).unwrap().1
}

/// Names, positions and last moves.
pub(super) fn all() -> Vec<(&'static str, Position, Option<Move>)> {
    let pied = include_str!("../../../../../tests/suite/data/records/abstract-play-pied.json");
    let headed = include_str!("../../../../../tests/suite/data/records/headed.txt");
    let large = format!(
        "# supply: unlimited\n{}",
        include_str!("../../../../../tests/suite/data/records/bare-12x12.txt")
    );
    let mut all = Vec::new();
    let mut add = |name, (position, last)| all.push((name, position, last));
    add("empty 10", (position("10/10/10/10/10/10/10/10/10/10 w - -"), None));
    add("empty 12", game("# board: 12", 0));
    add("opening", game(pied, 1));
    add("swapped", game(pied, 2));
    add("middle of a game", game(pied, 22));
    add("end", game(pied, 41));
    add("headed", game(headed, 33));
    add("large, early", game(&large, 16));
    add("large, middle", game(&large, 44));
    add("large, over", game(&large, 76));
    add("set up", (position(MIDDLE), None));
    // Bridges in all directions, two of them parallel, one the last move.
    let rows = "6r3/8r1/w3ww4/10/1w1ww2r2/10/w1w6r/8rr/2w7/w5r2r";
    let bridges = "a1-c2,a4-c4,a8-b6,d6-e8,e6-f8,g1-i3,g10-i9,h6-j4,j1-j3";
    let last = "d6-e8".parse().unwrap();
    add("all bridges", (position(&format!("{rows} r {bridges} -")), Some(last)));
    add("small", (position("w1w1/4/4/rr2 r - last"), None));
    all
}

/// Candidates as from a search: pairs of tiles that share cells, and bridges.
pub(super) fn candidates(position: &Position) -> Vec<Candidate> {
    let side = position.side();
    let bridges = position.buildable_sites(side);
    let bridges = bridges.iter().take(2).map(|site| {
        let [a, b] = site.ends();
        Move::bridge(a, b)
    });
    let cells: Vec<Cell> = position.open_cells(side).into_iter().step_by(4).collect();
    let tiles = cells.iter().flat_map(|&a| cells.iter().map(move |&b| (a, b)));
    let tiles = tiles.filter(|(a, b)| a < b).step_by(7).map(|(a, b)| Move::tiles(a, b));
    let is_legal = |mv: &Move| position.clone().play(*mv).is_ok();
    let moves: Vec<Move> = tiles.take(6).chain(bridges).filter(is_legal).collect();
    let tiles = cells.windows(2).map(|pair| Move::tiles(pair[0], pair[1]));
    let more = tiles.filter(|mv| is_legal(mv) && !moves.contains(mv));
    let all: Vec<Move> = moves.iter().copied().chain(more).take(15).collect();
    let candidate = |(n, mv): (usize, Move)| {
        let share = 0.45 * 0.6f64.powi(n as i32);
        Candidate {
            mv,
            winrate: 0.57 - 0.021 * n as f64,
            lead: 1.3 - 0.31 * n as f64,
            visits: (52_344.0 * share) as u64,
            weight: share as f32,
        }
    };
    all.into_iter().enumerate().map(candidate).collect()
}

/// Cells of White on the left, of Red on the right, of nobody between.
pub(super) fn ownership() -> [f32; Cell::TABLE] {
    std::array::from_fn(|index| 1.0 - (index / 16) as f32 / 4.5)
}
