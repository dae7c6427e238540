//! An engine that takes part in games: started, restarted after failures, and ended.
//!
//! A `Player` owns a `MatchEngine`, either the built-in engine or a `GtpEngine`. One rule covers
//! all failures. Whatever goes wrong ends the engine, the [`Failure`] records what it left behind,
//! and the next game restarts it:
//!
//! ```text
//!          start                 new_game, play, genmove ...
//!  (none) ───────> initialized ─────────────────────────────> answer
//!    ^                  │                    │
//!    └──── Failure ─────┴────────────────────┘
//! ```
//!
//! So no engine continues in an unknown state, with a board that differs from the referee's.

use std::fmt::Debug;
use std::time::Duration;

use pontifex::clock::{Limit, Seconds};
use pontifex::game::{Color, Move, Position, Rules};

use crate::engines::failure::{EngineError, Failure, FailureKind};
use crate::engines::gtp::{GameLog, GtpEngine, read_move};
use crate::engines::match_engine::{
    BuiltinEngine, GameSetup, Genmove, MatchEngine, genmove_command, play_command,
};
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::{EngineCommand, EngineSpec};

/// An engine of a match, and its process if it has one.
///
/// A failure ends the engine; the next game restarts it. Dropping the player kills the engine's
/// process and all its children.
#[derive(Debug)]
pub struct Player {
    spec: EngineSpec,
    groups: ProcessGroups,
    /// `None` after a failure, until the next game.
    engine: Option<Box<dyn MatchEngine>>,
    /// Stated at the last start in which a process ran. A failure does not clear it.
    identity: String,
    /// The checksum of the program's file at the last start. The program may be rebuilt between two
    /// starts.
    checksum: Option<String>,
    /// Without repetitions, over all games.
    warnings: Vec<String>,
    starts: u32,
    /// Kept here because a restarted engine continues the same log.
    log: Option<GameLog>,
    /// The game on the engine's board after the last [`Player::answer`]; `None` if it is unknown.
    known_game: Option<(Rules, Limit, Vec<Move>)>,
}

/// A request for one move in a game that the caller keeps, such as a game on the page.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// The rules of the game, which starts from the empty board.
    pub rules: Rules,
    /// The moves so far; they must be legal.
    pub moves: Vec<Move>,
    /// The engine's limit. If it differs from that of the last question, the engine is sent the
    /// whole game again, because limits are set before a game.
    pub limit: Limit,
    /// The engine's clock, as [`Clock::time_left`](pontifex::clock::Clock::time_left) states it;
    /// `None` without a clock.
    pub time_left: Option<(Seconds, u32)>,
    /// The timeout for the answer. An engine that exceeds it has stalled.
    pub timeout: Duration,
}

impl Player {
    /// The default timeout, 30 seconds, of a command that needs no search. A search has this time
    /// in addition to its own limit. Set by judgement: loading large files at the start takes
    /// seconds. A longer time only delays the report of an engine that hangs.
    pub const DEFAULT_STALL: Duration = Duration::from_secs(30);

    /// Starts an engine, which may take `stall` to answer each of the first commands. Its process
    /// is registered in `groups` while it runs.
    ///
    /// # Errors
    /// A [`Failure`] of the kind [`Start`](FailureKind::Start).
    pub fn start(
        spec: &EngineSpec,
        groups: &ProcessGroups,
        stall: Duration,
    ) -> Result<Player, Box<Failure>> {
        let mut player = Player {
            spec: spec.clone(),
            groups: groups.clone(),
            engine: None,
            identity: String::new(),
            checksum: None,
            warnings: Vec::new(),
            starts: 0,
            log: None,
            known_game: None,
        };
        player.restart(stall)?;
        Ok(player)
    }

    /// The specification with which the engine is started.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// The engine's name in the match, which may differ from the one it states.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Name and version as the engine states them; empty if it does not.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The identity with the checksum of the program, as in `NAME VERSION (1a2b3c4d)`; empty if the
    /// engine has not stated its identity.
    pub(crate) fn version(&self) -> String {
        match &self.checksum {
            Some(checksum) if !self.identity.is_empty() => {
                format!("{} ({checksum})", self.identity)
            }
            _ => self.identity.clone(),
        }
    }

    /// The settings that the engine does not support, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How many times the engine has been started, failed starts included.
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// Asks the engine to quit, waits a few seconds at most, then kills what remains of it.
    pub fn quit(mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
    }

    /// Starts the engine, which must not be running.
    ///
    /// # Errors
    /// A failure of the kind `Start`. The engine is not running then.
    fn restart(&mut self, stall: Duration) -> Result<(), Box<Failure>> {
        // Counted first, so that failed starts count too.
        self.starts += 1;
        self.checksum = self.spec.checksum();
        if self.spec.command == EngineCommand::Builtin {
            let builtin = BuiltinEngine::new(&self.spec).map_err(|error| self.fail(error))?;
            builtin.identity().clone_into(&mut self.identity);
            self.engine = Some(Box::new(builtin));
            return Ok(());
        }
        let mut engine = GtpEngine::start(&self.spec, &self.groups, stall).map_err(|error| {
            Failure::new(&self.spec.name, FailureKind::Start, error.to_string())
        })?;
        engine.log_to(self.log.clone());
        // Identity and engine are stored before an error is handled. The failure needs the process
        // for its stderr, and the journal needs the version of the engine that failed.
        let initialized = engine.initialize();
        engine.identity().clone_into(&mut self.identity);
        self.engine = Some(Box::new(engine));
        initialized.map_err(|error| self.fail(EngineError { kind: FailureKind::Start, ..error }))
    }

