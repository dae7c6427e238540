//! An engine in another process: what it is told, and with which commands.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use crate::clock::Limit;
use crate::game::{Color, Move, Supply};
use crate::tournament::engines::client::{Answer, Fault, GtpClient};
use crate::tournament::engines::failure::{Failure, FailureKind};
use crate::tournament::engines::groups::ProcessGroups;
use crate::tournament::engines::player::{EngineError, GameSetup};
use crate::tournament::engines::process::EngineProcess;
use crate::tournament::engines::spec::EngineSpec;

/// How long an engine may take to end after `quit` before it is killed.
const GOODBYE: Duration = Duration::from_secs(1);

/// A running engine.
#[derive(Debug)]
pub(in crate::tournament) struct Remote {
    client: GtpClient,
    /// Those of [`OPTIONAL`] that the engine knows.
    known: Vec<&'static str>,
    /// Name and version as the engine states them.
    identity: String,
    /// The parameters the process has been given.
    told: BTreeMap<String, String>,
    warnings: Vec<String>,
}

/// The commands that GTP leaves open and the referee uses where it can.
const OPTIONAL: [&str; 4] =
    ["ponte-set_param", "ponte-time_settings", "time_settings", "time_left"];

/// What came of a command.
type Told<T> = Result<T, EngineError>;

impl Remote {
    /// Starts the engine's process; nothing is said yet.
    pub(in crate::tournament) fn start(
        spec: &EngineSpec,
        groups: &ProcessGroups,
    ) -> Result<Remote, String> {
        Ok(Remote {
            client: spawn(spec, groups)?,
            known: Vec::new(),
            identity: String::new(),
            told: BTreeMap::new(),
            warnings: Vec::new(),
        })
    }

    /// Finds out who and what the engine is, and gives it its parameters.
    pub(in crate::tournament) fn greet(&mut self, spec: &EngineSpec, stall: Duration) -> Told<()> {
        let version = self.ask("protocol_version", stall)?;
        if version.as_deref() != Ok("2") {
            let text = version.unwrap_or_else(|refusal| format!("? {refusal}"));
            self.warnings.push(format!("protocol_version is '{text}', GTP 2 is spoken to it"));
        }
        let name = self.ask("name", stall)?.unwrap_or_default();
        let version = self.ask("version", stall)?.unwrap_or_default();
        format!("{name} {version}").trim().clone_into(&mut self.identity);
        for command in OPTIONAL {
            let answer = self.ask(&format!("known_command {command}"), stall)?;
            if answer.is_ok_and(|text| text.eq_ignore_ascii_case("true")) {
                self.known.push(command);
            }
        }
        for (name, value) in &spec.params {
            self.set_param(name, value, stall)?;
        }
        Ok(())
    }

    fn knows(&self, command: &str) -> bool {
        self.known.contains(&command)
    }

    /// Who the engine says it is.
    pub(in crate::tournament) fn identity(&self) -> &str {
        &self.identity
    }

    /// What could not be told so far.
    pub(in crate::tournament) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Prepares a game.
    pub(in crate::tournament) fn new_game(
        &mut self,
        spec: &EngineSpec,
        setup: &GameSetup,
    ) -> Told<()> {
        let stall = setup.stall;
        // Engines without an option for it play by the published rules.
        let pie = if setup.rules.pie { "on" } else { "off" };
        let is_told = self.offer_param("pie", pie, stall)?;
        if !is_told && !setup.rules.pie && setup.may_swap {
            self.warn("pie=off could not be told".to_owned());
        }
        let supply = setup.rules.supply.to_string();
        let is_told = self.offer_param("supply", &supply, stall)?;
        if !is_told && setup.rules.supply != Supply::Standard {
            self.warn(format!("supply={supply} could not be told"));
        }
        if !spec.has_param("seed") {
            self.offer_param("seed", &setup.seed.to_string(), stall)?;
        }
        self.must(&format!("boardsize {}", setup.rules.size), stall)?;
        self.must("clear_board", stall)?;
        self.tell_limit(spec, setup)
    }

    fn tell_limit(&mut self, spec: &EngineSpec, setup: &GameSetup) -> Told<()> {
        let stall = setup.stall;
        let iterations = match setup.limit {
            Limit::Iterations { count } => count,
            _ => 0,
        };
        if iterations > 0 || (self.told.contains_key("playouts") && !spec.has_param("playouts")) {
            let is_told = self.offer_param("playouts", &iterations.to_string(), stall)?;
            if !is_told {
                self.warn(format!("{} could not be told", setup.limit));
            }
        }
        if self.knows("ponte-time_settings") {
            self.must(&ponte_time_command(setup.limit), stall)
        } else {
            // Engines may take GTP's times, which are whole, by the letter.
            let is_told =
                self.knows("time_settings") && self.ask(&time_command(setup.limit), stall)?.is_ok();
            if !is_told && iterations == 0 {
                self.warn(format!("{} could not be told with time_settings", setup.limit));
            }
            Ok(())
        }
    }

    /// Tells a move of either colour.
    pub(in crate::tournament) fn play(
        &mut self,
        color: Color,
        mv: Move,
        stall: Duration,
    ) -> Told<()> {
        let command = format!("play {} {mv}", gtp_color(color));
        let answer = self.ask(&command, stall)?;
        answer.map(drop).map_err(|refusal| EngineError {
            kind: FailureKind::Refusal,
            detail: format!("it refuses the legal move {mv}: {}", or_nothing(&refusal)),
            command,
        })
    }

