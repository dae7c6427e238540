//! Tests of the fits: among others, fits to games and results that known weights generate recover
//! these weights.

use pontifex::board::Size;
use pontifex::eval::Random;
use pontifex::eval::linear::{Linear, Weights};
use pontifex::game::{Move, Position, Rules, Setup, Step};
use pontifex::notation::{Record, RecordedMove};
use pontifex::search::Params;
use pontifex_train::{
    BlendOptions, Game, PolicyOptions, PolicyQuality, ValueOptions, blend_loss, fit_blend,
    fit_layer, fit_prior, fit_value, hold_out,
};

/// A random step from the prior of `linear`.
fn draw(linear: &Linear, position: &Position, random: &mut Random) -> Step {
    let mut steps = Vec::new();
    linear.refined_priors(position, &mut steps);
    let mut remaining = random.below(1 << 24) as f32 / (1 << 24) as f32;
    let step = steps.iter().find(|(_, probability)| {
        remaining -= probability;
        remaining < 0.0
    });
    step.or(steps.last()).unwrap().0
}

/// Games of random steps from the prior of `linear`.
fn random_games(linear: &Linear, count: u64) -> Vec<Game> {
    let rules = Rules { size: Size::new(6).unwrap(), pie: false, ..Rules::default() };
    let game = |seed| {
        let mut random = Random::new(seed);
        let mut record = Record::new(Setup::empty(rules));
        let mut position = Position::new(rules);
        while !position.is_over() {
            let mv = match draw(linear, &position, &mut random) {
                Step::Tile(first) => {
                    let mut half_turn = position;
                    half_turn.make(Step::Tile(first));
                    match draw(linear, &half_turn, &mut random) {
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

/// The numbers of each line of this kind.
fn numbers(weights: &Weights, kind: &str) -> Vec<Vec<f32>> {
    let numbers =
        |line: &str| line.split_whitespace().skip(2).map(|n| n.parse().unwrap()).collect();
    let text = weights.to_text("");
    text.lines().filter(|line| line.split(' ').next() == Some(kind)).map(numbers).collect()
}

#[test]
fn fitting_blends_improves_them() {
    let known = Linear::new(&Weights::parse(KNOWN).unwrap());
    let games = random_games(&known, 180);
    let (fitted, held_out) = games.split_at(120);
    let search = Params { rollout_turns: 3.0, static_share: 0.3, ..Params::default() };
    let options = BlendOptions { search, rollouts: 4, steps: 10, ..BlendOptions::default() };
    let loss = |weights: &Weights| {
        let linear = Linear::new(weights);
        blend_loss(held_out, &|_| &linear, &options)
    };
    let mut value = Weights::zero();
    let value_options = ValueOptions { steps: 40, ..ValueOptions::default() };
    fit_value(fitted, &value_options, &mut value, &mut |_, _, _| {});
    // Without a fitted blend, leaves and the ends of rollouts both use the logit of the result: the
    // first five numbers of `value`.
    let rows = numbers(&value, "value").into_iter();
    let expected_blend: Vec<_> = rows.map(|row| [&row[..5], &row[..5]].concat()).collect();
    assert_eq!(numbers(&value, "blend"), expected_blend);
    let mut losses = Vec::new();
    let mut blend = value.clone();
    fit_blend(fitted, &options, &mut blend, &mut |_, _, loss| losses.push(loss));
    assert!(losses.len() > 5 && losses.is_sorted_by(|a, b| a >= b), "{losses:?}");
    assert_eq!(numbers(&blend, "value"), numbers(&value, "value"));
    assert_ne!(numbers(&blend, "blend"), numbers(&value, "blend"));
    let (even, before, after) = (loss(&Weights::zero()), loss(&value), loss(&blend));
    assert!(after < before && before < even, "{after} {before} {even}");
}

#[test]
fn the_prior_is_recovered() {
    let known = Linear::new(&Weights::parse(KNOWN).unwrap());
    let games = random_games(&known, 66);
    let (fitted, held_out) = games.split_at(60);
    let mut weights = Weights::zero();
    let options = PolicyOptions { epochs: 4, batch: 4, skip: 0, ..PolicyOptions::default() };
    fit_prior(fitted, &options, &mut weights, &mut |_, _, _| {});
    let quality = |linear: &Linear| {
        PolicyQuality::of(held_out, 0, &|position, steps| linear.priors(position, steps)).loss
    };
    let loss = [&Weights::zero(), &weights].map(|weights| quality(&Linear::new(weights)));
    let least = quality(&known);
    assert!(least < loss[1] && loss[1] < least + 0.1 * (loss[0] - least), "{least} {loss:?}");
}

#[test]
fn the_layer_learns_interactions() {
    // A cell counts if it is beside more tiles of one colour than of the other, which no linear sum
    // can express.
    let unit = |unit| format!("unit {unit}  0 0 0 0  0 0 0 0  3 3 3 3  3 3 3 3");
    let feature =
        |name, weights| format!("hidden near.{name}.one.1.0 {weights}{}", " 0".repeat(30));
    let lines = [unit(0), unit(1), feature("own", "1 -1"), feature("other", "-1 1")];
    let text = lines.join("\n");
    let known = Linear::new(&Weights::parse(&text).unwrap());
    let games = random_games(&known, 190);
    let (fitted, held_out) = games.split_at(150);
    let options = PolicyOptions { epochs: 4, batch: 4, skip: 0, ..PolicyOptions::default() };
    let mut weights = Weights::zero();
    fit_prior(fitted, &options, &mut weights, &mut |_, _, _| {});
    let quality = |linear: &Linear| {
        let prior =
            |position: &Position, steps: &mut Vec<_>| linear.refined_priors(position, steps);
        PolicyQuality::of(held_out, 0, &prior).loss
    };
    let linear_loss = quality(&Linear::new(&weights));
    fit_layer(fitted, &options, &mut weights, &mut |_, _, _| {});
    let layer_loss = quality(&Linear::new(&weights));
    assert!(layer_loss + 0.01 < linear_loss, "{layer_loss} {linear_loss}");
}

#[test]
fn fits_are_deterministic() {
    let games = random_games(&Linear::new(&Weights::zero()), 6);
    let fit = || {
        let mut weights = Weights::zero();
        let options = ValueOptions { steps: 5, ..ValueOptions::default() };
        fit_value(&games, &options, &mut weights, &mut |_, _, _| {});
        let options = PolicyOptions { epochs: 1, batch: 2, ..PolicyOptions::default() };
        fit_prior(&games, &options, &mut weights, &mut |_, _, _| {});
        fit_layer(&games, &options, &mut weights, &mut |_, _, _| {});
        weights
    };
    assert_eq!(fit(), fit());
}

#[test]
fn games_are_held_out_in_pairs() {
    let games = random_games(&Linear::new(&Weights::zero()), 12);
    let (fitted, held_out) = hold_out(games, 3);
    assert_eq!((fitted.len(), held_out.len()), (8, 4));
}
