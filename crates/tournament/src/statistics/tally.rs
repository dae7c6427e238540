//! Counts of games: the scores of games and of pairs of games, the point margins, and the scores
//! between every two engines of a tournament.
//!
//! The statistics need nothing else. A tally does not keep the order of the games, so tallies can
//! be added, and flipped to the opponent's point of view.

use pontifex::game::{Color, Outcome};

use crate::statistics::estimate::{Estimate, student_95};

/// One engine's score in one game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameScore {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl GameScore {
    /// The score of the player who has `color` at the end.
    pub fn of(outcome: Outcome, color: Color) -> GameScore {
        match outcome.winner() {
            None => GameScore::Draw,
            Some(winner) if winner == color => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }

    /// The opponent's score.
    #[must_use]
    pub fn flipped(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Draw => GameScore::Draw,
            GameScore::Win => GameScore::Loss,
        }
    }

    /// In half points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }
}

/// How often each score occurred, worst first, for one of two engines.
///
/// `N` is 3 for single games and 5 for pairs of games. Entry `i` counts the observations with `i`
/// half points out of `N - 1`. The statistics assume independent observations. The two games of one
/// opening are not independent, so games played in pairs must be counted in pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tally<const N: usize> {
    counts: [u64; N],
}

/// Losses, draws and wins of single games. For plain counts, and for statistics of independent
/// games. The games of a match are not independent.
pub type GameTally = Tally<3>;

/// Pairs of games from one opening with colours exchanged, by their score: 0, ½, 1, 1½, 2.
///
/// ```
/// use pontifex_tournament::{GameScore, PairTally};
///
/// let mut tally = PairTally::default();
/// tally.add_pair(GameScore::Win, GameScore::Draw);
/// tally.add_pair(GameScore::Loss, GameScore::Win);
/// assert_eq!(tally.counts(), [0, 0, 1, 1, 0]);
/// assert_eq!((tally.points(), tally.games()), (2.5, 4));
/// ```
pub type PairTally = Tally<5>;

impl GameTally {
    /// Counts one game.
    pub fn add(&mut self, score: GameScore) {
        self.counts[score.half_points()] += 1;
    }
}

impl PairTally {
    /// Counts the two games of one opening.
    pub fn add_pair(&mut self, first: GameScore, second: GameScore) {
        self.counts[first.half_points() + second.half_points()] += 1;
    }
}

impl<const N: usize> Tally<N> {
    /// The number of games in one observation, 1 or 2: the most half points are `N - 1`, two for
    /// each game.
    pub(super) const GAMES_EACH: u64 = (N as u64 - 1) / 2;

    /// A tally of these counts, worst score first.
    pub const fn from_counts(counts: [u64; N]) -> Tally<N> {
        Tally { counts }
    }

    /// The counts, worst score first.
    pub const fn counts(&self) -> [u64; N] {
        self.counts
    }

    /// The number of observations: games or pairs.
    pub fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of games in all observations.
    pub fn games(&self) -> u64 {
        self.observations() * Self::GAMES_EACH
    }

    /// The points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    fn half_points(&self) -> u64 {
        (0..).zip(self.counts).map(|(half_points, count)| half_points * count).sum()
    }

    /// Points per game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.half_points() as f64 / (2 * games) as f64)
    }

    /// The variance of the observations' points per game, 0 to ¼; `None` without games. The divisor
    /// is the number of observations and not one less, which is usual for engine matches.
    pub fn variance(&self) -> Option<f64> {
        let score = self.score()?;
        let deviation =
            |(i, count): (usize, u64)| count as f64 * (i as f64 / (N - 1) as f64 - score).powi(2);
        let sum: f64 = self.counts.into_iter().enumerate().map(deviation).sum();
        Some(sum / self.observations() as f64)
    }

    /// The opponent's tally of the same games.
    #[must_use]
    pub fn flipped(mut self) -> Tally<N> {
        self.counts.reverse();
        self
    }

    /// Whether all observations have the same score, or there are none.
    pub fn is_uniform(&self) -> bool {
        self.counts.iter().filter(|&&count| count > 0).count() <= 1
    }
}

impl<const N: usize> Default for Tally<N> {
    fn default() -> Self {
        Tally { counts: [0; N] }
    }
}

impl<const N: usize> std::ops::AddAssign for Tally<N> {
    fn add_assign(&mut self, other: Tally<N>) {
        for (count, other) in self.counts.iter_mut().zip(other.counts) {
            *count += other;
        }
    }
}

/// The point margins of one engine over another.
///
/// The two games of a pair are not independent, so each pair is one observation: the mean margin of
/// its games, in points per game. Welford's method (Technometrics 1962) updates the sums. It is
/// numerically stable, unlike a sum of squares.
///
/// ```
/// use pontifex_tournament::MarginTally;
///
/// let mut margins = MarginTally::default();
/// margins.add_pair(12, -4);
/// assert_eq!((margins.mean(), margins.estimate()), (Some(4.0), None));
/// margins.add_pair(3, 3);
/// assert_eq!(margins.mean(), Some(3.5));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MarginTally {
    pairs: u64,
    /// 0 without pairs.
    mean: f64,
    /// Sum of squared deviations from the mean.
    squares: f64,
}

