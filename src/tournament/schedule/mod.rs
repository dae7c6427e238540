//! Which games a tournament has, and in which order they begin.
//!
//! A *pairing* is two engines, a *round* of a pairing is one opening played
//! twice with colours exchanged: a *pair* of games. Rounds go over all
//! pairings before the next one begins, so that a tournament that is cut short
//! has treated all engines alike. Everything here follows from the numbers
//! that went in: the same schedule has the same games on every machine.

mod default_openings;

pub use default_openings::default_openings;

use std::fmt;
use std::str::FromStr;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::SplitMix64;
use thiserror::Error;

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// Two engines.
    #[default]
    Match,
    /// Every engine against every other.
    RoundRobin,
    /// The first engine against every other.
    Gauntlet,
}

/// In which order the openings of a file are played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// As they stand in the file; every pairing begins elsewhere.
    Sequential,
    /// Shuffled by the seed, for every pairing differently.
    #[default]
    Shuffled,
}

/// A part of a tournament, or of games that are numbered: of every `count`
/// pairs of games, or games, one.
///
/// ```
/// use pontifex::tournament::Shard;
///
/// let shard: Shard = "2/8".parse()?;
/// assert_eq!(shard.to_string(), "2/8");
/// assert!(shard.numbers(20).eq([1, 9, 17]));
/// assert!("0/8".parse::<Shard>().is_err() && "9/8".parse::<Shard>().is_err());
/// # Ok::<(), pontifex::tournament::ParseScheduleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    /// Which part, 1 to `count`.
    number: u64,
    count: u64,
}

/// The text is not a format, an order or a shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{text}' is not {wanted}")]
pub struct ParseScheduleError {
    text: String,
    wanted: &'static str,
}

/// One game of a tournament, engines and openings being numbers from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameKey {
    /// The two engines, the lower first.
    pub pairing: [usize; 2],
    /// Which pair of games of the pairing, from 0.
    pub round: usize,
    /// Which opening.
    pub opening: usize,
    /// The colours are exchanged: the second engine opens with White.
    pub exchanged: bool,
}

/// The games of a tournament, or of one shard of it.
///
/// ```
/// use pontifex::tournament::{Format, Order, Schedule};
///
/// let schedule = Schedule::new(Format::RoundRobin, 3, 10, 4, Order::Shuffled, 1);
/// assert_eq!(schedule.games().count(), 3 * 4 * 2);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    openings: usize,
    rounds: usize,
    order: Order,
    seed: u64,
    shard: Option<Shard>,
}

impl Format {
    /// The pairings of `engines` engines; a match has the first two only.
    pub fn pairings(self, engines: usize) -> Vec<[usize; 2]> {
        let first_against = |end: usize| (1..end).map(|b| [0, b]).collect();
        match self {
            Format::Match => first_against(engines.min(2)),
            Format::Gauntlet => first_against(engines),
            Format::RoundRobin => (0..engines).flat_map(|b| (0..b).map(move |a| [a, b])).collect(),
        }
    }
}

impl GameKey {
    /// The engines that open as White and as Red; after a swap the seats are
    /// the other way round.
    pub fn seats(&self) -> [usize; 2] {
        let [a, b] = self.pairing;
        if self.exchanged { [b, a] } else { [a, b] }
    }

    /// What the two games of a pair have in common: the pairing and the round.
    pub fn pair(&self) -> ([usize; 2], usize) {
        (self.pairing, self.round)
    }

    /// The seed of the game in a tournament of `seed`. Both games of a pair
    /// have seeds of their own: engines that only repeat themselves would
    /// otherwise play one game twice.
    pub fn seed(&self, seed: u64) -> u64 {
        let [a, b] = self.pairing;
        let words = [a, b, self.round, self.opening, usize::from(self.exchanged)];
        // Below 2⁵³, so that whatever reads numbers as doubles reads it too.
        mix(seed, &words) >> 11
    }
}

impl Schedule {
    /// `rounds` openings of `openings` for each pairing; when there are not so
    /// many, they are played again from the start, reshuffled.
    ///
    /// Which opening a round has does not depend on `rounds`: a schedule of
    /// more rounds begins with the games of the shorter one.
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
        assert!(openings > 0, "no opening, not even the empty one");
        let pairings = format.pairings(engines);
        Schedule { pairings, openings, rounds, order, seed, shard: None }
    }

    /// The games of `shard` alone.
    #[must_use]
    pub fn with_shard(self, shard: Option<Shard>) -> Schedule {
        Schedule { shard, ..self }
    }

    /// The pairings.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Every game, the two of a pair one after the other.
    pub fn games(&self) -> impl Iterator<Item = GameKey> + Send + use<> {
        let schedule = self.clone();
        let mut orders = vec![Vec::new(); schedule.pairings.len()];
        (0..schedule.rounds * schedule.pairings.len())
            .filter_map(move |pair| {
                let (round, p) = (pair / schedule.pairings.len(), pair % schedule.pairings.len());
                if round % schedule.openings == 0 {
                    orders[p] = schedule.order_of(p, round / schedule.openings);
                }
                let opening = orders[p][round % schedule.openings];
                let is_ours = schedule.shard.is_none_or(|shard| shard.has(pair as u64));
                is_ours.then_some((schedule.pairings[p], round, opening))
            })
            .flat_map(|(pairing, round, opening)| {
                [false, true].map(|exchanged| GameKey { pairing, round, opening, exchanged })
            })
    }

    /// The openings in the order of a pairing, when they are played for the
    /// `lap`th time.
    fn order_of(&self, pairing: usize, lap: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.openings).collect();
        match self.order {
            Order::Sequential => order.rotate_left(pairing * self.openings / self.pairings.len()),
            Order::Shuffled => {
                let [a, b] = self.pairings[pairing];
                order.shuffle(&mut SplitMix64::seed_from_u64(mix(self.seed, &[a, b, lap])));
            }
        }
        order
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        let pairs = (self.rounds * self.pairings.len()) as u64;
        let ours = match self.shard {
            None => pairs,
            Some(Shard { number, count }) => (pairs + count - number) / count,
        };
        2 * ours as usize
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many games the tournament has over all shards.
    pub fn planned(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    fn has(self, pair: u64) -> bool {
        pair % self.count == self.number - 1
    }

    /// Its part of the numbers from 0 on, below `end`.
    pub fn numbers(self, end: u64) -> impl Iterator<Item = u64> + Clone {
        (self.number - 1..end).step_by(self.count as usize)
    }
}

