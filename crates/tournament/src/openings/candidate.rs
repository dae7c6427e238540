//! Candidates for openings: drawn at random, evaluated by searches, compared up to symmetry.
//!
//! Every result here depends on the arguments alone, because the same options must make the same
//! file of openings on any machine and after any interruption.

use pontifex::board::{Cell, Symmetry};
use pontifex::engine::{Engine, Game, Options, StopSignal};
use pontifex::eval::{Random, priors};
use pontifex::game::{Color, Move, Position, Rules, Step};

/// Draws `turns` turns of two tiles each. The probability of a tile is proportional to its prior in
/// the search. Returns the moves and the final position; `None` if the game ends earlier.
pub(super) fn draw_opening(
    rules: Rules,
    turns: usize,
    random: &mut Random,
) -> Option<(Vec<Move>, Position)> {
    let mut position = Position::new(Rules { pie: false, ..rules });
    let mut opening = Vec::with_capacity(turns);
    for _ in 0..turns {
        let first = draw_tile(&position, random)?;
        position.make(Step::Tile(first));
        let second = draw_tile(&position, random)?;
        position.make(Step::Tile(second));
        opening.push(Move::tiles(first, second));
    }
    (!position.is_over()).then_some((opening, position))
}

/// Draws one tile; `None` if none can be placed.
fn draw_tile(position: &Position, random: &mut Random) -> Option<Cell> {
    let mut steps = Vec::new();
    priors(position, &mut steps);
    let tiles = || {
        steps.iter().filter_map(|&(step, weight)| match step {
            Step::Tile(cell) => Some((cell, weight)),
            _ => None,
        })
    };
    let sum: f32 = tiles().map(|(_, weight)| weight).sum();
    // The upper 24 bits, which an `f32` holds exactly, so that the quotient is below 1.
    let mut remaining = sum * (random.bits() >> 40) as f32 / (1 << 24) as f32;
    let tile = tiles().find(|&(_, weight)| {
        remaining -= weight;
        remaining < 0.0
    });
    // Because of rounding the weights may not use up `remaining`. The last tile is drawn then.
    tile.or_else(|| tiles().next_back()).map(|(cell, _)| cell)
}

/// White's expected result, 0 to 1, the same on every machine: the mean of two single-threaded
/// searches of `playouts` iterations, one before and one after the first search's best move.
///
/// Short searches overestimate the side to move. The mean of a search for each side cancels most of
/// this bias. More threads would be faster, but results would depend on their timing.
pub(super) fn evaluate(position: &Position, playouts: u64, seed: u64) -> f64 {
    let mut options = Options { rules: *position.rules(), playouts, ..Options::default() };
    options.search.threads = 1;
    options.search.seed = seed;
    let mut engine = Engine::new(options);
    engine.set_game(Game::at(position));
    let mut results = Vec::new();
    for _ in 0..2 {
        let mover = engine.position().side();
        let Some(report) = engine.search(&StopSignal::default()) else { break };
        results.push(if mover == Color::White { report.winrate } else { 1.0 - report.winrate });
        if engine.play(mover, report.best).is_err() {
            break;
        }
    }
    results.iter().sum::<f64>() / results.len() as f64
}

/// The distance of White's expected result from even, 0 to ½.
pub(super) fn unevenness(white: f64) -> f64 {
    (white - 0.5).abs()
}

/// The board and the side to move, up to the 8 symmetries of the square: equal for positions that
/// are rotations or reflections of each other.
///
/// ```
/// use pontifex_tournament::openings::Canonical;
/// use pontifex::game::{Position, Rules};
///
/// let after = |moves: [&str; 3]| {
///     let mut position = Position::new(Rules { pie: false, ..Rules::default() });
///     moves.into_iter().for_each(|mv| position.play(mv.parse().unwrap()).unwrap());
///     Canonical::of(&position)
/// };
/// // Rotated by 180°, with White's turns in the other order.
/// assert_eq!(after(["a1,c2", "d4,d5", "e3,h8"]), after(["c3,f8", "g7,g6", "j10,h9"]));
/// assert_ne!(after(["a1,c2", "d4,d5", "e3,h8"]), after(["a1,c2", "d4,d6", "e3,h8"]));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical {
    /// Part of the form, because symmetries of the board do not exchange the colours.
    side: Color,
    /// The cells of White's and of Red's tiles, each sorted.
    tiles: [Vec<Cell>; 2],
    bridges: Vec<Move>,
}

impl Canonical {
    /// The canonical form of `position`, which must be between turns: the least of its eight
    /// images.
    pub fn of(position: &Position) -> Canonical {
        let forms = Symmetry::all().map(|symmetry| Canonical::image(position, symmetry));
        forms.min().unwrap_or_else(|| unreachable!("there are 8 symmetries"))
    }

    /// The image of `position` under a symmetry. Everything is sorted, so that the order of the
    /// turns does not matter.
    fn image(position: &Position, symmetry: Symmetry) -> Canonical {
        let apply = |cell: Cell| symmetry.apply(cell, position.size());
        let tiles = Color::BOTH.map(|color| {
            let mut cells: Vec<Cell> = position.tiles(color).into_iter().map(apply).collect();
            cells.sort_unstable();
            cells
        });
        let ends = position.bridges().iter().map(pontifex::board::Site::ends);
        let mut bridges: Vec<Move> = ends.map(|[a, b]| Move::bridge(apply(a), apply(b))).collect();
        bridges.sort_unstable();
        Canonical { side: position.side(), tiles, bridges }
    }
}
