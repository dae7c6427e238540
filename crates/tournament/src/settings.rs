//! Settings as text: `KEY=VALUE,KEY=VALUE`, in any order.
//!
//! A *form* such as `movecount=3,winrate=0.02` states the keys and their defaults. The code reads
//! the defaults from it and errors show it, so that the two cannot differ.

use std::str::FromStr;

use thiserror::Error;

/// Why a text of settings is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingsError {
    /// A key is unknown or has no value.
    #[error("'{part}' is not one of {form}")]
    Part {
        /// The text between two commas.
        part: String,
        /// All keys with their defaults.
        form: &'static str,
    },
    /// A key is given twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A key without a default is missing.
    #[error("{key} is missing, as in {form}")]
    Missing {
        /// The name of the missing key.
        key: &'static str,
        /// All keys with their defaults; for a key without one, an example.
        form: &'static str,
    },
    /// A value cannot be read or is out of range.
    #[error("{key}={value} is not {wanted}")]
    Value {
        /// The name of the key.
        key: &'static str,
        /// The value as it was written.
        value: String,
        /// The valid values, as in "a number from 1 to 1000".
        wanted: &'static str,
    },
}

/// The keys and values of a text. All keys are in the form, each at most once.
pub(crate) struct ParsedSettings<'t> {
    form: &'static str,
    pairs: Vec<(&'t str, &'t str)>,
}

impl<'t> ParsedSettings<'t> {
    /// Reads a text with the keys of `form`, each at most once.
    pub(crate) fn read(
        text: &'t str,
        form: &'static str,
    ) -> Result<ParsedSettings<'t>, SettingsError> {
        let mut settings = ParsedSettings { form, pairs: Vec::new() };
        for part in text.split(',').map(str::trim) {
            let pair = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            let refuse = || SettingsError::Part { part: part.to_owned(), form };
            let is_known = |&(key, _): &(&str, &str)| default_of(form, key).is_some();
            let (key, value) = pair.filter(is_known).ok_or_else(refuse)?;
            if settings.pairs.iter().any(|(known, _)| *known == key) {
                return Err(SettingsError::Twice(key.to_owned()));
            }
            settings.pairs.push((key, value));
        }
        Ok(settings)
    }

    /// The value of a key, or its default.
    ///
    /// # Errors
    /// The value cannot be parsed, or `is_valid` does not hold. The error quotes `wanted`, which
    /// describes a valid value.
    pub(crate) fn get<T: FromStr + Copy>(
        &self,
        key: &'static str,
        wanted: &'static str,
        is_valid: impl Fn(T) -> bool,
    ) -> Result<T, SettingsError> {
        let text = self.pairs.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
        let value = text.or(default_of(self.form, key)).unwrap_or_default();
        let refuse = || SettingsError::Value { key, value: value.to_owned(), wanted };
        value.parse().ok().filter(|&value| is_valid(value)).ok_or_else(refuse)
    }

    /// Checks that a key was given. For keys whose value in the form is an example, not a default.
    pub(crate) fn require(&self, key: &'static str) -> Result<(), SettingsError> {
        let is_given = self.pairs.iter().any(|(known, _)| *known == key);
        let missing = SettingsError::Missing { key, form: self.form };
        if is_given { Ok(()) } else { Err(missing) }
    }
}

/// The default of a key; `None` if the form lacks the key.
fn default_of(form: &'static str, key: &str) -> Option<&'static str> {
    let mut pairs = form.split(',').filter_map(|part| part.split_once('='));
    pairs.find(|(known, _)| *known == key).map(|(_, value)| value)
}
