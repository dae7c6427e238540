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
    /// A sum over features of the position, fitted to games.
    #[default]
    Linear,
    /// Playouts that complete islands and join networks.
    Playout,
}
/// STUB
pub struct Evaluation { /// w
pub win: f32, /// l
pub lead: f32 }
/// STUB
pub fn evaluate(position: &crate::game::Position) -> Evaluation {
    let s = position.side();
    let f = |c| { let j = position.joining(c); f32::from(position.score(c).points) + 0.8*j[3].len().min(4) as f32 + 0.1*j[2].len() as f32 + 0.02*j[1].len() as f32+0.01*j[0].len() as f32 };
    let lead = f(s) - f(!s);
    let x = lead / 3.0;
    Evaluation { win: 0.5 + 0.5 * x / (1.0 + x.abs()), lead }
}
