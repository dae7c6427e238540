use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::linear::{self, Linear, ParseWeightsError, Weights};
use crate::board::Size;

/// The most bytes a file of weights can have: several times what `fit` writes.
const LARGEST_WEIGHTS: u64 = 1 << 20;

/// Weights of the linear evaluation and prior, and where they are from.
#[derive(Clone)]
pub struct WeightsSource {
    /// The file, or `built-in`.
    name: Arc<str>,
    /// Those of a file, for boards of every size; else the engine's, which
    /// has others for large boards.
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
    /// What the weights the engine comes with are called.
    pub const BUILT_IN: &'static str = "built-in";

    /// The weights the engine comes with.
    pub fn built_in() -> WeightsSource {
        static NAME: OnceLock<Arc<str>> = OnceLock::new();
        WeightsSource { name: NAME.get_or_init(|| Self::BUILT_IN.into()).clone(), given: None }
    }

    /// The weights in a file, as `pontifex fit` writes them.
    pub fn load(path: &str) -> Result<WeightsSource, LoadError> {
        if path == Self::BUILT_IN {
            return Ok(Self::built_in());
        }
        let read = || {
            let bytes = read(path, LARGEST_WEIGHTS + 1)?;
            let is_large = bytes.len() as u64 > LARGEST_WEIGHTS;
            let text = String::from_utf8(bytes).ok().filter(|_| !is_large);
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

    /// The weights for boards of that size.
    #[inline]
    pub fn linear(&self, size: Size) -> &Linear {
        match &self.given {
            Some(given) => &given.linear,
            None => Linear::built_in(size),
        }
    }

    /// What tells them from others: where they are from, and of a file's the
    /// checksum.
    pub fn stamp(&self) -> String {
        let sum = self.given.as_ref().map(|given| given.checksum);
        sum.map_or_else(|| self.name.to_string(), |sum| format!("{} {sum:08x}", self.name))
    }

    /// A checksum of those for boards of that size, CRC-32 (IEEE) of the text.
    pub fn checksum(&self, size: Size) -> u32 {
        self.given.as_ref().map_or_else(|| linear::built_in_checksum(size), |given| given.checksum)
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

/// A file cannot be read as weights.
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
    #[error("not weights of `pontifex fit`")]
    NoWeights,
}

impl LoadError {
    /// Why, without the file's name.
    pub fn reason(&self) -> String {
        self.reason.to_string()
    }
}

/// The bytes of a file, no more than so many.
fn read(path: &str, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
