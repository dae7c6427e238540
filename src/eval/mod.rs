//! What a position is worth and which moves look good.

mod dispatch;
pub mod linear;
mod playout;
mod random;
mod uniform;

pub use linear::{Evaluation, evaluate, priors};
pub use playout::{bridge_gain, playout};
pub use random::Random;
pub use uniform::{UniformGame, uniform_playout};

/// What evaluates the leaves of the search tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluatorKind {
    /// A sum over features of the position, fitted to games.
    #[default]
    Linear,
    /// Playouts that complete islands and join networks.
    Playout,
}
