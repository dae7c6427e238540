//! What a position is worth and which steps look good.

mod dispatch;
mod evaluator;
pub mod linear;
mod rollout;
mod views;

pub use evaluator::{Evaluator, EvaluatorKind, LoadError, WeightsSource};
pub use linear::{Evaluation, evaluate, evaluate_for, priors};
pub use rollout::{Random, rollout};
#[doc(hidden)]
pub use rollout::{UniformGame, uniform_rollout};
pub use views::{bridge_gain, bridge_gains, hopeful_groups};
