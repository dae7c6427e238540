//! Exit codes and error messages.

use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use thiserror::Error;

use super::interrupt;
use pontifex::messages::tell;

/// The exit code after an interrupt, as in shells.
pub(super) const INTERRUPTED: i32 = 130;

/// Wrong usage or unreadable input: exit code 2. All other errors except
/// [`EngineError`] have exit code 1.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// An engine that cannot play: exit code 3.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct EngineError(pub(super) String);

/// Converts an error of clap. Requests for help or the version stay clap errors,
/// which [`report`] prints; all others become one line.
pub(super) fn explain(error: clap::Error) -> anyhow::Error {
    if !error.use_stderr() {
        return error.into();
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

/// Whether an error says that nobody reads the output any more.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().is_some_and(|io: &io::Error| io.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(is_broken)
}

/// Prints an error on stderr and returns the exit code. A closed output pipe is
/// not an error.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(help) = error.downcast_ref::<clap::Error>() {
        let _ = help.print();
        return ExitCode::SUCCESS;
    }
    if is_broken_pipe(error) {
        return interrupt::code();
    }
    tell(format_args!("{error:#}"));
    ExitCode::from(code(error))
}

/// The exit code of an error.
pub(super) fn code(error: &anyhow::Error) -> u8 {
    match error {
        error if error.is::<UsageError>() => 2,
        error if error.is::<EngineError>() => 3,
        _ => 1,
    }
}
