//! The search: bounded, repeatable, in time, and never wrong about what it
//! says is proved.

mod endings;
mod limits;
mod memory;
mod pondering;
mod repeatable;

use pontifex::board::Size;
use pontifex::engine::Options;
use pontifex::game::{Position, Rules};
use pontifex::search::Config;

/// Debug builds are some thirty times slower.
const SLOW: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// The empty board, without the pie rule.
fn start(size: u64) -> Position {
    let size = Size::new(size).unwrap();
    Position::new(Rules { size, pie: false, ..Rules::default() })
}

fn config(threads: usize, memory: usize) -> Config {
    Config { threads, memory, ..Options::default().search }
}
