//! Games that the network learns from: what `pontifex selfplay` does.
//!
//! A quarter of the turns is searched in full, with noise at the root, and
//! trains the policy; the rest is searched quickly and trains the value only
//! (Wu, "Accelerating Self-Play Learning in Go", 2019, "playout cap
//! randomization"). Every game begins with some random turns, and goes on
//! with turns drawn by their visits. Once the result is clear the rest is
//! played out with hardly any search, for the points and islands at the end.

mod file;
mod record;

pub use file::{DataError, DataFile, Header, read};
pub use record::{Kind, Played, PlayedPly, ReplayedPly};

use crate::board::Size;
use crate::eval::Random;
use crate::game::{Color, Ply, Position, Rules, Supply};
use crate::search::{Config, Exploration, Searcher};

/// How games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Board and supply.
    pub size: Size,
    /// Tiles and bridges.
    pub supply: Supply,
    /// What the search works with; one thread is used.
    pub config: Config,
    /// Noise and forced visits of turns searched in full.
    pub exploration: Exploration,
    /// Iterations for each ply of a turn searched in full.
    pub full: u64,
    /// Iterations for each ply of the other turns.
    pub quick: u64,
    /// Share of the turns searched in full.
    pub full_share: f64,
    /// Chances below which a player's game counts as lost, after
    /// [`CLEAR_TURNS`] turns in a row; 0 plays all games out in earnest.
    pub resign: f32,
    /// Share of the games played out in earnest all the same.
    pub resign_check: f64,
    /// Seed of all games; each has its own from this and its number.
    pub seed: u64,
}

/// Turns in a row after which a result counts as clear.
const CLEAR_TURNS: u32 = 5;

/// Iterations for each ply once it is clear.
const CLEAR_ITERATIONS: u64 = 24;

/// Turns after which the temperature that turns are drawn with is halved.
const HALF_LIFE: f32 = 6.0;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            size: Size::STANDARD,
            supply: Supply::Standard,
            config: Config { threads: 1, memory: 32, ..crate::engine::Options::default().search },
            exploration: Exploration::default(),
            full: 400,
            quick: 80,
            full_share: 0.25,
            resign: 0.02,
            resign_check: 0.1,
            seed: 1,
        }
    }
}

impl Settings {
    /// Plays game `number`, the same every time; `None` when the memory is
    /// too small to search at all.
    pub fn play(&self, number: u64, searcher: &mut Searcher) -> Option<Played> {
        let mut random = Random::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rules = Rules { size: self.size, supply: self.supply, pie: false };
        let mut game = Played { number, rules, plies: Vec::new(), clear: None, is_check: false };
        let mut position = Position::new(rules);
        searcher.clear();
        open(&mut position, &mut game, &mut random);
        game.is_check = share(&mut random, self.resign_check);
        let (mut clear_turns, mut turn) = (0, 0);
        while !position.is_over() {
            let finishing = game.clear.is_some() && !game.is_check;
            let kind = match share(&mut random, self.full_share) {
                _ if finishing => Kind::Finishing,
                true => Kind::Full,
                false => Kind::Quick,
            };
            let mover = position.side();
            loop {
                let winrate =
                    self.play_ply(kind, turn, &mut position, &mut game, searcher, &mut random)?;
                if position.is_half_turn() {
                    continue;
                }
                let clear = winrate.min(1.0 - winrate) < self.resign;
                clear_turns = if clear { clear_turns + 1 } else { 0 };
                if clear_turns >= CLEAR_TURNS && game.clear.is_none() {
                    game.clear = Some(if winrate > 0.5 { mover } else { !mover });
                }
                break;
            }
            turn += 1;
        }
        Some(game)
    }

    /// Plays one ply; the mover's winning chance.
    fn play_ply(
        &self,
        kind: Kind,
        turn: u32,
        position: &mut Position,
        game: &mut Played,
        searcher: &mut Searcher,
        random: &mut Random,
    ) -> Option<f32> {
        let iterations = match kind {
            Kind::Full => self.full,
            Kind::Quick => self.quick,
            Kind::Finishing | Kind::Random => CLEAR_ITERATIONS,
        };
        let config = Config { seed: random.bits(), ..self.config.clone() };
        let exploration = (kind == Kind::Full).then_some(&self.exploration);
        let found = searcher.explore(position, &config, iterations, exploration)?;
        let ply = if kind == Kind::Finishing || found.bounds.exact().is_some() {
            found.best
        } else {
            let temperature = 0.15 + 0.65 * 0.5f32.powf(turn as f32 / HALF_LIFE);
            draw(&found.visits, temperature, random).unwrap_or(found.best)
        };
        // A search that was over before its time tells too little.
        let is_whole = kind == Kind::Full && found.iterations * 2 > iterations;
        let kind = if kind == Kind::Full && !is_whole { Kind::Quick } else { kind };
        let visits = if is_whole { found.visits } else { Vec::new() };
        let (winrate, lead) = (found.winrate, found.lead);
        let below = if is_whole { found.below } else { Vec::new() };
        game.plies.push(PlayedPly { ply, kind, winrate, lead, visits, below });
        position.make(ply);
        Some(found.winrate)
    }
}

/// Begins a game with one to four turns that nobody chose, mostly one or two.
fn open(position: &mut Position, game: &mut Played, random: &mut Random) {
    let turns = match random.below(16) {
        0 => 0,
        1..=6 => 1,
        7..=11 => 2,
        12..=14 => 3,
        _ => 4,
    };
    for _ in 0..2 * turns {
        let Some(cell) = random.cell(position.tile_plies()) else { break };
        let ply = Ply::Tile(cell);
        let (winrate, lead) = (0.5, 0.0);
        game.plies.push(PlayedPly {
            ply,
            kind: Kind::Random,
            winrate,
            lead,
            visits: Vec::new(),
            below: Vec::new(),
        });
        position.make(ply);
    }
}

/// True with this probability.
fn share(random: &mut Random, share: f64) -> bool {
    ((random.bits() >> 11) as f64) < share * (1u64 << 53) as f64
}

/// One of the plies, with the chances of their visits to the power of
/// 1/`temperature`.
fn draw(visits: &[(Ply, u32)], temperature: f32, random: &mut Random) -> Option<Ply> {
    let most = visits.iter().map(|&(_, count)| count).max()? as f32;
    let weight = |count: u32| (count as f32 / most).powf(1.0 / temperature);
    let sum: f32 = visits.iter().map(|&(_, count)| weight(count)).sum();
    let mut left = (random.bits() >> 40) as f32 / (1 << 24) as f32 * sum;
    for &(ply, count) in visits {
        left -= weight(count);
        if left <= 0.0 {
            return Some(ply);
        }
    }
    visits.last().map(|&(ply, _)| ply)
}

/// How often games that seemed clear went as foreseen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClearGames {
    /// Games that seemed clear before they were over.
    pub clear: u64,
    /// Those played out in earnest.
    pub checked: u64,
    /// Those of them that ended otherwise.
    pub wrong: u64,
}

impl ClearGames {
    /// Counts a game.
    pub fn count(&mut self, game: &Played, winner: Option<Color>) {
        if game.clear.is_some() {
            self.clear += 1;
            self.checked += u64::from(game.is_check);
            self.wrong += u64::from(game.is_check && winner != game.clear);
        }
    }
}
