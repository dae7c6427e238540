//! Fits to games and results that known weights generate recover these weights.

use super::value::{Row, ValueFit};
use super::*;
use crate::board::Size;
use crate::eval::Random;
use crate::eval::linear::{Linear, Weights};
use crate::game::{Move, Position, Rules, Setup, Step};
use crate::notation::{Record, RecordedMove};
use crate::search::Params;

/// A random step from the prior of `linear`.
fn draw(linear: &Linear, position: &Position, random: &mut Random) -> Step {
    let mut steps = Vec::new();
    linear.refined_priors(position, &mut steps);
    let mut at = random.below(1 << 24) as f32 / (1 << 24) as f32;
    let drawn = steps.iter().find(|(_, probability)| {
        at -= probability;
        at < 0.0
    });
    drawn.or(steps.last()).unwrap().0
}

/// Games of random steps from the prior of `linear`.
fn games(linear: &Linear, count: u64) -> Vec<Game> {
    let rules = Rules { size: Size::new(6).unwrap(), pie: false, ..Rules::default() };
    let game = |seed| {
        let mut random = Random::new(seed);
        let mut record = Record::new(Setup::empty(rules));
        let mut position = Position::new(rules);
        while !position.is_over() {
            let mv = match draw(linear, &position, &mut random) {
                Step::Tile(first) => {
                    let mut between = position;
                    between.make(Step::Tile(first));
                    match draw(linear, &between, &mut random) {
                        Step::Tile(second) => Move::tiles(first, second),
                        other => panic!("{other:?} between two tiles"),
                    }
                }
                Step::Bridge(site) => {
                    let [a, b] = site.ends();
                    Move::bridge(a, b)
                }
                Step::Pass | Step::Swap => Move::Pass,
            };
            position.play(mv).unwrap();
            record.moves.push(RecordedMove::from(mv));
        }
        Game::new(&record).unwrap()
    };
    (0..count).map(game).collect()
}

const KNOWN: &str = "\
value own.points    0.3 0.3 0.3 0.3 0.0    1.0 1.0 1.0 1.0 0.0
value other.points -0.3 -0.3 -0.3 -0.3 0.0  -1.0 -1.0 -1.0 -1.0 0.0
value own.complete.1  0.8 0.8 0.4 0.2 0.1   2.0 1.5 1.0 0.5 0.2
value other.groups.3 -0.2 -0.2 -0.2 -0.2 0.0  -0.5 -0.5 -0.5 -0.5 0.0
value bias          0.2 0.2 0.2 0.2 -0.1   0.5 0.5 0.5 0.5 0.0
step tile.edge.0.0   -1 -1 -1 -1   -1 -1 -1 -1
step near.own.one.1.0  2 2 2 2     2 2 2 2
step near.other.one.1.1  1 1 1 1   -1 -1 -1 -1
step near.first.1.0    0 0 0 0     1 1 1 1
step bridge.bias     1 2 3 4   0 0 0 0
step bridge.gain.1   2 2 2 2   0 0 0 0
";

#[test]
fn the_value_is_recovered() {
    let known = Linear::new(&Weights::parse(KNOWN).unwrap());
    let games = games(&known, 16);
    let (fitted, fresh) = games.split_at(12);
    let label = |row: &mut Row, position: &Position| {
        let value = known.evaluate(position);
        row.result = value.win;
        row.lead = Some(value.lead);
    };
    let mut fit = ValueFit::labelled(fitted, label);
    let mut found = Weights::zero();
    let options = ValueOptions { decay: 1e-4, smoothness: 1e-4, steps: 80 };
    fit.fit(&mut found, &options, |_, _, _| {});
    let found = Linear::new(&found);
    let (mut worst, mut apart, mut count) = (0.0f32, 0.0, 0.0);
    for game in fresh {
        game.for_each(0, |sample| {
            let (value, fit) = (known.evaluate(sample.position), found.evaluate(sample.position));
            worst = worst.max((value.win - fit.win).abs());
            apart += (value.lead - fit.lead).abs();
            count += 1.0;
        });
    }
    assert!(worst < 0.15 && apart / count < 0.15, "{worst} {}", apart / count);
}

#[test]
fn fitting_blends_improves_them() {
    let known = Linear::new(&Weights::parse(KNOWN).unwrap());
    let games = games(&known, 180);
    let (fitted, fresh) = games.split_at(120);
    let search = Params { rollout_turns: 3.0, static_share: 0.3, ..Params::default() };
    let options = BlendOptions { search, rollouts: 4, steps: 10, ..BlendOptions::default() };
    let loss = |weights: &Weights| {
        let linear = Linear::new(weights);
        blend_loss(fresh, |_| &linear, &options)
    };
    let mut value = Weights::zero();
    ValueFit::new(fitted).fit(
        &mut value,
        &ValueOptions { steps: 40, ..ValueOptions::default() },
        |_, _, _| {},
    );
    assert_eq!(value.blend, [value.win.clone(), value.win.clone()]);
    let mut losses = Vec::new();
    let mut blend = value.clone();
    BlendFit::new(fitted, options).fit(&mut blend, |_, loss| losses.push(loss));
    assert!(losses.len() > 5 && losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
    assert_eq!((&blend.win, &blend.lead), (&value.win, &value.lead));
    assert_ne!(blend.blend, value.blend);
    let (even, before, after) = (loss(&Weights::zero()), loss(&value), loss(&blend));
    assert!(after < before && before < even, "{after} {before} {even}");
}
