//! Asking an engine, and the outcome of a check.

use std::time::Duration;

use serde::Serialize;

use crate::engines::client::{Answer, GtpClient};
use crate::engines::failure::{EngineError, FailureKind};
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::EngineSpec;
use pontifex::clock::{Clock, Limit};
use pontifex::messages::printable;

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckResult {
    /// The name of the check.
    pub name: &'static str,
    /// Whether the engine passed.
    pub verdict: CheckVerdict,
    /// What the engine did, or what is wrong and how to fix it, in one line.
    pub detail: String,
}

/// Whether an engine passed a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// The engine passed.
    Pass,
    /// The engine can be refereed, but should be improved.
    Warn,
    /// The engine cannot be refereed.
    Fail,
    /// The check was not possible because an earlier one failed.
    Skipped,
}

/// The outcome of a check. A missing or wrongly framed answer is an error.
pub(super) type Finding = Result<(CheckVerdict, String), EngineError>;

/// An engine under test.
pub(super) struct Checker<'a> {
    pub(super) spec: &'a EngineSpec,
    groups: &'a ProcessGroups,
    pub(super) patience: Duration,
    pub(super) client: Option<GtpClient>,
}

impl<'a> Checker<'a> {
    /// A checker that starts the engine when it is first asked.
    pub(super) fn new(
        spec: &'a EngineSpec,
        groups: &'a ProcessGroups,
        patience: Duration,
    ) -> Checker<'a> {
        Checker { spec, groups, patience, client: None }
    }

    /// Runs a check. An error is a failure; it ends the engine, and the next
    /// check starts it again.
    pub(super) fn run(&mut self, check: fn(&mut Checker) -> Finding) -> (CheckVerdict, String) {
        check(self).unwrap_or_else(|error| {
            let hint = match error.kind {
                FailureKind::Crash => "it must answer every command and keep running",
                FailureKind::Stall => "flush the output after each answer",
                FailureKind::Framing => {
                    "an answer is = or ?, the command's number, a space, the text, an empty line"
                }
                _ => "see its stderr",
            };
            let said = self.client.take().and_then(|mut client| {
                client.process.end(Duration::ZERO);
                client.process.stderr_tail().pop()
            });
            let said = said
                .map(|line| format!("; the last line of its stderr: {line}"))
                .unwrap_or_default();
            (CheckVerdict::Fail, format!("{}; {hint}{said}", error.detail))
        })
    }

    /// The engine, started if it is not running.
    pub(super) fn client(&mut self) -> Result<&mut GtpClient, EngineError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => GtpClient::start(self.spec, self.groups)
                .map_err(|detail| EngineError::new(FailureKind::Start, "", detail))?,
        };
        Ok(self.client.insert(client))
    }

    /// The answer to a command that needs no search.
    pub(super) fn ask(&mut self, command: &str) -> Result<Result<String, String>, EngineError> {
        let patience = self.patience;
        self.client()?.ask(command, patience).map(|answer| answer.text)
    }

    /// The answer to `genmove`, for which the engine has its limit in addition.
    pub(super) fn genmove(&mut self, color: char, limit: Limit) -> Result<Answer, EngineError> {
        let limit = Clock::new(limit).allowed().unwrap_or_default();
        let patience = self.patience.saturating_add(limit.duration());
        self.client()?.ask(&format!("genmove {color}"), patience)
    }

    pub(super) fn knows(&mut self, command: &str) -> Result<bool, EngineError> {
        let answer = self.ask(&format!("known_command {command}"))?;
        Ok(answer.is_ok_and(|text| text.eq_ignore_ascii_case("true")))
    }
}

pub(super) fn pass(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Pass, detail)
}

pub(super) fn warn(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Warn, detail)
}

pub(super) fn fail(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Fail, detail)
}

#[expect(clippy::unnecessary_wraps, reason = "the return type of checks")]
pub(super) fn found(verdict: CheckVerdict, detail: impl Into<String>) -> Finding {
    Ok((verdict, detail.into()))
}

/// An answer as it was sent, cut to one line.
pub(super) fn shown(answer: &Result<String, String>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let text: String = text.chars().take(80).collect();
    format!("'{}'", format!("{sign} {}", printable(&text)).trim_end())
}
