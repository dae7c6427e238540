//! Parallel Monte Carlo tree search over steps.
//!
//! From the bottom up:
//!
//! - `node_pool`, `edge`, `node`, `table`, `tree`: the tree that all threads
//!   share, in bounded memory, with one node per position.
//! - `select`, `iteration`, `history`: one iteration selects a leaf by PUCT,
//!   expands it, evaluates it and backs the result and proved `bounds` up.
//! - `driver`, `early`, `ending`, `barrier`, [`pause`]: run iterations on all
//!   threads until a limit, beside the exact [`solver`].
//! - `choice`, `turn`, `opening`: turn a searched tree into a move.
//! - `searcher`, `explore`, `analyze`: [`Searcher`] plays, ponders, makes
//!   training searches (`exploration`, `forced`) and analyses
//!   (`turn_analysis`, `pie_analysis`, `view`, `ownership`). `casual` searches
//!   as a person might.

mod analysis;
mod analyze;
mod barrier;
mod book;
mod bounds;
mod casual;
mod choice;
mod config;
mod driver;
mod early;
mod edge;
mod ending;
mod exploration;
mod explore;
mod forced;
mod history;
mod iteration;
mod node;
mod node_pool;
mod observer;
mod opening;
mod ownership;
mod params;
pub mod pause;
mod pie_analysis;
mod report;
mod request;
mod root_moves;
mod searcher;
mod select;
pub mod solver;
mod stop;
mod sums;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod tree;
mod turn;
mod turn_analysis;
mod value;
mod view;

pub use analysis::{Analysis, Candidate};
pub use bounds::Bounds;
pub use casual::casual_candidates;
pub use config::{Config, Early, Limits};
pub use exploration::Exploration;
pub use explore::Explored;
pub use ownership::Ownership;
pub use params::{Params, ParseParamsError};
pub use report::Report;
pub use request::{AnalysisRequest, Reporter};
pub use searcher::Searcher;
pub use stop::StopSignal;
