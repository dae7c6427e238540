//! The definition of a tournament: everything that the games depend on, and nothing else.
//!
//! Two runs of equal [`Tournament`]s have the same schedule, on any machine and with any number of
//! games at a time. Options that may change between two runs, such as the concurrency, the paths
//! and the test, are not part of a tournament. So comparing [`Tournament::config`] shows whether a
//! journal belongs to a tournament. An option that changes the games must be added there, or a
//! resumed journal would mix two kinds of games without a warning.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::adjudication::Adjudication;
use crate::engines::spec::{EngineCommand, EngineSpec};
use crate::openings::text::format_opening;
use crate::referee::GameTask;
use crate::schedule::{Format, GameKey, Order, Schedule, Shard};
use pontifex::clock::Limit;
use pontifex::game::{IllegalMove, Move, Rules};

/// Everything that decides which games are played and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// The engines, whose names must differ. In a gauntlet the first plays all others.
    pub engines: Vec<EngineSpec>,
    /// Which engines play each other.
    pub format: Format,
    /// The number of pairs of games per pairing.
    pub rounds: usize,
    /// The rules. With the pie rule the engines may swap.
    pub rules: Rules,
    /// The openings. At least one is needed; an empty one starts from the empty board.
    pub openings: Vec<Vec<Move>>,
    /// The order in which a pairing uses the openings.
    pub order: Order,
    /// The limit of engines that have none of their own.
    pub limit: Limit,
    /// By how much an answer may exceed its time before the engine loses; see [`GameTask::margin`].
    pub margin: Duration,
    /// How long after its time a silent engine is killed; see [`GameTask::stall`].
    pub stall: Duration,
    /// The seed from which the order of openings and the seed of each game are derived.
    pub seed: u64,
    /// Whether engines that support it are asked to evaluate each move.
    pub evaluations: bool,
    /// When games end early; by default never.
    pub adjudication: Adjudication,
    /// The part of the schedule to play; `None` for all of it.
    pub shard: Option<Shard>,
}

/// Why a tournament cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Too few engines, or too many for a match.
    #[error("{format} needs {wanted}, not {engines}")]
    Engines {
        /// The tournament's format.
        format: Format,
        /// The requirement of the format, as in "two engines or more".
        wanted: &'static str,
        /// The number of engines given.
        engines: usize,
    },
    /// Two engines have this name.
    #[error("two engines are called {0}: name=... tells them apart")]
    SameName(String),
    /// The list of openings is empty. A game from the empty board needs one empty opening.
    #[error("there is no opening")]
    NoOpening,
    /// An opening is illegal with the tournament's rules.
    #[error("opening {opening} (from 0): move {mv} is illegal: {reason}")]
    Opening {
        /// The opening's number, from 0.
        opening: usize,
        /// The first illegal move of the opening.
        mv: Move,
        /// The rule that the move breaks.
        reason: IllegalMove,
    },
}

