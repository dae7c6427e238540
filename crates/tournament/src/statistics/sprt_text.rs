//! Sequential tests as text: `elo0=0,elo1=20,alpha=0.05,beta=0.05`.

use std::fmt;
use std::str::FromStr;

use crate::statistics::sprt::{EloModel, Sprt, SprtError};

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
