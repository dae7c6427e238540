//! Properties of the linear evaluation and prior that hold in every position.

use std::collections::BTreeSet;

use pontifex::board::{Cell, Cells, Site, Size, Symmetry};
use pontifex::eval::linear::{
    Evaluation, EvaluationUse, Linear, Weights, evaluate, evaluate_for, priors, refined_priors,
};
use pontifex::game::{Color, Position, Setup, SetupStage, Stage, Step};

use pontifex_testing::random_games::{Gambler, size_of_game};

/// The built-in weights: for an unlimited supply on boards up to 8×8 and on larger boards, and for a
/// limited one on boards up to 10×10 and on larger boards.
const BUILT_IN: [&str; 4] = [
    include_str!("../../src/eval/linear/weights-unlimited.txt"),
    include_str!("../../src/eval/linear/weights-unlimited-large.txt"),
    include_str!("../../src/eval/linear/weights.txt"),
    include_str!("../../src/eval/linear/weights-large.txt"),
];

/// The index in [`BUILT_IN`] of the weights for the game of `position`.
fn index(position: &Position) -> usize {
    match position.tiles_left(Color::White) {
        None => usize::from(position.size().get() > 8),
        Some(_) => 2 + usize::from(position.size() > Size::STANDARD),
    }
}

/// Visits each position and step of random games.
fn for_each_step(games: u64, mut visit: impl FnMut(&Position, Step)) {
    for number in 0..games {
        let mut gambler = Gambler::new(number);
        let mut position = Position::new(gambler.rules(size_of_game(number)));
        while let Some(step) = gambler.step(&position) {
            visit(&position, step);
            position.make(step);
        }
        assert!(position.is_over());
    }
}

fn prior_of(position: &Position) -> Vec<(Step, f32)> {
    let mut steps = vec![(Step::Swap, 7.0)];
    priors(position, &mut steps);
    steps
}

#[test]
fn the_prior_is_a_distribution_over_legal_steps() {
    for_each_step(60, |position, _| {
        let prior = prior_of(position);
        let sum: f64 = prior.iter().map(|&(_, probability)| f64::from(probability)).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        assert!(prior.iter().all(|&(_, probability)| probability > 0.0));
        let steps: BTreeSet<Step> = prior.iter().map(|&(step, _)| step).collect();
        assert_eq!(steps.len(), prior.len());
        let mut legal: BTreeSet<Step> = position.tile_steps().into_iter().map(Step::Tile).collect();
        legal.extend(position.bridge_steps().iter().map(Step::Bridge));
        if position.may_pass() {
            legal.insert(Step::Pass);
        }
        assert_eq!(steps, legal);
    });
}

#[test]
fn a_finished_game_is_worth_its_result() {
    for number in 0..30 {
        let mut gambler = Gambler::new(number);
        let mut position = Position::new(gambler.rules(size_of_game(number)));
        while let Some(step) = gambler.step(&position) {
            position.make(step);
        }
        let value = evaluate(&position);
        let points = |color| f32::from(position.score(color).points);
        let side = position.side();
        let lead = points(side) - points(!side);
        let win = match position.outcome().winner() {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        };
        assert_eq!(value, Evaluation { win, lead });
        assert_eq!(prior_of(&position), []);
    }
}

fn mapped(step: Step, change: impl Fn(Cell) -> Cell) -> Step {
    match step {
        Step::Tile(cell) => Step::Tile(change(cell)),
        Step::Bridge(site) => {
            let [a, b] = site.ends();
            Step::Bridge(Site::between(change(a), change(b)).unwrap())
        }
        Step::Pass | Step::Swap => step,
    }
}

/// Asserts equal probabilities, except for rounding.
fn assert_same(mut a: Vec<(Step, f32)>, mut b: Vec<(Step, f32)>) {
    a.sort_by_key(|&(step, _)| step);
    b.sort_by_key(|&(step, _)| step);
    assert_eq!(a.len(), b.len());
    for ((step, a), (other, b)) in a.into_iter().zip(b) {
        assert_eq!(step, other);
        assert!((a - b).abs() <= 1e-5 * a.max(b), "{step:?} {a} {b}");
    }
}

#[test]
fn symmetries_change_nothing() {
    for symmetry in Symmetry::all() {
        let mut image: Option<Position> = None;
        for_each_step(18, |position, step| {
            let change = |cell| symmetry.apply(cell, position.size());
            let is_new = position.stage() == Stage::Opening && !position.is_half_turn();
            if is_new {
                image = Some(*position);
            }
            let image = image.as_mut().unwrap();
            assert_eq!(evaluate(position), evaluate(image));
            let prior = prior_of(position).into_iter().map(|(step, x)| (mapped(step, change), x));
            assert_same(prior.collect(), prior_of(image));
            image.make(mapped(step, change));
        });
    }
}

#[test]
fn colours_differ_only_by_the_weight_for_white() {
    let all = BUILT_IN.map(|text| {
        let colorless = text.lines().filter(|line| !line.starts_with("value white "));
        let colorless: Vec<&str> = colorless.collect();
        Linear::new(&Weights::parse(&colorless.join("\n")).unwrap())
    });
    let exchanged = |position: &Position| -> Option<Position> {
        let mut setup = Setup::from(position);
        setup.tiles.swap(0, 1);
        setup.side = !setup.side;
        (setup.stage == SetupStage::Plain).then(|| setup.validate().ok())?
    };
    let mut compared = 0;
    for_each_step(36, |position, step| {
        let both_have_tiles =
            Color::BOTH.iter().all(|&color| position.tiles(color) != Cells::EMPTY);
        if position.is_half_turn() || !both_have_tiles {
            return;
        }
        let Some(mut image) = exchanged(position) else { return };
        let mut position = *position;
        let linear = &all[index(&position)];
        let mut compare = |position: &Position, image: &Position| {
            compared += 1;
            assert_eq!(linear.evaluate(position), linear.evaluate(image));
            assert_same(prior_of(position), prior_of(image));
        };
        compare(&position, &image);
        if let Step::Tile(_) = step {
            position.make(step);
            image.make(step);
            compare(&position, &image);
        }
    });
    assert!(compared > 300, "{compared}");
}

#[test]
fn an_unlimited_supply_and_large_boards_have_their_own_weights() {
    let all = BUILT_IN.map(|text| Linear::new(&Weights::parse(text).unwrap()));
    let refined = |linear: &Linear, position: &Position| {
        let mut steps = Vec::new();
        linear.refined_priors(position, &mut steps);
        steps
    };
    let mut different = [0; 2];
    for_each_step(18, |position, _| {
        let number = index(position);
        let (own, other) = (&all[number], &all[(number + 1) % all.len()]);
        for purpose in [EvaluationUse::Alone, EvaluationUse::Leaf, EvaluationUse::End] {
            let value = own.evaluate_for(position, purpose);
            assert_eq!(evaluate_for(position, purpose), value);
            different[0] += usize::from(value != other.evaluate_for(position, purpose));
        }
        let (mut plain, mut expected) = (Vec::new(), Vec::new());
        priors(position, &mut plain);
        own.priors(position, &mut expected);
        assert_eq!(plain, expected);
        let mut found = Vec::new();
        refined_priors(position, &mut found);
        assert_eq!(found, refined(own, position));
        different[1] += usize::from(found != refined(other, position));
    });
    assert!(different[0] > 1000 && different[1] > 500, "{different:?}");
}
