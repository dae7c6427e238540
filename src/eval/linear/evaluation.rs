//! The value of a position.

use super::math;
use super::model::{Linear, WIDTH};
use super::phase::phase;
use super::position_features::{FEATURES, INPUTS, features, lead_inputs};
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

/// What an evaluation is used for. The winning chance has weights for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To stand alone.
    Alone,
    /// As the static part of a leaf blend, of the leaf itself.
    Leaf,
    /// As the rollout's part of a leaf blend, of the position where it ended.
    End,
}

impl Linear {
    /// What `position` is worth.
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        self.evaluate_for(position, Purpose::Alone)
    }

    /// What `position` is worth, by the weights for `purpose`.
    pub fn evaluate_for(&self, position: &Position, purpose: Purpose) -> Evaluation {
        self.evaluate_on(Instructions::detect(), position, purpose)
    }

    pub(super) fn evaluate_on(
        &self,
        instructions: Instructions,
        position: &Position,
        purpose: Purpose,
    ) -> Evaluation {
        let linear = self;
        compiled_for!(
            instructions,
            evaluate_with(linear: &Linear, position: &Position, purpose: Purpose) -> Evaluation
        )
    }
}

#[inline(always)]
fn evaluate_with(linear: &Linear, position: &Position, purpose: Purpose) -> Evaluation {
    if position.is_over() {
        return result(position);
    }
    let mut inputs = [0.0; WIDTH];
    inputs[..FEATURES].copy_from_slice(&features(position));
    let tables = &linear.values[usize::from(position.is_half_turn())];
    let table = &tables[phase(position)];
    let lead = dot(&inputs, &table.lead);
    inputs[FEATURES..INPUTS].copy_from_slice(&lead_inputs(lead));
    let logit = dot(&inputs, &table.win[purpose as usize]);
    Evaluation { win: math::sigmoid(logit), lead }
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

/// Partial sums of [`dot`].
const LANES: usize = 8;

/// The dot product. Its order of additions is explicit, so that no compiler
/// changes it.
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
