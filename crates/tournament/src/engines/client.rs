//! The controller's side of GTP: one command, one answer, strictly framed.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::engines::failure::{EngineError, FailureKind};
use crate::engines::process::{EngineProcess, NoLine, OutputLine};
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::EngineSpec;
use crate::engines::tail::LineTail;
use pontifex::clock::Seconds;

/// The longest answer in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// An answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// The text after `=`; after `?` as an error.
    pub(crate) text: Result<String, String>,
    /// From sending the command to the last line of the answer.
    pub(crate) elapsed: Duration,
}

/// A process that speaks GTP.
#[derive(Debug)]
pub(crate) struct GtpClient {
    pub(crate) process: EngineProcess,
    last_id: u64,
    traffic: LineTail,
}

impl GtpClient {
    /// Starts the engine's process and sends nothing.
    ///
    /// # Errors
    /// Why it cannot be started, in one line.
    pub(crate) fn start(spec: &EngineSpec, groups: &ProcessGroups) -> Result<GtpClient, String> {
        let words = spec.words().map_err(|error| error.to_string())?;
        let [program, arguments @ ..] = &*words else {
            return Err("the command line is empty".to_owned());
        };
        let mut command = Command::new(spec.program_path(program));
        command.args(arguments);
        if let Some(dir) = spec.dir() {
            command.current_dir(dir);
        }
        let process = EngineProcess::start(command, groups)
            .map_err(|error| format!("'{program}' cannot be started: {error}"))?;
        Ok(GtpClient { process, last_id: 0, traffic: LineTail::default() })
    }

    /// Sends a command and waits for its answer, at most for `patience`.
    ///
    /// # Errors
    /// A crash, a stall, or an answer with wrong framing. The engine must not
    /// be used after an error; after a crash it has been ended.
    pub(crate) fn ask(&mut self, command: &str, patience: Duration) -> Result<Answer, EngineError> {
        self.exchange(command, patience).map_err(|failure| {
            let (kind, detail) =
                failure.unwrap_or_else(|| (FailureKind::Crash, self.exit_detail()));
            EngineError::new(kind, command, detail)
        })
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// The failure; `None` if the engine has closed its output.
    fn exchange(
        &mut self,
        command: &str,
        patience: Duration,
    ) -> Result<Answer, Option<(FailureKind, String)>> {
        self.last_id += 1;
        let line = format!("{} {command}", self.last_id);
        self.traffic.push(&format!("> {line}"));
        let sent = Instant::now();
        let deadline = sent + patience.min(Seconds::MAX.duration());
        self.process.send(format!("{line}\n").into_bytes());
        let framing = |detail| Some((FailureKind::Framing, detail));

        // Empty lines between answers are harmless.
        let first = loop {
            match self.next_line(deadline) {
                Ok(line) if line.text.trim().is_empty() => {}
                Ok(line) => break line.text,
                Err(NoLine::Closed) => return Err(None),
                Err(NoLine::Deadline) => {
                    let detail = format!("no answer to '{command}' within {patience:.1?}");
                    return Err(Some((FailureKind::Stall, detail)));
                }
            }
        };
        let (is_success, text) = parse_first_line(&first, self.last_id).map_err(framing)?;
        let mut text = text.to_owned();
        loop {
            if text.len() > MAX_ANSWER {
                let detail = format!("the answer to '{command}' is longer than {MAX_ANSWER} bytes");
                return Err(framing(detail));
            }
            match self.next_line(deadline) {
                Ok(OutputLine { text: line, at }) if line.trim().is_empty() => {
                    let text = if is_success { Ok(text) } else { Err(text) };
                    return Ok(Answer { text, elapsed: at.saturating_duration_since(sent) });
                }
                Ok(line) => text.extend(["\n", &line.text]),
                Err(NoLine::Closed) => return Err(None),
                Err(NoLine::Deadline) => {
                    return Err(framing(format!(
                        "no empty line ended the answer to '{command}' within {patience:.1?}"
                    )));
                }
            }
        }
    }

    fn next_line(&mut self, deadline: Instant) -> Result<OutputLine, NoLine> {
        let line = self.process.line(deadline)?;
        self.traffic.push(&format!("< {}", line.text));
        Ok(line)
    }

    fn exit_detail(&mut self) -> String {
        match self.process.end_closed() {
            Some(status) => format!("the engine ended, {status}"),
            None => "the engine closed its output but is still running".to_owned(),
        }
    }

    /// The last lines of both directions, oldest first.
    pub(super) fn traffic(&self) -> Vec<String> {
        self.traffic.lines()
    }

    /// Sends `quit`, waits at most `patience` for the answer and then for the
    /// end of the process, and kills what is left.
    pub(super) fn quit(&mut self, patience: Duration) {
        // Many engines end without an answer.
        let is_ending = matches!(self.exchange("quit", patience), Ok(_) | Err(None));
        self.process.end(if is_ending { patience } else { Duration::ZERO });
    }
}

/// Splits the first line of the answer to command `id` into success and text.
///
/// # Errors
/// What is wrong with the framing, in one line.
fn parse_first_line(line: &str, id: u64) -> Result<(bool, &str), String> {
    let shown: String = line.chars().take(80).collect();
    let (is_success, rest) = match line.split_at_checked(1) {
        Some(("=", rest)) => (true, rest),
        Some(("?", rest)) => (false, rest),
        _ => return Err(format!("'{shown}' is not an answer: it begins with neither = nor ?")),
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (found, text) = rest.split_at(digits);
    if found.is_empty() {
        return Err(format!("the answer '{shown}' has no id, expected {id}"));
    }
    if found.parse() != Ok(id) {
        return Err(format!("the answer '{shown}' has the id {found}, expected {id}"));
    }
    if !text.is_empty() && !text.starts_with([' ', '\t']) {
        return Err(format!("no space follows the id in the answer '{shown}'"));
    }
    Ok((is_success, text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_strictly_framed() {
        for (line, parsed) in [
            ("=7 d4,e6", (true, "d4,e6")),
            ("=7", (true, "")),
            ("=7\tpass ", (true, "pass")),
            ("?7 unknown command", (false, "unknown command")),
        ] {
            assert_eq!(parse_first_line(line, 7), Ok(parsed), "{line}");
        }
        for (line, error) in [
            ("info depth 3", "neither = nor ?"),
            ("", "neither = nor ?"),
            ("é", "neither = nor ?"),
            ("= d4,e6", "has no id, expected 7"),
            ("=8 d4,e6", "has the id 8, expected 7"),
            ("=7d4,e6", "no space follows the id"),
        ] {
            let found = parse_first_line(line, 7).unwrap_err();
            assert!(found.contains(error), "{line}: {found}");
        }
    }
}
