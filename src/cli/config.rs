//! The configuration file: TOML, keys named as the options.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::exit::UsageError;
use crate::engine::{Options, Param, ParamKind};

/// Sets what the file sets, of these parameters.
///
/// # Errors
/// A [`UsageError`] that names the file and every key that is no option, or
/// the value that is not allowed.
pub(super) fn apply(
    path: &Path,
    params: &[&'static Param],
    options: &mut Options,
) -> Result<(), UsageError> {
    let refuse = |reason: String| UsageError(format!("{}: {reason}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let table: Table = text.parse().map_err(|error| refuse(describe(&error, &text)))?;
    let find = |key: &str| params.iter().find(|param| param.name == key);
    let unknown: Vec<&str> =
        table.keys().map(String::as_str).filter(|key| find(key).is_none()).collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        let (unknown, known) = (unknown.join(", "), known.join(" "));
        return Err(refuse(format!("no option is called {unknown}; there are {known}")));
    }
    // In the order of the registry, as on the command line.
    for param in params {
        if let Some(value) = table.get(param.name) {
            let set = param.set(options, &word(value, &param.kind));
            set.map_err(|error| refuse(error.to_string()))?;
        }
    }
    Ok(())
}

/// A value as the command line would have it.
fn word(value: &Value, kind: &ParamKind) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(on) if *kind == ParamKind::Switch => {
            if *on { "on" } else { "off" }.to_owned()
        }
        other => other.to_string(),
    }
}

/// What is wrong and in which line.
pub(super) fn describe(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {}: {}", before.matches('\n').count() + 1, error.message())
}
