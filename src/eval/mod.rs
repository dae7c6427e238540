//! What a position is worth and which steps look good.
//!
//! ```text
//!   views      what each colour has and could do, as sets of cells
//!     ├─ linear     fitted sums of features: the value of a position, the prior of its steps
//!     └─ rollout    a few turns of plausible play from a position
//!   evaluator  what a search thread holds: the kind of evaluation and the weights
//!   dispatch   compiles the hot functions for several sets of instructions
//! ```
//!
//! The search asks [`Evaluator`] for the prior of a new node and for the evaluation of a leaf
//! before and after a [`rollout()`]. Nothing here depends on a tree. Results are the same on every
//! machine, or a search with a fixed number of iterations could not be repeated.

mod dispatch;
mod evaluator;
pub mod linear;
mod random;
mod rollout;
mod uniform;
mod views;

pub use evaluator::{Evaluator, EvaluatorKind, LoadError, WeightsSource};
pub use linear::{Evaluation, evaluate, evaluate_for, priors};
pub use random::Random;
pub use rollout::rollout;
#[doc(hidden)]
pub use uniform::{UniformGame, uniform_rollout};
pub use views::{bridge_gain, bridge_gains, completable_groups};
