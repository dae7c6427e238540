use super::linear::{Evaluation, Linear, Purpose};
use super::source::WeightsSource;
use crate::board::Size;
use crate::game::{Ply, Position};

/// What judges the leaves of the search tree and its plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// A sum over features of the position, fitted to games, after a few
    /// turns of a playout.
    Linear,
    /// Playouts that complete islands and join networks.
    Playout,
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

    /// What `position`, where a playout ended, is worth.
    #[inline]
    pub fn evaluate_end(&self, position: &Position) -> Evaluation {
        self.linear(position.size()).evaluate_for(position, self.purpose(Purpose::End))
    }

    /// Whole playouts are not what the weights for `mixed` were fitted to.
    #[inline]
    fn purpose(&self, mixed: Purpose) -> Purpose {
        if self.kind == EvaluatorKind::Playout { Purpose::Alone } else { mixed }
    }

    /// Fills `plies` with the legal plies and how likely each looks; the
    /// likelihoods add up to 1. No swap is among them.
    #[inline]
    pub fn priors(&self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        self.linear(position.size()).priors(position, plies);
    }

    /// Like [`Evaluator::priors`], refined by the hidden layer: better and
    /// slower.
    pub fn refined_priors(&self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        self.linear(position.size()).refined_priors(position, plies);
    }
}
