//! An engine in a process of its own, played with over GTP.
//!
//! **The problem.** Engines are other people's programs, and often young ones. They crash, stay
//! silent, print debugging output among their answers, answer twice, or implement half of GTP. In
//! all of these cases the match must continue, must not wait for ever, and must tell the author
//! what went wrong.
//!
//! **One command, one answer.** `GtpClient` is the controller's side of the Go Text Protocol,
//! version 2 (Farnebäck, draft 2, 2002). Every command has a number, which the answer must repeat.
//! The next command is sent only after the empty line that ends the answer:
//!
//! ```text
//! > 12 genmove w
//! < =12 d4,e6
//! <
//! ```
//!
//! The framing is strict on purpose. If stray lines were skipped, a late answer to an earlier
//! command could pass for the answer to this one, and a move would be played in the wrong position.
//! After an error the client cannot tell where the next answer begins. So the engine is ended, and
//! restarted for its next game.
//!
//! **Time.** The deadline applies to the whole answer, up to the empty line at its end, so an
//! engine cannot extend it by printing line after line. A move's time runs from just before the
//! command is sent until that empty line arrives in the thread that reads the output. There are two
//! limits. The referee compares the time with the clock: a late answer loses (`Timeout`). The
//! `timeout` of `genmove` is much longer: an engine that exceeds it is killed (`Stall`).
//!
//! **Failures.** The [`FailureKind`] follows from what happened to the command:
//!
//! ```text
//! the output was closed                             Crash
//! no answer began before the deadline               Stall
//! an answer is not framed, endless or too long      Framing
//! `?` to a parameter or limit it must accept,
//!     to `boardsize` or `clear_board`               Start
//! `?` to a legal `play`, to `genmove`               Refusal
//! ```
//!
//! **Stderr.** A thread of [`EngineProcess`] keeps its last lines. They go into the report of a
//! failure, together with the last lines of the protocol and the exit status, because the author's
//! own error message usually names the cause.
//!
//! **Optional commands.** A game needs `boardsize`, `clear_board`, `play` and `genmove`. Other
//! commands are used if `known_command` lists them. An engine that lacks a setting still plays, and
//! a warning names the setting. Parameters outlast a game, so `values` records the value set last.
//! This saves repeated commands, and shows which limit must be reset before the next game.
//!
//! The file goes from the match down to the text: `GtpEngine`, `GtpClient`, then the commands and
//! answers that depend on the game.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pontifex::clock::{Limit, Seconds};
use pontifex::game::{Color, IllegalMove, Move, Position, Supply};
use pontifex::gtp::utc_now;
use pontifex::messages::{printable, tell};
use pontifex::notation::ParseMoveError;
use thiserror::Error;

use crate::adjudication::Evaluation;
use crate::engines::failure::{EngineError, Failure, FailureKind};
use crate::engines::match_engine::{
    GameSetup, Genmove, MatchEngine, genmove_analyze_command, genmove_command, gtp_color,
    play_command,
};
use crate::engines::process::{EngineProcess, LineTail, NoLine, OutputLine};
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::{EngineSpec, ProgramProblem};

/// A running engine that speaks GTP.
#[derive(Debug)]
pub(super) struct GtpEngine {
    client: GtpClient,
    /// The parameters of its specification. The match does not change them.
    params: Vec<(String, String)>,
    /// The subset of [`OPTIONAL_COMMANDS`] that the engine knows.
    known_commands: Vec<&'static str>,
    identity: String,
    /// The current values of all parameters set so far.
    values: BTreeMap<String, String>,
    /// Without repetitions. Emptied by [`MatchEngine::take_warnings`].
    warnings: Vec<String>,
    /// The longest time for the answer to any command but `genmove`.
    stall: Duration,
    /// Whether the engine is asked to evaluate its moves in this game.
    evaluates: bool,
}

/// The timeout for the answer to `quit`, and again for the end of the process. Set by judgement:
/// enough to save a file, and short enough that an engine which ignores `quit` hardly delays the
/// end of a match.
pub(crate) const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The commands that are used only if the engine knows them.
const OPTIONAL_COMMANDS: [&str; 5] = [
    "ponte-set_param",
    "ponte-time_settings",
    "time_settings",
    "time_left",
    "ponte-genmove_analyze",
];