    /// Tells what is left on the clock: seconds, and the periods left.
    pub(in crate::tournament) fn time_left(
        &mut self,
        color: Color,
        (seconds, periods): (f64, u32),
        stall: Duration,
    ) -> Told<()> {
        if self.knows("time_left") {
            // To GTP's own times a period is one of one move.
            let moves = if self.knows("ponte-time_settings") { periods } else { periods.min(1) };
            // GTP's times are whole; engines that read fractions get them.
            let command = format!("time_left {} {} {moves}", gtp_color(color), short(seconds));
            if self.ask(&command, stall)?.is_err() {
                let seconds = seconds.floor();
                let _ =
                    self.ask(&format!("time_left {} {seconds} {moves}", gtp_color(color)), stall)?;
            }
        }
        Ok(())
    }

    /// Has it move: its answer, and how long it took.
    pub(in crate::tournament) fn genmove(
        &mut self,
        color: Color,
        patience: Duration,
    ) -> Told<(String, Duration)> {
        let command = format!("genmove {}", gtp_color(color));
        let Answer { text, elapsed } =
            self.client.ask(&command, patience).map_err(|Fault { kind, detail }| EngineError {
                kind,
                detail,
                command: command.clone(),
            })?;
        match text {
            Ok(text) => Ok((text, elapsed)),
            Err(refusal) => Err(EngineError {
                kind: FailureKind::Refusal,
                detail: format!("it refuses to move: {}", or_nothing(&refusal)),
                command,
            }),
        }
    }

    /// Asks it to quit, then ends what is left of it.
    pub(in crate::tournament) fn quit(mut self) {
        let _ = self.client.quit(GOODBYE);
    }

    /// Ends the process and adds to `failure` what it left behind.
    pub(in crate::tournament) fn end_with(mut self, failure: &mut Failure) {
        let process = &mut self.client.process;
        failure.exit_status = match failure.kind {
            FailureKind::Crash | FailureKind::Start => process.exit_status(),
            _ => None,
        };
        process.end(Duration::ZERO);
        failure.stderr_tail = process.stderr_tail();
        failure.last_lines = self.client.traffic();
    }

    fn ask(&mut self, command: &str, stall: Duration) -> Told<Result<String, String>> {
        let error =
            |Fault { kind, detail }| EngineError { kind, detail, command: command.to_owned() };
        self.client.ask(command, stall).map(|answer| answer.text).map_err(error)
    }

    /// A command without which no game can be played.
    fn must(&mut self, command: &str, stall: Duration) -> Told<()> {
        let refused = |refusal: String| {
            let detail = format!("it refuses '{command}': {}", or_nothing(&refusal));
            start_trouble(detail, command.to_owned())
        };
        self.ask(command, stall)?.map(drop).map_err(refused)
    }

    /// Sets a parameter that the engine must take.
    fn set_param(&mut self, name: &str, value: &str, stall: Duration) -> Told<()> {
        let command = format!("ponte-set_param {name} {value}");
        if !self.knows("ponte-set_param") {
            let detail =
                format!("it does not know ponte-set_param, which param.{name}={value} needs");
            return Err(start_trouble(detail, command));
        }
        self.must(&command, stall)?;
        self.told.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// Sets a parameter the engine may not have; whether it took it.
    fn offer_param(&mut self, name: &str, value: &str, stall: Duration) -> Told<bool> {
        if !self.knows("ponte-set_param") {
            return Ok(false);
        }
        if self.told.get(name).is_some_and(|told| told == value) {
            return Ok(true);
        }
        let is_taken = self.ask(&format!("ponte-set_param {name} {value}"), stall)?.is_ok();
        if is_taken {
            self.told.insert(name.to_owned(), value.to_owned());
        }
        Ok(is_taken)
    }

    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }
}

/// Starts an engine's process.
///
/// # Errors
/// Why it cannot be started, one line.
pub(in crate::tournament) fn spawn(
    spec: &EngineSpec,
    groups: &ProcessGroups,
) -> Result<GtpClient, String> {
    let words = spec.words().map_err(|error| error.to_string())?;
    let [program, arguments @ ..] = &*words else {
        return Err("there is no program to start".to_owned());
    };
    let mut command = Command::new(spec.program_path(program));
    command.args(arguments);
    if let Some(dir) = spec.dir() {
        command.current_dir(dir);
    }
    let process = EngineProcess::start(command, groups)
        .map_err(|error| format!("'{program}' cannot be started: {error}"))?;
    Ok(GtpClient::new(process))
}

fn start_trouble(detail: String, command: String) -> EngineError {
    EngineError { kind: FailureKind::Start, detail, command }
}

fn or_nothing(refusal: &str) -> &str {
    if refusal.is_empty() { "it does not say why" } else { refusal }
}

/// The colours as GTP itself names them: Red is its black.
pub(in crate::tournament) fn gtp_color(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Red => 'b',
    }
}

/// Seconds to the millisecond, without needless zeros.
fn short(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// The project's own command, which knows every limit.
pub(in crate::tournament) fn ponte_time_command(limit: Limit) -> String {
    let kind = match limit {
        Limit::Move { seconds } => format!("move {seconds}"),
        Limit::Fischer { main, increment } => format!("fischer {main} {increment}"),
        Limit::ByoYomi { main, period, periods } => format!("byoyomi {main} {period} {periods}"),
        Limit::Iterations { .. } => "none".to_owned(),
    };
    format!("ponte-time_settings {kind}")
}

/// GTP knows main time and Canadian byo-yomi; an increment shows in
/// `time_left` only. A period without moves is no limit.
pub(in crate::tournament) fn time_command(limit: Limit) -> String {
    let (main, period, moves) = match limit {
        Limit::Move { seconds } => (0.0, seconds, 1),
        Limit::Fischer { main, .. } => (main, 0.0, 0),
        Limit::ByoYomi { main, period, .. } => (main, period, 1),
        Limit::Iterations { .. } => (0.0, 1.0, 0),
    };
    format!("time_settings {main} {period} {moves}")
}
