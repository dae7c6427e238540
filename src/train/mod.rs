//! Weights from games: what `pontifex fit` does, and, for the network,
//! `pontifex selfplay` and `pontifex train` (`selfplay`, `network`).
//!
//! [`Games`] are records played through; the value's weights are fitted to
//! their results (`value`), and so are those of what is blend around rollouts
//! (`blend`), the prior's and its layer's to their moves (`policy`), each on all games but
//! those held out, on which the outcome is measured. All of it is
//! deterministic: sums are made of parts that do not depend on how many
//! threads there are, in a fixed order.

mod adam;
mod blend;
mod games;
mod lbfgs;
mod policy;
mod seen;
pub mod selfplay;
mod value;

pub use blend::{BlendFit, BlendOptions, blend_loss};
pub use games::{Game, GameError, Games};
pub use policy::{PolicyFit, PolicyOptions, PolicyQuality};
pub use value::{ValueFit, ValueOptions, ValueQuality};

#[cfg(test)]
mod tests;
