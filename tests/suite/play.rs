//! How the engine plays: better than chance, by the clock, on every board.

use std::time::{Duration, Instant};

use pontifex::board::Size;
use pontifex::clock::TimeControl;
use pontifex::engine::{Answer, Engine, Options};
use pontifex::eval::Random;
use pontifex::game::{Color, Position, Rules};
use pontifex::search::StopSignal;
use rayon::prelude::*;

fn single_thread(seed: u64) -> Options {
    let mut options = Options::default();
    options.search.threads = 1;
    options.search.seed = seed;
    options
}

fn without_pie() -> Position {
    Position::new(Rules { pie: false, ..Rules::default() })
}

/// Debug builds are thirty times slower.
const GAMES: u64 = if cfg!(debug_assertions) { 2 } else { 50 };

#[test]
fn beats_a_random_mover() {
    (0..GAMES).into_par_iter().for_each(|game| {
        let mut engine = Engine::new(Options { playouts: 200, ..single_thread(game) });
        engine.set_position(without_pie()).unwrap();
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
    });
}

/// Plays a game of the engine against itself at `time` per move. Returns its final position and by
/// how much the slowest move exceeded the time.
fn self_play(seed: u64, time: Duration) -> (Position, Duration) {
    let mut worst = Duration::ZERO;
    let mut engine = Engine::new(single_thread(seed));
    engine.set_time_control(TimeControl::Move(time.into()));
    while !engine.position().is_over() {
        let side = engine.position().side();
        let start = Instant::now();
        engine.genmove(side, &StopSignal::default()).unwrap();
        worst = worst.max(start.elapsed().saturating_sub(time));
    }
    (*engine.position(), worst)
}

#[test]
fn self_play_by_the_clock_is_played_to_the_end() {
    let (end, _) = self_play(0, Duration::from_millis(10));
    let tiles = Color::BOTH.map(|side| end.tiles(side).len());
    assert!(tiles.into_iter().all(|tiles| tiles > 20), "{end}");
}

/// At 0.1 s per move. `PONTIFEX_SELF_PLAY` sets the number of games.
#[test]
#[ignore = "measures time: needs an idle machine"]
fn self_play_is_in_time() {
    let games = std::env::var("PONTIFEX_SELF_PLAY").map_or(20, |games| games.parse().unwrap());
    for game in 0..games {
        let (_, overrun) = self_play(game, Duration::from_millis(100));
        println!("game {game}: worst overrun {overrun:?}");
        assert!(overrun < Duration::from_millis(20), "game {game}: {overrun:?} over time");
    }
}

/// The points of both sides in three games of the engine against itself.
fn points(playouts: u64) -> u16 {
    let points = [3, 4, 5].into_par_iter().map(|seed| {
        let mut engine = Engine::new(Options { playouts, ..single_thread(seed) });
        while !engine.position().is_over() {
            let side = engine.position().side();
            engine.genmove(side, &StopSignal::default()).unwrap();
        }
        let points = Color::BOTH.map(|side| engine.position().score(side).points);
        println!("game {seed}: {points:?} points");
        points.iter().sum::<u16>()
    });
    points.sum()
}

#[test]
fn islands_are_linked() {
    assert!(points(100) >= 60);
}

/// As many iterations as a slow core makes in a second.
#[test]
#[ignore = "takes half a minute"]
fn islands_are_linked_in_long_searches() {
    assert!(points(10_000) >= 45);
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
