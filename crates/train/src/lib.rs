//! Training: self-play (`pontifex selfplay`) and fits of the linear evaluation and prior to games
//! (`pontifex fit`).
//!
//! ```text
//!   selfplay ──► file of games ─┐
//!                               ├─► games: Game, its positions and their targets
//!   records of matches ─────────┘        │
//!                                        ├─► inputs  ─► value, blend      result of the game
//!                                        └─► choices ─► policy, layer     visits of full searches
//!                                                          │
//!                                   optimizers: sums, L-BFGS, Adam ──► Weights
//!                                   quality: how well weights predict held-out games
//! ```
//!
//! [`fit_value`] fits the value to results, [`fit_blend`] the weights of leaf blends, [`fit_prior`]
//! and [`fit_layer`] the prior and its hidden layer to steps. Each defines what a sample adds to a
//! loss and its gradient. The sums and the optimizers are the same for all.
//!
//! The value has few weights and few terms for each position, so full gradients minimize its loss.
//! The prior has terms for each of ninety steps of a position, so it is fitted batch by batch.
//!
//! All fits are deterministic: on one platform the same games, options and initial weights give the
//! same result, on any number of threads.
//!
//! A smaller loss on held-out games is a reason to try weights, and no more than that. A match
//! decides, because a loss does not know which errors a search can correct.

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

/// Receives the progress of a fit: what is fitted, the number of the step or epoch, and the loss.
pub type Report<'a> = dyn FnMut(&str, usize, f64) + 'a;
