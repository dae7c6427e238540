//! Openings that might be even: how they are drawn, and what a search says.

use crate::board::Cell;
use crate::engine::{Engine, Options, StopSignal};
use crate::eval::{Random, priors};
use crate::game::{Color, Move, Position, Rules, Step};

/// `turns` turns of two tiles each, every tile drawn with the likelihood the
/// search's priors give it, and the position after them; `None` when the
/// board is too small for so many.
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
    let mut left = sum * (random.bits() >> 40) as f32 / (1 << 24) as f32;
    let drawn = tiles().find(|&(_, weight)| {
        left -= weight;
        left < 0.0
    });
    // Rounding may leave a little over.
    drawn.or_else(|| tiles().next_back()).map(|(cell, _)| cell)
}

/// White's expected result, 0 to 1: the mean of what a search of `playouts`
/// iterations on one thread says and what another says once the first's move
/// has been made. The same on every machine.
///
/// A search is too hopeful for whoever is to move, the shorter the more; of
/// the two, one hopes for White and one for Red.
pub(super) fn judge(position: &Position, playouts: u64, seed: u64) -> f64 {
    let mut options = Options { rules: *position.rules(), playouts, ..Options::default() };
    options.search.threads = 1;
    options.search.seed = seed;
    let mut engine = Engine::new(options);
    engine.set_position(*position);
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

/// How far White's expected result is from even, 0 to ½.
pub(super) fn unevenness(white: f64) -> f64 {
    (white - 0.5).abs()
}
