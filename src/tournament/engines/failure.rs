use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// In which way an engine failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// It does not start, or refuses the set-up of a game.
    Start,
    /// It ended, or closed its output, before it was told to.
    Crash,
    /// It gave no answer at all, long after its time was up.
    Stall,
    /// It answered after its time was up.
    Timeout,
    /// Its move breaks a rule or is no move.
    Illegal,
    /// It refused a command that it must carry out: a legal move, `genmove`.
    Refusal,
    /// Its answer breaks the protocol's framing.
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

    /// One word, as in JSON: `start`, `crash`, ...
    pub const fn word(self) -> &'static str {
        match self {
            FailureKind::Start => "start",
            FailureKind::Crash => "crash",
            FailureKind::Stall => "stall",
            FailureKind::Timeout => "timeout",
            FailureKind::Illegal => "illegal",
            FailureKind::Refusal => "refusal",
            FailureKind::Framing => "framing",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How an engine failed, with all that its author needs to find out why.
///
/// As text it is one line: engine, kind, detail.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[error("{engine}: {kind}: {detail}")]
pub struct Failure {
    /// The engine's name.
    pub engine: String,
    /// In which way.
    pub kind: FailureKind,
    /// What happened, one line.
    pub detail: String,
    /// The position as position text; `None` outside a game.
    pub position: Option<String>,
    /// The command that was not answered as it should be.
    pub command: Option<String>,
    /// The last lines of both directions, oldest first: `> ` was sent, `< `
    /// came back.
    pub last_lines: Vec<String>,
    /// The last lines of its stderr, oldest first.
    pub stderr_tail: Vec<String>,
    /// How the process ended by itself, as `exit status: 3`; `None` while it
    /// ran.
    pub exit_status: Option<String>,
}

impl Failure {
    /// A failure of which nothing but the kind is known yet.
    pub(in crate::tournament) fn new(
        engine: &str,
        kind: FailureKind,
        detail: impl Into<String>,
    ) -> Failure {
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

    /// All of it as text of several lines, for a log.
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
