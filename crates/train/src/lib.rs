//! Training: self-play (`pontifex selfplay`) and fits of the linear evaluation
//! and prior to games (`pontifex fit`).
//!
//! [`fit_value`] fits the value to results, [`fit_blend`] the weights of leaf
//! blends, [`fit_prior`] and [`fit_layer`] the prior and its hidden layer to
//! steps. Each says what a sample adds to a loss and its gradient; the sums and
//! the optimizers are the same for all.

mod blend;
mod choices;
mod games;
mod inputs;
mod layer;
mod optimizers;
mod policy;
mod quality;
pub mod selfplay;
mod value;

pub use blend::{BlendOptions, blend_loss, fit_blend};
pub use games::{Game, GameError, hold_out};
pub use layer::fit_layer;
pub use policy::{PolicyOptions, fit_prior};
pub use quality::{PolicyQuality, PriorFn, ValueQuality};
pub use value::{ValueOptions, fit_value};

/// Receives the progress of a fit: what is fitted, the number of the step or
/// epoch, and the loss.
pub type Report<'a> = dyn FnMut(&str, usize, f64) + 'a;