impl GtpEngine {
    /// Starts the process. No command is sent before [`GtpEngine::initialize`], so that a failure
    /// to initialize can still report the process's stderr.
    pub(super) fn start(
        spec: &EngineSpec,
        groups: &ProcessGroups,
        stall: Duration,
    ) -> Result<GtpEngine, ProgramProblem> {
        Ok(GtpEngine {
            client: GtpClient::start(spec, groups)?,
            params: spec.params.clone(),
            known_commands: Vec::new(),
            identity: String::new(),
            values: BTreeMap::new(),
            warnings: Vec::new(),
            stall,
            evaluates: false,
        })
    }

    /// Asks for the engine's identity and commands, and sets the parameters of its specification.
    ///
    /// # Errors
    /// An answer is missing or wrongly framed, or a parameter is refused. With other parameters the
    /// match would measure another engine.
    pub(super) fn initialize(&mut self) -> Result<(), EngineError> {
        let version = self.ask("protocol_version")?;
        if version.as_deref() != Ok("2") {
            let text = version.unwrap_or_else(|refusal| format!("? {}", refusal.0));
            self.warn(format!("protocol_version is '{text}'; GTP 2 is assumed"));
        }
        let name = self.ask("name")?.unwrap_or_default();
        let version = self.ask("version")?.unwrap_or_default();
        format!("{name} {version}").trim().clone_into(&mut self.identity);
        // GTP requires `known_command` of every engine.
        for command in OPTIONAL_COMMANDS {
            let answer = self.ask(&format!("known_command {command}"))?;
            if answer.is_ok_and(|text| text.eq_ignore_ascii_case("true")) {
                self.known_commands.push(command);
            }
        }
        for (name, value) in self.params.clone() {
            self.set_param(&name, &value)?;
        }
        Ok(())
    }

    /// Whether the engine knows `command`, one of [`OPTIONAL_COMMANDS`].
    fn knows(&self, command: &str) -> bool {
        self.known_commands.contains(&command)
    }

    /// Whether the specification sets the parameter `name`.
    fn has_own_param(&self, name: &str) -> bool {
        self.params.iter().any(|(param, _)| param == name)
    }

    /// Sends a command. A refusal is an answer like any other. After an error the engine must be
    /// ended.
    fn ask(&mut self, command: &str) -> Result<Reply, EngineError> {
        self.client.ask(command, self.stall).map(|answer| answer.reply)
    }

    /// Sends a command without which the game cannot be played. A refusal is a `Start` failure.
    fn require(&mut self, command: &str) -> Result<(), EngineError> {
        self.ask(command)?.map(drop).map_err(|refusal| {
            let detail = format!("refused '{command}': {refusal}");
            EngineError::new(FailureKind::Start, command, detail)
        })
    }

    /// Sets a parameter that the engine must accept. Otherwise it has failed to start.
    fn set_param(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let command = format!("ponte-set_param {name} {value}");
        if !self.knows("ponte-set_param") {
            let detail = format!("does not know ponte-set_param, which param.{name}={value} needs");
            return Err(EngineError::new(FailureKind::Start, command, detail));
        }
        self.require(&command)?;
        self.values.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Sets a parameter that the engine may lack, unless it has this value already. Returns whether
    /// the engine has the value now.
    fn offer_param(&mut self, name: &str, value: &str) -> Result<bool, EngineError> {
        if !self.knows("ponte-set_param") {
            return Ok(false);
        }
        if self.values.get(name).is_some_and(|current| current == value) {
            return Ok(true);
        }
        let is_accepted = self.ask(&format!("ponte-set_param {name} {value}"))?.is_ok();
        if is_accepted {
            self.values.insert(name.to_owned(), value.to_owned());
        }
        Ok(is_accepted)
    }

    /// Sets the limit of a game by the parameter `playouts` and the time settings. Warns if the
    /// engine supports neither.
    fn set_limit(&mut self, limit: Limit) -> Result<(), EngineError> {
        // The parameter's value 0 means no limit.
        let iterations = match limit {
            Limit::Iterations { count } => count,
            _ => 0,
        };
        // A limit set for the last game must be removed. A limit from the specification must stay,
        // because it is part of the engine.
        let was_limited = self.values.contains_key("playouts") && !self.has_own_param("playouts");
        if (iterations > 0 || was_limited)
            && !self.offer_param("playouts", &iterations.to_string())?
        {
            self.warn(format!("does not support {limit}"));
        }
        // `ponte-time_settings` comes first, because GTP's own command cannot express every limit.
        if self.knows("ponte-time_settings") {
            return self.require(&ponte_time_settings(limit));
        }
        // A refusal is not a failure: GTP's times are integers, and some engines refuse fractions.
        let is_accepted = self.knows("time_settings") && self.ask(&time_settings(limit))?.is_ok();
        if !is_accepted && iterations == 0 {
            self.warn(format!("does not support {limit} by time_settings"));
        }
        Ok(())
    }

    /// Adds a warning, unless it is already in the list.
    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }
}

