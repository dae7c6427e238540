//! The weights that the engine comes with: one set for boards up to 10×10, one
//! for larger boards.

use std::sync::OnceLock;

use super::evaluation::{Evaluation, Purpose};
use super::model::Linear;
use super::weights::Weights;
use crate::board::Size;
use crate::game::{Position, Step};

pub(super) const BUILT_IN: [&str; 2] =
    [include_str!("weights.txt"), include_str!("weights-large.txt")];

/// The index in [`BUILT_IN`] of the weights for boards of `size`.
fn index(size: Size) -> usize {
    usize::from(size > Size::STANDARD)
}

/// The built-in weights for boards of `size`, as text.
pub(crate) fn built_in_text(size: Size) -> &'static str {
    BUILT_IN[index(size)]
}

/// The CRC-32 (IEEE) of that text.
pub(crate) fn built_in_checksum(size: Size) -> u32 {
    crc32fast::hash(built_in_text(size).as_bytes())
}

impl Linear {
    /// The built-in weights for boards of `size`.
    ///
    /// # Panics
    /// If they cannot be parsed, which a test rules out.
    pub fn built_in(size: Size) -> &'static Linear {
        static BUILT: [OnceLock<Linear>; BUILT_IN.len()] = [const { OnceLock::new() }; _];
        BUILT[index(size)].get_or_init(|| match Weights::parse(built_in_text(size)) {
            Ok(weights) => Linear::new(&weights),
            Err(error) => panic!("the weights for {size}x{size}: {error}"),
        })
    }
}

/// [`Linear::evaluate`] with the built-in weights.
pub fn evaluate(position: &Position) -> Evaluation {
    Linear::built_in(position.size()).evaluate(position)
}

/// [`Linear::evaluate_for`] with the built-in weights.
pub fn evaluate_for(position: &Position, purpose: Purpose) -> Evaluation {
    Linear::built_in(position.size()).evaluate_for(position, purpose)
}

/// [`Linear::priors`] with the built-in weights.
pub fn priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(position.size()).priors(position, steps);
}

/// [`Linear::refined_priors`] with the built-in weights.
pub fn refined_priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(position.size()).refined_priors(position, steps);
}
