//! Random games against the reference, and what players must not learn.

use std::collections::HashSet;

use pontifex::eval::Random;
use pontifex::teufel::{Cell, Cells, Decision, Game, Limits, Player, Session, Step};

use super::reference::{Reference, cells};

const LIMITS: Limits = Limits { time: None, iterations: Some(40) };

fn pick(cells: &[Cell], random: &mut Random) -> Cell {
    cells[random.below(cells.len() as u32) as usize]
}

/// Compares everything that is so, what is legal, the paths, and random steps.
fn compare(game: &Game, reference: &Reference, random: &mut Random) {
    let table = game.table();
    assert_eq!(&Reference::of(table), reference);
    let (steps, legal) = (table.steps(), reference.legal());
    assert_eq!(steps.iter().copied().collect::<HashSet<_>>(), legal, "{}", table.picture());
    assert_eq!(steps.len(), legal.len(), "a step is listed twice");
    for &step in steps.iter().filter(|step| matches!(step, Step::Go(..))) {
        let line = table.line(step);
        let path: Vec<Cell> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!(path[..path.len() - 1].iter().all(|&cell| reference.passes(cell)), "{line}");
        let (mut a, mut b) = (game.clone(), game.clone());
        assert_eq!((a.play(table.chooser, &line), b.take(step)), (Ok(()), Ok(())), "{line}");
        assert_eq!(a.table(), b.table(), "{line}");
    }
    let number = 2 + random.below(3);
    let mut set = |number| (0..number).map(|_| pick(&cells(), random)).collect::<Cells>();
    let (from, to, pair, a) = (set(number), set(number), set(2), set(1).iter().next().unwrap());
    for to in [from, to] {
        let scatter = Step::Scatter(from, to);
        assert_eq!(table.check(scatter).is_ok(), reference.can_scatter(from, to), "{scatter:?}");
    }
    let of_cell = [Step::Place(a), Step::Go(a, false), Step::Go(a, true), Step::Look(a)];
    let others = [Step::Exorcise, Step::From(table.mover), Step::Pass];
    for step in of_cell.into_iter().chain([Step::Swap(pair), Step::Turn(pair)]).chain(others) {
        assert_eq!(table.check(step).is_ok(), legal.contains(&step), "{step:?}");
    }
}

#[test]
fn random_games_agree_with_the_reference() {
    use Decision::{Drop, From, GoOn, Over, Tower, Turn};
    let games = if cfg!(debug_assertions) { 100 } else { 2000 };
    let (mut random, mut seen) = (Random::new(36), HashSet::new());
    for number in 0..games {
        let mut game = Game::new(2 + number % 5, Cells::BORDERED, number as u64);
        let mut reference = Reference::of(game.table());
        // Greedy moves between random ones bring games to their ends.
        let chance = [0, 128, 230][number % 3];
        for _ in 0..150 {
            compare(&game, &reference, &mut random);
            seen.insert(game.table().decision);
            if game.table().decision == Decision::Over {
                break;
            }
            let player = if random.chance(chance) { Player::Greedy } else { Player::Random };
            let player = if random.chance(10) { Player::Ismcts } else { player };
            let view = game.view();
            let step = player.choose(&view, LIMITS, random.bits());
            let deal = view.deal(&mut random);
            let agrees = |&cell: &Cell| [None, deal.card(cell)].contains(&view.table.card(cell));
            assert!(cells().iter().all(agrees), "the deal contradicts what the player knows");
            game.take(step).unwrap();
            reference.apply(step, game.table());
        }
    }
    for decision in [Turn, GoOn, From, Drop, Tower(true, true), Tower(false, true), Over] {
        assert!(seen.contains(&decision), "no game came to {decision:?}");
    }
}

#[test]
fn hidden_cards_do_not_change_what_a_colour_is_told() {
    let (mut compared, mut random) = (0, Random::new(1));
    for number in 0..60 {
        let session = || Session::new(2 + number % 3, Player::Ismcts, LIMITS, number as u64);
        let mut sessions = [session(), session()];
        // Two cards are exchanged from the start on, until somebody sees or moves one.
        let all: Vec<Cell> = sessions[0].game.table().hidden().iter().collect();
        let places = [pick(&all, &mut random), pick(&all, &mut random)];
        sessions[1].game.exchange(places[0], places[1]);
        for _ in 0..40 {
            let table = *sessions[0].game.table();
            let (who, a, b) = (table.chooser, pick(&all, &mut random), pick(&all, &mut random));
            let mut same = |line: &str| {
                let [one, two] = sessions.each_mut().map(|s| s.answer_line(line.as_bytes()));
                let is_seen = |s: &Session| {
                    let mut tables = table.colours().map(|colour| s.game.seen(Some(colour)));
                    tables.any(|seen| places.iter().any(|&place| seen.card(place).is_some()))
                };
                let ends = line.starts_with("genmove") && sessions.iter().any(is_seen);
                assert!(ends || one == two, "{line}\n{one:?}\n{two:?}");
                one.filter(|_| !ends).unwrap_or_default()
            };
            same(&format!("showboard {who}"));
            same(&format!("legal_actions {who}"));
            for action in
                [format!("move {a} {b} turn"), format!("look {a}"), format!("swap {a},{b}")]
            {
                if same(&format!("play {who} {action}")).starts_with('=') {
                    same("undo");
                }
            }
            let answer = same(&format!("genmove {who}"));
            if !answer.starts_with("= ") || answer.contains("swap") || answer.contains("scatter") {
                break;
            }
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} turns were compared");
}