impl MatchEngine for GtpEngine {
    fn identity(&self) -> &str {
        &self.identity
    }

    fn new_game(&mut self, setup: &GameSetup) -> Result<(), EngineError> {
        self.stall = setup.stall;
        self.evaluates = setup.evaluations && self.knows("ponte-genmove_analyze");
        if setup.evaluations && !self.evaluates {
            self.warn("does not know ponte-genmove_analyze: it evaluates no move".to_owned());
        }
        // Engines without these parameters are assumed to play by the published rules. The pie rule
        // then matters only where the engine may get the chance to swap.
        let pie = if setup.rules.pie { "on" } else { "off" };
        if !self.offer_param("pie", pie)? && !setup.rules.pie && setup.may_swap {
            self.warn("does not support pie=off".to_owned());
        }
        let supply = setup.rules.supply.to_string();
        if !self.offer_param("supply", &supply)? && setup.rules.supply != Supply::Standard {
            self.warn(format!("does not support supply={supply}"));
        }
        if !self.has_own_param("seed") {
            self.offer_param("seed", &setup.seed.to_string())?;
        }
        self.require(&format!("boardsize {}", setup.rules.size))?;
        self.require("clear_board")?;
        self.set_limit(setup.limit)
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), EngineError> {
        let command = play_command(color, mv);
        self.ask(&command)?.map(drop).map_err(|refusal| {
            let detail = format!("refused the legal move {mv}: {refusal}");
            EngineError::new(FailureKind::Refusal, command, detail)
        })
    }

    fn time_left(
        &mut self,
        color: Color,
        (remaining, periods): (Seconds, u32),
    ) -> Result<(), EngineError> {
        if !self.knows("time_left") {
            return Ok(());
        }
        // GTP's third argument counts moves. `time_settings` makes a period last one move, so any
        // number of periods is one move there.
        let moves = if self.knows("ponte-time_settings") { periods } else { periods.min(1) };
        let color = gtp_color(color);
        // The first attempt is exact to the millisecond. GTP's times are integers, so an engine may
        // refuse a fraction. It then gets whole seconds, rounded down so that it does not
        // overestimate its time.
        let seconds = remaining.get();
        let exact = (seconds * 1000.0).round() / 1000.0;
        // A second refusal is not a failure either: the engine plays without this information.
        if self.ask(&format!("time_left {color} {exact} {moves}"))?.is_err() {
            let _ = self.ask(&format!("time_left {color} {} {moves}", seconds.floor()))?;
        }
        Ok(())
    }

    fn genmove(&mut self, color: Color, timeout: Duration) -> Result<Genmove, EngineError> {
        let command =
            if self.evaluates { genmove_analyze_command(color) } else { genmove_command(color) };
        let TimedReply { reply, elapsed } = self.client.ask(&command, timeout)?;
        match reply {
            Ok(text) if self.evaluates => {
                let (text, evaluation) = read_report(&text);
                Ok(Genmove { text: text.to_owned(), elapsed, evaluation })
            }
            Ok(text) => Ok(Genmove { text, elapsed, evaluation: None }),
            Err(refusal) => {
                let detail = format!("refused to move: {refusal}");
                Err(EngineError::new(FailureKind::Refusal, command, detail))
            }
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn log_to(&mut self, log: Option<GameLog>) {
        self.client.log = log;
    }

    fn quit(mut self: Box<Self>) {
        self.client.quit(QUIT_TIMEOUT);
    }

    fn abort(mut self: Box<Self>, failure: &mut Failure) {
        let process = &mut self.client.process;
        // Killed at once, because a failed engine may keep computing for ever.
        process.end(Duration::ZERO);
        // After other failures the engine was running, and its status would be that of the kill.
        failure.exit_status = match failure.kind {
            FailureKind::Crash | FailureKind::Start => process.exit_status(),
            _ => None,
        };
        failure.stderr_tail = process.stderr_tail();
        failure.last_lines = self.client.traffic();
    }
}

/// The longest answer in bytes, 1 MiB. Set by judgement: far above any legitimate answer. Without a
/// limit an engine that prints without end could fill the memory before its deadline.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The text after `=`, or the text after `?` as an error.
pub(crate) type Reply = Result<String, GtpRefusal>;

/// An engine's reason for refusing a command: the text after `?`, which may be empty.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", if .0.is_empty() { "no reason given" } else { .0 })]
pub(crate) struct GtpRefusal(pub(crate) String);

/// A complete answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TimedReply {
    pub(crate) reply: Reply,
    /// From sending the command to the arrival of the empty line that ends the answer.
    pub(crate) elapsed: Duration,
}

/// The log of a game: a line `TIME ENGINE > LINE` for each line sent to an engine, and
/// `TIME ENGINE < LINE` for each line received, in UTC. Clones share the file.
#[derive(Clone, Debug)]
pub(crate) struct GameLog {
    /// `None` after a write has failed.
    file: Arc<Mutex<Option<File>>>,
    /// The engine's name as it is printed. Empty until [`GameLog::for_engine`] sets it.
    engine: String,
}

impl GameLog {
    /// Creates a file, which replaces an older one.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(crate) fn create(path: &Path) -> io::Result<GameLog> {
        let file = Some(File::create(path)?);
        Ok(GameLog { file: Arc::new(Mutex::new(file)), engine: String::new() })
    }