    /// Logs the traffic from now on; `None` stops logging.
    pub(crate) fn log_to(&mut self, log: Option<&GameLog>) {
        self.log = log.map(|log| log.for_engine(&self.spec.name));
        if let Some(engine) = &mut self.engine {
            engine.log_to(self.log.clone());
        }
    }

    /// Prepares a game; restarts the engine after a failure.
    pub(crate) fn new_game(&mut self, setup: &GameSetup) -> Result<(), Box<Failure>> {
        // The engine's board changes, and is unknown if this fails.
        self.known_game = None;
        if self.engine.is_none() {
            self.restart(setup.stall)?;
        }
        self.with_engine(|engine, warnings| {
            // Warnings are taken even after a failure, because they may explain it.
            let result = engine.new_game(setup);
            let new = engine.take_warnings().into_iter();
            warnings.extend(new.filter(|warning| !warnings.contains(warning)).collect::<Vec<_>>());
            result
        })
    }

    /// Plays a legal move of either colour.
    pub(crate) fn play(&mut self, color: Color, mv: Move) -> Result<(), Box<Failure>> {
        self.with_engine(|engine, _| engine.play(color, mv))
    }

    /// Tells the engine how much time `color` has left, and how many periods (0 in main time).
    pub(crate) fn time_left(
        &mut self,
        color: Color,
        remaining: (Seconds, u32),
    ) -> Result<(), Box<Failure>> {
        self.with_engine(|engine, _| engine.time_left(color, remaining))
    }

    /// Returns the engine's answer to `genmove`, within `timeout`.
    pub(crate) fn genmove(
        &mut self,
        color: Color,
        timeout: Duration,
    ) -> Result<Genmove, Box<Failure>> {
        self.with_engine(|engine, _| engine.genmove(color, timeout))
    }

    /// Ends the engine because the referee rejects its answer to `genmove`.
    pub(crate) fn reject_move(
        &mut self,
        color: Color,
        kind: FailureKind,
        detail: String,
    ) -> Box<Failure> {
        self.fail(EngineError::new(kind, genmove_command(color), detail))
    }

    /// Answers a question with a legal move; `None` if the engine resigns.
    ///
    /// The engine is sent only the moves it does not know yet. After a takeback, or in another
    /// game, it starts from the empty board.
    ///
    /// # Errors
    /// The engine's failure. The engine has been ended, and the next question restarts it.
    pub fn answer(&mut self, question: &Question) -> Result<Option<Move>, Box<Failure>> {
        let Question { rules, moves, limit, time_left, timeout } = question;
        // Taken out, and put back only at the end: after an early return the engine's board is
        // unknown.
        let sent_count = match self.known_game.take() {
            Some((old_rules, old_limit, known_moves))
                if (old_rules, old_limit) == (*rules, *limit)
                    && moves.starts_with(&known_moves) =>
            {
                known_moves.len()
            }
            _ => {
                let (may_swap, stall) = (moves.len() < 2, Player::DEFAULT_STALL);
                let (rules, limit) = (*rules, *limit);
                let setup =
                    GameSetup { rules, limit, seed: 1, may_swap, stall, evaluations: false };
                self.new_game(&setup)?;
                0
            }
        };
        let mut position = Position::new(*rules);
        for (number, &mv) in moves.iter().enumerate() {
            let side = position.side();
            position.play(mv).map_err(|reason| {
                let detail = format!("cannot replay the game: {mv} is illegal: {reason}");
                self.fail(EngineError::new(FailureKind::Start, play_command(side, mv), detail))
            })?;
            if number >= sent_count {
                self.play(side, mv)?;
            }
        }
        let color = position.side();
        if let Some(remaining) = time_left {
            self.time_left(color, *remaining)?;
        }
        let Genmove { text, .. } = self.genmove(color, *timeout)?;
        let answer = read_move(&text, &position).map_err(|error| {
            let mut failure = self.reject_move(color, FailureKind::Illegal, error.to_string());
            failure.position = Some(position.to_string());
            failure
        })?;
        self.known_game = Some((*rules, *limit, moves.iter().copied().chain(answer).collect()));
        Ok(answer)
    }

    /// Calls `ask` with the running engine. An error ends the engine.
    fn with_engine<T>(
        &mut self,
        ask: impl FnOnce(&mut dyn MatchEngine, &mut Vec<String>) -> Result<T, EngineError>,
    ) -> Result<T, Box<Failure>> {
        let answer = match &mut self.engine {
            Some(engine) => ask(&mut **engine, &mut self.warnings),
            None => Err(EngineError::new(FailureKind::Crash, "", "the engine is not running")),
        };
        answer.map_err(|error| self.fail(error))
    }

    /// Ends the engine and returns the record of its failure.
    fn fail(&mut self, error: EngineError) -> Box<Failure> {
        let EngineError { kind, command, detail } = error;
        let mut failure = Box::new(Failure::new(&self.spec.name, kind, detail));
        failure.command = Some(command);
        if let Some(engine) = self.engine.take() {
            engine.abort(&mut failure);
        }
        failure
    }
}
