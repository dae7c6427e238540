//! Which games a tournament has, and their order.
//!
//! A *pairing* is two engines. In a *round* a pairing plays one opening twice, with colours
//! exchanged: a *pair* of games. An opening that favours a colour favours each engine once, so most
//! of the luck of the opening cancels within the pair.
//!
//! ```text
//!            A-B            A-C            B-C          pairings
//! round 0    pair 0: A, B   pair 1: A, C   pair 2: B, C
//! round 1    pair 3         pair 4         pair 5
//! round 2    pair 6         ...                         "A, B": game with A as White,
//!                                                       then game with B as White
//! ```
//!
//! **Order.** All pairings play a round before the next round begins, so that a tournament that is
//! stopped early has treated all engines alike. The two games of a pair follow each other, so that
//! few pairs are incomplete at that moment.
//!
//! **Openings.** When a pairing has used every opening, it uses them again in another order. One
//! such pass is a *lap*. Each pairing has its own order. Otherwise a short tournament would rate
//! all engines by the same few openings.
//!
//! **Determinism.** A schedule depends on its parameters only and is the same on every machine. Two
//! features rely on this: a resumed run must find the missing games in its journal, and machines
//! that play shards without communicating must play different games. Therefore the order of a lap
//! and the seed of a game are hashed from the numbers that identify them. They are never drawn from
//! a shared generator, whose state would depend on what was drawn before. `rounds` is not among
//! these numbers, so a longer tournament begins with the games of a shorter one. A version that
//! computed another order could not continue the journals of earlier ones.
//!
//! **Shards.** Shard n of m has the pairs n-1, n-1+m, n-1+2m ... in the numbering above. Shards
//! keep pairs whole. If m and the number of pairings have a common divisor, a single shard has some
//! pairings more often than others; all shards together have every pair exactly once.

use std::fmt;
use std::str::FromStr;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::SplitMix64;
use serde::de::{self, IntoDeserializer};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One game of a tournament. Engines and openings are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameKey {
    /// The two engines, the lower number first.
    pub pairing: [usize; 2],
    /// The number of the pair of games within the pairing, from 0.
    pub round: usize,
    /// The number of the opening in the tournament's list. The pairing and the round determine it.
    pub opening: usize,
    /// Whether the second engine opens as White.
    pub exchanged: bool,
}

/// The games of a tournament, or of one shard of it.
///
/// ```
/// use pontifex_tournament::{Format, Order, Schedule};
///
/// let schedule = Schedule::new(Format::RoundRobin, 3, 10, 4, Order::Shuffled, 1);
/// assert_eq!(schedule.games().count(), 3 * 4 * 2);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    /// The number of openings.
    openings: usize,
    /// The number of pairs of games for each pairing.
    rounds: usize,
    order: Order,
    seed: u64,
    shard: Option<Shard>,
}

impl GameKey {
    /// The engines of seat 0, which opens as White, and seat 1. A swap exchanges their colours, not
    /// their seats.
    pub fn seats(&self) -> [usize; 2] {
        let [a, b] = self.pairing;
        if self.exchanged { [b, a] } else { [a, b] }
    }

    /// The pairing and the round, which identify the pair of games.
    pub fn pair(&self) -> ([usize; 2], usize) {
        (self.pairing, self.round)
    }

    /// The seed of this game in a tournament with the seed `seed`, below 2⁵³. The two games of a
    /// pair have different seeds. With equal seeds a deterministic engine that plays itself would
    /// play the same game twice.
    pub fn seed(&self, seed: u64) -> u64 {
        let [a, b] = self.pairing;
        let words = [a, b, self.round, self.opening, usize::from(self.exchanged)];
        // 64 - 11 = 53 bits: readers of JSON that store numbers as doubles keep all of them.
        derive_seed(seed, &words) >> 11
    }
}

impl Schedule {
    /// A schedule of `rounds` pairs of games for each pairing, from `openings` openings. If there
    /// are fewer openings than rounds, they are used again, with [`Order::Shuffled`] in a new
    /// order.
    ///
    /// A longer schedule begins with the games of a shorter one.
    ///
    /// # Panics
    /// If there is no opening.
    pub fn new(
        format: Format,
        engines: usize,
        openings: usize,
        rounds: usize,
        order: Order,
        seed: u64,
    ) -> Schedule {
        assert!(openings > 0, "a schedule needs at least one opening");
        let pairings = format.pairings(engines);
        Schedule { pairings, openings, rounds, order, seed, shard: None }
    }

    /// Restricts the schedule to the games of `shard`; `None` lifts the restriction.
    #[must_use]
    pub fn with_shard(self, shard: Option<Shard>) -> Schedule {
        Schedule { shard, ..self }
    }

