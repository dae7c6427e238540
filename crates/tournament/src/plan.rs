//! The definition of a tournament.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::adjudication::Adjudication;
use crate::engines::spec::{EngineCommand, EngineSpec};
use crate::openings::text::line;
use crate::referee::GameTask;
use crate::schedule::{Format, GameKey, Order, Schedule, Shard};
use pontifex::clock::Limit;
use pontifex::game::{IllegalMove, Move, Rules};

/// Everything that decides which games are played and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// The engines; in a gauntlet the first plays the others.
    pub engines: Vec<EngineSpec>,
    /// Which engines play each other.
    pub format: Format,
    /// The number of pairs of games per pairing.
    pub rounds: usize,
    /// The rules; with the pie rule the engines may swap.
    pub rules: Rules,
    /// The openings, at least one, which may be empty.
    pub openings: Vec<Vec<Move>>,
    /// The order of the openings.
    pub order: Order,
    /// The limit of engines without their own.
    pub limit: Limit,
    /// By how much an answer may exceed the time.
    pub margin: Duration,
    /// How long after its time a silent engine has stalled.
    pub stall: Duration,
    /// The seed of the order and of all games.
    pub seed: u64,
    /// Whether engines that can are asked for the evaluation of each move.
    pub evaluations: bool,
    /// When games end early.
    pub adjudication: Adjudication,
    /// The part to be played, if not all games.
    pub shard: Option<Shard>,
}

/// Why a tournament cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Too few engines, or too many for a match.
    #[error("{format} needs {wanted}, not {engines}")]
    Engines {
        /// The format.
        format: Format,
        /// The number required.
        wanted: &'static str,
        /// The number given.
        engines: usize,
    },
    /// Two engines have the same name.
    #[error("two engines are called {0}: name=... tells them apart")]
    SameName(
        /// The name.
        String,
    ),
    /// There are no openings.
    #[error("there is no opening")]
    NoOpening,
    /// An illegal opening.
    #[error("opening {opening} (from 0): move {mv} is illegal: {reason}")]
    Opening {
        /// Its number.
        opening: usize,
        /// The illegal move.
        mv: Move,
        /// The rule it breaks.
        reason: IllegalMove,
    },
}

impl Tournament {
    /// Checks the number of engines, their names and the openings.
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
        if let Some(twice) = self.engines.iter().find(|engine| !names.insert(&engine.name)) {
            return Err(TournamentError::SameName(twice.name.clone()));
        }
        if self.openings.is_empty() {
            return Err(TournamentError::NoOpening);
        }
        for opening in 0..self.openings.len() {
            let key = GameKey { pairing: [0, 1], round: 0, opening, exchanged: false };
            if let Err((number, reason)) = self.task(&key).check_opening() {
                let mv = self.openings[opening][number];
                return Err(TournamentError::Opening { opening, mv, reason });
            }
        }
        Ok(())
    }

    /// The engines' names.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// Its games, those of the shard alone if there is one.
    ///
    /// # Panics
    /// If there is no opening; see [`Tournament::check`].
    pub fn schedule(&self) -> Schedule {
        let openings = self.openings.len();
        Schedule::new(self.format, self.engines.len(), openings, self.rounds, self.order, self.seed)
            .with_shard(self.shard)
    }

    /// The limit of an engine.
    pub fn limit_of(&self, engine: usize) -> Limit {
        self.engines[engine].limit.unwrap_or(self.limit)
    }

    /// The referee's task for the game of `key`.
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

    /// The configuration that all journals of a tournament share. The number of
    /// rounds is not part of it, so that more can be played later.
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
        // Left out where they are off, as in journals from before there were any.
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
                // Other versions may play other moves.
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

/// A 64-bit digest of the openings: FNV-1a of their text.
fn digest(all: &[Vec<Move>]) -> String {
    let lines =
        all.iter().flat_map(|opening| line(opening).into_bytes().into_iter().chain([b'\n']));
    let hash = lines.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
