//! The generalized sequential probability ratio test, also as text:
//! `elo0=0,elo1=20,alpha=0.05,beta=0.05`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::statistics::elo::{NELO_PER_SIGMA, expected_score};
use crate::statistics::estimate::signed;
use crate::statistics::likelihood;
use crate::statistics::tally::Tally;

/// A sequential test of H1, that an engine is `elo1` stronger than another,
/// against H0, that it is `elo0` stronger.
///
/// The log-likelihood ratio (LLR) is the exact one of the generalized SPRT: each
/// hypothesis is represented by the most likely score distribution that
/// satisfies it (see `likelihood`), without regularization of the counts. The
/// LLR is always finite.
///
/// ```
/// use pontifex_tournament::{PairTally, Sprt, Verdict};
///
/// let sprt: Sprt = "elo0=0,elo1=20".parse()?;
/// let tally = PairTally::from_counts([53, 252, 385, 260, 84]);
/// assert_eq!(sprt.to_string(), "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized");
/// assert_eq!(sprt.state(&tally).verdict, Verdict::Continue);
/// # Ok::<(), pontifex_tournament::SprtError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// The kind of Elo in which the hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EloModel {
    /// Normalized Elo: the length of a test does not depend on the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo: a hypothesis states an expected score.
    Logistic,
}

/// The result of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
    /// More games are needed.
    Continue,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtState {
    /// The log-likelihood ratio of H1 to H0 (natural logarithm).
    pub llr: f64,
    /// H0 is accepted at or below this bound: ln(β/(1-α)).
    pub lower: f64,
    /// H1 is accepted at or above this bound: ln((1-β)/α).
    pub upper: f64,
    /// The result.
    pub verdict: Verdict,
}

/// Invalid text or numbers for a sequential test.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum SprtError {
    /// A part without `=`.
    #[error("'{0}' is not KEY=VALUE; a test looks like elo0=0,elo1=20,alpha=0.05,beta=0.05")]
    NoValue(String),
    /// An unknown key.
    #[error("unknown key '{0}'; the keys are elo0, elo1, alpha, beta and model")]
    UnknownKey(String),
    /// A repeated key.
    #[error("{0} is given twice")]
    Repeated(&'static str),
    /// A required key is missing.
    #[error("{0} is missing; a test looks like elo0=0,elo1=20,alpha=0.05,beta=0.05")]
    Missing(&'static str),
    /// A value that is not a number.
    #[error("{key}={value} is not a number, as in {key}={example}")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// A valid value.
        example: f64,
    },
    /// An unknown model.
    #[error("model={0} is neither normalized nor logistic")]
    UnknownModel(String),
    /// An Elo outside the allowed range.
    #[error("{key}={value} is not between -4000 and 4000")]
    EloOutOfRange {
        /// The key.
        key: &'static str,
        /// The value.
        value: f64,
    },
    /// The hypotheses are equal or in the wrong order.
    #[error("elo0={elo0} must be less than elo1={elo1}")]
    Order {
        /// H0.
        elo0: f64,
        /// H1.
        elo1: f64,
    },
    /// An error rate outside the allowed range.
    #[error("{key}={value} is not between 0 and 0.5 (both excluded)")]
    RateOutOfRange {
        /// The key.
        key: &'static str,
        /// The value.
        value: f64,
    },
}

/// The largest absolute Elo of a hypothesis.
const ELO_LIMIT: f64 = 4000.0;

impl Sprt {
    /// A test of `elo1` against `elo0`. The probability of accepting H1 wrongly
    /// is about `alpha`, that of accepting H0 wrongly about `beta`.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Sprt, SprtError> {
        for (key, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-ELO_LIMIT..=ELO_LIMIT).contains(&value) {
                return Err(SprtError::EloOutOfRange { key, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            if !(f64::MIN_POSITIVE..0.5).contains(&value) {
                return Err(SprtError::RateOutOfRange { key, value });
            }
        }
        Ok(Sprt { elo: [elo0, elo1], alpha, beta, model })
    }

    /// The rates of wrong verdicts: of H1 where H0 is true, of H0 where H1 is.
    pub fn rates(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The Elo of H0 and of H1.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// What that Elo is.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// The log-likelihood ratio of H1 to H0; 0 without games.
    pub fn llr<const N: usize>(&self, tally: &Tally<N>) -> f64 {
        let counts = tally.counts();
        let [h0, h1] = self.elo.map(|elo| match self.model {
            EloModel::Logistic => likelihood::of_mean(&counts, expected_score(elo)),
            EloModel::Normalized => {
                let t = elo / NELO_PER_SIGMA * (Tally::<N>::GAMES_EACH as f64).sqrt();
                likelihood::of_t_value(&counts, t)
            }
        });
        h1 - h0
    }

    /// The state of the test after these games. The caller must keep the first
    /// verdict: games that end after it do not count.
    pub fn state<const N: usize>(&self, tally: &Tally<N>) -> SprtState {
        let llr = self.llr(tally);
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let verdict = match llr {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Continue,
        };
        SprtState { llr, lower, upper, verdict }
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized`, with the
    /// keys in any order. Defaults: alpha and beta 0.05, the normalized model.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];
        let mut values = [None; 5];
        for part in text.split(',').map(str::trim) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| SprtError::NoValue(part.to_owned()))?;
            let at = KEYS
                .into_iter()
                .position(|known| key.trim() == known)
                .ok_or_else(|| SprtError::UnknownKey(key.trim().to_owned()))?;
            if values[at].replace(value.trim()).is_some() {
                return Err(SprtError::Repeated(KEYS[at]));
            }
        }
        let number = |at: usize, example: f64, default: Option<f64>| {
            let Some(value) = values[at] else {
                return default.ok_or(SprtError::Missing(KEYS[at]));
            };
            let refuse =
                || SprtError::NotANumber { key: KEYS[at], value: value.to_owned(), example };
            value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(refuse)
        };
        let model = match values[4] {
            None | Some("normalized") => EloModel::Normalized,
            Some("logistic") => EloModel::Logistic,
            Some(other) => return Err(SprtError::UnknownModel(other.to_owned())),
        };
        let rate = Some(0.05);
        Sprt::new(
            number(0, 0.0, None)?,
            number(1, 20.0, None)?,
            number(2, 0.05, rate)?,
            number(3, 0.05, rate)?,
            model,
        )
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
        })
    }
}

impl fmt::Display for Sprt {
    /// The text from which the same test can be read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([elo0, elo1], [alpha, beta], model) = (self.elo(), self.rates(), self.model());
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
            Verdict::Continue => "continue",
        })
    }
}

impl fmt::Display for SprtState {
    /// `LLR +1.25 (-2.94, +2.94) continue`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState { llr, lower, upper, verdict } = self;
        write!(f, "LLR {} ({lower:+.2}, {upper:+.2}) {verdict}", signed(*llr, 2))
    }
}
