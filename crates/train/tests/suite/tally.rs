//! Tests of `src/selfplay/record.rs`.

use pontifex::board::Size;
use pontifex::game::Color;
use pontifex::search::Searcher;
use pontifex_train::selfplay::{Played, Settings, Tally};

#[test]
fn games_are_counted() {
    let settings = Settings {
        size: Size::MIN,
        full_iterations: 20,
        quick_iterations: 5,
        resign_below: 0.0,
        ..Settings::default()
    };
    let game = settings.play(0, &mut Searcher::default()).unwrap();
    let mut tally = Tally::default();
    assert!(tally.count(&game));
    assert_eq!((tally.games, tally.positions), (1, game.steps.len() as u64));
    assert!(tally.turns < tally.positions && tally.positions <= 2 * tally.turns);
    assert_eq!(tally.white + tally.red + tally.draws(), 1);
    assert_eq!(tally.clear, 0);

    // With a clear winner, rightly or wrongly predicted.
    let winner = game.replay(|_| {}).unwrap().outcome().winner();
    let with_winner = |clear| Played { clear: Some(clear), is_check: true, ..game.clone() };
    assert!(tally.count(&with_winner(Color::White)) && tally.count(&with_winner(Color::Red)));
    let mispredicted = if winner.is_some() { 1 } else { 2 };
    assert_eq!((tally.clear, tally.checked, tally.mispredicted), (2, 2, mispredicted));

    // An unfinished game, and one with two tiles on one cell.
    let old_tally = tally;
    let mut part = game.clone();
    part.steps.pop();
    assert!(!tally.count(&part));
    part.steps.push(part.steps[0].clone());
    assert!(!tally.count(&part));
    assert_eq!(tally, old_tally);
}
