//! With one thread, a seed and an iteration limit, searches are repeatable.

use std::fs;

use pontifex::board::Size;
use pontifex::engine::{Answer, Engine, Options};
use pontifex::eval::{EvaluatorKind, WeightsSource};
use pontifex::game::{Move, Position, Rules};
use pontifex::search::{Config, Limits, Searcher, StopSignal};

use super::{SLOW, config, start};
use pontifex_testing::folder;

fn game(engine: &mut Engine) -> Vec<Move> {
    while !engine.position().is_over() {
        let side = engine.position().side();
        let answer = engine.genmove(side, &StopSignal::default()).unwrap();
        assert_ne!(answer, Answer::Resign);
    }
    engine.game().moves().collect()
}

fn engine(seed: u64, memory: usize) -> Engine {
    let mut options = Options { playouts: 600 / SLOW, ..Options::default() };
    options.search = pontifex::search::Config { seed, ..config(1, memory) };
    let mut engine = Engine::new(options);
    engine.set_size(Size::new(8).unwrap());
    engine
}

#[test]
fn whole_games_are_repeated() {
    // With 1 MiB the tree runs full.
    for memory in [64, 1] {
        let mut first = engine(7, memory);
        let moves = game(&mut first);
        assert_eq!(game(&mut engine(7, memory)), moves);
        first.clear_board();
        assert_eq!(game(&mut first), moves, "after a game");
        assert_ne!(game(&mut engine(8, memory)), moves, "another seed");
    }
}

#[test]
fn two_searchers_give_the_same_reports() {
    let mut position = start(10);
    let limits = Limits { iterations: Some(300 / SLOW), ..Limits::default() };
    let config = config(1, 16);
    let mut searchers = [Searcher::default(), Searcher::default()];
    for _ in 0..6 {
        let [one, other] = searchers.each_mut().map(|searcher| {
            searcher.search(&position, &config, &limits, &StopSignal::default()).finish()
        });
        assert_eq!(one.best, other.best);
        assert_eq!(one.nodes, other.nodes);
        assert_eq!(one.winrate.to_bits(), other.winrate.to_bits());
        assert_eq!(one.bounds, other.bounds);
        position.play(one.best).unwrap();
    }
}

#[test]
fn the_next_search_continues_the_tree() {
    let position = start(8);
    let config = config(1, 64);
    let search = |searcher: &mut Searcher, position: &_, count: u64| {
        let limits = Limits { iterations: Some(count), ..Limits::default() };
        searcher.search(position, &config, &limits, &StopSignal::default()).finish()
    };
    let mut searcher = Searcher::default();
    let count = 4_000 / SLOW;
    let first = search(&mut searcher, &position, count);
    // The tree is kept: a few more iterations change little.
    let again = search(&mut searcher, &position, 20);
    assert!((again.winrate - first.winrate).abs() < 0.02, "{again:?} {first:?}");
    assert!(again.nodes <= 20, "{again:?}");
    let fresh = search(&mut Searcher::default(), &position, 20);
    assert!(again.nodes < fresh.nodes + 20, "{again:?} {fresh:?}");
    // Also after a turn by each side.
    let mut later = position;
    later.play(first.best).unwrap();
    let reply = search(&mut searcher, &later, count);
    later.play(reply.best).unwrap();
    let (kept, fresh) =
        (search(&mut searcher, &later, 1), search(&mut Searcher::default(), &later, 1));
    assert!(kept.nodes <= fresh.nodes, "{kept:?} {fresh:?}");
    // The win rate is the mean of many visits, not of one.
    assert!((kept.winrate - fresh.winrate).abs() > 1e-6, "{kept:?} {fresh:?}");
    searcher.clear();
    let cleared = search(&mut searcher, &later, 1);
    assert_eq!((cleared.nodes, cleared.best), (fresh.nodes, fresh.best));
}

#[test]
fn the_tree_is_dropped_when_the_evaluator_changes() {
    let position = start(8);
    let linear = config(1, 16);
    let rollout = Config { evaluator: EvaluatorKind::Rollout, ..linear.clone() };
    let mut tuned = linear.clone();
    tuned.params.exploration = 2.0;
    // The built-in weights without the hidden layer of the priors.
    let path = folder("another-judge").join("weights.txt");
    let built_in = include_str!("../../../src/eval/linear/weights.txt");
    let lines = built_in.lines().filter(|line| !line.starts_with("unit "));
    fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
    let mut weighed = linear.clone();
    weighed.weights = WeightsSource::load(path.to_str().unwrap()).unwrap();
    let search = |searcher: &mut Searcher, config: &Config| {
        let limits = Limits { iterations: Some(400 / SLOW), ..Limits::default() };
        let report = searcher.search(&position, config, &limits, &StopSignal::default()).finish();
        (report.best, report.nodes, report.winrate.to_bits())
    };
    let mut searcher = Searcher::default();
    for config in [&linear, &rollout, &tuned, &weighed, &linear] {
        let fresh = search(&mut Searcher::default(), config);
        assert_eq!(search(&mut searcher, config), fresh, "{config:?}");
    }
    // Another seed keeps the tree.
    let seeded = Config { seed: 9, ..linear };
    assert_ne!(search(&mut searcher, &seeded), search(&mut Searcher::default(), &seeded));
}

#[test]
fn the_tree_of_the_pie_answer_is_dropped_after_it() {
    let size = Size::new(8).unwrap();
    let mut position = Position::new(Rules { size, ..Rules::default() });
    position.play("d4,e5".parse().unwrap()).unwrap();
    let mut kept = position;
    kept.play(Move::Swap).unwrap();
    let config = config(1, 16);
    let limits = Limits { iterations: Some(400 / SLOW), ..Limits::default() };
    let search = |searcher: &mut Searcher, position: &Position| {
        let report = searcher.search(position, &config, &limits, &StopSignal::default()).finish();
        (report.best, report.nodes, report.winrate.to_bits())
    };
    let mut searcher = Searcher::default();
    search(&mut searcher, &position);
    assert_eq!(search(&mut searcher, &kept), search(&mut Searcher::default(), &kept));
}