impl Tournament {
    /// Checks the number of engines, their names and the openings. Whether the engines can be
    /// started is not checked.
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&self) -> Result<(), TournamentError> {
        let (engines, format) = (self.engines.len(), self.format);
        let wanted = match format {
            Format::Match if engines != 2 => Some("two engines"),
            _ if engines < 2 => Some("two engines or more"),
            _ => None,
        };
        if let Some(wanted) = wanted {
            return Err(TournamentError::Engines { format, wanted, engines });
        }
        let mut names = HashSet::new();
        if let Some(repeated) = self.engines.iter().find(|engine| !names.insert(&engine.name)) {
            return Err(TournamentError::SameName(repeated.name.clone()));
        }
        if self.openings.is_empty() {
            return Err(TournamentError::NoOpening);
        }
        for opening in 0..self.openings.len() {
            // Any game with this opening would do.
            let key = GameKey { pairing: [0, 1], round: 0, opening, exchanged: false };
            if let Err((number, reason)) = self.task(&key).check_opening() {
                let mv = self.openings[opening][number];
                return Err(TournamentError::Opening { opening, mv, reason });
            }
        }
        Ok(())
    }

    /// The engines' names, in the order of their numbers.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// The schedule of the games, restricted to the shard if there is one.
    ///
    /// # Panics
    /// If there is no opening; see [`Tournament::check`].
    pub fn schedule(&self) -> Schedule {
        let openings = self.openings.len();
        Schedule::new(self.format, self.engines.len(), openings, self.rounds, self.order, self.seed)
            .with_shard(self.shard)
    }

    /// The limit of an engine: its own if it has one, otherwise the tournament's.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn limit_of(&self, engine: usize) -> Limit {
        self.engines[engine].limit.unwrap_or(self.limit)
    }

    /// The referee's task for the game of `key`.
    ///
    /// # Panics
    /// If `key` is not of this tournament's schedule.
    pub fn task(&self, key: &GameKey) -> GameTask {
        GameTask {
            rules: self.rules,
            opening: self.openings[key.opening].clone(),
            limits: key.seats().map(|engine| self.limit_of(engine)),
            margin: self.margin,
            stall: self.stall,
            seed: key.seed(self.seed),
            evaluations: self.evaluations,
            adjudication: self.adjudication,
        }
    }

    /// The configuration, which goes into the header of every journal of the tournament. Journals
    /// of different shards differ in the key `shard` only. The number of rounds is not included, so
    /// that more can be played later.
    ///
    /// A digest represents the openings, because 500 openings would make a header unreadable.
    pub fn config(&self) -> Value {
        let engines: Vec<Value> = (0..self.engines.len()).map(|n| self.engine_config(n)).collect();
        let mut config = json!({
            "format": self.format.to_string(),
            "engines": engines,
            "board": self.rules.size.get(),
            "supply": self.rules.supply.to_string(),
            "pie": if self.rules.pie { "play" } else { "off" },
            "openings": { "count": self.openings.len(), "digest": digest(&self.openings) },
            "order": self.order.to_string(),
            "margin": self.margin.as_millis() as u64,
            "stall": self.stall.as_secs_f64(),
            "seed": self.seed,
            "shard": self.shard.map(|shard| shard.to_string()),
        });
        // Keys of rules that are off are left out, as in journals from before these keys existed.
        let Adjudication { resign, draw, proof } = self.adjudication;
        for (key, value) in [
            ("evaluations", self.evaluations.then(|| true.into())),
            ("resign", resign.map(|rule| rule.to_string().into())),
            ("draw", draw.map(|rule| rule.to_string().into())),
            ("proof", proof.map(Value::from)),
        ] {
            if let Some(value) = value {
                config[key] = value;
            }
        }
        config
    }

    fn engine_config(&self, number: usize) -> Value {
        let engine = &self.engines[number];
        let mut config = Map::new();
        let mut set = |key: &str, value: Value| config.insert(key.to_owned(), value);
        set("name", engine.name.clone().into());
        match &engine.command {
            EngineCommand::Builtin => {
                set("cmd", "builtin".into());
                // Another version may play other moves. For a process the journal's `versions`
                // record this, game by game.
                set("version", env!("CARGO_PKG_VERSION").into());
            }
            EngineCommand::Process { line, dir } => {
                set("cmd", line.clone().into());
                if let Some(dir) = dir {
                    set("dir", dir.display().to_string().into());
                }
            }
        }
        let params: Map<String, Value> = engine
            .params
            .iter()
            .map(|(name, value)| (name.clone(), value.clone().into()))
            .collect();
        set("params", params.into());
        set("limit", self.limit_of(number).to_string().into());
        config.into()
    }
}

/// A 64-bit digest of the openings: FNV-1a of their text, one opening a line, with the standard
/// offset basis and prime (Fowler, Noll and Vo). It detects a wrong file, not a forged one. It was
/// chosen because other programs can compute it in a few lines.
fn digest(openings: &[Vec<Move>]) -> String {
    let lines = openings
        .iter()
        .flat_map(|opening| format_opening(opening).into_bytes().into_iter().chain([b'\n']));
    let hash = lines.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