    /// A handle to this log that writes `name` on every line.
    pub(crate) fn for_engine(&self, name: &str) -> GameLog {
        GameLog { file: Arc::clone(&self.file), engine: printable(name) }
    }

    /// Writes a line. A failure, such as a full disk, is reported once and ends the log but not the
    /// game.
    fn write_line(&self, line: &str) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{} {} {line}\n", utc_now(), self.engine);
        if let Some(Err(error)) = file.as_mut().map(|file| file.write_all(line.as_bytes())) {
            tell(format_args!("cannot write the log of a game any more: {error}"));
            *file = None;
        }
    }
}

/// A process that speaks GTP.
#[derive(Debug)]
pub(crate) struct GtpClient {
    pub(crate) process: EngineProcess,
    /// The number of the last command, 0 before the first.
    last_id: u64,
    /// The last lines of both directions, for the report of a failure.
    traffic: LineTail,
    log: Option<GameLog>,
}

impl GtpClient {
    /// Starts the engine's process and sends nothing.
    ///
    /// # Errors
    /// The command line is empty or cannot be split, or the system does not start the program.
    pub(crate) fn start(
        spec: &EngineSpec,
        groups: &ProcessGroups,
    ) -> Result<GtpClient, ProgramProblem> {
        let (program, arguments) = spec.words()?;
        let mut command = Command::new(spec.program_path(&program));
        command.args(arguments);
        if let Some(dir) = spec.dir() {
            command.current_dir(dir);
        }
        let process = EngineProcess::start(command, groups)
            .map_err(|error| ProgramProblem::Start { program, reason: error.to_string() })?;
        Ok(GtpClient { process, last_id: 0, traffic: LineTail::default(), log: None })
    }

    /// Sends a command and waits for its answer, at most for `timeout`.
    ///
    /// # Errors
    /// A crash, a stall, or an answer with wrong framing. The engine must not be used after an
    /// error. After a crash it has been ended.
    pub(crate) fn ask(
        &mut self,
        command: &str,
        timeout: Duration,
    ) -> Result<TimedReply, EngineError> {
        self.exchange(command, timeout).map_err(|error| {
            let (kind, detail) = match error {
                NoAnswer::Closed => (FailureKind::Crash, self.exit_detail()),
                NoAnswer::Late(..) => (FailureKind::Stall, error.to_string()),
                _ => (FailureKind::Framing, error.to_string()),
            };
            EngineError::new(kind, command, detail)
        })
    }

    /// Like [`GtpClient::ask`], but with this layer's error, whose variants `quit` distinguishes.
    fn exchange(&mut self, command: &str, timeout: Duration) -> Result<TimedReply, NoAnswer> {
        self.last_id += 1;
        let line = format!("{} {command}", self.last_id);
        self.record_line(&format!("> {line}"));
        let start = Instant::now();
        // Clamped, because adding too long a time to an `Instant` panics.
        let deadline = start + timeout.min(Seconds::MAX.duration());
        self.process.send(format!("{line}\n").into_bytes());

        // Some engines print additional empty lines between answers.
        let first = loop {
            match self.next_line(deadline) {
                Ok(line) if line.text.trim().is_empty() => {}
                Ok(line) => break line.text,
                Err(NoLine::Closed) => return Err(NoAnswer::Closed),
                Err(NoLine::Deadline) => return Err(NoAnswer::Late(command.to_owned(), timeout)),
            }
        };
        let (is_success, text) = parse_first_line(&first, self.last_id)?;
        let mut text = text.to_owned();
        loop {
            // Checked before each line, so that the text exceeds the limit by one line at most.
            if text.len() > MAX_ANSWER_BYTES {
                return Err(NoAnswer::Long(command.to_owned()));
            }
            match self.next_line(deadline) {
                Ok(OutputLine { text: line, arrival }) if line.trim().is_empty() => {
                    let elapsed = arrival.saturating_duration_since(start);
                    let reply = if is_success { Ok(text) } else { Err(GtpRefusal(text)) };
                    return Ok(TimedReply { reply, elapsed });
                }
                Ok(line) => text.extend(["\n", &line.text]),
                Err(NoLine::Closed) => return Err(NoAnswer::Closed),
                Err(NoLine::Deadline) => {
                    return Err(NoAnswer::Endless(command.to_owned(), timeout));
                }
            }
        }
    }

