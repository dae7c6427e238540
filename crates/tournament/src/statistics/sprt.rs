//! The generalized sequential probability ratio test, also as text:
//! `elo0=0,elo1=20,alpha=0.05,beta=0.05`.
//!
//! **Why sequential.** A match of fixed length is too long if the difference is large and too short
//! if it is small. Wald's test (*Sequential Tests of Statistical Hypotheses*, 1945) examines the
//! results after every pair and stops as soon as the evidence suffices. Among all tests with the
//! same error rates it needs the fewest observations on average (Wald and Wolfowitz 1948), if one
//! of the two hypotheses is true.
//!
//! **How.** There are two hypotheses: under H0 the engine is `elo0` stronger, under H1 `elo1`. The
//! log-likelihood ratio (LLR) says how much better H1 explains the pairs. It wanders until it
//! leaves the range between two bounds:
//!
//! ```text
//! ln((1-β)/α)  ─────────────────────────────●  H1 accepted      β: H0 where H1 is true
//!                            ╱╲    ╱╲╱╲╱╲╱╲╱
//!           0  ──╱╲╱╲╱╲╱╲╱╲╱╱──╲╱╲╱──────────
//!
//! ln(β/(1-α))  ─────────────────────────────── H0 accepted      α: H1 where H0 is true
//! ```
//!
//! These bounds are Wald's approximation. They ignore that the LLR overshoots a bound, which makes
//! errors a little rarer. Simulations in the tests confirm the rates.
//!
//! **Generalized.** Wald's hypotheses state the whole distribution of an observation. Ours state
//! only the engine's strength, because the draw rate and the share of pairs that openings decide
//! are unknown beforehand. So each hypothesis is represented by the most likely distribution that
//! satisfies it, given the pairs (see `likelihood`), as in fishtest and fastchess. Those programs
//! also regularize: they add a fraction to scores that did not occur. Nothing is added here.
//!
//! **Which Elo.** With `normalized`, hypotheses state the difference in standard deviations, and a
//! test takes about the same number of games at any draw rate. With `logistic` they state the
//! expected score.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, IntoDeserializer};
use serde::{Deserialize, Serialize};

use crate::settings::{ParsedSettings, SettingsError};
use crate::statistics::elo::{NELO_PER_SIGMA, expected_score};
use crate::statistics::estimate::signed;
use crate::statistics::likelihood;
use crate::statistics::tally::Tally;

/// A sequential test of two hypotheses: H0, an engine is `elo0` stronger than another, and H1, it
/// is `elo1` stronger.
///
/// The log-likelihood ratio (LLR) is that of the generalized SPRT: the most likely score
/// distribution that satisfies a hypothesis represents it. Counts are not regularized. The LLR is
/// always finite.
///
/// ```
/// use pontifex_tournament::{PairTally, Sprt, Verdict};
///
/// let sprt: Sprt = "elo0=0,elo1=20".parse()?;
/// let tally = PairTally::from_counts([53, 252, 385, 260, 84]);
/// assert_eq!(sprt.to_string(), "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized");
/// assert_eq!(sprt.state(&tally).verdict, Verdict::Continue);
/// # Ok::<(), pontifex_tournament::SettingsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Elo of H0 and of H1, in the scale of `model`.
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// The kind of Elo in which the hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalized Elo. The length of a test hardly depends on the draw rate.
    #[default]
    Normalized,
    /// Logistic Elo. A hypothesis states an expected score.
    Logistic,
}

/// The decision of a sequential test so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Verdict {
    /// H0 is accepted: the engine is not as strong as H1 says.
    H0,
    /// H1 is accepted: the engine is stronger than H0 says.
    H1,
    /// More games are needed.
    #[serde(rename = "continue")]
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
    /// Which bound the LLR has reached, if any.
    pub verdict: Verdict,
}

/// The largest absolute Elo of a hypothesis. Set by judgement: far beyond any difference worth
/// testing, and the likelihood is tested up to there.
const ELO_LIMIT: f64 = 4000.0;

impl Sprt {
    /// A test of `elo1` against `elo0`, both from -4000 to 4000. `alpha` is about the probability
    /// of accepting H1 where H0 is true, `beta` that of accepting H0 where H1 is true. Both are
    /// above 0 and below 0.5.
    ///
    /// # Errors
    /// A number out of range, or `elo1` not above `elo0`.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Sprt, SettingsError> {
        // Parsing has all the checks. It loses nothing, because an `f64` is written with all the
        // digits that reading it back needs.
        format!("elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}").parse()
    }

    /// `alpha` and `beta`: the rates of the verdict H1 where H0 is true, and of H0 where H1 is.
    pub fn rates(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The Elo of H0 and of H1.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// The kind of Elo in which the hypotheses are stated.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// The log-likelihood ratio of H1 to H0; 0 without games.
    pub fn llr<const N: usize>(&self, tally: &Tally<N>) -> f64 {
        let counts = tally.counts();
        let [h0, h1] = self.elo.map(|elo| match self.model {
            EloModel::Logistic => likelihood::support_of_mean(&counts, expected_score(elo)),
            EloModel::Normalized => {
                // The standard deviation of a pair's score per game is that of a game divided by
                // √2, so the same Elo is √2 times the t.
                let t = elo / NELO_PER_SIGMA * (Tally::<N>::GAMES_EACH as f64).sqrt();
                likelihood::support_of_t_value(&counts, t)
            }
        });
        h1 - h0
    }

    /// The state of the test after these games. The caller must keep the first verdict: games that
    /// end after it do not count, or the error rates would not hold.
    pub fn state<const N: usize>(&self, tally: &Tally<N>) -> SprtState {
        let llr = self.llr(tally);
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let verdict = if llr >= upper {
            Verdict::H1
        } else if llr <= lower {
            Verdict::H0
        } else {
            Verdict::Continue
        };
        SprtState { llr, lower, upper, verdict }
    }
}

impl FromStr for Sprt {
    type Err = SettingsError;

    /// Reads `elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized`. Defaults: alpha and beta 0.05,
    /// the normalized model.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const ELO: &str = "a number from -4000 to 4000";
        const RATE: &str = "between 0 and 0.5 (both excluded)";
        let settings =
            ParsedSettings::read(text, "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized")?;
        settings.require("elo0")?;
        settings.require("elo1")?;
        let is_elo = |elo| (-ELO_LIMIT..=ELO_LIMIT).contains(&elo);
        // At 0 a bound would be infinite, and at 0.5 the bounds would meet.
        let is_rate = |rate| (f64::MIN_POSITIVE..0.5).contains(&rate);
        let elo0 = settings.get("elo0", ELO, is_elo)?;
        let above = |elo1| is_elo(elo1) && elo0 < elo1;
        Ok(Sprt {
            elo: [elo0, settings.get("elo1", "above elo0, and at most 4000", above)?],
            alpha: settings.get("alpha", RATE, is_rate)?,
            beta: settings.get("beta", RATE, is_rate)?,
            model: settings.get("model", "normalized or logistic", |_| true)?,
        })
    }
}

impl FromStr for EloModel {
    type Err = de::value::Error;

    fn from_str(text: &str) -> Result<EloModel, Self::Err> {
        EloModel::deserialize(text.into_deserializer())
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
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
        self.serialize(f)
    }
}

impl fmt::Display for SprtState {
    /// `LLR +1.25 (-2.94, +2.94) continue`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState { llr, lower, upper, verdict } = self;
        write!(f, "LLR {} ({lower:+.2}, {upper:+.2}) {verdict}", signed(*llr, 2))
    }
}
