//! How engines fail: the error of one command, and the record that a journal
//! keeps of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kind of a failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The engine does not start, or refuses the settings of a game.
    Start,
    /// The process ended or closed its output before `quit`.
    Crash,
    /// No answer arrived, long after the time was up.
    Stall,
    /// The answer arrived after the time was up.
    Timeout,
    /// The move is illegal, or not a move.
    Illegal,
    /// The engine refused a legal move, or refused to move.
    Refusal,
    /// The answer violates GTP's framing.
    Framing,
}

impl FailureKind {
    /// Every kind.
    pub const ALL: [FailureKind; 7] = [
        FailureKind::Start,
        FailureKind::Crash,
        FailureKind::Stall,
        FailureKind::Timeout,
        FailureKind::Illegal,
        FailureKind::Refusal,
        FailureKind::Framing,
    ];
}

/// One word, as in JSON: `start`, `crash`, ...
impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A command that an engine did not carry out.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{command}: {kind}: {detail}")]
pub(crate) struct EngineError {
    pub(crate) kind: FailureKind,
    /// The GTP command.
    pub(crate) command: String,
    /// What happened, in one line.
    pub(crate) detail: String,
}

impl EngineError {
    pub(crate) fn new(
        kind: FailureKind,
        command: impl Into<String>,
        detail: impl Into<String>,
    ) -> EngineError {
        EngineError { kind, command: command.into(), detail: detail.into() }
    }
}

/// The failure of an engine, with everything its author needs to find the
/// cause.
///
/// Its text is one line: engine, kind, detail.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[error("{engine}: {kind}: {detail}")]
pub struct Failure {
    /// The engine's name.
    pub engine: String,
    /// The kind of failure.
    pub kind: FailureKind,
    /// What happened, in one line.
    pub detail: String,
    /// The position as position text; `None` outside a game.
    pub position: Option<String>,
    /// The command that failed.
    pub command: Option<String>,
    /// The last lines sent (`> `) and received (`< `), oldest first.
    pub last_lines: Vec<String>,
    /// The last lines of the engine's stderr, oldest first.
    pub stderr_tail: Vec<String>,
    /// The exit status, as in `exit status: 3`; `None` if the process was
    /// still running.
    pub exit_status: Option<String>,
}

impl Failure {
    /// A failure without context.
    pub fn new(engine: &str, kind: FailureKind, detail: impl Into<String>) -> Failure {
        Failure {
            engine: engine.to_owned(),
            kind,
            detail: detail.into(),
            position: None,
            command: None,
            last_lines: Vec::new(),
            stderr_tail: Vec::new(),
            exit_status: None,
        }
    }

    /// The whole record as several lines of text, for a log.
    pub fn report(&self) -> String {
        let mut report = format!("{self}\n");
        let mut line = |label: &str, text: &str| {
            report.extend(["  ", label, ": ", text, "\n"]);
        };
        for (label, text) in [
            ("position", &self.position),
            ("command", &self.command),
            ("ended with", &self.exit_status),
        ] {
            if let Some(text) = text {
                line(label, text);
            }
        }
        self.last_lines.iter().for_each(|text| line("protocol", text));
        self.stderr_tail.iter().for_each(|text| line("stderr", text));
        report
    }
}
