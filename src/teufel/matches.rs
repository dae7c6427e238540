//! Matches between players, seats rotated, and what their ranks mean.

use super::cells::Cells;
use super::game::Game;
use super::legal::Refusal;
use super::player::Player;
use super::search::Limits;
use super::session::search_seed;
use super::table::Decision;

/// Turns after which everyone still on the board shares the last rank.
const TURNS: u32 = 1000;
/// The normal quantile of 95 % intervals.
const Z: f64 = 1.96;

/// A match: every deal is played once from each rotation of the seats.
#[derive(Clone, Debug)]
pub struct Match {
    /// Two to six players.
    pub players: Vec<Player>,
    /// Limits of every decision of a search.
    pub limits: Limits,
    /// Fixes the deals.
    pub seed: u64,
}

impl Match {
    /// Plays a game. Returns the rank of each player, in the order of the match.
    ///
    /// # Errors
    /// A player took an illegal step.
    pub fn play(&self, number: usize) -> Result<Vec<usize>, Refusal> {
        let count = self.players.len();
        let (deal, rotation) = (number / count, number % count);
        let mut game = Game::new(count, Cells::BORDERED, self.seed.wrapping_add(deal as u64));
        let seed = self.seed.wrapping_add(number as u64);
        let mut decisions = 0;
        while game.table().decision != Decision::Over && game.table().turn <= TURNS {
            let player = self.players[(game.table().chooser.index() + rotation) % count];
            let seed = search_seed(seed, decisions << 32);
            game.take(player.choose(&game.view(), self.limits, seed))?;
            decisions += 1;
        }
        let seats = game.table().colours().map(|colour| game.table().rank(colour));
        let mut ranks: Vec<usize> = seats.collect();
        ranks.rotate_right(rotation);
        Ok(ranks)
    }

    /// A table of the ranks in some games, with a line for each player: the mean
    /// rank and how often the player left first, with 95 % intervals.
    pub fn report(&self, games: &[Vec<usize>]) -> String {
        let count = self.players.len();
        let mut lines = vec![
            format!("{} games, {count} players", games.len()),
            "player    mean rank   95 %    first   95 %    ranks 1, 2, ...".to_owned(),
        ];
        for (index, player) in self.players.iter().enumerate() {
            let ranks = || games.iter().map(|ranks| ranks[index]);
            let (mean, margin) = estimate(ranks().map(|rank| rank as f64));
            let (first, about) = estimate(ranks().map(|rank| f64::from(u8::from(rank == 1))));
            let number = |rank| ranks().filter(|&other| other == rank).count().to_string();
            let counts = (1..=count).map(number).collect::<Vec<_>>().join(" ");
            let name = format!("{} {player:?}", index + 1).to_lowercase();
            lines.push(format!(
                "{name:9} {mean:9.3} ±{margin:.3} {first:8.3} ±{about:.3}    {counts}"
            ));
        }
        lines.join("\n") + "\n"
    }
}

/// The mean of some values, and half of its 95 % interval.
fn estimate(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let number = (values.clone().count() as f64).max(1.0);
    let mean = values.clone().sum::<f64>() / number;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    (mean, Z * (squares / (number - 1.0).max(1.0) / number).sqrt())
}
