//! The evaluation and the prior without playouts: what holds in every
//! position, whatever the weights.

use std::collections::BTreeSet;

use pontifex::board::{Cell, Cells, Site, Size, Symmetry};
use pontifex::eval::linear::{Evaluation, Linear, Weights, evaluate, priors};
use pontifex::game::{Color, Ply, Position, Setup, SetupStage, Stage};

use super::random_games::{Gambler, size_of_game};

/// Random games; the positions before each ply and the ply.
fn for_each_ply(games: u64, mut visit: impl FnMut(&Position, Ply)) {
    for number in 0..games {
        let mut gambler = Gambler::new(number);
        let mut position = Position::new(gambler.rules(size_of_game(number)));
        while let Some(ply) = gambler.ply(&position) {
            visit(&position, ply);
            position.make(ply);
        }
        assert!(position.is_over());
    }
}

fn prior_of(position: &Position) -> Vec<(Ply, f32)> {
    let mut plies = vec![(Ply::Swap, 7.0)];
    priors(position, &mut plies);
    plies
}

#[test]
fn the_prior_has_every_legal_ply_once_and_sums_to_one() {
    for_each_ply(60, |position, _| {
        let prior = prior_of(position);
        let sum: f64 = prior.iter().map(|&(_, likelihood)| f64::from(likelihood)).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        assert!(prior.iter().all(|&(_, likelihood)| likelihood > 0.0));
        let plies: BTreeSet<Ply> = prior.iter().map(|&(ply, _)| ply).collect();
        assert_eq!(plies.len(), prior.len());
        let mut legal: BTreeSet<Ply> = position.tile_plies().into_iter().map(Ply::Tile).collect();
        legal.extend(position.bridge_plies().iter().map(Ply::Bridge));
        if position.may_pass() {
            legal.insert(Ply::Pass);
        }
        assert_eq!(plies, legal);
    });
}

#[test]
fn a_finished_game_is_worth_its_result() {
    for number in 0..30 {
        let mut gambler = Gambler::new(number);
        let mut position = Position::new(gambler.rules(size_of_game(number)));
        while let Some(ply) = gambler.ply(&position) {
            position.make(ply);
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

fn turned(ply: Ply, change: impl Fn(Cell) -> Cell) -> Ply {
    match ply {
        Ply::Tile(cell) => Ply::Tile(change(cell)),
        Ply::Bridge(site) => {
            let [a, b] = site.ends();
            Ply::Bridge(Site::between(change(a), change(b)).unwrap())
        }
        Ply::Pass | Ply::Swap => ply,
    }
}

/// The same plies, each as likely, up to the order in which they are added.
fn assert_same(mut a: Vec<(Ply, f32)>, mut b: Vec<(Ply, f32)>) {
    a.sort_by_key(|&(ply, _)| ply);
    b.sort_by_key(|&(ply, _)| ply);
    assert_eq!(a.len(), b.len());
    for ((ply, a), (other, b)) in a.into_iter().zip(b) {
        assert_eq!(ply, other);
        assert!((a - b).abs() <= 1e-5 * a.max(b), "{ply:?} {a} {b}");
    }
}

#[test]
fn nothing_changes_when_the_board_is_turned_or_mirrored() {
    for symmetry in Symmetry::all() {
        let mut image: Option<Position> = None;
        for_each_ply(18, |position, ply| {
            let change = |cell| symmetry.apply(cell, position.size());
            let is_new = position.stage() == Stage::Opening && !position.is_half_turn();
            if is_new {
                image = Some(*position);
            }
            let image = image.as_mut().unwrap();
            assert_eq!(evaluate(position), evaluate(image));
            let prior = prior_of(position).into_iter().map(|(ply, x)| (turned(ply, change), x));
            assert_same(prior.collect(), prior_of(image));
            image.make(turned(ply, change));
        });
    }
}

#[test]
fn colours_differ_by_the_weight_for_white_alone() {
    let texts = [
        include_str!("../../src/eval/linear/weights.txt"),
        include_str!("../../src/eval/linear/weights-large.txt"),
    ];
    let both = texts.map(|text| {
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
    for_each_ply(36, |position, ply| {
        let both_have_tiles =
            Color::BOTH.iter().all(|&color| position.tiles(color) != Cells::EMPTY);
        if position.is_half_turn() || !both_have_tiles {
            return;
        }
        let Some(mut image) = exchanged(position) else { return };
        let mut position = *position;
        let linear = &both[usize::from(position.size() > Size::STANDARD)];
        let mut compare = |position: &Position, image: &Position| {
            compared += 1;
            assert_eq!(linear.evaluate(position), linear.evaluate(image));
            assert_same(prior_of(position), prior_of(image));
        };
        compare(&position, &image);
        if let Ply::Tile(_) = ply {
            position.make(ply);
            image.make(ply);
            compare(&position, &image);
        }
    });
    assert!(compared > 300, "{compared}");
}