impl MarginTally {
    /// Counts a pair of games. Each margin is the engine's points minus the opponent's.
    pub fn add_pair(&mut self, first: i32, second: i32) {
        let margin = f64::midpoint(f64::from(first), f64::from(second));
        self.pairs += 1;
        let deviation = margin - self.mean;
        self.mean += deviation / self.pairs as f64;
        // One factor is the deviation from the old mean, the other from the new one.
        self.squares += deviation * (margin - self.mean);
    }

    /// The number of pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The mean margin in points per game; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then_some(self.mean)
    }

    /// The mean margin with its 95 % interval (Student's t); `None` with fewer than two pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        let degrees = self.pairs.checked_sub(1).filter(|&degrees| degrees > 0)?;
        // The standard error of the mean, with the unbiased variance.
        let error = (self.squares / degrees as f64 / self.pairs as f64).sqrt();
        let half_width = student_95(degrees) * error;
        Some(Estimate::new(self.mean, self.mean - half_width, self.mean + half_width))
    }
}

/// The results between every two engines of a tournament. Engines are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairings {
    engines: usize,
    /// A triangle: entry a(a-1)/2 + b is the tally of engine b against engine a > b.
    tallies: Vec<PairTally>,
}

impl Pairings {
    /// No results between `engines` engines.
    pub fn new(engines: usize) -> Pairings {
        let tallies = vec![PairTally::default(); engines * engines.saturating_sub(1) / 2];
        Pairings { engines, tallies }
    }

    /// The number of engines, including those that have not played.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// Counts the two games of one opening by the scores of `engine`.
    ///
    /// # Panics
    /// If either is not an engine of this tournament, or both are the same.
    pub fn add_pair(
        &mut self,
        engine: usize,
        opponent: usize,
        first: GameScore,
        second: GameScore,
    ) {
        let mut pair = PairTally::default();
        pair.add_pair(first, second);
        self.add(engine, opponent, pair);
    }

    /// Adds a tally of `engine` against `opponent`.
    ///
    /// # Panics
    /// As [`add_pair`](Pairings::add_pair).
    pub fn add(&mut self, engine: usize, opponent: usize, pairs: PairTally) {
        let index = self.index(engine, opponent);
        self.tallies[index] += if engine < opponent { pairs } else { pairs.flipped() };
    }

    /// The tally of `engine` against `opponent`; empty against itself.
    ///
    /// # Panics
    /// If either is not an engine of this tournament.
    pub fn tally(&self, engine: usize, opponent: usize) -> PairTally {
        if engine == opponent && engine < self.engines {
            return PairTally::default();
        }
        let tally = self.tallies[self.index(engine, opponent)];
        if engine < opponent { tally } else { tally.flipped() }
    }

    /// The tally of `engine` against all opponents.
    ///
    /// # Panics
    /// If it is not an engine of this tournament.
    pub fn total(&self, engine: usize) -> PairTally {
        let mut total = PairTally::default();
        for opponent in 0..self.engines {
            total += self.tally(engine, opponent);
        }
        total
    }

    /// The group of each engine. Engines of one group can be compared, because a chain of played
    /// pairings connects them. Groups are numbered from 0 in the order of their first engines. An
    /// engine that has not played is a group of its own.
    ///
    /// Ratings measure differences, and no game says anything about the difference of two groups.
    pub fn groups(&self) -> Vec<usize> {
        // At first each engine is a group of its own, named by its number. A played pairing merges
        // two of them under the smaller name.
        let mut groups: Vec<usize> = (0..self.engines).collect();
        for (a, b) in self.played() {
            let (kept, dropped) = (groups[a].min(groups[b]), groups[a].max(groups[b]));
            groups.iter_mut().filter(|group| **group == dropped).for_each(|group| *group = kept);
        }
        // The remaining names are the first engines of the groups. Their ranks number the groups.
        let mut firsts = groups.clone();
        firsts.sort_unstable();
        firsts.dedup();
        groups.iter().map(|group| firsts.partition_point(|first| first < group)).collect()
    }

    /// The pairings that have results, each with the lower number first.
    pub fn played(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.engines)
            .flat_map(move |b| (0..b).map(move |a| (a, b)))
            .filter(|&(a, b)| self.tally(a, b).observations() > 0)
    }

    /// The index of a pairing in the triangle.
    fn index(&self, engine: usize, opponent: usize) -> usize {
        let (low, high) = (engine.min(opponent), engine.max(opponent));
        assert!(low < high && high < self.engines, "no pairing of {engine} and {opponent}");
        high * (high - 1) / 2 + low
    }
}
