//! Candidates for openings: drawn at random, evaluated by searches, compared up
//! to symmetry.
//!
//! Everything here depends on its arguments alone. The files of openings rely on it: the same
//! options make the same file, on any machine and after any interruption.

use pontifex::board::{Cell, Symmetry};
use pontifex::engine::{Engine, Game, Options, StopSignal};
use pontifex::eval::{Random, priors};
use pontifex::game::{Color, Move, Position, Rules, Step};

/// Draws `turns` turns of two tiles each, with each tile's probability taken
/// from the search's priors. Returns the moves and the final position; `None`
/// if the game ends before.
pub(super) fn draw(
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
    // The upper 24 bits: as many as an `f32` holds exactly, so that it stays below 1.
    let mut left = sum * (random.bits() >> 40) as f32 / (1 << 24) as f32;
    let drawn = tiles().find(|&(_, weight)| {
        left -= weight;
        left < 0.0
    });
    // Rounding errors may exhaust the list.
    drawn.or_else(|| tiles().next_back()).map(|(cell, _)| cell)
}

/// White's expected result, 0 to 1, the same on every machine: the mean of two
/// single-threaded searches of `playouts` iterations, one before and one after
/// the first search's best move.
///
/// Short searches overestimate the side to move. The mean of a search for each
/// side cancels most of this bias. More threads would be faster, but their results depend on
/// which thread is first.
pub(super) fn judge(position: &Position, playouts: u64, seed: u64) -> f64 {
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

/// The board and the side to move, up to the 8 symmetries of the square: equal
/// for positions that are rotations or reflections of each other.
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
    /// Symmetries of the board never exchange the colours.
    side: Color,
    /// White's and Red's, each in notation order.
    tiles: [Vec<Cell>; 2],
    bridges: Vec<Move>,
}

impl Canonical {
    /// The canonical form of `position`, which must be between turns: the least of its eight
    /// images.
    pub fn of(position: &Position) -> Canonical {
        let forms = Symmetry::all().map(|symmetry| Canonical::under(position, symmetry));
        forms.min().unwrap_or_else(|| unreachable!("there are 8 symmetries"))
    }

    /// The image of `position`. Everything is sorted, because positions do not remember the order
    /// in which they arose.
    fn under(position: &Position, symmetry: Symmetry) -> Canonical {
        let image = |cell: Cell| symmetry.apply(cell, position.size());
        let tiles = Color::BOTH.map(|color| {
            let mut cells: Vec<Cell> = position.tiles(color).into_iter().map(image).collect();
            cells.sort_unstable();
            cells
        });
        let ends = position.bridges().iter().map(pontifex::board::Site::ends);
        let mut bridges: Vec<Move> = ends.map(|[a, b]| Move::bridge(image(a), image(b))).collect();
        bridges.sort_unstable();
        Canonical { side: position.side(), tiles, bridges }
    }
}