    fn next_line(&mut self, deadline: Instant) -> Result<OutputLine, NoLine> {
        let line = self.process.read_line(deadline)?;
        self.record_line(&format!("< {}", line.text));
        Ok(line)
    }

    /// Keeps a line for the report of a failure and writes it to the log.
    fn record_line(&mut self, line: &str) {
        self.traffic.push(line);
        if let Some(log) = &self.log {
            log.write_line(line);
        }
    }

    /// Ends a process whose output is closed. Returns how it ended, for an error message.
    fn exit_detail(&mut self) -> String {
        match self.process.end_after_eof() {
            Some(status) => format!("the engine ended, {status}"),
            None => "the engine closed its output but is still running".to_owned(),
        }
    }

    /// The last lines of both directions, oldest first.
    fn traffic(&self) -> Vec<String> {
        self.traffic.lines()
    }

    /// Sends `quit`, waits at most `timeout` for the answer and again for the end of the process,
    /// and kills what is left.
    fn quit(&mut self, timeout: Duration) {
        // Many engines end without an answer, which is not an error here.
        let is_ending = matches!(self.exchange("quit", timeout), Ok(_) | Err(NoAnswer::Closed));
        self.process.end(if is_ending { timeout } else { Duration::ZERO });
    }
}

/// Why a command has no usable answer. Messages quote the first 80 characters of an answer.
#[derive(PartialEq, Debug, Error)]
enum NoAnswer {
    #[error("the engine has closed its output")]
    Closed,
    #[error("no answer to '{0}' within {1:.1?}")]
    Late(String, Duration),
    #[error("no empty line ended the answer to '{0}' within {1:.1?}")]
    Endless(String, Duration),
    #[error("the answer to '{0}' is longer than {MAX_ANSWER_BYTES} bytes")]
    Long(String),
    #[error("'{0}' is not an answer: it begins with neither = nor ?")]
    NoSign(String),
    #[error("the answer '{0}' has no id, expected {1}")]
    NoId(String, u64),
    #[error("the answer '{0}' has the id {1}, expected {2}")]
    OtherId(String, String, u64),
    #[error("no space follows the id in the answer '{0}'")]
    NoSpace(String),
}

