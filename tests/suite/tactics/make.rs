//! Where the positions come from: journals of engine games.

use std::fs;

use pontifex::board::Size;
use pontifex::game::{Move, Position, Rules, Supply};
use pontifex::search::solver::{Solver, size_estimate};
use serde_json::Value as Json;

use super::line::{Evidence, Tactic};
use super::proof::{is_beyond_greed, right_turns};
use super::theme::Theme;

/// The games of the journals of `pontifex match` that `PONTIFEX_JOURNALS`
/// names, separated by commas: their rules and moves.
pub(crate) fn games() -> Vec<(Rules, Vec<Move>)> {
    let files = std::env::var("PONTIFEX_JOURNALS").expect("PONTIFEX_JOURNALS");
    let mut games = Vec::new();
    for file in files.split(',') {
        let text = fs::read_to_string(file).expect("a journal");
        let mut lines = text.lines();
        let header: Json = serde_json::from_str(lines.next().unwrap_or("")).expect("a header");
        let size = header["config"]["board"].as_u64().expect("a board");
        let size = Size::new(size).expect("a board size");
        let rules = Rules { size, supply: Supply::Standard, pie: false };
        for line in lines {
            let Ok(entry) = serde_json::from_str::<Json>(line) else { break };
            let Some(moves) = entry["moves"].as_str() else { continue };
            let moves = moves.split(' ').map(|mv| mv.parse().expect("a move")).collect();
            games.push((rules, moves));
        }
    }
    games
}

/// The position of a game so many turns before its end.
pub(crate) fn before_end(rules: Rules, moves: &[Move], turns: usize) -> Option<Position> {
    let mut position = Position::new(rules);
    for &mv in &moves[..moves.len().checked_sub(turns)?] {
        position.play(mv).expect("a legal game");
    }
    (!position.may_swap()).then_some(position)
}

/// Positions the solver may look at to tell who wins.
const NODES: u64 = 25_000;

/// The tactic in a position, if the solver gets to the bottom of it, few
/// turns are right (of 100 three, of more 3 %), they are not those that bring
/// most at once, all do the same kind of thing and every other turn throws
/// the result away.
fn tactic(solver: &mut Solver, position: Position, turns: usize) -> Option<Tactic> {
    let legal = position.counts().total() as usize;
    if legal < 40 {
        return None;
    }
    solver.clear();
    let most = (legal * 3 / 100).clamp(3, 6);
    let proof = right_turns(solver, &position, most, NODES)?;
    if !proof.is_decisive || !is_beyond_greed(&position, &proof.turns) {
        return None;
    }
    let themes: Vec<Theme> = proof.turns.iter().map(|&mv| Theme::of(&position, mv)).collect();
    let theme = themes[0];
    themes.iter().all(|&other| other == theme).then(|| Tactic {
        theme,
        evidence: Evidence::Solver,
        value: proof.value.to_string(),
        is_decisive: proof.is_decisive,
        source: turns.to_string(),
        right: proof.turns,
        position,
    })
}

/// Prints lines with proofs by the solver, one a game at most: of 8 to 14
/// turns before its end the earliest there is.
pub(crate) fn print_proved() {
    let mut solver = Solver::new(64 << 20);
    for (rules, moves) in games() {
        let found = (8..=14).rev().find_map(|turns| {
            let position = before_end(rules, &moves, turns)?;
            // Larger ones are seldom solved, smaller ones are no puzzle.
            let is_fit = (14..=36).contains(&size_estimate(&position));
            is_fit.then(|| tactic(&mut solver, position, turns)).flatten()
        });
        if let Some(tactic) = found {
            println!("{tactic}");
        }
    }
}
