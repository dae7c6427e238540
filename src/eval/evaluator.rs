use super::linear::{Evaluation, Linear, Purpose};
use super::network::Accumulators;
use super::source::{NetworkSource, WeightsSource};
use crate::board::Size;
use crate::game::{Ply, Position};

/// What judges the leaves of the search tree and its plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// As linear, with what a network, trained on games, adds to the priors
    /// where the search looks again; on boards larger than 10×10 to those of
    /// smaller ones.
    Network,
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
    source: NetworkSource,
    accumulators: Accumulators,
}

impl Evaluator {
    /// An evaluator of this kind; `source` matters to a network only.
    pub fn new(kind: EvaluatorKind, weights: &WeightsSource, source: &NetworkSource) -> Evaluator {
        let accumulators = Accumulators::new(source.network());
        Evaluator { kind, weights: weights.clone(), source: source.clone(), accumulators }
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

    /// What `position`, a leaf, is worth without any playout; `share` of it
    /// is what a network says, if there is one.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, share: f32) -> Evaluation {
        let purpose = self.purpose(Purpose::Leaf);
        let linear = self.linear(position.size()).evaluate_for(position, purpose);
        if self.kind != EvaluatorKind::Network || share == 0.0 {
            return linear;
        }
        let network = self.source.network().evaluate(position, &mut self.accumulators);
        let mix = |linear: f32, network: f32| linear + share * (network - linear);
        Evaluation { win: mix(linear.win, network.win), lead: mix(linear.lead, network.lead) }
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
    pub fn priors(&mut self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        self.linear(position.size()).priors(position, plies);
    }

    /// The same with what a hidden layer adds to the likelihoods, and on top
    /// of it a network, if there is one: better, and dearer.
    pub fn refined_priors(&mut self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        match self.kind {
            EvaluatorKind::Network => {
                self.source.network().priors(position, &mut self.accumulators, plies);
            }
            EvaluatorKind::Linear | EvaluatorKind::Playout => {
                self.linear(position.size()).refined_priors(position, plies);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Random, playout};
    use crate::game::Rules;

    #[test]
    fn a_share_of_a_leaf_is_what_the_network_says() {
        let source = NetworkSource::built_in();
        let [mut network, mut linear] = [EvaluatorKind::Network, EvaluatorKind::Linear]
            .map(|kind| Evaluator::new(kind, &WeightsSource::built_in(), &source));
        let mut random = Random::new(3);
        for turns in 0..20 {
            let mut position = Position::new(Rules { pie: false, ..Rules::default() });
            playout(&mut position, turns, &mut random);
            let expected = linear.evaluate(&position, 1.0);
            assert_eq!(network.evaluate(&position, 0.0), expected);
            let all = source.network().evaluate(&position, &mut network.accumulators);
            assert_ne!(all, expected);
            let half = network.evaluate(&position, 0.5);
            assert!((half.win - 0.5 * (all.win + expected.win)).abs() < 1e-6);
            assert!((half.lead - 0.5 * (all.lead + expected.lead)).abs() < 1e-4);
            let whole = network.evaluate(&position, 1.0);
            assert!((whole.win - all.win).abs() < 1e-6 && (whole.lead - all.lead).abs() < 1e-4);
        }
    }
}
