//! The search: limits, memory, repeatability, pondering, and correct proofs in endings.

mod endings;
mod limits;
mod memory;
mod repeatable;

use pontifex::board::Size;
use pontifex::engine::Options;
use pontifex::game::{Position, Rules};
use pontifex::search::Config;

/// Debug builds are about thirty times slower, so tests divide their iterations by this.
const SLOW: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// The empty board, without the pie rule.
fn start(size: u64) -> Position {
    let size = Size::new(size).unwrap();
    Position::new(Rules { size, pie: false, ..Rules::default() })
}

fn config(threads: usize, memory: usize) -> Config {
    Config { threads, memory, ..Options::default().search }
}
