//! The fit of the prior, and its quality.

mod choices;
mod fit;
mod knots;
mod layer;
mod quality;

pub use fit::{PolicyFit, PolicyOptions};
pub use quality::PolicyQuality;