/// A seed from a seed and some numbers.
fn mix(seed: u64, words: &[usize]) -> u64 {
    words.iter().fold(seed, |seed, &word| {
        let mut rng = SplitMix64::seed_from_u64(seed ^ (word as u64).rotate_left(32));
        rng.random()
    })
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Shard, ParseScheduleError> {
        let read = || {
            let (number, count) = text.split_once('/')?;
            let shard = Shard { number: number.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.number).then_some(shard)
        };
        read().ok_or_else(|| refuse(text, "a shard: NUMBER/COUNT from 1/COUNT on, as in 2/8"))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Match => "match",
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

impl FromStr for Format {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Format, ParseScheduleError> {
        [Format::Match, Format::RoundRobin, Format::Gauntlet]
            .into_iter()
            .find(|format| format.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| refuse(text, "match, round-robin or gauntlet"))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Sequential => "sequential",
            Order::Shuffled => "shuffled",
        })
    }
}

impl FromStr for Order {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Order, ParseScheduleError> {
        [Order::Sequential, Order::Shuffled]
            .into_iter()
            .find(|order| order.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| refuse(text, "sequential or shuffled"))
    }
}

fn refuse(text: &str, wanted: &'static str) -> ParseScheduleError {
    ParseScheduleError { text: text.to_owned(), wanted }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn schedule(format: Format, engines: usize, openings: usize, rounds: usize) -> Schedule {
        Schedule::new(format, engines, openings, rounds, Order::Shuffled, 7)
    }

    /// The openings of a pairing, round by round.
    fn openings(schedule: &Schedule, pairing: [usize; 2]) -> Vec<usize> {
        let ours = |key: &GameKey| key.pairing == pairing && !key.exchanged;
        schedule.games().filter(ours).map(|key| key.opening).collect()
    }

    #[test]
    fn formats_pair_who_they_should() {
        assert_eq!(Format::Match.pairings(2), [[0, 1]]);
        assert_eq!(Format::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(Format::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
    }

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let schedule = schedule(Format::RoundRobin, 4, 5, 12);
        let games: Vec<GameKey> = schedule.games().collect();
        assert_eq!(games.len(), schedule.len());
        assert_eq!(games.iter().collect::<HashSet<_>>().len(), 6 * 12 * 2);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].pair(), pair[0].opening), (pair[1].pair(), pair[1].opening));
            let [a, b] = pair[0].seats();
            assert_eq!(pair[1].seats(), [b, a]);
        }
        for &pairing in schedule.pairings() {
            let openings = openings(&schedule, pairing);
            for lap in openings.chunks_exact(5) {
                assert_eq!(lap.iter().collect::<HashSet<_>>().len(), 5, "{openings:?}");
            }
        }
    }

    #[test]
    fn pairings_have_orders_of_their_own() {
        let shuffled = schedule(Format::Gauntlet, 3, 50, 50);
        assert_ne!(openings(&shuffled, [0, 1]), openings(&shuffled, [0, 2]));
        let sequential = Schedule { order: Order::Sequential, rounds: 3, ..shuffled };
        assert_eq!(openings(&sequential, [0, 1]), [0, 1, 2]);
        assert_eq!(openings(&sequential, [0, 2]), [25, 26, 27]);
    }

    #[test]
    fn more_rounds_begin_with_the_same_games() {
        let (long, short) = (schedule(Format::Match, 2, 4, 11), schedule(Format::Match, 2, 4, 6));
        assert!(short.games().eq(long.games().take(12)));
    }

    #[test]
    fn shards_are_the_whole_in_whole_pairs() {
        for (rounds, count) in [(10, 3), (7, 8), (8, 1)] {
            let whole = schedule(Format::RoundRobin, 3, 4, rounds);
            let mut games = Vec::new();
            for number in 1..=count {
                let part = whole.clone().with_shard(Some(Shard { number, count }));
                let ours: Vec<GameKey> = part.games().collect();
                assert_eq!(ours.len(), part.len(), "{number}/{count} of {rounds}");
                assert!(ours.chunks(2).all(|pair| pair[0].pair() == pair[1].pair()));
                games.extend(ours);
            }
            games.sort_unstable();
            let mut all: Vec<GameKey> = whole.games().collect();
            all.sort_unstable();
            assert_eq!(games, all);
        }
    }

    #[test]
    fn seeds_differ() {
        let seeds: HashSet<u64> =
            schedule(Format::RoundRobin, 5, 9, 50).games().map(|key| key.seed(1)).collect();
        assert_eq!(seeds.len(), 10 * 50 * 2);
    }
}
