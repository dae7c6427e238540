//! Micro-benchmarks: `cargo bench`, or `cargo bench -- FILTER` for some.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pontifex::engine::Options;
use pontifex::eval::{Random, linear, priors, rollout, uniform_rollout};
use pontifex::game::{Move, Position, Rules, Step};
use pontifex::search::{Limits, Searcher, StopSignal};

/// A game between engines after 18 turns.
const MIDDLE_GAME: &str = "d4,e6 c3,g6 d6,f7 f4,g8 c8,g5 b5,h3 c6,d8 e2,i5 b3,i7 e8,g3 \
                           h8,i3 b7,c2 f2,j6 a5,b8 b9,h6 e3,j4 d2,d9 a3,f9";

fn middle_game() -> Position {
    let mut position = Position::new(Rules::default());
    for mv in MIDDLE_GAME.split_whitespace() {
        let mv: Move = mv.parse().expect("a move");
        position.play(mv).expect("a legal move");
    }
    position
}

fn rollouts(c: &mut Criterion) {
    let mut random = Random::new(1);
    let empty = Position::new(Rules::default());
    c.bench_function("rollout/uniform", |b| {
        b.iter(|| uniform_rollout(&mut black_box(empty), &mut random));
    });
    c.bench_function("rollout/informed", |b| {
        b.iter(|| rollout(&mut black_box(empty), u32::MAX, &mut random));
    });
}

fn rules(c: &mut Criterion) {
    let position = middle_game();
    c.bench_function("rules/copy", |b| b.iter(|| *black_box(&position)));
    c.bench_function("rules/moves", |b| b.iter(|| black_box(&position).moves()));
    c.bench_function("rules/counts", |b| b.iter(|| black_box(&position).counts()));
    c.bench_function("rules/steps", |b| {
        b.iter(|| (black_box(&position).tile_steps(), position.bridge_steps()));
    });
    let tile_steps: Vec<Step> = position.tile_steps().into_iter().map(Step::Tile).collect();
    let mut next_steps = tile_steps.iter().cycle();
    c.bench_function("rules/copy and make step", |b| {
        b.iter(|| {
            let mut copy = *black_box(&position);
            copy.make(*next_steps.next().expect("a cycle"));
            copy
        });
    });
    let mut steps = Vec::new();
    c.bench_function("eval/priors", |b| b.iter(|| priors(black_box(&position), &mut steps)));
}

fn evaluation(c: &mut Criterion) {
    let whole = middle_game();
    let mut half = whole;
    let first = whole.tile_steps().first().expect("a cell");
    half.make(Step::Tile(first));
    let mut steps = Vec::new();
    for (name, position) in [("whole turn", whole), ("half turn", half)] {
        c.bench_function(&format!("linear/value, {name}"), |b| {
            b.iter(|| linear::evaluate(black_box(&position)));
        });
        c.bench_function(&format!("linear/priors, {name}"), |b| {
            b.iter(|| linear::priors(black_box(&position), &mut steps));
        });
        c.bench_function(&format!("linear/refined priors, {name}"), |b| {
            b.iter(|| linear::refined_priors(black_box(&position), &mut steps));
        });
    }
}

fn search(c: &mut Criterion) {
    let position = middle_game();
    let mut config = Options::default().search;
    config.threads = 1;
    let limits = Limits { iterations: Some(1000), ..Limits::default() };
    let mut searcher = Searcher::default();
    let mut group = c.benchmark_group("search");
    group.sample_size(20);
    group.bench_function("1000 iterations", |b| {
        b.iter(|| searcher.search(&position, &config, &limits, &StopSignal::default()).finish());
    });
    group.finish();
}

criterion_group!(benches, rollouts, rules, evaluation, search);
criterion_main!(benches);
