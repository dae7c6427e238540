//! Parallel Monte Carlo tree search over steps.
//!
//! The chapters, in the order to read them:
//!
//! - `task`: what a search is given, [`Config`], [`Limits`], [`StopSignal`], and
//!   for analyses an [`AnalysisRequest`].
//! - `searcher`: [`Searcher`] keeps threads and memory from search to search,
//!   plays and ponders.
//! - `run`: iterations on all threads until a limit, a `barrier` for work that needs
//!   the tree to itself, the early end, and the exact [`solver`] beside them.
//! - `iteration`: one iteration selects a leaf by PUCT, expands it, evaluates it
//!   and backs the result up; `history` adds what a step was worth elsewhere.
//! - `tree`: the tree that all threads share, in bounded memory, with one node per
//!   position and proved bounds.
//! - `choice`, `turn`, `opening`: a searched tree becomes a move.
//! - `analysis`, `view`: what the search thinks of all moves; `training`: searches
//!   with noise (`exploration`), for self-play.

mod analysis;
mod barrier;
mod choice;
mod exploration;
mod history;
mod iteration;
mod opening;
mod params;
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

pub use analysis::{
    Analysis, Candidate, PointInfo, Reporter, RootInfo, casual_candidates, rounded,
};
pub(crate) use analysis::{DECIMALS, agree};
pub use exploration::Exploration;
pub use params::{Params, ParseParamsError};
pub use run::Search;
pub use searcher::Searcher;
pub use task::{AnalysisRequest, Config, Early, Limits, StopSignal};
pub use training::Explored;
pub use tree::bounds::Bounds;
pub use turn::Report;
pub use view::Ownership;
