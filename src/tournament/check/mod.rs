//! Is an engine fit to be refereed?
//!
//! Each check talks to the engine as the referee does, under a deadline. An
//! engine that breaks down in one check is started anew for the next.

mod game;
mod protocol;

use std::time::Duration;

use serde::Serialize;

use crate::clock::Limit;
use crate::tournament::engines::client::{Answer, Fault, GtpClient};
use crate::tournament::engines::failure::FailureKind;
use crate::tournament::engines::groups::ProcessGroups;
use crate::tournament::engines::remote::spawn;
use crate::tournament::engines::spec::{EngineCommand, EngineSpec};

/// What one check of an engine found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckResult {
    /// What was checked, a few words.
    pub name: &'static str,
    /// What was found.
    pub verdict: CheckVerdict,
    /// What the engine did, or what is wrong and how to mend it; one line.
    pub detail: String,
}

/// Whether an engine passed a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// It did.
    Pass,
    /// It can be refereed, but something would be better.
    Warn,
    /// It cannot be refereed like this.
    Fail,
    /// It could not be tried, because something before failed.
    Skipped,
}

/// The time for each move when the engine's own limit does not say.
const MOVE: Limit = Limit::Move { seconds: 0.2 };

/// What a check finds; an answer that is none is a finding too.
type Finding = Result<(CheckVerdict, String), Fault>;

/// A check: its name and how it is done.
type Check = (&'static str, fn(&mut Checker) -> Finding);

/// All checks, in the order they are done.
const CHECKS: [Check; 11] = [
    ("starts and answers", protocol::starts),
    ("protocol version", protocol::version),
    ("required commands", protocol::required_commands),
    ("unknown command", protocol::unknown_command),
    ("board sizes", protocol::board_sizes),
    ("plays moves", game::plays),
    ("refuses illegal moves", game::refuses),
    ("takes back moves", game::takes_back),
    ("parameters", protocol::parameters),
    ("plays a whole game in time", game::whole_game),
    ("quits", protocol::quits),
];

/// Tries all that a referee needs of an engine. It may take `patience` for
/// each answer, beside the time for a move: its own limit, or 0.2 s.
///
/// A wrong path is for [`EngineSpec::check_path`] to find.
pub fn check(spec: &EngineSpec, groups: &ProcessGroups, patience: Duration) -> Vec<CheckResult> {
    if spec.command == EngineCommand::Builtin {
        let detail = "the built-in engine runs in this process and speaks no GTP".to_owned();
        return vec![CheckResult { name: CHECKS[0].0, verdict: CheckVerdict::Pass, detail }];
    }
    let mut checker = Checker { spec, groups, patience, client: None };
    let mut is_startable = true;
    let mut results = Vec::with_capacity(CHECKS.len());
    for (number, (name, run)) in CHECKS.into_iter().enumerate() {
        let (verdict, detail) = if is_startable {
            checker.run(run)
        } else {
            (CheckVerdict::Skipped, "the engine does not start".to_owned())
        };
        is_startable &= number > 0 || verdict != CheckVerdict::Fail;
        results.push(CheckResult { name, verdict, detail });
    }
    results
}

/// An engine that is being checked.
struct Checker<'a> {
    spec: &'a EngineSpec,
    groups: &'a ProcessGroups,
    patience: Duration,
    client: Option<GtpClient>,
}

impl Checker<'_> {
    fn run(&mut self, check: fn(&mut Checker) -> Finding) -> (CheckVerdict, String) {
        check(self).unwrap_or_else(|fault| {
            let hint = match fault.kind {
                FailureKind::Crash => "it must answer every command and go on",
                FailureKind::Stall => {
                    "every answer must be sent at once: flush the output after each"
                }
                FailureKind::Framing => {
                    "an answer is = or ?, the command's number, a space, the text, an empty line"
                }
                _ => "see its stderr",
            };
            let said = self.client.take().and_then(|mut client| {
                client.process.end(Duration::ZERO);
                client.process.stderr_tail().pop()
            });
            let said = said.map(|line| format!("; its last words: {line}")).unwrap_or_default();
            (CheckVerdict::Fail, format!("{}; {hint}{said}", fault.detail))
        })
    }

    /// The engine, started if need be.
    fn client(&mut self) -> Result<&mut GtpClient, Fault> {
        let client = match self.client.take() {
            Some(client) => client,
            None => spawn(self.spec, self.groups)
                .map_err(|detail| Fault { kind: FailureKind::Start, detail })?,
        };
        Ok(self.client.insert(client))
    }

    /// The answer to a command that needs no thinking.
    fn ask(&mut self, command: &str) -> Result<Result<String, String>, Fault> {
        let patience = self.patience;
        self.client()?.ask(command, patience).map(|answer| answer.text)
    }

    /// The answer to `genmove`, for which the engine has more time.
    fn genmove(&mut self, color: char, limit: Limit) -> Result<Answer, Fault> {
        let seconds = match limit {
            Limit::Move { seconds } => seconds,
            Limit::Fischer { main, .. } => main,
            Limit::ByoYomi { main, period, periods } => main + period * f64::from(periods),
            Limit::Iterations { .. } => 0.0,
        };
        let patience = self.patience + Duration::from_secs_f64(seconds);
        self.client()?.ask(&format!("genmove {color}"), patience)
    }

    fn knows(&mut self, command: &str) -> Result<bool, Fault> {
        let answer = self.ask(&format!("known_command {command}"))?;
        Ok(answer.is_ok_and(|text| text.eq_ignore_ascii_case("true")))
    }
}

fn pass(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Pass, detail)
}

fn warn(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Warn, detail)
}

fn fail(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Fail, detail)
}

#[expect(clippy::unnecessary_wraps, reason = "what checks return")]
fn found(verdict: CheckVerdict, detail: impl Into<String>) -> Finding {
    Ok((verdict, detail.into()))
}

/// An answer as it was sent, on one line.
fn shown(answer: &Result<String, String>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let text: String = text.chars().take(80).map(|c| if c == '\n' { ' ' } else { c }).collect();
    format!("'{}'", format!("{sign} {text}").trim_end())
}
