//! Counts of the scores of games, and of pairs of games.

use pontifex::game::{Color, Outcome};

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
    /// The score of `color` with this outcome.
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
/// `N` is 3 for single games and 5 for pairs of games: entry `i` counts the
/// observations with `i` half points out of `N - 1`. The statistics assume
/// independent observations. The two games of one opening are not independent,
/// so games played in pairs must be counted in pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tally<const N: usize> {
    counts: [u64; N],
}

/// Losses, draws and wins of single games.
pub type GameTally = Tally<3>;

/// Pairs of games from one opening with colours exchanged, by their score: 0,
/// ½, 1, 1½, 2.
///
/// ```
/// use pontifex::tournament::{GameScore, PairTally};
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
    /// Games in one observation: 1 or 2.
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

    /// The number of games.
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

    /// The variance of the observations' points per game, 0 to ¼; `None`
    /// without games. The divisor is the number of observations, as is usual
    /// for engine matches.
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
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}
