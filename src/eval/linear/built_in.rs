//! The weights that the engine comes with: one set for an unlimited supply, and
//! two for a limited one, on boards up to 10×10 and on larger boards.

use std::sync::OnceLock;

use super::evaluation::{Evaluation, Purpose};
use super::model::Linear;
use super::weights::Weights;
use crate::board::Size;
use crate::game::{Position, Rules, Step};

pub(super) const BUILT_IN: [&str; 3] = [
    include_str!("weights-unlimited.txt"),
    include_str!("weights.txt"),
    include_str!("weights-large.txt"),
];

/// The index in [`BUILT_IN`] of the weights for games by `rules`.
#[inline]
pub(super) fn index(rules: Rules) -> usize {
    match rules.supply.limits(rules.size) {
        None => 0,
        Some(_) => 1 + usize::from(rules.size > Size::STANDARD),
    }
}

/// The built-in weights for games by `rules`, as text.
pub fn built_in_text(rules: Rules) -> &'static str {
    BUILT_IN[index(rules)]
}

/// The CRC-32 (IEEE) of that text.
pub fn built_in_checksum(rules: Rules) -> u32 {
    crc32fast::hash(built_in_text(rules).as_bytes())
}

impl Linear {
    /// The built-in weights for games by `rules`.
    ///
    /// # Panics
    /// If they cannot be parsed, which a test rules out.
    pub fn built_in(rules: Rules) -> &'static Linear {
        static BUILT: [OnceLock<Linear>; BUILT_IN.len()] = [const { OnceLock::new() }; _];
        BUILT[index(rules)].get_or_init(|| match Weights::parse(built_in_text(rules)) {
            Ok(weights) => Linear::new(&weights),
            Err(error) => panic!("the weights for {rules:?}: {error}"),
        })
    }
}

/// [`Linear::evaluate`] with the built-in weights.
pub fn evaluate(position: &Position) -> Evaluation {
    Linear::built_in(*position.rules()).evaluate(position)
}

/// [`Linear::evaluate_for`] with the built-in weights.
pub fn evaluate_for(position: &Position, purpose: Purpose) -> Evaluation {
    Linear::built_in(*position.rules()).evaluate_for(position, purpose)
}

/// [`Linear::priors`] with the built-in weights.
pub fn priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(*position.rules()).priors(position, steps);
}

/// [`Linear::refined_priors`] with the built-in weights.
pub fn refined_priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(*position.rules()).refined_priors(position, steps);
}
