//! Training: self-play (`pontifex selfplay`) and fits of the linear evaluation
//! and prior to games (`pontifex fit`).
//!
//! [`ValueFit`] fits the value to results, [`BlendFit`] the weights of leaf
//! blends, [`PolicyFit`] the prior and its hidden layer to steps. Everything is
//! deterministic: sums are split into parts that do not depend on the number of
//! threads, and added in a fixed order.

mod blend;
mod choices;
mod games;
mod layer;
mod optimizers;
mod policy;
pub mod selfplay;
mod value;

pub use blend::{BlendFit, BlendOptions, blend_loss};
pub use games::{Game, GameError, Games};
pub use policy::{PolicyFit, PolicyOptions, PolicyQuality, PriorFn};
pub use value::{ValueFit, ValueOptions, ValueQuality};
