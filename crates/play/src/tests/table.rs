//! The table: seats, variations, early ends and clocks.

use std::time::Duration;

use serde_json::json;

use crate::table::{Table, TableError};
use crate::terms::Clocks;
use crate::terms::{BUILT_IN, ClockKind, Seat, Strength, TermsError};
use pontifex::clock::Seconds;
use pontifex::game::{Color, Move, Position, Rules};
use pontifex::notation::WonBy;

fn human_first() -> Table {
    let seats = [Seat::Human, Seat::Engine("x".to_owned())];
    let clock = ClockKind::Fischer { main: Seconds::whole(60), increment: Seconds::whole(1) };
    let start = Position::new(Rules::default());
    Table::new(&start, seats, Strength::Playouts { playouts: 1 }, clock).unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn players_change_seats_at_a_swap() {
    let mut table = human_first();
    table.play(table.current, mv("a1,c1")).unwrap();
    assert!(matches!(table.play(table.current, mv("e1,g1")), Err(TableError::NotHuman(_))));
    table.play_at_tip(1, Move::Swap, 1.0).unwrap();
    assert_eq!(table.player(Color::Red, table.current), &Seat::Human);
    assert!(table.engine_to_move().is_none(), "the engine has White now, Red is to move");
    table.play(table.current, mv("e1,g1")).unwrap();
    assert!(table.engine_to_move().is_some());
    table.undo().unwrap();
    assert_eq!((table.current, table.tip), (2, Some(2)));
    table.undo().unwrap();
    assert_eq!(table.player(Color::White, table.current), &Seat::Human);
    assert_eq!(table.undo(), Err(TableError::NothingToUndo));
}

#[test]
fn showing_another_node_does_not_move_the_game() {
    let mut table = human_first();
    table.play(table.current, mv("a1,c1")).unwrap();
    table.goto(0).unwrap();
    assert!(table.engine_to_move().is_some());
    table.play_at_tip(1, mv("e1,g1"), 1.0).unwrap();
    assert_eq!((table.current, table.tip), (0, Some(2)));
    table.play(table.current, mv("a1,d1")).unwrap();
    assert_eq!((table.current, table.tip), (3, Some(3)));
    assert_eq!(table.record(1).moves.len(), 2);
}

#[test]
fn a_move_in_another_players_place() {
    let mut table = human_first();
    table.let_engine_move();
    assert_eq!(table.engine_to_move().unwrap().2, BUILT_IN);
    table.play_at_tip(0, mv("a1,c1"), 1.0).unwrap();
    assert_eq!(table.engine_to_move().unwrap().2, "x");
    table.play_at_tip(1, mv("e1,g1"), 1.0).unwrap();
    assert!(table.engine_to_move().is_none());
    // A human moves in the engine's place: the game is paused.
    table.goto(1).unwrap();
    table.play(table.current, mv("e2,g2")).unwrap();
    assert_eq!(table.tip, None);
    table.play(table.current, mv("e4,g4")).unwrap();
    assert_eq!(table.engine_to_move().unwrap().0, 4);
}

#[test]
fn a_resignation_ends_the_game_at_its_node_only() {
    let mut table = human_first();
    table.play(table.current, mv("a1,c1")).unwrap();
    table.end(Color::Red, WonBy::Resignation, String::new()).unwrap();
    assert_eq!(table.result(1).unwrap().to_string(), "R+R");
    assert!(table.engine_to_move().is_none());
    assert!(matches!(table.play(table.current, mv("e1,g1")), Err(TableError::Over(_))));
    assert!(table.end(Color::Red, WonBy::Resignation, String::new()).is_err());
    table.undo().unwrap();
    table.play(table.current, mv("a2,c2")).unwrap();
    assert_eq!(table.result(table.current), None);
}

#[test]
fn clocks_run_for_the_side_to_move_and_go_back_with_an_undo() {
    let mut table = human_first();
    table.start_clock();
    assert_eq!(table.clock_readings().unwrap().1, Some(Color::White));
    table.set_now(Duration::from_secs(4));
    assert_eq!(table.time_to_flag(), Some(56.0));
    table.play(table.current, mv("a1,c1")).unwrap();
    table.start_clock();
    table.play_at_tip(1, mv("e1,g1"), 10.0).unwrap();
    assert_eq!(
        table.clock_readings().unwrap(),
        ([(Seconds::whole(57), 0), (Seconds::whole(51), 0)], None)
    );
    table.undo().unwrap();
    assert_eq!(
        table.clock_readings().unwrap(),
        ([(Seconds::whole(60), 0), (Seconds::whole(60), 0)], None)
    );
    assert!(
        Clocks::new(ClockKind::Fischer { main: Seconds::ZERO, increment: Seconds::ZERO }).is_err()
    );
}

#[test]
fn humans_pay_for_the_time_before_they_let_the_engine_move() {
    let mut table = human_first();
    table.start_clock();
    table.set_now(Duration::from_secs(10));
    table.let_engine_move();
    assert_eq!(
        table.clock_readings().unwrap(),
        ([(Seconds::whole(51), 0), (Seconds::whole(60), 0)], None)
    );
}

#[test]
fn terms_with_a_wrong_time_are_refused_in_one_line() {
    let range = TermsError::Strength.to_string();
    for time in [json!(-1), json!(1e300), json!(4e7), json!("1"), json!(0), json!(4000)] {
        let level = serde_json::from_value::<Strength>(json!({ "time": time }));
        let refusal = level
            .map_err(|error| error.to_string())
            .and_then(|level| level.check().map_err(|error| error.to_string()));
        assert_eq!(refusal, Err(range.clone()), "{time}");
        let clock = json!({"kind": "fischer", "main": 60, "increment": time});
        let clock = serde_json::from_value::<ClockKind>(clock);
        if let Err(error) = &clock {
            assert!(error.to_string().lines().count() == 1, "{error}");
        } else {
            assert!(time == json!(0) || time == json!(4000), "{clock:?}");
        }
    }
}

fn humans() -> Table {
    let mut table = human_first();
    table.set_players([Seat::Human, Seat::Human]);
    table
}

/// The moves of the game's record.
fn moves(table: &Table) -> Vec<String> {
    table.record(table.current).moves.iter().map(|recorded| recorded.mv.to_string()).collect()
}

#[test]
fn an_undo_takes_the_turns_out_of_the_game() {
    let mut table = human_first();
    table.play(0, mv("a1,c1")).unwrap();
    table.play_at_tip(1, mv("e1,g1"), 1.0).unwrap();
    table.play(2, mv("a3,c3")).unwrap();
    table.play_at_tip(3, mv("e3,g3"), 1.0).unwrap();
    table.undo().unwrap();
    assert_eq!(
        (table.tree.len(), moves(&table)),
        (3, vec!["a1,c1".to_owned(), "e1,g1".to_owned()])
    );
    // The game ends where it stands.
    table.end(Color::Red, WonBy::Resignation, String::new()).unwrap();
    let entry = crate::view::game_list_entry(&table).unwrap();
    assert_eq!((entry.turns, entry.result.unwrap().text), (2, "R+R".to_owned()));
    table.undo().unwrap();
    assert_eq!((table.tree.len(), table.ending), (1, None));
}

#[test]
fn an_undo_leaves_variations_beside_the_game() {
    let mut table = humans();
    for text in ["a1,c1", "e1,g1", "a3,c3", "e3,g3"] {
        table.play(table.current, mv(text)).unwrap();
    }
    let aside = table.play_aside(1, mv("e5,g5")).unwrap();
    for _ in 0..3 {
        table.undo().unwrap();
    }
    assert_eq!((table.current, table.tip, table.tree.len()), (1, Some(1), 3));
    assert!(table.tree.node(aside).is_ok());
    assert_eq!(moves(&table), ["a1,c1"], "the game ends here");
    // The same after an undo to the start, and after saving and loading.
    table.undo().unwrap();
    assert_eq!((table.current, table.tree.len()), (0, 3), "the variation below stays");
    let saved = serde_json::to_string(&crate::SavedSession::of(&table)).unwrap();
    let restored = serde_json::from_str::<crate::SavedSession>(&saved).unwrap().table().unwrap();
    assert!(moves(&restored).is_empty());
    // Nodes that analysis made survive an undo, even if the game has passed through them.
    let mut table = humans();
    let aside = table.play_aside(0, mv("a1,c1")).unwrap();
    table.play(0, mv("a1,c1")).unwrap();
    table.play(aside, mv("e1,g1")).unwrap();
    table.undo().unwrap();
    table.undo().unwrap();
    assert_eq!((table.tree.len(), moves(&table).len()), (2, 0));
}
