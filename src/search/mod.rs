//! Parallel Monte Carlo tree search over steps.
//!
//! The chapters, in the order to read them:
//!
//! - `searcher`: [`Searcher`] keeps threads and memory from search to search,
//!   plays and ponders; what it is asked ([`Config`], [`Limits`]) and how it is
//!   stopped.
//! - `run`: iterations on all threads until a limit, a barrier for what needs the
//!   tree alone, the early end, and the exact [`solver`] beside them.
//! - `iteration`: one iteration selects a leaf by PUCT, expands it, evaluates it
//!   and backs the result up; `history` adds what a step was worth elsewhere.
//! - `tree`: the tree that all threads share, in bounded memory, with one node per
//!   position and proved bounds.
//! - `turn`, `opening`: a searched tree becomes a move.
//! - `analysis`, `view`: what the search thinks of all moves; `training`: searches
//!   with noise, for self-play.

mod analysis;
mod history;
mod iteration;
mod opening;
mod params;
mod run;
mod searcher;
pub mod solver;
#[cfg(test)]
mod tests;
mod training;
mod tree;
mod turn;
mod view;

pub use analysis::{Analysis, AnalysisRequest, Candidate, Report, Reporter};
pub use params::{Params, ParseParamsError};
pub use run::finish;
pub use searcher::{Config, Early, Limits, Searcher, StopSignal};
pub use training::{Exploration, Explored};
pub use tree::bounds::Bounds;
pub use turn::casual_candidates;
pub use view::Ownership;
