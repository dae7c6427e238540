//! Converts errors of clap to one line in the style of our own errors.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::exit::UsageError;
use pontifex::messages::{data_error, one_of};

/// Converts an error of clap. Requests for help or the version stay clap errors, which
/// [`report`](super::exit::report) prints; all others become one line, a [`UsageError`].
pub(super) fn explain_clap_error(error: clap::Error) -> anyhow::Error {
    if !error.use_stderr() {
        return error.into();
    }
    if let Some(text) = reword(&error) {
        return UsageError(format!("{text} (see --help)")).into();
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    if let (ErrorKind::ArgumentConflict, Some(ContextValue::String(subcommand))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        let hint = format!("options come after the subcommand: pontifex {subcommand} ...");
        return UsageError(format!("{}; {hint}", text.lines().next().unwrap_or(text))).into();
    }
    let is_message = |paragraph: &&str| {
        !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information")
    };
    let paragraphs: Vec<&str> = text.split("\n\n").map(str::trim).filter(is_message).collect();
    UsageError(format!("{} (see --help)", paragraphs.join("; "))).into()
}

/// Rewords an error of clap in the style of our own errors, which say what a value must be. `None`
/// for kinds of errors for which clap's own text is good enough.
fn reword(error: &clap::Error) -> Option<String> {
    let context = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(vec![text.clone()]),
        ContextValue::Strings(texts) => Some(texts.clone()),
        _ => None,
    };
    let single = |kind| context(kind)?.pop();
    // `--level <CHOICE>` is called `--level`, `<DEPTH>` is called `DEPTH`.
    let name = |arg: &str| {
        let word = arg.split_whitespace().next().unwrap_or(arg);
        word.trim_start_matches('<').trim_end_matches(['>', '.', ']']).to_owned()
    };
    let did_you_mean = |kind| {
        let similar = context(kind).unwrap_or_default();
        similar.first().map_or(String::new(), |similar| format!("; did you mean {similar}?"))
    };
    Some(match error.kind() {
        ErrorKind::InvalidValue => {
            let arg = name(&single(ContextKind::InvalidArg)?);
            let valid = context(ContextKind::ValidValue).unwrap_or_default();
            let valid: Vec<&str> = valid.iter().map(String::as_str).collect();
            match single(ContextKind::InvalidValue)? {
                value if value.is_empty() && valid.is_empty() => format!("{arg} needs a value"),
                value if valid.is_empty() => format!("{arg} cannot be '{value}'"),
                value => format!("{arg} must be {}, not '{value}'", one_of(&valid)),
            }
        }
        ErrorKind::ValueValidation => {
            let arg = name(&single(ContextKind::InvalidArg)?);
            let value = single(ContextKind::InvalidValue)?;
            match reword_reason(&error.source()?.to_string()) {
                reason if reason.starts_with("must be ") && reason.contains(", not ") => {
                    format!("{arg} {reason}")
                }
                reason if reason.starts_with("must be ") => {
                    format!("{arg} {reason}, not '{value}'")
                }
                reason => format!("{arg} cannot be '{value}': {reason}"),
            }
        }
        ErrorKind::UnknownArgument => {
            let arg = single(ContextKind::InvalidArg)?;
            let similar = did_you_mean(ContextKind::SuggestedArg);
            if arg.starts_with('-') {
                format!("there is no option {arg}{similar}")
            } else {
                format!("'{arg}' is one argument too many")
            }
        }
        ErrorKind::InvalidSubcommand => {
            let subcommand = single(ContextKind::InvalidSubcommand)?;
            let similar = did_you_mean(ContextKind::SuggestedSubcommand);
            format!("there is no subcommand '{subcommand}'{similar}")
        }
        ErrorKind::MissingRequiredArgument => missing(&context(ContextKind::InvalidArg)?),
        _ => return None,
    })
}

/// The error text for missing arguments.
fn missing(arguments: &[String]) -> String {
    let bare = |arg: &String| arg.trim_matches(['<', '>', '.']).replace('|', " or ");
    let names: Vec<String> = arguments.iter().map(bare).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} missing", names.join(", "))
}

/// Rewords a library's reason for refusing a value in the style of our own errors.
fn reword_reason(reason: &str) -> String {
    match reason.split_once(" is not in ").map(|(_, range)| range) {
        Some(range) => {
            let (least, most) = range.split_once("..").unwrap_or((range, ""));
            let most = most.trim_start_matches('=');
            format!("must be a whole number from {least} to {most}")
        }
        None => data_error(&reason),
    }
}
