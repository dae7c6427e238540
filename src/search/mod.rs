//! Parallel Monte Carlo tree search over steps.
//!
//! The chapters, in the order to read them:
//!
//! - `task`: what a search is given, [`Config`], [`Limits`], [`StopSignal`], and for analyses an
//!   [`AnalysisRequest`].
//! - `params`: the constants of the search, which the parameter `tune` can set.
//! - `searcher`: [`Searcher`] keeps threads and memory from search to search, plays and ponders.
//! - `run`: iterations on all threads until a limit, a `barrier` for work that needs the tree to
//!   itself, the early end, and the exact [`solver`] beside them.
//! - `iteration`: one iteration selects a leaf by PUCT, expands it, evaluates it and backs the
//!   result up; `history` adds what a step was worth elsewhere.
//! - `tree`: the tree that all threads share, in bounded memory, with one node per position and
//!   proved bounds.
//! - `choice`, `turn`, `opening`: a searched tree becomes a move.
//! - `analysis`: what the search thinks of all moves; `analyze` and `pie` make it, `view` reads it
//!   from the tree, `ownership` says who is likely to own what.
//! - `training`: searches with noise (`exploration`), for self-play.

mod analysis;
mod analyze;
mod barrier;
mod choice;
mod exploration;
mod history;
mod iteration;
mod opening;
mod ownership;
mod params;
mod pie;
mod run;
mod searcher;
pub mod solver;
mod task;
#[cfg(test)]
mod tests;
mod training;
mod tree;
mod turn;
mod view;

pub use analysis::{Analysis, Candidate, PointInfo, RootInfo, rounded};
pub(crate) use analysis::{DECIMALS, agree};
pub use analyze::{Updates, casual_candidates};
pub use exploration::Exploration;
pub use ownership::Ownership;
pub use params::{Params, ParseParamsError};
pub use run::Search;
pub use searcher::Searcher;
pub use task::{AnalysisRequest, Config, Early, Limits, StopSignal};
pub use training::StepResult;
pub use tree::bounds::Bounds;
pub use turn::SearchResult;
