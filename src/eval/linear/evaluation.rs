//! The value of a position: the expected lead, then the win rate.
//!
//! The lead is a weighted sum of the features. It then becomes an input of the win rate, whole and
//! clamped at three places. A plain sum could not express that a lead of three points means little
//! in the opening and nearly everything at the end, or that a tenth point adds nothing.
//!
//! Exponentials here are made of additions and multiplications only. Those of the standard library
//! differ between platforms, and a search would amplify the differences.

use super::model::{Linear, WIDTH};
use super::position_features::{FEATURES, INPUTS, features, lead_inputs};
use super::weights::phase;
use crate::eval::dispatch::{Instructions, compiled_for};
use crate::game::{Color, Position};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The expected result, from 0 for a loss to 1 for a win.
    pub win: f32,
    /// The expected lead in points at the end of the game.
    pub lead: f32,
}

/// What an evaluation is used for. The win rate has weights for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationUse {
    /// To stand alone.
    Alone,
    /// To evaluate a leaf, blended with the evaluation after its rollout.
    Leaf,
    /// To evaluate the position where a leaf's rollout ended, for the same blend.
    End,
}

impl Linear {
    /// What `position` is worth to the side to move, not blended with a rollout.
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        self.evaluate_for(position, EvaluationUse::Alone)
    }

    /// What `position` is worth to the side to move, by the weights for this use.
    pub fn evaluate_for(&self, position: &Position, used_as: EvaluationUse) -> Evaluation {
        self.evaluate_on(Instructions::detect(), position, used_as)
    }

    pub(super) fn evaluate_on(
        &self,
        instructions: Instructions,
        position: &Position,
        used_as: EvaluationUse,
    ) -> Evaluation {
        let linear = self;
        compiled_for!(
            instructions,
            evaluate_with(linear: &Linear, position: &Position, used_as: EvaluationUse) -> Evaluation
        )
    }
}

#[inline(always)]
fn evaluate_with(linear: &Linear, position: &Position, used_as: EvaluationUse) -> Evaluation {
    if position.is_over() {
        return result(position);
    }
    let mut inputs = [0.0; WIDTH];
    inputs[..FEATURES].copy_from_slice(&features(position));
    // Between the two tiles of a turn the side to move is about to place one more.
    let tables = &linear.values[usize::from(position.is_half_turn())];
    let table = &tables[phase(position)];
    let lead = dot(&inputs, &table.lead);
    inputs[FEATURES..INPUTS].copy_from_slice(&lead_inputs(lead));
    let logit = dot(&inputs, &table.win[used_as as usize]);
    Evaluation { win: sigmoid(logit), lead }
}

/// What a finished game is worth to the side to move.
fn result(position: &Position) -> Evaluation {
    let side = position.side();
    let points = |color: Color| f32::from(position.score(color).points);
    let win = match position.outcome().winner() {
        None => 0.5,
        Some(winner) => f32::from(u8::from(winner == side)),
    };
    Evaluation { win, lead: points(side) - points(!side) }
}

/// Partial sums of [`dot`]: as many floats as an AVX2 vector has. Another number changes the order
/// of additions and with it the last digits of every value.
const LANES: usize = 8;

/// The dot product. Eight partial sums fix the order of additions: a compiler must not reorder
/// floats, so it could not vectorize a single sum.
#[inline(always)]
fn dot(a: &[f32; WIDTH], b: &[f32; WIDTH]) -> f32 {
    const { assert!(WIDTH.is_multiple_of(LANES)) };
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

/// e to the power of `x`, with a relative error below 2e-5. `x` is clamped to -80..=80.
#[inline]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    // The addition rounds to an integer, and the bit pattern of the sum differs from that of
    // `ROUNDER` by this integer.
    let rounded = x + ROUNDER;
    let whole = rounded - ROUNDER;
    // The Taylor polynomial of e^y; `y` is at most ln(2)/2 from zero.
    let y = (x - whole) * std::f32::consts::LN_2;
    let fraction = 1.0
        + y * (1.0
            + y * (1.0 / 2.0
                + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y * (1.0 / 120.0 + y * (1.0 / 720.0))))));
    // 127 is the bias of the exponent of a float. The clamp keeps it from overflowing.
    let exponent = rounded.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127);
    fraction * f32::from_bits(exponent << 23)
}

/// 1.5·2²³. Floats of this size are whole numbers, so adding it rounds; the half keeps negative
/// sums in the same power of two.
const ROUNDER: f32 = 12_582_912.0;

/// 1 / (1 + e^-x).
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// [`Linear::evaluate`] with the built-in weights.
pub fn evaluate(position: &Position) -> Evaluation {
    Linear::built_in(*position.rules()).evaluate(position)
}

/// [`Linear::evaluate_for`] with the built-in weights.
pub fn evaluate_for(position: &Position, used_as: EvaluationUse) -> Evaluation {
    Linear::built_in(*position.rules()).evaluate_for(position, used_as)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_small() {
        for n in -8000..=8000 {
            let x = n as f32 / 100.0;
            let real = f64::from(x).exp();
            assert!((f64::from(exp(x)) / real - 1.0).abs() < 2e-5, "{x}");
            let real = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - real).abs() < 1e-6, "{x}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0f32.to_bits());
        assert!(exp(-1e9) > 0.0 && exp(1e9).is_finite());
    }
}
