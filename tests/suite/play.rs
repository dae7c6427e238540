//! How the engine plays: better than chance, in time, on every board.

use std::time::{Duration, Instant};

use pontifex::board::Size;
use pontifex::clock::TimeControl;
use pontifex::engine::{Answer, Engine, Options};
use pontifex::eval::Random;
use pontifex::game::{Color, Position, Rules};
use pontifex::search::StopSignal;

fn single_thread(seed: u64) -> Options {
    let mut options = Options::default();
    options.search.threads = 1;
    options.search.seed = seed;
    options
}

fn without_pie() -> Position {
    Position::new(Rules { pie: false, ..Rules::default() })
}

/// Debug builds are some thirty times slower.
const GAMES: u64 = if cfg!(debug_assertions) { 2 } else { 50 };

#[test]
fn beats_a_random_mover() {
    for game in 0..GAMES {
        let mut engine = Engine::new(Options { playouts: 200, ..single_thread(game) });
        engine.set_position(without_pie());
        let mut random = Random::new(game);
        let us = Color::BOTH[game as usize % 2];
        while !engine.position().is_over() {
            let side = engine.position().side();
            if side == us {
                engine.genmove(side, &StopSignal::default()).unwrap();
            } else {
                let moves = engine.position().moves();
                let mv = moves[random.below(moves.len() as u32) as usize];
                engine.play(side, mv).unwrap();
            }
        }
        assert_eq!(engine.position().outcome().winner(), Some(us), "game {game}");
    }
}

/// How much longer than its time the slowest move of a game takes.
fn worst_overrun(game: u64) -> Duration {
    const TIME: Duration = Duration::from_millis(100);
    let mut worst = Duration::ZERO;
    let mut engine = Engine::new(single_thread(game));
    engine.set_time_control(TimeControl::Move(TIME.as_secs_f64()));
    while !engine.position().is_over() {
        let side = engine.position().side();
        let start = Instant::now();
        engine.genmove(side, &StopSignal::default()).unwrap();
        worst = worst.max(start.elapsed().saturating_sub(TIME));
    }
    worst
}

/// At 0.1 s a move; `PONTIFEX_SELF_PLAY=20` plays that many games. Other tests
/// and programs want the processor, too, so a game may be played three times.
#[test]
fn self_play_is_legal_and_in_time() {
    const MOST: Duration = Duration::from_millis(20);
    let games = std::env::var("PONTIFEX_SELF_PLAY").map_or(1, |games| games.parse().unwrap());
    for game in 0..games {
        let mut overruns = Vec::new();
        while overruns.last().is_none_or(|&overrun| overrun >= MOST) {
            assert!(overruns.len() < 3, "game {game} is over time by {overruns:?}");
            overruns.push(worst_overrun(game));
        }
        println!("game {game}: worst overrun {overruns:?}");
    }
}

#[test]
fn at_a_second_a_move_islands_are_linked() {
    // As many iterations as a slow core makes in a second.
    let playouts = if cfg!(debug_assertions) { 50 } else { 10_000 };
    let points = [3, 4, 5].map(|seed| {
        let mut engine = Engine::new(Options { playouts, ..single_thread(seed) });
        while !engine.position().is_over() {
            let side = engine.position().side();
            engine.genmove(side, &StopSignal::default()).unwrap();
        }
        Color::BOTH.map(|side| engine.position().score(side).points).iter().sum::<u16>()
    });
    println!("{points:?} points");
    if !cfg!(debug_assertions) {
        assert!(points.iter().sum::<u16>() >= 45, "only {points:?} points in all");
    }
}

#[test]
fn every_board_and_supply_is_played_to_the_end() {
    for size in Size::all() {
        for supply in ["standard", "unlimited", "0,0", "3,1", "1000,0"] {
            let mut options = Options { playouts: 20, ..single_thread(5) };
            options.rules = Rules { size, supply: supply.parse().unwrap(), pie: true };
            let mut engine = Engine::new(options);
            while !engine.position().is_over() {
                let side = engine.position().side();
                let answer = engine.genmove(side, &StopSignal::default()).unwrap();
                assert_ne!(answer, Answer::Resign);
            }
        }
    }
}
