//! The evaluator that a search thread uses.

use super::linear::{Evaluation, Linear, Purpose};
use super::source::WeightsSource;
use crate::game::{Position, Step};

/// How the search evaluates leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// Linear evaluations, blended: of the leaf, and of the position after a
    /// few turns of a rollout.
    Linear,
    /// Rollouts to the end of the game.
    Rollout,
}

/// Evaluates positions and steps.
#[derive(Debug)]
pub struct Evaluator {
    kind: EvaluatorKind,
    weights: WeightsSource,
}

impl Evaluator {
    /// An evaluator with these weights.
    pub fn new(kind: EvaluatorKind, weights: &WeightsSource) -> Evaluator {
        Evaluator { kind, weights: weights.clone() }
    }

    /// The weights for the game of `position`.
    #[inline]
    fn linear(&self, position: &Position) -> &Linear {
        self.weights.linear(*position.rules())
    }

    /// Its kind.
    pub fn kind(&self) -> EvaluatorKind {
        self.kind
    }

    /// The static evaluation of `position`, a leaf of the search.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        self.linear(position).evaluate_for(position, self.purpose(Purpose::Leaf))
    }

    /// The static evaluation of `position`, where a rollout ended.
    #[inline]
    pub fn evaluate_end(&self, position: &Position) -> Evaluation {
        self.linear(position).evaluate_for(position, self.purpose(Purpose::End))
    }

    /// The weights for leaf blends are fitted to short rollouts, not to whole
    /// ones.
    #[inline]
    fn purpose(&self, in_blend: Purpose) -> Purpose {
        if self.kind == EvaluatorKind::Rollout { Purpose::Alone } else { in_blend }
    }

    /// Fills `steps` with the legal steps and their prior probabilities, which
    /// add up to 1. A swap is never among them.
    #[inline]
    pub fn priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.linear(position).priors(position, steps);
    }

    /// [`Evaluator::priors`] with the hidden layer: better and slower.
    pub fn refined_priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.linear(position).refined_priors(position, steps);
    }
}
