//! Playing games, many in parallel. A game is determined by the settings and its number.
//!
//! Each thread takes the next number, plays that game to its end and sends it to the thread that
//! writes. Nothing is shared but the numbers: every game has its own generator of random numbers,
//! and the memory of the search is cleared before it. So games are the same on any thread, and only
//! their order in the file differs.
//!
//! A game has three phases. Random turns make games differ. Then steps are drawn by visits. After a
//! side is clearly winning, tiny searches play to the end. The last phase costs little and gives
//! the points and islands at the end, which an abandoned game would not have.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

use crate::selfplay::file::{DataError, DataFile};
use crate::selfplay::record::{Kind, Played, PlayedStep};
use crate::selfplay::settings::Settings;
use pontifex::eval::Random;
use pontifex::game::{Position, Step};
use pontifex::search::{Config, Searcher};

/// Plays the games with these numbers on `threads` threads, adds each to `file` when it is over,
/// then calls `report`. When `stop` is set, no more games are started, and those running are
/// finished.
///
/// # Errors
/// See [`JobError`]. Games written before are intact.
pub fn run(
    settings: &Settings,
    numbers: &mut (dyn Iterator<Item = u64> + Send),
    threads: usize,
    file: &mut DataFile,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Played),
) -> Result<(), JobError> {
    let numbers = Mutex::new(numbers);
    let next = || numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        // Bounded, so that games wait for a slow disk and not in memory.
        let (sender, games) = sync_channel(threads);
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut searcher = Searcher::default();
                // Relaxed: a thread that sees it late plays one game more.
                while !stop.load(Ordering::Relaxed)
                    && let Some(number) = next()
                {
                    let game = settings.play(number, &mut searcher);
                    // The receiver is gone after an error.
                    if sender.send(game).is_err() {
                        break;
                    }
                }
            });
        }
        // The loop below ends when the last thread has dropped its sender.
        drop(sender);
        for game in games {
            let game = game.ok_or(JobError::Memory(settings.config.memory))?;
            file.add(&game)?;
            report(&game);
        }
        Ok(file.sync()?)
    })
}

/// Why self-play stopped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JobError {
    /// A game could not be written.
    #[error(transparent)]
    File(#[from] DataError),
    /// The memory is too small for a search.
    #[error("{0} MiB of memory is too little for a search")]
    Memory(usize),
}

impl Settings {
    /// Plays game `number`, which is the same every time; `None` if the memory is too small for a
    /// search.
    pub fn play(&self, number: u64, searcher: &mut Searcher) -> Option<Played> {
        // Nothing from another game may influence this one.
        searcher.clear();
        // 2⁶⁴ divided by the golden ratio spreads neighbouring numbers over all bits.
        let random = Random::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rules = self.rules();
        let record = Played { number, rules, steps: Vec::new(), clear: None, is_check: false };
        let position = Position::new(rules);
        let mut game = RunningGame {
            settings: self,
            searcher,
            random,
            position,
            record,
            turns: 0,
            clear_turns: 0,
        };
        if self.random_turns {
            game.play_random_turns();
        }
        // Drawn at the start of every game: whether the result becomes clear must not shift the
        // later draws.
        game.record.is_check = happens(&mut game.random, self.resign_checked_share);
        while !game.position.is_over() {
            game.play_turn()?;
        }
        Some(game.record)
    }
}

/// Turns in a row with a lopsided win rate after which a result is clear. Set by judgement: both
/// sides must agree, since the side to move alternates.
const CLEAR_TURNS: u32 = 5;

/// Iterations for each step after the result is clear. Set by judgement: enough for sensible
/// points.
const CLEAR_ITERATIONS: u64 = 24;

/// The number of turns in which the first part of [`TEMPERATURE`] halves. Set by judgement: the
/// opening varies, and the ending is played nearly as well as the search can.
const HALF_LIFE: f32 = 6.0;

/// The temperature of a turn is a part that decays plus a constant part: from 0.8 to 0.15. Set by
/// judgement: higher ones give more varied games whose results say less about their positions.
const TEMPERATURE: [f32; 2] = [0.65, 0.15];

/// A game in progress.
struct RunningGame<'a> {
    settings: &'a Settings,
    searcher: &'a mut Searcher,
    random: Random,
    position: Position,
    record: Played,
    /// Turns played after the random opening.
    turns: u32,
    /// Turns in a row with a win rate below `resign` for one side.
    clear_turns: u32,
}

