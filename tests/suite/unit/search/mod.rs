//! Tests of the module `search`.

mod explore;
mod params;
mod pause;
mod searcher;

use pontifex::board::Size;
use pontifex::eval::{EvaluatorKind, WeightsSource};
use pontifex::game::{Position, Rules};
use pontifex::search::{Config, Params};

/// The start on a board of this size, without the pie rule.
fn start(size: u64) -> Position {
    let size = Size::new(size).unwrap();
    Position::new(Rules { size, pie: false, ..Rules::default() })
}

/// A search with the default parameters on one thread.
fn config() -> Config {
    let (evaluator, params) = (EvaluatorKind::Linear, Params::default());
    let weights = WeightsSource::built_in();
    Config { threads: 1, memory: 4, seed: 1, evaluator, weights, params }
}
