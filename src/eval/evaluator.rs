//! The evaluator that a search thread uses, and where the weights of the linear evaluation come
//! from: built in, or a file.
//!
//! There are three built-in sets of weights, and the rules of a game choose among them. A file
//! holds one set, which serves all games. So the weights depend on the position even if the
//! evaluator does not change, and are looked up for each evaluation.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use strum::{Display, EnumString, VariantNames};
use thiserror::Error;

use super::linear::{self, Evaluation, EvaluationUse, Linear, ParseWeightsError, Weights};
use crate::files;
use crate::game::{Position, Rules, Step};
use crate::notation::plain_text;

/// How the search evaluates leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum EvaluatorKind {
    /// A blend of two linear evaluations: that of the leaf, and that of the position after a few
    /// turns of a rollout.
    Linear,
    /// Rollouts to the end of the game.
    Rollout,
}

/// Evaluates positions and steps. Cheap to create; each search thread has one.
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

    /// The kind it was created with.
    pub fn kind(&self) -> EvaluatorKind {
        self.kind
    }

    /// The static evaluation of `position`, a leaf of the search.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        self.linear(position).evaluate_for(position, self.use_of(EvaluationUse::Leaf))
    }

    /// The static evaluation of `position`, where a rollout ended.
    #[inline]
    pub fn evaluate_end(&self, position: &Position) -> Evaluation {
        self.linear(position).evaluate_for(position, self.use_of(EvaluationUse::End))
    }

    /// `in_blend`, but [`EvaluationUse::Alone`] for the evaluator `rollout`, which plays to the end
    /// of the game. The weights for leaf blends are fitted to short rollouts, and neither set of
    /// them judges a position well alone.
    #[inline]
    fn use_of(&self, in_blend: EvaluationUse) -> EvaluationUse {
        if self.kind == EvaluatorKind::Rollout { EvaluationUse::Alone } else { in_blend }
    }

    /// Fills `steps` with the legal steps and their prior probabilities, which add up to 1. A swap
    /// is never among them.
    #[inline]
    pub fn priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.linear(position).priors(position, steps);
    }

    /// [`Evaluator::priors`] with the hidden layer: better and slower.
    pub fn refined_priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.linear(position).refined_priors(position, steps);
    }
}

/// The largest size of a file of weights in bytes, several times what `fit` writes. A larger file
/// is refused without reading the rest of it.
const LARGEST_FILE: u64 = 1 << 20;

/// Weights of the linear evaluation and prior, and where they come from.
#[derive(Clone)]
pub struct WeightsSource {
    name: Arc<str>,
    /// The weights of a file, for all games; `None` for those built in, which depend on the rules.
    loaded: Option<LoadedWeights>,
}

/// Weights of a file, shared by all copies of a [`WeightsSource`].
#[derive(Clone)]
struct LoadedWeights {
    linear: Arc<Linear>,
    /// CRC-32 (IEEE) of the text.
    checksum: u32,
}

impl WeightsSource {
    /// The name of the built-in weights.
    pub const BUILT_IN: &'static str = "built-in";

    /// The built-in weights.
    pub fn built_in() -> WeightsSource {
        static NAME: OnceLock<Arc<str>> = OnceLock::new();
        WeightsSource { name: NAME.get_or_init(|| Self::BUILT_IN.into()).clone(), loaded: None }
    }

    /// The weights in a file, as `pontifex fit` writes it, or the built-in weights for `built-in`.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than a mebibyte, or holds no weights.
    pub fn load(path: &str) -> Result<WeightsSource, LoadError> {
        if path == Self::BUILT_IN {
            return Ok(Self::built_in());
        }
        let read = || {
            let mut bytes = Vec::new();
            files::open_regular(Path::new(path))?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
            let is_too_large = bytes.len() as u64 > LARGEST_FILE;
            let text = plain_text(&bytes).ok().filter(|_| !is_too_large);
            let text = text.ok_or(LoadReason::NoWeights)?;
            let weights = Weights::parse(&text)?;
            // Any text of comments parses. Zero weights would play, but at random.
            if weights == Weights::zero() {
                return Err(LoadReason::NoWeights);
            }
            let checksum = crc32fast::hash(text.as_bytes());
            Ok(LoadedWeights { linear: Arc::new(Linear::new(&weights)), checksum })
        };
        let loaded = read().map_err(|reason| LoadError { path: path.to_owned(), reason })?;
        Ok(WeightsSource { name: path.into(), loaded: Some(loaded) })
    }

    /// The path of the file, as it was given, or `built-in`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The weights for games by `rules`.
    #[inline]
    pub fn linear(&self, rules: Rules) -> &Linear {
        match &self.loaded {
            Some(loaded) => &loaded.linear,
            None => Linear::built_in(rules),
        }
    }

    /// An identifier: the name, and for a file its checksum.
    pub fn stamp(&self) -> String {
        let sum = self.loaded.as_ref().map(|loaded| loaded.checksum);
        sum.map_or_else(|| self.name.to_string(), |sum| format!("{} {sum:08x}", self.name))
    }

    /// The CRC-32 (IEEE) of the text of the weights for games by `rules`.
    pub fn checksum(&self, rules: Rules) -> u32 {
        match &self.loaded {
            Some(loaded) => loaded.checksum,
            None => linear::built_in_checksum(rules),
        }
    }
}

// By name and checksum: comparing thousands of weights would be slow.
impl PartialEq for WeightsSource {
    fn eq(&self, other: &WeightsSource) -> bool {
        self.stamp() == other.stamp()
    }
}

impl fmt::Debug for WeightsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.stamp())
    }
}

/// Why a file could not be read as weights.
#[derive(Debug, Error)]
#[error("{path}: {reason}")]
pub struct LoadError {
    path: String,
    reason: LoadReason,
}

#[derive(Debug, Error)]
enum LoadReason {
    #[error("{0}")]
    File(#[from] io::Error),
    #[error("{0}")]
    Weights(#[from] ParseWeightsError),
    #[error("not weights written by `pontifex fit`")]
    NoWeights,
}

impl LoadError {
    /// The reason, without the name of the file.
    pub fn reason(&self) -> String {
        self.reason.to_string()
    }
}