    /// The pairings in the order in which they play a round.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The games of the schedule, or of its shard; the two of a pair follow each other.
    pub fn games(&self) -> impl Iterator<Item = GameKey> + Send + use<> {
        let schedule = self.clone();
        // For each pairing, the openings in the order of its current lap. The loop visits all pairs
        // in ascending order, those of other shards included, and so sees the first round of each
        // lap.
        let mut orders = vec![Vec::new(); schedule.pairings.len()];
        (0..schedule.rounds * schedule.pairings.len())
            .filter_map(move |pair| {
                let (round, index) =
                    (pair / schedule.pairings.len(), pair % schedule.pairings.len());
                if round % schedule.openings == 0 {
                    orders[index] = schedule.lap_order(index, round / schedule.openings);
                }
                let opening = orders[index][round % schedule.openings];
                let is_ours = schedule.shard.is_none_or(|shard| shard.has_pair(pair as u64));
                is_ours.then_some((schedule.pairings[index], round, opening))
            })
            .flat_map(|(pairing, round, opening)| {
                [false, true].map(|exchanged| GameKey { pairing, round, opening, exchanged })
            })
    }

    /// The openings in the order in which a pairing uses them in its `lap`th lap (from 0).
    fn lap_order(&self, pairing: usize, lap: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings).collect();
        match self.order {
            // Each pairing starts elsewhere, so that few rounds still cover many openings.
            Order::Sequential => order.rotate_left(pairing * self.openings / self.pairings.len()),
            Order::Shuffled => {
                let [a, b] = self.pairings[pairing];
                order.shuffle(&mut SplitMix64::seed_from_u64(derive_seed(self.seed, &[a, b, lap])));
            }
        }
        order
    }

    /// The number of games of the schedule, or of its shard.
    pub fn len(&self) -> usize {
        let pairs = (self.rounds * self.pairings.len()) as u64;
        let ours = match self.shard {
            None => pairs,
            Some(shard) => shard.count_below(pairs),
        };
        2 * ours as usize
    }

    /// Whether the schedule, or its shard, has no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of games of all shards together.
    pub fn planned(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }
}

/// Derives a seed from a seed and numbers. Their order matters.
///
/// Each number is rotated into the upper half before the exclusive or. Without the rotation, seed 1
/// with the number 2 and seed 2 with the number 1 would give the same result. `SplitMix64` then
/// mixes all bits, so that neighbouring numbers give unrelated seeds.
fn derive_seed(seed: u64, words: &[usize]) -> u64 {
    words.iter().fold(seed, |seed, &word| {
        let mut rng = SplitMix64::seed_from_u64(seed ^ (word as u64).rotate_left(32));
        rng.random()
    })
}

/// Which engines play each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two engines against each other.
    #[default]
    Match,
    /// Every engine against every other.
    RoundRobin,
    /// The first engine against every other.
    Gauntlet,
}

/// The order in which a pairing uses the openings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// In the order of the file. Each pairing starts at another opening and wraps round.
    Sequential,
    /// Shuffled by the seed, differently for each pairing and lap.
    #[default]
    Shuffled,
}

/// The error for a text that is not a shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a shard: NUMBER/COUNT with NUMBER from 1 to COUNT, as in 2/8")]
pub struct ParseShardError(String);

impl Format {
    /// The pairings of `engines` engines, each with the lower number first. A match pairs the first
    /// two only.
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let first_against = |end: usize| (1..end).map(|b| [0, b]).collect();
        match self {
            Format::Match => first_against(engines.min(2)),
            Format::Gauntlet => first_against(engines),
            Format::RoundRobin => (0..engines).flat_map(|b| (0..b).map(move |a| [a, b])).collect(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Format {
    type Err = de::value::Error;

    fn from_str(text: &str) -> Result<Format, Self::Err> {
        Format::deserialize(text.to_ascii_lowercase().into_deserializer())
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Order {
    type Err = de::value::Error;

    fn from_str(text: &str) -> Result<Order, Self::Err> {
        Order::deserialize(text.to_ascii_lowercase().into_deserializer())
    }
}

/// A part of a tournament: one of every `count` pairs of games. For self-play, one of every `count`
/// games.
///
/// ```
/// use pontifex_tournament::Shard;
///
/// let shard: Shard = "2/8".parse()?;
/// assert_eq!(shard.to_string(), "2/8");
/// assert!(shard.numbers(20).eq([1, 9, 17]));
/// assert!("0/8".parse::<Shard>().is_err());
/// assert!("9/8".parse::<Shard>().is_err());
/// # Ok::<(), pontifex_tournament::ParseShardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    /// From 1 to `count`, as on the command line.
    number: u64,
    count: u64,
}

impl Shard {
    /// The only shard of one: everything.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    fn has_pair(self, pair: u64) -> bool {
        pair % self.count == self.number - 1
    }

    /// The number of pairs below `end` that belong to this shard: those of the form number - 1 + k
    /// · count, k = 0, 1 ...
    fn count_below(self, end: u64) -> u64 {
        (end + self.count - self.number) / self.count
    }

    /// The numbers from 0 to `end` (excluded) that belong to this shard.
    pub fn numbers(self, end: u64) -> impl Iterator<Item = u64> + Clone {
        (self.number - 1..end).step_by(self.count as usize)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let read = || {
            let (number, count) = text.split_once('/')?;
            let shard = Shard { number: number.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.number).then_some(shard)
        };
        read().ok_or_else(|| ParseShardError(text.to_owned()))
    }
}
