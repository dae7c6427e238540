//! An engine in a process of its own, played with over GTP.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::engines::client::{Answer, GtpClient};
use crate::engines::commands::{self, gtp_color};
use crate::engines::failure::{EngineError, Failure, FailureKind};
use crate::engines::match_engine::{GameSetup, MatchEngine};
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::EngineSpec;
use pontifex::clock::{Limit, Seconds};
use pontifex::game::{Color, Move, Supply};

/// How long an engine may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(5);

/// The commands that are used only if the engine knows them.
const OPTIONAL: [&str; 4] =
    ["ponte-set_param", "ponte-time_settings", "time_settings", "time_left"];

/// A running engine.
#[derive(Debug)]
pub(super) struct GtpEngine {
    client: GtpClient,
    /// The parameters of its specification.
    params: Vec<(String, String)>,
    /// Those of [`OPTIONAL`] that the engine knows.
    known: Vec<&'static str>,
    identity: String,
    /// The current values of all parameters set so far.
    values: BTreeMap<String, String>,
    warnings: Vec<String>,
    /// How long it may take for each command but `genmove`.
    stall: Duration,
}

impl GtpEngine {
    /// Starts the process and sends nothing.
    ///
    /// # Errors
    /// Why it cannot be started, in one line.
    pub(super) fn start(
        spec: &EngineSpec,
        groups: &ProcessGroups,
        stall: Duration,
    ) -> Result<GtpEngine, String> {
        Ok(GtpEngine {
            client: GtpClient::start(spec, groups)?,
            params: spec.params.clone(),
            known: Vec::new(),
            identity: String::new(),
            values: BTreeMap::new(),
            warnings: Vec::new(),
            stall,
        })
    }

    /// Asks for the engine's identity and commands, and sets the parameters
    /// of its specification.
    pub(super) fn initialize(&mut self) -> Result<(), EngineError> {
        let version = self.ask("protocol_version")?;
        if version.as_deref() != Ok("2") {
            let text = version.unwrap_or_else(|refusal| format!("? {refusal}"));
            self.warn(format!("protocol_version is '{text}'; GTP 2 is assumed"));
        }
        let name = self.ask("name")?.unwrap_or_default();
        let version = self.ask("version")?.unwrap_or_default();
        format!("{name} {version}").trim().clone_into(&mut self.identity);
        for command in OPTIONAL {
            let answer = self.ask(&format!("known_command {command}"))?;
            if answer.is_ok_and(|text| text.eq_ignore_ascii_case("true")) {
                self.known.push(command);
            }
        }
        for (name, value) in self.params.clone() {
            self.set_param(&name, &value)?;
        }
        Ok(())
    }

    /// Whether the engine knows `command`, one of [`OPTIONAL`].
    fn knows(&self, command: &str) -> bool {
        self.known.contains(&command)
    }

    /// Whether the specification sets the parameter `name`.
    fn has_own(&self, name: &str) -> bool {
        self.params.iter().any(|(param, _)| param == name)
    }

    /// Sends a command. The inner error is the engine's refusal, which the game
    /// may survive; the outer one ends the engine.
    fn ask(&mut self, command: &str) -> Result<Result<String, String>, EngineError> {
        self.client.ask(command, self.stall).map(|answer| answer.text)
    }

    /// Sends a command that the engine must accept for a game to be played.
    fn require(&mut self, command: &str) -> Result<(), EngineError> {
        self.ask(command)?.map(drop).map_err(|refusal| {
            let detail = format!("refused '{command}': {}", or_no_reason(&refusal));
            EngineError::new(FailureKind::Start, command, detail)
        })
    }

    /// Sets a parameter that the engine must accept.
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

    /// Sets a parameter that the engine may lack; whether it was accepted.
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

    /// Sets the limit of a game by the parameter `playouts` and the time
    /// settings. Warns if the engine supports neither.
    fn set_limit(&mut self, limit: Limit) -> Result<(), EngineError> {
        let iterations = match limit {
            Limit::Iterations { count } => count,
            _ => 0,
        };
        // The limit of the last game must not outlast it.
        let was_limited = self.values.contains_key("playouts") && !self.has_own("playouts");
        if (iterations > 0 || was_limited)
            && !self.offer_param("playouts", &iterations.to_string())?
        {
            self.warn(format!("does not support {limit}"));
        }
        if self.knows("ponte-time_settings") {
            return self.require(&commands::ponte_time_settings(limit));
        }
        // Engines that read GTP's times as integers may refuse fractions.
        let is_accepted =
            self.knows("time_settings") && self.ask(&commands::time_settings(limit))?.is_ok();
        if !is_accepted && iterations == 0 {
            self.warn(format!("does not support {limit} by time_settings"));
        }
        Ok(())
    }

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
        // Engines without these parameters play by the published rules.
        let pie = if setup.rules.pie { "on" } else { "off" };
        if !self.offer_param("pie", pie)? && !setup.rules.pie && setup.may_swap {
            self.warn("does not support pie=off".to_owned());
        }
        let supply = setup.rules.supply.to_string();
        if !self.offer_param("supply", &supply)? && setup.rules.supply != Supply::Standard {
            self.warn(format!("does not support supply={supply}"));
        }
        if !self.has_own("seed") {
            self.offer_param("seed", &setup.seed.to_string())?;
        }
        self.require(&format!("boardsize {}", setup.rules.size))?;
        self.require("clear_board")?;
        self.set_limit(setup.limit)
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), EngineError> {
        let command = commands::play(color, mv);
        self.ask(&command)?.map(drop).map_err(|refusal| {
            let detail = format!("refused the legal move {mv}: {}", or_no_reason(&refusal));
            EngineError::new(FailureKind::Refusal, command, detail)
        })
    }

    fn time_left(
        &mut self,
        color: Color,
        (left, periods): (Seconds, u32),
    ) -> Result<(), EngineError> {
        if !self.knows("time_left") {
            return Ok(());
        }
        // In GTP's own settings a period is one move.
        let moves = if self.knows("ponte-time_settings") { periods } else { periods.min(1) };
        let color = gtp_color(color);
        // To the millisecond. GTP's times are integers: engines that refuse a
        // fraction get whole seconds.
        let seconds = left.get();
        let exact = (seconds * 1000.0).round() / 1000.0;
        if self.ask(&format!("time_left {color} {exact} {moves}"))?.is_err() {
            let _ = self.ask(&format!("time_left {color} {} {moves}", seconds.floor()))?;
        }
        Ok(())
    }

    fn genmove(
        &mut self,
        color: Color,
        patience: Duration,
    ) -> Result<(String, Duration), EngineError> {
        let command = commands::genmove(color);
        let Answer { text, elapsed } = self.client.ask(&command, patience)?;
        match text {
            Ok(text) => Ok((text, elapsed)),
            Err(refusal) => {
                let detail = format!("refused to move: {}", or_no_reason(&refusal));
                Err(EngineError::new(FailureKind::Refusal, command, detail))
            }
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn quit(mut self: Box<Self>) {
        self.client.quit(QUIT_PATIENCE);
    }

    fn abort(mut self: Box<Self>, failure: &mut Failure) {
        let process = &mut self.client.process;
        process.end(Duration::ZERO);
        failure.exit_status = match failure.kind {
            FailureKind::Crash | FailureKind::Start => process.exit_status(),
            _ => None,
        };
        failure.stderr_tail = process.stderr_tail();
        failure.last_lines = self.client.traffic();
    }
}

fn or_no_reason(refusal: &str) -> &str {
    if refusal.is_empty() { "no reason given" } else { refusal }
}
