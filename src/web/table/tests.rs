use std::time::Duration;

use super::*;
use crate::notation::sgf;

fn human_first() -> Table {
    let seats = [Seat::Human, Seat::Engine("x".to_owned())];
    let clock = ClockKind::Fischer { main: 60.0, increment: 1.0 };
    let start = Position::new(Rules::default());
    Table::new(&start, seats, Level::Playouts { playouts: 1 }, clock).unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn players_change_seats_at_a_swap() {
    let mut table = human_first();
    table.play(mv("a1,c1")).unwrap();
    assert!(matches!(table.play(mv("e1,g1")), Err(TableError::NotHuman(_))));
    table.play_at_tip(1, Move::Swap, 1.0).unwrap();
    assert_eq!(table.player(Color::Red), &Seat::Human);
    assert!(table.engine_to_move().is_none(), "the engine has White now, Red is to move");
    table.play(mv("e1,g1")).unwrap();
    assert!(table.engine_to_move().is_some());
    table.undo().unwrap();
    assert_eq!((table.current, table.tip), (2, Some(2)));
    table.undo().unwrap();
    assert_eq!(table.player(Color::White), &Seat::Human);
    assert_eq!(table.undo(), Err(TableError::NothingToUndo));
}

#[test]
fn looking_elsewhere_does_not_move_the_game() {
    let mut table = human_first();
    table.play(mv("a1,c1")).unwrap();
    table.goto(0).unwrap();
    assert!(table.engine_to_move().is_some());
    table.play_at_tip(1, mv("e1,g1"), 1.0).unwrap();
    assert_eq!((table.current, table.tip), (0, Some(2)));
    table.play(mv("a1,d1")).unwrap();
    assert_eq!((table.current, table.tip), (3, Some(3)));
    assert_eq!(table.record(1).moves.len(), 2);
}

#[test]
fn a_move_in_anothers_place() {
    let mut table = human_first();
    table.lend();
    assert_eq!(table.engine_to_move().unwrap().2, BUILT_IN);
    table.play_at_tip(0, mv("a1,c1"), 1.0).unwrap();
    assert_eq!(table.engine_to_move().unwrap().2, "x");
    table.play_at_tip(1, mv("e1,g1"), 1.0).unwrap();
    assert!(table.engine_to_move().is_none());
    // By hand in the engine's place: the game waits.
    table.goto(1).unwrap();
    table.play(mv("e2,g2")).unwrap();
    assert_eq!(table.tip, None);
    table.play(mv("e4,g4")).unwrap();
    assert_eq!(table.engine_to_move().unwrap().0, 4);
}

#[test]
fn who_resigns_has_lost_there_and_nowhere_else() {
    let mut table = human_first();
    table.play(mv("a1,c1")).unwrap();
    table.end(Color::Red, WonBy::Resignation, String::new()).unwrap();
    assert_eq!(table.result(1).unwrap().to_string(), "R+R");
    assert!(table.engine_to_move().is_none());
    assert!(matches!(table.play(mv("e1,g1")), Err(TableError::Over(_))));
    assert!(table.end(Color::Red, WonBy::Resignation, String::new()).is_err());
    table.undo().unwrap();
    table.play(mv("a2,c2")).unwrap();
    assert_eq!(table.result(table.current), None);
}

#[test]
fn clocks_run_for_who_is_to_move_and_go_back_with_an_undo() {
    let mut table = human_first();
    table.start_clock();
    assert_eq!(table.shown().unwrap().1, Some(Color::White));
    table.play(mv("a1,c1")).unwrap();
    table.start_clock();
    table.play_at_tip(1, mv("e1,g1"), 10.0).unwrap();
    let ([(white, _), (red, _)], running) = table.shown().unwrap();
    assert!(running.is_none() && white > 60.0 && (red - 51.0).abs() < 1e-9, "{white} {red}");
    table.undo().unwrap();
    let ([(white, _), (red, _)], _) = table.shown().unwrap();
    assert!((white - 60.0).abs() < 1e-9 && (red - 60.0).abs() < 1e-9);
    assert!(ClockKind::Fischer { main: f64::NAN, increment: 0.0 }.limit().is_err());
}

#[test]
fn who_lets_the_engine_move_pays_for_his_own_time() {
    let mut table = human_first();
    table.since = Instant::now().checked_sub(Duration::from_secs(10));
    table.lend();
    let ([(white, _), _], running) = table.shown().unwrap();
    assert!(running.is_none() && (50.0..=51.0).contains(&white), "{white}");
}

#[test]
fn variations_are_written_down_and_loaded_again() {
    let mut table = human_first();
    table.set(Some([Seat::Human, Seat::Human]), None).unwrap();
    for text in ["a1,c1", "e1,g1", "d9,f9"] {
        table.play(mv(text)).unwrap();
    }
    table.goto(1).unwrap();
    table.play(Move::Swap).unwrap();
    table.play(mv("a9,c9")).unwrap();
    table.goto(3).unwrap();
    let text = sgf::write(&table.record(3));
    let mut record = Record::parse(&text).unwrap();
    let loaded = table.load(table.tree.start(), &record).unwrap();
    assert_eq!((loaded.current, loaded.tip), (3, None));
    assert_eq!(loaded.tree.main_line(0), [0, 1, 2, 3]);
    assert_eq!(loaded.tree.moves(5), table.tree.moves(5));
    assert_eq!(loaded.tree.nodes().count(), 6);
    // Of what the rules forbid nothing is taken, and the rest is.
    record.asides[0].turn.mv = mv("a1,a2");
    record.asides.push(Aside { after: 3, turn: mv("j1,j3").into() });
    let loaded = table.load(table.tree.start(), &record).unwrap();
    assert_eq!(loaded.tree.nodes().count(), 5);
}
