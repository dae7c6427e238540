//! Random games against the reference, and what players must not learn.

mod reference;

use std::collections::HashSet;

use super::board::{Cell, Cells};
use super::game::Game;
use super::matches::Player;
use super::rules::Step;
use super::search::Limits;
use super::table::Decision;
use pontifex::eval::Random;
use reference::cells;

const LIMITS: Limits = Limits { time: None, iterations: Some(40) };

/// Compares what is legal, the paths, and random steps.
fn compare(game: &Game, random: &mut Random) {
    let table = &game.table;
    let (steps, legal) = (table.steps(), reference::legal(table));
    let sets = [&steps, &legal].map(|steps| steps.iter().copied().collect::<HashSet<_>>());
    assert_eq!(sets[0], sets[1], "{}", table.picture());
    assert_eq!(steps.len(), legal.len(), "a step is listed twice");
    let moves: Vec<&Step> = steps.iter().filter(|step| matches!(step, Step::Move { .. })).collect();
    if let Some(&&step) = moves.get(random.below(moves.len() as u32) as usize) {
        let line = table.line(step);
        let path: Vec<Cell> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        let passed = &path[..path.len() - 1];
        assert!(passed.iter().all(|&cell| reference::passes(table, cell)), "{line}");
        let (mut a, mut b) = (game.clone(), game.clone());
        assert_eq!((a.play(table.chooser, &line), b.take(step)), (Ok(()), Ok(())), "{line}");
        assert_eq!(a.table, b.table, "{line}");
    }
    let number = 2 + random.below(3) as usize;
    let mut sample = |number| Cells::ALL.sample(number, random);
    let (from, to) = (sample(number), sample(number));
    for to in [from, to] {
        let step = Step::Scatter(from, to);
        assert_eq!(table.check(step).is_ok(), reference::can_scatter(table, from, to), "{step:?}");
    }
    let (a, pair) = (sample(1).iter().next().unwrap(), sample(2));
    let moves = [false, true].map(|reveals| Step::Move { cell: a, reveals });
    let of_cell = [Step::Place(a), moves[0], moves[1], Step::Look(a)];
    let others = [Step::Exorcise, Step::From(table.mover), Step::Pass];
    for step in of_cell.into_iter().chain([Step::Swap(pair), Step::Reveal(pair)]).chain(others) {
        assert_eq!(table.check(step).is_ok(), legal.contains(&step), "{step:?}");
    }
}

#[test]
fn random_games_agree_with_the_reference() {
    use Decision::{Continue, Drop, From, Over, Reveal, Tower};
    let games = if cfg!(debug_assertions) { 100 } else { 2000 };
    let (mut random, mut seen) = (Random::new(36), HashSet::new());
    for number in 0..games {
        let mut game = Game::new(2 + number % 5, Cells::BORDERED, number as u64);
        // Greedy moves between random ones bring games to their ends.
        let chance = [0, 128, 230][number % 3];
        while game.table.decision != Decision::Over && game.table.turn < 100 {
            compare(&game, &mut random);
            seen.insert(game.table.decision);
            let player = if random.chance(chance) { Player::Greedy } else { Player::Random };
            let view = game.view();
            let step = player.choose(&view, LIMITS, random.bits());
            let deal = view.deal(&mut random);
            let agrees = |cell| [None, deal.card(cell)].contains(&view.table.card(cell));
            assert!(cells().all(agrees), "the deal contradicts what the player knows");
            let mut expected = game.table;
            game.take(step).unwrap();
            reference::apply(&mut expected, step, &game.table);
            assert_eq!(game.table, expected, "after {step:?}");
        }
        seen.insert(game.table.decision);
    }
    let tower = Tower { can_look: true, can_exorcise: true };
    for decision in [Reveal, Continue, From, Drop, tower, Over] {
        assert!(seen.contains(&decision), "no game came to {decision:?}");
    }
}

#[test]
fn hidden_cards_do_not_change_what_a_colour_is_told() {
    let (mut random, mut changed) = (Random::new(9), 0);
    for number in 0..60 {
        let mut game = Game::new(2 + number % 5, Cells::BORDERED, number as u64);
        while game.table.decision != Decision::Over && game.table.turn < 60 {
            // The cards that the chooser does not know, dealt in another way.
            let (colour, mut other) = (game.table.chooser, game.clone());
            other.table.cards = game.view().deal(&mut random).cards;
            changed += cells().filter(|&c| game.table.card(c) != other.table.card(c)).count();
            assert!(game.view() == other.view(), "the views differ");
            assert_eq!(game.table.actions(), other.table.actions());
            assert!(
                [Some(colour), None]
                    .iter()
                    .all(|&colour| game.visible_to(colour) == other.visible_to(colour))
            );
            for player in [Player::Ismcts, Player::Greedy, Player::Random] {
                let steps = [&game, &other].map(|game| player.choose(&game.view(), LIMITS, 5));
                assert_eq!(steps[0], steps[1]);
            }
            let lines = ["move a1 b1 c1", "swap c3,c5", "look b2", "turn a1,a2", "pass"];
            let refused = |game: &Game, line| game.clone().play(colour, line).err();
            assert!(lines.iter().all(|line| refused(&game, line) == refused(&other, line)));
            let player = if random.chance(128) { Player::Greedy } else { Player::Random };
            game.take(player.choose(&game.view(), LIMITS, random.bits())).unwrap();
        }
    }
    assert!(changed > 10_000, "only {changed} cards were changed");
}

#[test]
fn a_look_is_known_to_the_looker_alone_and_moves_with_a_swap() {
    let mut game = Game::new(2, Cells::BORDERED, 1);
    let (blue, [a, b]) = (game.table.chooser, ["c3", "e5"].map(|name| name.parse().unwrap()));
    for name in ["a1", "g7"] {
        game.take(Step::Place(name.parse().unwrap())).unwrap();
    }
    game.table.decision = Decision::Tower { can_look: true, can_exorcise: false };
    let card = game.table.card(a);
    game.take(Step::Look(a)).unwrap();
    let cards_seen = |game: &Game, cell| {
        let players = game.table.colours().map(Some).chain([None]);
        players.map(|colour| game.visible_to(colour).card(cell)).collect::<Vec<_>>()
    };
    assert_eq!(cards_seen(&game, a), [card, None, None]);
    game.take(Step::Swap([a, b].into_iter().collect())).unwrap();
    assert_eq!(
        (cards_seen(&game, b), cards_seen(&game, a)),
        (vec![card, None, None], vec![None; 3])
    );
    assert!(game.table[blue].known.iter().eq([b]));
}