/// Splits the first line of the answer to command `id`, such as `=12 d4,e6` or `?12 illegal move`,
/// into whether the command succeeded and the text.
fn parse_first_line(line: &str, id: u64) -> Result<(bool, &str), NoAnswer> {
    let excerpt: String = line.chars().take(80).collect();
    let (is_success, rest) = match line.split_at_checked(1) {
        Some(("=", rest)) => (true, rest),
        Some(("?", rest)) => (false, rest),
        _ => return Err(NoAnswer::NoSign(excerpt)),
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (id_text, text) = rest.split_at(digits);
    if id_text.is_empty() {
        return Err(NoAnswer::NoId(excerpt, id));
    }
    // Compared as numbers, since an engine may pad them with zeros.
    if id_text.parse() != Ok(id) {
        return Err(NoAnswer::OtherId(excerpt, id_text.to_owned(), id));
    }
    if !text.is_empty() && !text.starts_with([' ', '\t']) {
        return Err(NoAnswer::NoSpace(excerpt));
    }
    Ok((is_success, text.trim()))
}

/// The command `ponte-time_settings`, which can express every limit.
fn ponte_time_settings(limit: Limit) -> String {
    let kind = match limit {
        Limit::Move { seconds } => format!("move {seconds}"),
        Limit::Fischer { main, increment } => format!("fischer {main} {increment}"),
        Limit::ByoYomi { main, period, periods } => format!("byoyomi {main} {period} {periods}"),
        Limit::Iterations { .. } => "none".to_owned(),
    };
    format!("ponte-time_settings {kind}")
}

/// The command `time_settings` of GTP: main time and Canadian byo-yomi. It can express neither an
/// increment, which the engine then sees only in `time_left`, nor a number of periods. A period
/// above 0 with zero moves means no limit, by GTP's definition.
fn time_settings(limit: Limit) -> String {
    let (main, period, moves) = match limit {
        Limit::Move { seconds } => (Seconds::ZERO, seconds, 1),
        Limit::Fischer { main, .. } => (main, Seconds::ZERO, 0),
        Limit::ByoYomi { main, period, .. } => (main, period, 1),
        Limit::Iterations { .. } => (Seconds::ZERO, Seconds::whole(1), 0),
    };
    format!("time_settings {main} {period} {moves}")
}

/// Splits an answer to `ponte-genmove_analyze` into the move and the evaluation of the position.
/// The evaluation comes from the last report: from `rootInfo`, or without it from the first `info`,
/// which describes the best move.
fn read_report(text: &str) -> (&str, Option<Evaluation>) {
    let (reports, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let Some(mv) = last.trim().strip_prefix("play ") else { return (text, None) };
    let report = reports.lines().next_back().unwrap_or_default();
    let words: Vec<&str> = report.split_whitespace().collect();
    // Every `info` before `rootInfo` has the same keys, so the search for a key starts there.
    let start = words.iter().position(|word| *word == "rootInfo").unwrap_or(0);
    let number = |key: &str| -> Option<f64> {
        let index = start + words[start..].iter().position(|word| *word == key)?;
        words.get(index + 1)?.parse().ok().filter(|number: &f64| number.is_finite())
    };
    // A win rate out of range is dropped, because an adjudication could end the game by it.
    let winrate = number("winrate").filter(|rate| (0.0..=1.0).contains(rate));
    let evaluation = winrate.zip(number("scoreLead"));
    (mv.trim(), evaluation.map(|(winrate, score_lead)| Evaluation { winrate, score_lead }))
}

/// Why an answer to `genmove` is not a legal move.
#[derive(Debug, Error)]
pub(crate) enum WrongMove {
    #[error(transparent)]
    Text(#[from] ParseMoveError),
    #[error("{0} is illegal: {1}")]
    Illegal(Move, IllegalMove),
}

/// Reads an answer to `genmove` as a legal move of `position`; `None` if the engine resigns.
pub(crate) fn read_move(text: &str, position: &Position) -> Result<Option<Move>, WrongMove> {
    if text.eq_ignore_ascii_case("resign") {
        return Ok(None);
    }
    // Every move is shorter than 80 characters, so a text that was cut is not a move. The error
    // quotes its beginning.
    let excerpt = text.lines().next().unwrap_or_default().chars().take(80).collect::<String>();
    let mv: Move = if excerpt == text { excerpt.parse()? } else { Err(ParseMoveError(excerpt))? };
    position.check(mv).map_err(|reason| WrongMove::Illegal(mv, reason))?;
    Ok(Some(mv))
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
            let message = parse_first_line(line, 7).unwrap_err().to_string();
            assert!(message.contains(error), "{line}: {message}");
        }
    }

    #[test]
    fn the_last_report_says_what_an_engine_thinks() {
        let evaluation = |winrate, score_lead| Some(Evaluation { winrate, score_lead });
        let best = "info move d4,e6 visits 9 winrate 0.75 scoreLead 1.5 pv d4,e6";
        for (text, mv, expected) in [
            (
                format!("{best} rootInfo winrate 0.5 scoreLead -2\nplay d4,e6"),
                "d4,e6",
                evaluation(0.5, -2.0),
            ),
            (format!("{best}\nplay d4,e6"), "d4,e6", evaluation(0.75, 1.5)),
            (
                format!("info winrate 0.1 scoreLead 9\n{best}\nplay resign "),
                "resign",
                evaluation(0.75, 1.5),
            ),
            ("play pass".to_owned(), "pass", None),
            ("info winrate nan scoreLead 1\nplay pass".to_owned(), "pass", None),
            ("info winrate 1.5 scoreLead 1\nplay pass".to_owned(), "pass", None),
            ("info winrate\nplay pass".to_owned(), "pass", None),
            ("d4,e6".to_owned(), "d4,e6", None),
        ] {
            assert_eq!(read_report(&text), (mv, expected), "{text}");
        }
    }
}
