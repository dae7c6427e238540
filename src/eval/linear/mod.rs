//! An evaluation and a prior without rollouts: weighted sums of features, fitted to games by
//! `pontifex fit`.
//!
//! ```text
//!                        Position
//!                           │  eval::views: sets of cells for both colours
//!            ┌──────────────┴──────────────┐
//!   position_features            tile_features, step_features
//!   136 counts                   sets of cells that share a feature; counts of each bridge
//!            │ dot product                 │ logits: sums for all cells at once
//!            │ in f32                      │ hidden: 32 units, in refined priors only
//!   lead, then win rate          probability of each step
//!   (evaluation)                 (prior)
//! ```
//!
//! The value is a logistic function of weighted counts of what each side has and could do
//! ([`Linear::evaluate`]). The prior is the softmax of weighted features of a cell or a bridge and
//! of what lies around it ([`Linear::priors`]). A small hidden layer can refine it
//! ([`Linear::refined_priors`]), and [`Linear::natural_steps`] weighs the steps as people might.
//!
//! Why sums of hand-made features, and not a network that learns its own? An iteration of the
//! search takes about twelve microseconds (`docs/strength.md`, "Speed"), so a network must predict
//! much better to be worth its time. None that was tried beat these sums at equal time
//! (`docs/strength.md`, "The neural network").
//!
//! # Weights
//! The room left on the board is the *phase*. Each weight has a value at four phases, the knots,
//! and is interpolated between them. [`Weights`] is the form of the file and of the fits.
//! [`Linear`] is the form for use: a table for each phase, so that nothing is interpolated during a
//! search.
//!
//! # Adding a feature
//! A feature is one line in a table (`feature_table!`): a name and an expression. Weight files
//! refer to features by name, and missing weights are zero. A new feature therefore changes nothing
//! until `pontifex fit` has run. A feature that is renamed or removed must also be changed in the
//! three built-in files, or parsing them fails.
//!
//! # Equal results everywhere
//! The sums for steps are of integers, whose order does not matter. The sums for positions add
//! floats in a fixed order, and [`exp`] uses additions and multiplications only.

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

/// The features and their layout, for the fits in `pontifex-train`.
#[doc(hidden)]
pub mod fitting {
    pub use super::hidden::UNITS;
    pub use super::logits::WEIGHT_SCALE;
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
