//! A controller's side of GTP: one command, one answer, strictly framed.

use std::time::{Duration, Instant};

use crate::tournament::engines::failure::FailureKind;
use crate::tournament::engines::process::{EngineProcess, OutputLine, Silence};
use crate::tournament::engines::tail::LineTail;

/// Bytes in one answer.
const MAX_ANSWER: usize = 1 << 20;

/// What an engine answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::tournament) struct Answer {
    /// The text after `=`, or after `?`.
    pub(in crate::tournament) text: Result<String, String>,
    /// From when the command was sent until the last line of the answer came.
    pub(in crate::tournament) elapsed: Duration,
}

/// There is no answer, or none that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::tournament) struct Fault {
    pub(in crate::tournament) kind: FailureKind,
    /// One line.
    pub(in crate::tournament) detail: String,
}

/// A process that speaks GTP.
#[derive(Debug)]
pub(in crate::tournament) struct GtpClient {
    pub(in crate::tournament) process: EngineProcess,
    last_id: u64,
    traffic: LineTail,
}

impl GtpClient {
    pub(in crate::tournament) fn new(process: EngineProcess) -> GtpClient {
        GtpClient { process, last_id: 0, traffic: LineTail::default() }
    }

    /// Sends a command and waits for its answer, `patience` at most.
    ///
    /// # Errors
    /// A crash, a stall, or an answer that breaks the framing. The engine
    /// cannot be asked any more then.
    pub(in crate::tournament) fn ask(
        &mut self,
        command: &str,
        patience: Duration,
    ) -> Result<Answer, Fault> {
        self.last_id += 1;
        let line = format!("{} {command}", self.last_id);
        self.traffic.push(&format!("> {line}"));
        let sent = Instant::now();
        self.process.send(format!("{line}\n").into_bytes());
        let deadline = sent + patience;
        let fault = |kind, detail| Err(Fault { kind, detail });

        let mut answer = String::new();
        let mut is_success = None;
        loop {
            let OutputLine { text: line, at } = match self.process.line(deadline) {
                Ok(line) => line,
                Err(Silence::Closed) => return Err(self.crash()),
                Err(Silence::Deadline) if is_success.is_some() => {
                    let detail = format!(
                        "no empty line ended the answer to '{command}' within {patience:.1?}"
                    );
                    return fault(FailureKind::Framing, detail);
                }
                Err(Silence::Deadline) => {
                    let detail = format!("no answer to '{command}' within {patience:.1?}");
                    return fault(FailureKind::Stall, detail);
                }
            };
            self.traffic.push(&format!("< {line}"));
            let is_blank = line.trim().is_empty();
            match is_success {
                // Empty lines between answers mislead nobody.
                None if is_blank => {}
                None => {
                    let (success, text) = match self.first_line(&line) {
                        Ok(parts) => parts,
                        Err(detail) => return fault(FailureKind::Framing, detail),
                    };
                    is_success = Some(success);
                    answer.push_str(text);
                }
                Some(success) if is_blank => {
                    let text = if success { Ok(answer) } else { Err(answer) };
                    return Ok(Answer { text, elapsed: at.saturating_duration_since(sent) });
                }
                Some(_) => {
                    answer.push('\n');
                    answer.push_str(&line);
                }
            }
            if answer.len() > MAX_ANSWER {
                let detail = format!("the answer to '{command}' is longer than {MAX_ANSWER} bytes");
                return fault(FailureKind::Framing, detail);
            }
        }
    }

    /// Takes the first line of an answer apart: whether it is a success, and
    /// its text.
    fn first_line<'a>(&self, line: &'a str) -> Result<(bool, &'a str), String> {
        let shown: String = line.chars().take(80).collect();
        let (is_success, rest) = match line.split_at_checked(1) {
            Some(("=", rest)) => (true, rest),
            Some(("?", rest)) => (false, rest),
            _ => return Err(format!("'{shown}' is no answer: it begins with neither = nor ?")),
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (id, text) = rest.split_at(digits);
        if id.is_empty() {
            return Err(format!("the answer '{shown}' has no id, {} is due", self.last_id));
        }
        if id.parse() != Ok(self.last_id) {
            return Err(format!("the answer '{shown}' has the id {id}, {} is due", self.last_id));
        }
        if !text.is_empty() && !text.starts_with([' ', '\t']) {
            return Err(format!("in the answer '{shown}' no space follows the id"));
        }
        Ok((is_success, text.trim()))
    }

    fn crash(&mut self) -> Fault {
        let detail = match self.process.exit_status() {
            Some(status) => format!("the engine ended, {status}"),
            None => "the engine closed its output and went on running".to_owned(),
        };
        Fault { kind: FailureKind::Crash, detail }
    }

    /// The last lines of both directions, oldest first.
    pub(in crate::tournament) fn traffic(&self) -> Vec<String> {
        self.traffic.lines()
    }

    /// Asks the engine to quit and gives it `patience` to end; whether it
    /// answered, and whether it ended by itself. Then what is left of it is
    /// killed.
    pub(in crate::tournament) fn quit(
        &mut self,
        patience: Duration,
    ) -> (Result<Answer, Fault>, bool) {
        let answer = self.ask("quit", patience);
        let ended = self.process.end(if answer.is_ok() { patience } else { Duration::ZERO });
        (answer, ended)
    }
}
