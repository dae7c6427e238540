//! Grades of moves and the thresholds between them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The grade of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// A small loss.
    Inaccuracy,
    /// A considerable loss.
    Mistake,
    /// A large loss.
    Blunder,
}

/// The least loss of win rate for each grade.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Thresholds {
    /// For an inaccuracy.
    pub inaccuracy: f64,
    /// For a mistake.
    pub mistake: f64,
    /// For a blunder.
    pub blunder: f64,
}

/// Why a text is not a list of thresholds.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "three rising numbers above 0, at most 1, with commas between, as in {}",
    Thresholds::default()
)]
pub struct ParseThresholdsError;

impl Grade {
    /// All grades, the mildest first.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The annotation sign: `?!`, `?`, `??`.
    pub fn sign(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        })
    }
}

impl Thresholds {
    /// The grade of a move by its loss of win rate; `None` for a good move.
    pub fn grade(&self, loss: f64) -> Option<Grade> {
        let least = [self.inaccuracy, self.mistake, self.blunder];
        let reached = Grade::ALL.into_iter().zip(least).rev().find(|&(_, least)| loss >= least);
        reached.map(|(grade, _)| grade)
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { inaccuracy: 0.05, mistake: 0.1, blunder: 0.2 }
    }
}

impl fmt::Display for Thresholds {
    /// `0.05,0.1,0.2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.inaccuracy, self.mistake, self.blunder)
    }
}

impl FromStr for Thresholds {
    type Err = ParseThresholdsError;

    fn from_str(text: &str) -> Result<Thresholds, ParseThresholdsError> {
        let numbers = text.split(',').map(|number| number.trim().parse::<f64>());
        let numbers: Result<Vec<f64>, _> = numbers.collect();
        match numbers.as_deref() {
            Ok(&[inaccuracy, mistake, blunder])
                if 0.0 < inaccuracy
                    && inaccuracy <= mistake
                    && mistake <= blunder
                    && blunder <= 1.0 =>
            {
                Ok(Thresholds { inaccuracy, mistake, blunder })
            }
            _ => Err(ParseThresholdsError),
        }
    }
}
