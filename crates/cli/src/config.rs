//! The configuration file: TOML with the names of the options as keys.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use toml::{Table, Value};

use super::exit::UsageError;
use pontifex::engine::{Param, ParamKind};
use pontifex::files;

/// Reads the values of `params` from the file, unchecked.
///
/// # Errors
/// The file cannot be read or parsed, or has keys other than `params`.
pub(super) fn read(
    path: &Path,
    params: &[&'static Param],
) -> Result<HashMap<&'static str, String>, UsageError> {
    let refuse = |reason: String| refusal(path, &reason);
    let table = table(path)?;
    let find = |key: &str| params.iter().find(|param| param.name == key);
    let unknown: Vec<&str> =
        table.keys().map(String::as_str).filter(|key| find(key).is_none()).collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        let (unknown, known) = (unknown.join(", "), known.join(" "));
        return Err(refuse(format!("no option is called {unknown}; there are {known}")));
    }
    let value =
        |param: &&'static Param| Some((param.name, word(table.get(param.name)?, &param.kind)));
    Ok(params.iter().filter_map(value).collect())
}

/// The contents of a file.
///
/// # Errors
/// The file cannot be read or parsed.
pub(super) fn table(path: &Path) -> Result<Table, UsageError> {
    let text = files::read_text(path).map_err(|error| refusal(path, &error))?;
    text.parse().map_err(|error| refusal(path, &describe(&error, &text)))
}

/// An error in the file.
pub(super) fn refusal(path: &Path, reason: &dyn fmt::Display) -> UsageError {
    UsageError(format!("{}: {reason}", path.display()))
}

/// A value as it would be written on the command line.
fn word(value: &Value, kind: &ParamKind) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(on) if *kind == ParamKind::Switch => {
            if *on { "on" } else { "off" }.to_owned()
        }
        other => other.to_string(),
    }
}

/// A parse error with its line number.
fn describe(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {}: {}", before.matches('\n').count() + 1, error.message())
}
