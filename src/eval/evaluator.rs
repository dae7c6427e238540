use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::linear::{self, Evaluation, Purpose};
use super::network::format::LARGEST;
use super::network::{Accumulators, Network, NetworkError};
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

/// A network and where it is from.
#[derive(Clone)]
pub struct NetworkSource {
    /// The file, or `built-in`.
    name: Arc<str>,
    network: Arc<Network>,
}

/// A file cannot be used as a network.
#[derive(Debug, Error)]
#[error("{path}: {reason}")]
pub struct LoadError {
    path: String,
    reason: LoadReason,
}

#[derive(Debug, Error)]
enum LoadReason {
    #[error("{0}")]
    File(#[from] std::io::Error),
    #[error("{0}")]
    Network(#[from] NetworkError),
}

impl LoadError {
    /// Why, without the file's name.
    pub fn reason(&self) -> String {
        self.reason.to_string()
    }
}

impl NetworkSource {
    /// What the network the engine comes with is called.
    pub const BUILT_IN: &'static str = "built-in";

    /// The network the engine comes with.
    pub fn built_in() -> NetworkSource {
        static BUILT: OnceLock<NetworkSource> = OnceLock::new();
        let make = || NetworkSource {
            name: Self::BUILT_IN.into(),
            network: Arc::new(Network::built_in()),
        };
        BUILT.get_or_init(make).clone()
    }

    /// The network in a file.
    pub fn load(path: &str) -> Result<NetworkSource, LoadError> {
        if path == Self::BUILT_IN {
            return Ok(Self::built_in());
        }
        let read = || {
            let mut bytes = Vec::new();
            // One byte more than there can be: enough to be refused.
            File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
            Ok(Network::from_bytes(&bytes)?)
        };
        let network = read().map_err(|reason| LoadError { path: path.to_owned(), reason })?;
        Ok(NetworkSource { name: path.into(), network: Arc::new(network) })
    }

    /// The file, or `built-in`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

impl PartialEq for NetworkSource {
    fn eq(&self, other: &NetworkSource) -> bool {
        self.name == other.name && self.network.checksum() == other.network.checksum()
    }
}

impl fmt::Debug for NetworkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:08x}", self.name, self.network.checksum())
    }
}

/// What a thread evaluates positions with.
#[derive(Debug)]
pub struct Evaluator {
    kind: EvaluatorKind,
    source: NetworkSource,
    accumulators: Accumulators,
}

impl Evaluator {
    /// An evaluator of this kind; `source` matters to a network only.
    pub fn new(kind: EvaluatorKind, source: &NetworkSource) -> Evaluator {
        let accumulators = Accumulators::new(source.network());
        Evaluator { kind, source: source.clone(), accumulators }
    }

    /// Its kind.
    pub fn kind(&self) -> EvaluatorKind {
        self.kind
    }

    /// What `position`, a leaf, is worth without any playout; `share` of it
    /// is what a network says, if there is one.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, share: f32) -> Evaluation {
        let linear = linear::evaluate_for(position, self.purpose(Purpose::Leaf));
        if self.kind != EvaluatorKind::Network || share == 0.0 {
            return linear;
        }
        let network = self.source.network.evaluate(position, &mut self.accumulators);
        let mix = |linear: f32, network: f32| linear + share * (network - linear);
        Evaluation { win: mix(linear.win, network.win), lead: mix(linear.lead, network.lead) }
    }

    /// What `position`, where a playout ended, is worth.
    #[inline]
    pub fn evaluate_end(&self, position: &Position) -> Evaluation {
        linear::evaluate_for(position, self.purpose(Purpose::End))
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
        linear::priors(position, plies);
    }

    /// The same with what a hidden layer adds to the likelihoods, and on top
    /// of it a network, if there is one: better, and dearer.
    pub fn refined_priors(&mut self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        match self.kind {
            EvaluatorKind::Network => {
                self.source.network.priors(position, &mut self.accumulators, plies);
            }
            EvaluatorKind::Linear | EvaluatorKind::Playout => {
                linear::refined_priors(position, plies);
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
            .map(|kind| Evaluator::new(kind, &source));
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
