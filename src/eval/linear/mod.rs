//! An evaluation and a prior without rollouts: weighted sums of features,
//! fitted to games by `pontifex fit`.
//!
//! The value is a logistic function of weighted counts of what each side has
//! and could do ([`Linear::evaluate`]). The prior is the softmax of weighted
//! features of a cell or a bridge and of what lies around it
//! ([`Linear::priors`]); a small hidden layer can refine it
//! ([`Linear::refined_priors`]), and [`Linear::natural_steps`] draws from it as
//! people might. Weights depend on the phase of the game.
//!
//! Results are the same on every machine: sums of steps are of integers, and
//! those of positions add single floats in a fixed order.

mod evaluation;
mod feature_table;
mod hidden;
mod logits;
mod model;
mod position_features;
mod prior;
mod step_features;
mod tile_features;
mod weights;

pub use evaluation::{Evaluation, EvaluationUse, evaluate, evaluate_for, exp};
pub use model::{Linear, built_in_checksum};
pub use prior::{Instinct, priors, refined_priors};
pub use weights::{ParseWeightsError, Weights};

/// What the fitting of weights needs besides: the features and their layout.
#[doc(hidden)]
pub mod fitting {
    pub use super::hidden::UNITS;
    pub use super::logits::UNIT;
    pub use super::model::built_in_text;
    pub use super::position_features::{FEATURES, INPUTS, features, lead_inputs};
    pub use super::step_features::StepFeatures;
    pub use super::step_features::bridge_features;
    pub use super::step_features::{
        BRIDGE_AT, EDGE_AT, KERNEL_AT, OFFSETS, PARAMETERS, PASS, REACH, TILE, edge,
    };
    pub use super::weights::{KNOTS, between, phase};
}

#[cfg(test)]
mod tests;
