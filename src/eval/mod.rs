//! What a position is worth and which moves look good.

mod dispatch;
pub mod linear;
mod playout;
mod prior;
mod random;
mod uniform;

pub use playout::playout;
pub use prior::{bridge_gain, priors};
pub use random::Random;
pub use uniform::{UniformGame, uniform_playout};

/// What evaluates the leaves of the search tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluatorKind {
    /// Playouts that complete islands and join networks.
    #[default]
    Playout,
}
