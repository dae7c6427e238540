//! What a position is worth and which steps look good.

mod bridge_gain;
mod dispatch;
mod evaluator;
mod groups;
mod growth;
pub mod linear;
mod random;
mod rollout;
mod source;
mod uniform;
mod views;

pub use bridge_gain::{bridge_gain, bridge_gains};
pub use evaluator::{Evaluator, EvaluatorKind};
pub use growth::hopeful_groups;
pub use linear::{Evaluation, evaluate, evaluate_for, priors};
pub use random::Random;
pub use rollout::rollout;
pub use source::{LoadError, WeightsSource};
pub use uniform::{UniformGame, uniform_rollout};
