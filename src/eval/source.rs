//! Where the weights of the linear evaluation come from: built in, or a file.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::linear::{self, Linear, ParseWeightsError, Weights};
use crate::files;
use crate::game::Rules;
use crate::notation::plain_text;

/// The largest size of a file of weights in bytes: several times what `fit`
/// writes.
const LARGEST_FILE: u64 = 1 << 20;

/// Weights of the linear evaluation and prior, and where they come from.
#[derive(Clone)]
pub struct WeightsSource {
    /// The file, or `built-in`.
    name: Arc<str>,
    /// The weights of a file, for all games; `None` for those built in, which
    /// depend on the rules.
    given: Option<Given>,
}

/// Weights of a file.
#[derive(Clone)]
struct Given {
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
        WeightsSource { name: NAME.get_or_init(|| Self::BUILT_IN.into()).clone(), given: None }
    }

    /// The weights in a file, as `pontifex fit` writes it, or the built-in
    /// weights for `built-in`.
    pub fn load(path: &str) -> Result<WeightsSource, LoadError> {
        if path == Self::BUILT_IN {
            return Ok(Self::built_in());
        }
        let read = || {
            let mut bytes = Vec::new();
            files::open_regular(Path::new(path))?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
            let is_large = bytes.len() as u64 > LARGEST_FILE;
            let text = plain_text(&bytes).ok().filter(|_| !is_large);
            let text = text.ok_or(LoadReason::NoWeights)?;
            let weights = Weights::parse(&text)?;
            if weights == Weights::zero() {
                return Err(LoadReason::NoWeights);
            }
            let checksum = crc32fast::hash(text.as_bytes());
            Ok(Given { linear: Arc::new(Linear::new(&weights)), checksum })
        };
        let given = read().map_err(|reason| LoadError { path: path.to_owned(), reason })?;
        Ok(WeightsSource { name: path.into(), given: Some(given) })
    }

    /// The file, or `built-in`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The weights for games by `rules`.
    #[inline]
    pub fn linear(&self, rules: Rules) -> &Linear {
        match &self.given {
            Some(given) => &given.linear,
            None => Linear::built_in(rules),
        }
    }

    /// An identifier: the name, and for a file its checksum.
    pub fn stamp(&self) -> String {
        let sum = self.given.as_ref().map(|given| given.checksum);
        sum.map_or_else(|| self.name.to_string(), |sum| format!("{} {sum:08x}", self.name))
    }

    /// The CRC-32 (IEEE) of the text of the weights for games by `rules`.
    pub fn checksum(&self, rules: Rules) -> u32 {
        self.given.as_ref().map_or_else(|| linear::built_in_checksum(rules), |given| given.checksum)
    }
}

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

/// A file could not be read as weights.
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
