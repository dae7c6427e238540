//! A level's move.

use super::{Level, Manner};
use crate::eval::linear::{Instinct, Linear, exp};
use crate::eval::{EvaluatorKind, Random, WeightsSource};
use crate::game::{Move, Position, Stage, Step};
use crate::search::{Config, Early, Limits, Params, Searcher, StopSignal, casual_candidates};

/// Memory of a search in MiB; the highest level uses a few.
const MEMORY: usize = 64;

/// Iterations that decide about the swap and compare placements to open with;
/// higher levels take their own number.
const PIE_ITERATIONS: u64 = 100;

/// Win rates are multiplied by this to make them comparable with logits: five
/// percentage points are 1.
const WIN_SCALE: f32 = 20.0;

/// A move with fewer visits than the most visited one divided by this is not a
/// candidate.
const LEAST_SHARE: u64 = 5;

impl Level {
    /// The move it plays in `position`, the start of a turn of a game that is
    /// not over. Depends only on the position and the seed, unless the time
    /// runs out or `stop` is set.
    pub(crate) async fn choose(
        self,
        position: &Position,
        seed: u64,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Move {
        let manner = self.manner();
        let mut random = Random::new(seed ^ position.hash() ^ u64::from(self.number()));
        let config = &config(random.bits());
        let limits = Limits { usual: None, early: Early::Never, ..*limits };
        let searches =
            |least: u64| Limits { iterations: Some(manner.iterations.max(least)), ..limits };
        match position.stage() {
            Stage::Opening | Stage::Pie if position.rules().pie => {
                let limits = &searches(PIE_ITERATIONS);
                Searcher::default().search_async(position, config, limits, stop).await.best
            }
            _ if uniform(&mut random) < manner.overlooks => {
                by_instinct(Linear::blind(*position.rules()), position, manner, &mut random)
            }
            _ if manner.iterations == 0 => {
                by_instinct(Linear::built_in(*position.rules()), position, manner, &mut random)
            }
            _ => by_search(position, manner, config, &searches(0), stop, &mut random).await,
        }
    }
}

/// The configuration of a level's searches: nothing that users can change.
fn config(seed: u64) -> Config {
    Config {
        threads: 1,
        memory: MEMORY,
        seed,
        evaluator: EvaluatorKind::Linear,
        weights: WeightsSource::built_in(),
        params: Params::default(),
    }
}

/// A move by first impression, step by step.
fn by_instinct(linear: &Linear, position: &Position, manner: Manner, random: &mut Random) -> Move {
    let Manner { temperature, haste, .. } = manner;
    let instinct = Instinct { temperature, haste };
    let (mut position, mut steps) = (*position, Vec::new());
    let mut step = |position: &Position| {
        linear.natural_steps(position, instinct, &mut steps);
        draw(&steps, random).unwrap_or(Step::Pass)
    };
    match step(&position) {
        Step::Tile(first) => {
            position.make(Step::Tile(first));
            match step(&position) {
                Step::Tile(second) => Move::tiles(first, second),
                _ => Move::Pass,
            }
        }
        step => step.whole_turn().unwrap_or(Move::Pass),
    }
}

/// One of the moves that a search takes for good.
async fn by_search(
    position: &Position,
    manner: Manner,
    config: &Config,
    limits: &Limits,
    stop: &StopSignal,
    random: &mut Random,
) -> Move {
    let candidates = casual_candidates(position, config, limits, stop).await;
    let Some(best) = candidates.first() else {
        return by_instinct(Linear::built_in(*position.rules()), position, manner, random);
    };
    let most = candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
    let serious = candidates.iter().filter(|other| {
        other.mv == best.mv || other.visits > 1 && other.visits >= most.div_ceil(LEAST_SHARE)
    });
    let weighed: Vec<(Move, f32)> = serious
        .map(|candidate| {
            let behind = (best.winrate - candidate.winrate).max(0.0) as f32;
            (candidate.mv, exp(-behind * WIN_SCALE / manner.temperature))
        })
        .collect();
    draw(&weighed, random).unwrap_or(best.mv)
}

/// One of `choices`, drawn with its weight; `None` if there is none.
fn draw<T: Copy>(choices: &[(T, f32)], random: &mut Random) -> Option<T> {
    let sum: f32 = choices.iter().map(|choice| choice.1).sum();
    let mut left = uniform(random) * sum;
    let drawn = choices.iter().find(|choice| {
        left -= choice.1;
        left < 0.0
    });
    drawn.or(choices.last()).map(|choice| choice.0)
}

/// A random number from 0 to 1, 1 excluded.
fn uniform(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / (1 << 24) as f32
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::board::Size;
    use crate::game::Rules;
    use crate::search::finish;

    /// The time of a move is a promise for one core of an ordinary machine, and
    /// several times what the levels take in a release build: a busy machine
    /// makes no difference. Debug builds are about thirty times slower.
    const SLACK: u32 = if cfg!(debug_assertions) { 10 } else { 1 };

    /// Positions of a game of a level against itself on the largest board.
    fn positions(limits: &Limits, stop: &StopSignal) -> Vec<Position> {
        let rules = Rules { size: Size::MAX, pie: true, ..Rules::default() };
        let level = Level::new(4).unwrap();
        let (mut position, mut found) = (Position::new(rules), Vec::new());
        for turn in 0.. {
            if position.is_over() {
                break;
            }
            if turn % 12 == 0 {
                found.push(position);
            }
            let mv = finish(level.choose(&position, 1, limits, stop));
            position.play(mv).unwrap();
        }
        found
    }

    #[test]
    fn levels_keep_within_their_time() {
        let (limits, stop) = (&Limits::default(), &StopSignal::default());
        let positions = positions(limits, stop);
        assert!(positions.len() > 3);
        for level in Level::all() {
            let time = if level.number() <= 6 { 100 } else { 1000 };
            let mut slowest = Duration::ZERO;
            for (position, seed) in
                positions.iter().flat_map(|at| (0..3).map(move |seed| (at, seed)))
            {
                // The best of three: a pause of the machine is no fault of the level.
                let once = |_| {
                    let start = Instant::now();
                    finish(level.choose(position, seed, limits, stop));
                    start.elapsed()
                };
                let fastest = (0..3).map(once).min().unwrap_or_default();
                slowest = slowest.max(fastest);
            }
            println!("level {level}: {slowest:?}");
            assert!(slowest < SLACK * Duration::from_millis(time), "level {level}: {slowest:?}");
        }
    }
}
