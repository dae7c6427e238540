//! How engines fail: the error of one command, and the record that a journal keeps of it.
//!
//! Each kind of failure is detected by one layer. The GTP client sees what happened to a command.
//! `GtpEngine` knows what a refusal means. The referee judges whether a move was legal and in time:
//!
//! ```text
//! Crash, Stall, Framing     GtpClient: no answer, or an unreadable one
//! Start, Refusal            GtpEngine: a command was refused, before or within the game
//! Timeout, Illegal          referee: an answer, but too late or not a legal move
//! ```
//!
//! `Player` turns any failure during the start into `Start`, because a run treats engines that do
//! not start differently and may replay their games.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kind of a failure. Journals and JSON reports contain its name in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The engine does not start, or refuses the settings of a game.
    Start,
    /// The process ended or closed its output before `quit`.
    Crash,
    /// No answer arrived until long after the time was up, and the engine was killed.
    Stall,
    /// The answer arrived after the time was up.
    Timeout,
    /// The move is illegal, or not a move.
    Illegal,
    /// The engine answered `?` to a legal move of its opponent, or to `genmove`.
    Refusal,
    /// The answer violates GTP's framing.
    Framing,
}

impl FailureKind {
    /// Every kind, in the order in which reports list them.
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
    /// The GTP command, without its number; empty if none was sent.
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

/// The failure of an engine, with everything its author needs to find the cause.
///
/// `Display` writes one line: engine, kind, detail. [`Failure::report`] writes everything.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[error("{engine}: {kind}: {detail}")]
pub struct Failure {
    /// The engine's name in the match.
    pub engine: String,
    /// Determines how the game's result is written and how the failure is counted.
    pub kind: FailureKind,
    /// What happened, in one line.
    pub detail: String,
    /// The position before the move, as position text; `None` outside a game.
    pub position: Option<String>,
    /// The GTP command that failed; `None` if the engine could not be started.
    pub command: Option<String>,
    /// The last lines sent (`> `) and received (`< `), oldest first; at most 20.
    pub last_lines: Vec<String>,
    /// The last lines of the engine's stderr, oldest first; at most 20.
    pub stderr_tail: Vec<String>,
    /// The exit status, as in `exit status: 3`, after a crash or a failed start; `None` if the
    /// process was still running and had to be killed.
    pub exit_status: Option<String>,
}

impl Failure {
    /// A failure without context. The caller fills in the other fields as far as it knows them.
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

    /// The whole record as indented lines of text below the first, for a log.
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
