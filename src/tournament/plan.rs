use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::clock::Limit;
use crate::game::{IllegalMove, Move, Rules};
use crate::tournament::engines::spec::{EngineCommand, EngineSpec};
use crate::tournament::openings;
use crate::tournament::referee::game::GameTask;
use crate::tournament::schedule::{Format, GameKey, Order, Schedule, Shard};

/// All that decides which games are played, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    /// Who plays; in a gauntlet the first against the others.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub format: Format,
    /// How many pairs of games each pairing has.
    pub rounds: usize,
    /// Size and supply; with `pie` the engines swap by themselves.
    pub rules: Rules,
    /// At least one; the empty one is an empty board.
    pub openings: Vec<Vec<Move>>,
    /// Their order.
    pub order: Order,
    /// The limit of engines that have none of their own.
    pub limit: Limit,
    /// How much longer than the limit an answer may take.
    pub margin: Duration,
    /// How long after its time a silent engine is given up.
    pub stall: Duration,
    /// Seed of the order and of every game.
    pub seed: u64,
    /// The part that is played here.
    pub shard: Option<Shard>,
}

/// Why a tournament cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Not enough engines, or too many for a match.
    #[error("{format} is played by {wanted}, there are {engines}")]
    Engines {
        /// The format.
        format: Format,
        /// How many would be right.
        wanted: &'static str,
        /// How many there are.
        engines: usize,
    },
    /// Two engines of one name.
    #[error("two engines are called {0}: name=... tells them apart")]
    SameName(
        /// The name.
        String,
    ),
    /// Nothing to play from.
    #[error("there is no opening")]
    NoOpening,
    /// An opening that cannot be played.
    #[error("opening {opening} (counted from 0): move {mv} is illegal: {reason}")]
    Opening {
        /// Which.
        opening: usize,
        /// Its move.
        mv: Move,
        /// The rule it breaks.
        reason: IllegalMove,
    },
}

impl Tournament {
    /// Whether it can be played: the number of engines, their names, the
    /// openings.
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

    /// What the referee is to play for `key`.
    pub fn task(&self, key: &GameKey) -> GameTask {
        GameTask {
            rules: self.rules,
            opening: self.openings[key.opening].clone(),
            limits: key.seats().map(|engine| self.limit_of(engine)),
            margin: self.margin,
            stall: self.stall,
            seed: key.seed(self.seed),
        }
    }

    /// What two journals must have in common to be of one tournament. How
    /// many rounds are played is not among it: more can be played later.
    pub fn config(&self) -> Value {
        let engines: Vec<Value> = (0..self.engines.len()).map(|n| self.engine_config(n)).collect();
        json!({
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
        })
    }

    fn engine_config(&self, number: usize) -> Value {
        let engine = &self.engines[number];
        let mut config = Map::new();
        let mut set = |key: &str, value: Value| config.insert(key.to_owned(), value);
        set("name", engine.name.clone().into());
        match &engine.command {
            EngineCommand::Builtin => {
                set("cmd", "builtin".into());
                // Another version may play other moves.
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

/// 64 bits that stand for all openings: FNV-1a of their text.
fn digest(all: &[Vec<Move>]) -> String {
    let lines = all
        .iter()
        .flat_map(|opening| openings::line(opening).into_bytes().into_iter().chain([b'\n']));
    let hash = lines.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
