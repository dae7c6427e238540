use super::linear::{Evaluation, Linear, Purpose};
use super::source::WeightsSource;
use crate::board::Size;
use crate::game::{Position, Step};

/// What judges the leaves of the search tree and its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// A sum over features of the position, fitted to games, after a few
    /// turns of a rollout.
    Linear,
    /// Rollouts that complete islands and join networks.
    Rollout,
}

/// What a thread evaluates positions with.
#[derive(Debug)]
pub struct Evaluator {
    kind: EvaluatorKind,
    weights: WeightsSource,
}

impl Evaluator {
    /// An evaluator of this kind.
    pub fn new(kind: EvaluatorKind, weights: &WeightsSource) -> Evaluator {
        Evaluator { kind, weights: weights.clone() }
    }

    /// The weights for boards of that size.
    #[inline]
    fn linear(&self, size: Size) -> &Linear {
        self.weights.linear(size)
    }

    /// Its kind.
    pub fn kind(&self) -> EvaluatorKind {
        self.kind
    }

    /// The static evaluation of `position`, a leaf of the search.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        self.linear(position.size()).evaluate_for(position, self.purpose(Purpose::Leaf))
    }

    /// What `position`, where a rollout ended, is worth.
    #[inline]
    pub fn evaluate_end(&self, position: &Position) -> Evaluation {
        self.linear(position.size()).evaluate_for(position, self.purpose(Purpose::End))
    }

    /// Whole rollouts are not what the weights for `blend` were fitted to.
    #[inline]
    fn purpose(&self, blend: Purpose) -> Purpose {
        if self.kind == EvaluatorKind::Rollout { Purpose::Alone } else { blend }
    }

    /// Fills `steps` with the legal steps and how likely each looks; the
    /// likelihoods add up to 1. No swap is among them.
    #[inline]
    pub fn priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.linear(position.size()).priors(position, steps);
    }

    /// Like [`Evaluator::priors`], refined by the hidden layer: better and
    /// slower.
    pub fn refined_priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.linear(position.size()).refined_priors(position, steps);
    }
}
