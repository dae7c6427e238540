use crate::game::{Color, Outcome};

/// What one engine got out of one game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameScore {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl GameScore {
    /// What `outcome` is worth to the player of `color`.
    pub fn of(outcome: Outcome, color: Color) -> GameScore {
        match outcome.winner() {
            None => GameScore::Draw,
            Some(winner) if winner == color => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }

    /// The same game as the opponent sees it.
    #[must_use]
    pub fn flipped(self) -> GameScore {
        match self {
            GameScore::Loss => GameScore::Win,
            GameScore::Draw => GameScore::Draw,
            GameScore::Win => GameScore::Loss,
        }
    }

    /// In half points: 0, 1, 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }
}

/// How often each score occurred, worst first, as one of two engines sees it.
///
/// `N` is 3 for single games and 5 for pairs of games: entry `i` counts the
/// observations that brought `i` half points out of `N - 1`. Observations must
/// be independent of each other, which the two games of one opening are not:
/// where games come in pairs, count pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tally<const N: usize> {
    counts: [u64; N],
}

/// Losses, draws, wins of single games.
pub type GameTally = Tally<3>;

/// Pairs of games from one opening with colours swapped, by their score: 0,
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
    pub(in crate::tournament) const GAMES_EACH: u64 = (N as u64 - 1) / 2;

    /// From counts, worst score first.
    pub const fn from_counts(counts: [u64; N]) -> Tally<N> {
        Tally { counts }
    }

    /// The counts, worst score first.
    pub const fn counts(&self) -> [u64; N] {
        self.counts
    }

    /// How many games or pairs were counted.
    pub fn observations(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many games that were.
    pub fn games(&self) -> u64 {
        self.observations() * Self::GAMES_EACH
    }

    /// The points scored: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    fn half_points(&self) -> u64 {
        (0..).zip(self.counts).map(|(half_points, count)| half_points * count).sum()
    }

    /// The points a game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.half_points() as f64 / (2 * games) as f64)
    }

    /// The variance of one observation's points a game, 0 to ¼ (division by
    /// the number of observations, as is usual for engine matches); `None`
    /// without games.
    pub fn variance(&self) -> Option<f64> {
        let score = self.score()?;
        let deviation =
            |(i, count): (usize, u64)| count as f64 * (i as f64 / (N - 1) as f64 - score).powi(2);
        let sum: f64 = self.counts.into_iter().enumerate().map(deviation).sum();
        Some(sum / self.observations() as f64)
    }

    /// The same games as the opponent sees them.
    #[must_use]
    pub fn flipped(mut self) -> Tally<N> {
        self.counts.reverse();
        self
    }

    /// Whether all observations have the same score, or there are none.
    pub(in crate::tournament) fn is_uniform(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Tiebreak;

    #[test]
    fn outcomes_are_scored_for_a_colour() {
        let win = Outcome::Win { winner: Color::Red, by: Tiebreak::Islands, margin: 1 };
        assert_eq!(GameScore::of(win, Color::Red), GameScore::Win);
        assert_eq!(GameScore::of(win, Color::White), GameScore::Loss);
        assert_eq!(GameScore::of(Outcome::Draw, Color::White), GameScore::Draw);
        assert_eq!(GameScore::Win.flipped(), GameScore::Loss);
    }

    #[test]
    fn pairs_fall_into_five_classes() {
        use GameScore::{Draw, Loss, Win};
        let mut tally = PairTally::default();
        for first in [Loss, Draw, Win] {
            for second in [Loss, Draw, Win] {
                tally.add_pair(first, second);
            }
        }
        assert_eq!(tally.counts(), [1, 2, 3, 2, 1]);
        assert_eq!(tally.score(), Some(0.5));
        assert_eq!(tally.flipped(), tally);
        let variance = tally.variance().unwrap();
        assert!((variance - (2.0 * 0.25 + 4.0 * 0.0625) / 9.0).abs() < 1e-15);
    }

    #[test]
    fn single_games_and_sums() {
        let mut tally = GameTally::from_counts([1, 0, 0]);
        tally.add(GameScore::Win);
        tally.add(GameScore::Draw);
        tally += GameTally::from_counts([0, 0, 1]);
        assert_eq!(tally.counts(), [1, 1, 2]);
        assert_eq!((tally.points(), tally.games(), tally.score()), (2.5, 4, Some(0.625)));
    }

    #[test]
    fn nothing_is_known_without_games() {
        let tally = PairTally::default();
        assert_eq!((tally.score(), tally.variance()), (None, None));
        assert_eq!((tally.games(), tally.points()), (0, 0.0));
        assert!(tally.is_uniform());
    }
}
