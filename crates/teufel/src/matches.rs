//! Players, matches between them with rotated seats, and the statistics of their ranks.
//!
//! Cards and seats are luck. So every deal is played once from each rotation of the players: each
//! of them has every seat of the deal once.

use std::str::FromStr;

use super::board::{Cells, ParseError, unknown};
use super::game::{Game, View};
use super::policy;
use super::rules::Step;
use super::search::{Limits, search};
use super::session::search_seed;
use super::table::Decision;
use pontifex::eval::Random;

/// The normal quantile of 95 % intervals.
const NORMAL_QUANTILE: f64 = 1.96;
/// Turns after which everyone still on the board shares the last rank. Set by judgement: random
/// players may walk about forever, others need far fewer.
const MAX_TURNS: u32 = 1000;

/// The kind of player that decides for a colour.
#[derive(Clone, Copy, Debug)]
pub enum Player {
    /// Information-set Monte Carlo tree search.
    Ismcts,
    /// Goes to the nearest missing letter and avoids devils.
    Greedy,
    /// Takes any legal step.
    Random,
}

impl Player {
    /// Chooses a step. The limits are those of a search.
    pub(super) fn choose(self, view: &View, limits: Limits, seed: u64) -> Step {
        match self {
            Player::Ismcts => search(view, limits, seed),
            Player::Greedy => policy::greedy(&view.table, &mut Random::new(seed)),
            Player::Random => policy::random_step(&view.table, &mut Random::new(seed)),
        }
    }
}

impl FromStr for Player {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Player, ParseError> {
        match text {
            "ismcts" => Ok(Player::Ismcts),
            "greedy" => Ok(Player::Greedy),
            "random" => Ok(Player::Random),
            _ => Err(unknown(text, "a player: ismcts, greedy or random")),
        }
    }
}

/// A match: every deal is played once from each rotation of the seats.
#[derive(Debug)]
pub struct Match {
    /// Two to six players.
    pub players: Vec<Player>,
    /// The number of games. In a multiple of the number of players everyone has each seat equally
    /// often.
    pub games: usize,
    /// Limits of every decision of a search.
    pub limits: Limits,
    /// Fixes the deals.
    pub seed: u64,
}

impl Match {
    /// Plays the games, and calls `after_game` after each. Returns a table with a line for each
    /// player.
    pub fn run(&self, mut after_game: impl FnMut()) -> String {
        let games = (0..self.games).map(|number| self.play(number)).inspect(|_| after_game());
        let games: Vec<Vec<usize>> = games.collect();
        let count = self.players.len();
        let mut lines = vec![
            format!("{} games, {count} players", games.len()),
            "player    mean rank         95 %     first         95 %   ranks 1, 2, ...".to_owned(),
        ];
        for (index, player) in self.players.iter().enumerate() {
            let ranks: Vec<usize> = games.iter().map(|ranks| ranks[index]).collect();
            let number = |rank| ranks.iter().filter(|&&other| other == rank).count();
            let counts: Vec<String> = (1..=count).map(|rank| number(rank).to_string()).collect();
            let (mean, low, high) = mean(&ranks);
            let (first, least, most) = share(number(1) as f64, ranks.len() as f64);
            lines.push(format!(
                "{:9} {mean:9.3} {low:5.3}..{high:5.3} {first:9.3} {least:5.3}..{most:5.3}   {}",
                format!("{} {player:?}", index + 1).to_lowercase(),
                counts.join(" ")
            ));
        }
        lines.join("\n") + "\n"
    }

    /// Plays a game. Returns the rank of each player, in the order of the match.
    fn play(&self, number: usize) -> Vec<usize> {
        let count = self.players.len();
        let (deal, rotation) = ((number / count) as u64, number % count);
        let mut game = Game::new(count, Cells::BORDERED, self.seed.wrapping_add(deal));
        // A seed for each decision of each game; decisions count in the upper half.
        let mut seeds = (0..).map(|n| search_seed(self.seed.wrapping_add(number as u64), n << 32));
        while game.table.decision != Decision::Over && game.table.turn <= MAX_TURNS {
            let player = self.players[(game.table.chooser.index() + rotation) % count];
            let step = player.choose(&game.view(), self.limits, seeds.next().unwrap_or(0));
            game.take(step).unwrap_or_else(|error| unreachable!("{player:?}: {error}"));
        }
        let mut ranks: Vec<usize> =
            game.table.colours().map(|colour| game.table.rank(colour)).collect();
        // From the order of seats to the order of the match.
        ranks.rotate_right(rotation);
        ranks
    }
}

/// The mean, and the ends of its normal interval.
fn mean(ranks: &[usize]) -> (f64, f64, f64) {
    let count = ranks.len() as f64;
    let mean = ranks.iter().sum::<usize>() as f64 / count;
    let squares: f64 = ranks.iter().map(|&rank| (rank as f64 - mean).powi(2)).sum();
    let margin = NORMAL_QUANTILE * (squares / (count - 1.0).max(1.0) / count).sqrt();
    (mean, mean - margin, mean + margin)
}

/// A share of games, and the ends of Wilson's interval.
fn share(part: f64, count: f64) -> (f64, f64, f64) {
    let rate = part / count;
    let centre = rate + NORMAL_QUANTILE * NORMAL_QUANTILE / (2.0 * count);
    let margin = NORMAL_QUANTILE
        * (rate * (1.0 - rate) / count + (NORMAL_QUANTILE / (2.0 * count)).powi(2)).sqrt();
    let scale = 1.0 + NORMAL_QUANTILE * NORMAL_QUANTILE / count;
    (rate, (centre - margin) / scale, (centre + margin) / scale)
}
