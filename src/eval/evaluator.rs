use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::Instructions;
use super::linear::{self, Evaluation, Purpose};
use super::network::format::LARGEST;
use super::network::{Accumulators, Network, NetworkError};
use crate::game::{Ply, Position};

/// What evaluates the leaves of the search tree and orders plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluatorKind {
    /// A network, trained on games.
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

    /// The same, using no more than `instructions` and no more than this
    /// processor has.
    #[must_use]
    pub fn limited_to(&self, instructions: Instructions) -> NetworkSource {
        let network = Arc::new(self.network.limited_to(instructions));
        NetworkSource { name: self.name.clone(), network }
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

    /// What `position`, a leaf, is worth without any playout.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Evaluation {
        match self.kind {
            EvaluatorKind::Network => {
                self.source.network.evaluate(position, &mut self.accumulators)
            }
            EvaluatorKind::Linear => linear::evaluate_for(position, Purpose::Leaf),
            EvaluatorKind::Playout => linear::evaluate(position),
        }
    }

    /// What `position`, where a playout ended, is worth. No network did
    /// better there in the same time (docs/strength.md).
    #[inline]
    pub fn evaluate_end(&self, position: &Position) -> Evaluation {
        match self.kind {
            EvaluatorKind::Linear => linear::evaluate_for(position, Purpose::End),
            EvaluatorKind::Network | EvaluatorKind::Playout => linear::evaluate(position),
        }
    }

    /// Fills `plies` with the legal plies and how likely each looks; the
    /// likelihoods add up to 1. No swap is among them.
    #[inline]
    pub fn priors(&mut self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        match self.kind {
            EvaluatorKind::Network => {
                self.source.network.priors(position, &mut self.accumulators, plies);
            }
            EvaluatorKind::Linear | EvaluatorKind::Playout => linear::priors(position, plies),
        }
    }

    /// The same with what a hidden layer adds to the likelihoods, if this kind
    /// has one: better, and dearer.
    pub fn refined_priors(&mut self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        match self.kind {
            EvaluatorKind::Network => self.priors(position, plies),
            EvaluatorKind::Linear | EvaluatorKind::Playout => {
                linear::refined_priors(position, plies);
            }
        }
    }

    /// Whether [`Evaluator::refined_priors`] are other ones.
    #[inline]
    pub fn refines(&self) -> bool {
        self.kind != EvaluatorKind::Network
    }
}