impl RunningGame<'_> {
    /// Plays zero to four random turns, mostly one or two.
    fn play_random_turns(&mut self) {
        // Set by judgement: more random turns would make positions that no game would reach.
        let turns = match self.random.below(16) {
            0 => 0,
            1..=6 => 1,
            7..=11 => 2,
            12..=14 => 3,
            _ => 4,
        };
        // Two tiles a turn; bridges need tiles first.
        for _ in 0..2 * turns {
            let Some(cell) = self.random.cell(self.position.tile_steps()) else { break };
            let step = Step::Tile(cell);
            self.record.steps.push(PlayedStep::random(step));
            self.position.make(step);
        }
    }

    /// Plays a turn. Both tiles of a turn get the same kind of search. `None` if the memory is too
    /// small for a search.
    fn play_turn(&mut self) -> Option<()> {
        let side = self.position.side();
        let is_full = happens(&mut self.random, self.settings.full_share);
        let is_decided = self.record.clear.is_some() && !self.record.is_check;
        let kind = match is_full {
            _ if is_decided => Kind::Finishing,
            true => Kind::Full,
            false => Kind::Quick,
        };
        let mut winrate = self.play_step(kind)?;
        while self.position.is_half_turn() {
            winrate = self.play_step(kind)?;
        }
        let is_clear = winrate.min(1.0 - winrate) < self.settings.resign_below;
        self.clear_turns = if is_clear { self.clear_turns + 1 } else { 0 };
        if self.clear_turns >= CLEAR_TURNS && self.record.clear.is_none() {
            self.record.clear = Some(if winrate > 0.5 { side } else { !side });
        }
        self.turns += 1;
        Some(())
    }

    /// Plays a step and returns the win rate of the side to move before it. `None` if the memory is
    /// too small for a search.
    fn play_step(&mut self, kind: Kind) -> Option<f32> {
        let settings = self.settings;
        let iterations = match kind {
            Kind::Full => settings.full_iterations,
            Kind::Quick => settings.quick_iterations,
            Kind::Finishing | Kind::Random => CLEAR_ITERATIONS,
        };
        // A seed for each search: with the same one its noise would repeat from step to step.
        let config = Config { seed: self.random.bits(), ..settings.config.clone() };
        let exploration = (kind == Kind::Full).then_some(&settings.exploration);
        let result = self.searcher.explore(&self.position, &config, iterations, exploration)?;
        // Drawing a worse step from a proved position would only make its result wrong.
        let step = if kind == Kind::Finishing || result.bounds.exact().is_some() {
            result.best
        } else {
            draw(&result.visits, temperature(self.turns), &mut self.random).unwrap_or(result.best)
        };
        // A search that ended early says too little about the steps.
        let is_whole = kind == Kind::Full && result.iterations * 2 > iterations;
        let kind = if kind == Kind::Full && !is_whole { Kind::Quick } else { kind };
        let visits = if is_whole { result.visits } else { Vec::new() };
        let (winrate, lead) = (result.winrate, result.lead);
        self.record.steps.push(PlayedStep { step, kind, winrate, lead, visits });
        self.position.make(step);
        Some(winrate)
    }
}

/// True with the probability `chance`, by 53 random bits, as many as an `f64` has.
fn happens(random: &mut Random, chance: f64) -> bool {
    ((random.bits() >> 11) as f64) < chance * (1u64 << 53) as f64
}

/// The temperature after `turns` turns.
fn temperature(turns: u32) -> f32 {
    TEMPERATURE[1] + TEMPERATURE[0] * 0.5f32.powf(turns as f32 / HALF_LIFE)
}

/// Draws a step with probability proportional to its visits to the power of 1/`temperature`; `None`
/// if there is no step.
fn draw(visits: &[(Step, u32)], temperature: f32, random: &mut Random) -> Option<Step> {
    let highest = visits.iter().map(|&(_, count)| count).max()? as f32;
    let weight = |count: u32| (count as f32 / highest).powf(1.0 / temperature);
    let sum: f32 = visits.iter().map(|&(_, count)| weight(count)).sum();
    let mut remaining = (random.bits() >> 40) as f32 / (1 << 24) as f32 * sum;
    for &(step, count) in visits {
        remaining -= weight(count);
        if remaining <= 0.0 {
            return Some(step);
        }
    }
    visits.last().map(|&(step, _)| step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pontifex::board::Cell;

    #[test]
    fn draws_respect_the_temperature() {
        let steps = [(10, 60), (20, 30), (33, 10)]
            .map(|(cell, visits)| (Step::Tile(Cell::from_index(cell)), visits));
        let mut random = Random::new(1);
        let mut shares = |temperature: f32| {
            let mut counts = [0.0; 3];
            for _ in 0..20_000 {
                let step = draw(&steps, temperature, &mut random).unwrap();
                counts[steps.iter().position(|other| other.0 == step).unwrap()] += 1.0 / 20_000.0;
            }
            counts
        };
        let near = |counts: [f64; 3], expected: [f64; 3]| {
            let far = counts.iter().zip(expected).any(|(a, b)| (a - b).abs() > 0.015);
            assert!(!far, "{counts:?}");
        };
        near(shares(1.0), [0.6, 0.3, 0.1]);
        // 36 : 9 : 1
        near(shares(0.5), [0.783, 0.196, 0.022]);
        near(shares(0.05), [1.0, 0.0, 0.0]);
        assert_eq!(draw(&[], 1.0, &mut random), None);
        let falling = [0, 1, 6, 12, 100].map(temperature);
        assert!(falling.is_sorted_by(|a, b| a > b), "{falling:?}");
        assert!((falling[0] - 0.8).abs() < 1e-6 && (falling[4] - 0.15).abs() < 1e-4);
    }
}
