//! An engine that plays: a process or the built-in one.

use std::time::Duration;

use crate::clock::Limit;
use crate::game::{Color, Move, Rules};
use crate::tournament::engines::builtin::Builtin;
use crate::tournament::engines::failure::{Failure, FailureKind};
use crate::tournament::engines::groups::ProcessGroups;
use crate::tournament::engines::remote::Remote;
use crate::tournament::engines::spec::{EngineCommand, EngineSpec};

/// An engine, started and ready to play.
///
/// After a failure it is ended, and the next game starts it anew. Dropped, it
/// is ended with all its children.
#[derive(Debug)]
pub struct Player {
    spec: EngineSpec,
    groups: ProcessGroups,
    backend: Backend,
    identity: String,
    checksum: Option<String>,
    warnings: Vec<String>,
    starts: u32,
}

#[derive(Debug)]
enum Backend {
    Builtin(Box<Builtin>),
    Process(Box<Remote>),
    /// It has failed, and its process is gone.
    Ended,
}

/// What an engine must know before a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::tournament) struct GameSetup {
    pub(in crate::tournament) rules: Rules,
    pub(in crate::tournament) limit: Limit,
    pub(in crate::tournament) seed: u64,
    /// Whether the engine may have to answer White's first turn, where it
    /// might swap.
    pub(in crate::tournament) may_swap: bool,
    /// The deadline of commands that need no thinking.
    pub(in crate::tournament) stall: Duration,
}

/// What went wrong with a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::tournament) struct EngineError {
    pub(in crate::tournament) kind: FailureKind,
    /// One line.
    pub(in crate::tournament) detail: String,
    pub(in crate::tournament) command: String,
}

impl Player {
    /// How long an engine may take for a command that needs no thinking, and
    /// over its time for one that does, unless somebody says otherwise.
    pub const DEFAULT_STALL: Duration = Duration::from_secs(30);

    /// Starts an engine, which has `stall` to answer each of the first
    /// commands; its process is in `groups` while it runs.
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
            backend: Backend::Ended,
            identity: String::new(),
            checksum: None,
            warnings: Vec::new(),
            starts: 0,
        };
        player.restart(stall)?;
        Ok(player)
    }

    /// The engine as it was asked for.
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// The engine's name in the match.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Name and version as the engine states them.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The same, and the checksum of its program: `NAME VERSION (1a2b3c4d)`;
    /// empty when it has not said who it is.
    pub(in crate::tournament) fn version(&self) -> String {
        match &self.checksum {
            Some(checksum) if !self.identity.is_empty() => {
                format!("{} ({checksum})", self.identity)
            }
            _ => self.identity.clone(),
        }
    }

    /// What could not be told to the engine because it does not know the
    /// command, one line each.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// How often it has been started: once, and after each failure.
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// Ends the engine: asks it to quit, then kills what is left of it.
    pub fn quit(mut self) {
        if let Backend::Process(remote) = std::mem::replace(&mut self.backend, Backend::Ended) {
            remote.quit();
        }
    }

    fn restart(&mut self, stall: Duration) -> Result<(), Box<Failure>> {
        self.starts += 1;
        self.checksum = self.spec.checksum();
        if self.spec.command == EngineCommand::Builtin {
            concat!("pontifex ", env!("CARGO_PKG_VERSION")).clone_into(&mut self.identity);
            let builtin = Builtin::new(&self.spec).map_err(|error| self.fail(error))?;
            self.backend = Backend::Builtin(Box::new(builtin));
            return Ok(());
        }
        let start = |detail| Box::new(Failure::new(&self.spec.name, FailureKind::Start, detail));
        let mut remote = Remote::start(&self.spec, &self.groups).map_err(start)?;
        let greeted = remote.greet(&self.spec, stall);
        remote.identity().clone_into(&mut self.identity);
        self.backend = Backend::Process(Box::new(remote));
        greeted.map_err(|error| self.fail(EngineError { kind: FailureKind::Start, ..error }))
    }

    /// Prepares a game, and starts the engine before if it has failed.
    pub(in crate::tournament) fn new_game(
        &mut self,
        setup: &GameSetup,
    ) -> Result<(), Box<Failure>> {
        if matches!(self.backend, Backend::Ended) {
            self.restart(setup.stall)?;
        }
        let told = match &mut self.backend {
            Backend::Builtin(builtin) => builtin.new_game(&self.spec, setup),
            Backend::Process(remote) => remote.new_game(&self.spec, setup),
            Backend::Ended => Err(ended()),
        };
        if let Backend::Process(remote) = &mut self.backend {
            for warning in remote.take_warnings() {
                if !self.warnings.contains(&warning) {
                    self.warnings.push(warning);
                }
            }
        }
        told.map_err(|error| self.fail(error))
    }

    /// Tells a move of either colour.
    pub(in crate::tournament) fn play(
        &mut self,
        color: Color,
        mv: Move,
        stall: Duration,
    ) -> Result<(), Box<Failure>> {
        let told = match &mut self.backend {
            Backend::Builtin(builtin) => builtin.play(color, mv),
            Backend::Process(remote) => remote.play(color, mv, stall),
            Backend::Ended => Err(ended()),
        };
        told.map_err(|error| self.fail(error))
    }

    /// Tells what is left on the clock: seconds, and the periods left, 0 in
    /// main time.
    pub(in crate::tournament) fn time_left(
        &mut self,
        color: Color,
        left: (f64, u32),
        stall: Duration,
    ) -> Result<(), Box<Failure>> {
        let told = match &mut self.backend {
            Backend::Builtin(builtin) => {
                builtin.time_left(color, left);
                Ok(())
            }
            Backend::Process(remote) => remote.time_left(color, left, stall),
            Backend::Ended => Err(ended()),
        };
        told.map_err(|error| self.fail(error))
    }

    /// Has it move, within `patience` at the very latest: its answer, and how
    /// long it took.
    pub(in crate::tournament) fn genmove(
        &mut self,
        color: Color,
        patience: Duration,
    ) -> Result<(String, Duration), Box<Failure>> {
        let answer = match &mut self.backend {
            Backend::Builtin(builtin) => builtin.genmove(color),
            Backend::Process(remote) => remote.genmove(color, patience),
            Backend::Ended => Err(ended()),
        };
        answer.map_err(|error| self.fail(error))
    }

    /// The engine has failed: it is ended, and what it left behind is told.
    pub(in crate::tournament) fn fail(&mut self, error: EngineError) -> Box<Failure> {
        let EngineError { kind, detail, command } = error;
        let mut failure = Box::new(Failure::new(&self.spec.name, kind, detail));
        failure.command = Some(command);
        if let Backend::Process(remote) = std::mem::replace(&mut self.backend, Backend::Ended) {
            remote.end_with(&mut failure);
        }
        failure
    }
}

fn ended() -> EngineError {
    EngineError {
        kind: FailureKind::Crash,
        detail: "the engine is not running".to_owned(),
        command: String::new(),
    }
}
