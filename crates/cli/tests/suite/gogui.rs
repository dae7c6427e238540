//! Support for GoGui: single-point moves and drawings.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use pontifex::engine::Options;
use pontifex::game::Rules;
use pontifex::gtp::Session;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::client::{Client, pontifex};

/// A session in the single-point mode.
fn points_session(size: u64, playouts: u64) -> Session {
    let mut options = Options { playouts, ..Options::default() };
    options.search.threads = 1;
    options.search.memory = 16;
    options.rules = Rules { size: pontifex::board::Size::new(size).unwrap(), ..Rules::default() };
    let mut session = Session::new(options);
    assert_eq!(ask(&mut session, "gogui-rules_game_id"), "Ponte");
    session
}

/// The text of the answer to a command that succeeds.
fn ask(session: &mut Session, command: &str) -> String {
    let answer = session.answer_line(command.as_bytes()).unwrap();
    let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
    text.trim().to_owned()
}

/// The state of the game as GoGui sees it.
fn game_state(session: &mut Session) -> [String; 3] {
    let commands = ["gogui-rules_board", "gogui-rules_legal_moves", "gogui-rules_side_to_move"];
    commands.map(|command| ask(session, command))
}

/// Plays random games with the points listed as legal, and takes all of them back.
#[test]
fn random_games_are_played_and_undone_by_points() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for size in [4, 5, 8, 10] {
        let mut session = points_session(size, 1);
        let mut before = Vec::new();
        loop {
            let state = game_state(&mut session);
            let [board, legal, side] = &state;
            let points: Vec<&str> = legal.split_whitespace().collect();
            let Some(point) = points.choose(&mut random) else { break };
            let illegal = format!("A{}", size + 1);
            assert!(
                session
                    .answer_line(format!("play {side} {illegal}").as_bytes())
                    .unwrap()
                    .starts_with('?')
            );
            assert_eq!(board.split_whitespace().count() as u64, size * size);
            let play = format!("play {side} {point}");
            before.push(state);
            assert_eq!(ask(&mut session, &play), "");
        }
        assert_eq!(ask(&mut session, "gogui-rules_final_result"), ask(&mut session, "final_score"));
        assert!(before.len() > 10);
        while !before.is_empty() {
            let steps = if random.random_bool(0.3) { before.len().min(3) } else { 1 };
            let command = if steps == 1 { "undo".to_owned() } else { format!("gg-undo {steps}") };
            ask(&mut session, &command);
            before.truncate(before.len() - steps + 1);
            assert_eq!(Some(game_state(&mut session)), before.pop());
        }
        assert!(session.answer_line(b"undo").unwrap().starts_with("? cannot undo"));
    }
}

#[test]
fn the_engine_plays_point_by_point() {
    let mut session = points_session(5, 20);
    let mut points = 0;
    while !ask(&mut session, "gogui-rules_legal_moves").is_empty() {
        let [_, legal, side] = game_state(&mut session);
        let point = ask(&mut session, &format!("genmove {side}"));
        assert!(legal.split_whitespace().any(|legal| legal == point), "{point} of {legal}");
        points += 1;
    }
    let turns = ask(&mut session, "ponte-history").split_whitespace().count();
    assert!(points > turns && turns > 4, "{points} points, {turns} turns");
    assert_ne!(ask(&mut session, "gogui-rules_final_result"), "unknown");
}

#[test]
fn the_engine_completes_a_turn_that_the_user_began() {
    let mut session = points_session(6, 50);
    ask(&mut session, "ponte-play_sequence c3,c5 d1,d5");
    for first in ["A1", "C3"] {
        ask(&mut session, &format!("play w {first}"));
        let [_, legal, _] = game_state(&mut session);
        let suggestion = ask(&mut session, "reg_genmove w");
        assert!(
            legal.split_whitespace().any(|legal| legal == suggestion),
            "{suggestion} of {legal}"
        );
        let second = ask(&mut session, "genmove w");
        assert!(legal.split_whitespace().any(|legal| legal == second), "{second} of {legal}");
        assert!(ask(&mut session, "ponte-status").starts_with("to_move red turn 4 "));
        ask(&mut session, "gg-undo 2");
    }
}

#[test]
fn undo_removes_the_point_played_last() {
    let mut session = points_session(6, 1);
    ask(&mut session, "play w E5");
    ask(&mut session, "play w A1");
    ask(&mut session, "undo");
    assert!(ask(&mut session, "gogui-rules_board").contains("\n. . . . O .\n"));
}

#[test]
fn columns_skip_i() {
    let mut session = points_session(10, 1);
    let [_, legal, _] = game_state(&mut session);
    assert!(legal.contains("J1 "), "{legal}");
    assert!(legal.contains("K10"), "{legal}");
    assert!(!legal.contains('I'), "{legal}");
    ask(&mut session, "play w J1");
    ask(&mut session, "play w H1");
    assert_eq!(ask(&mut session, "ponte-history"), "h1,i1");
}

#[test]
fn pass_means_swap_if_red_may_swap() {
    let mut session = points_session(6, 1);
    ask(&mut session, "play w C3");
    ask(&mut session, "play w C4");
    let [_, legal, side] = game_state(&mut session);
    assert!(legal.ends_with(" pass"), "{legal}");
    assert_eq!(side, "black");
    ask(&mut session, "play b pass");
    assert_eq!(ask(&mut session, "ponte-history"), "c3,c4 swap");
    let [_, legal, side] = game_state(&mut session);
    assert!(!legal.contains("pass"), "{legal}");
    assert_eq!(side, "black");
    ask(&mut session, "undo");
    assert!(ask(&mut session, "ponte-status").contains("state pie"));
}

#[test]
fn other_changes_of_the_game_drop_the_first_point() {
    let mut session = points_session(6, 1);
    ask(&mut session, "play w C3");
    assert!(ask(&mut session, "gogui-rules_board").contains('O'));
    ask(&mut session, "ponte-play_sequence a1,a2");
    assert!(!ask(&mut session, "gogui-rules_board").contains(". . O . . ."));
    ask(&mut session, "clear_board");
    assert_eq!(ask(&mut session, "ponte-score"), "white 0 0 0 red 0 0 0");
    ask(&mut session, "play w C3");
    ask(&mut session, "clear_board");
    assert!(!ask(&mut session, "gogui-rules_board").contains('O'));
}

#[test]
fn the_option_points_turns_the_mode_on() {
    let arguments = ["gtp", "--points", "--playouts", "5", "--threads", "1", "--board", "8"];
    let mut client = Client::start(&arguments);
    let first = client.ask("genmove w");
    assert!(!first.contains(','), "{first}");
    assert!(client.ask("ponte-status").starts_with("= to_move white turn 1 "));
    client.ask("genmove w");
    assert!(client.ask("ponte-status").starts_with("= to_move red turn 2 "));
}

#[test]
fn the_interrupt_comment_ends_only_the_running_search() {
    let mut client = Client::start(&["gtp", "--board", "8", "--threads", "1", "--time", "60"]);
    client.send("1 genmove w\n# interrupt\n2 ponte-set_param playouts 20\n3 reg_genmove r\n");
    assert!(client.answer().starts_with("=1 "));
    assert_eq!(client.answer(), "=2");
    assert!(client.answer().starts_with("=3 "));
}

/// After GoGui has requested its menu, searches draw on its board.
#[test]
fn searches_draw_on_standard_error() {
    let mut child = pontifex()
        .args(["--board", "8", "--pie", "off", "--threads", "1", "--playouts", "50"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    // The first search must draw nothing; the second draws until it is stopped.
    let commands = "genmove w\ngogui-analyze_commands\nponte-set_param playouts 0\n\
                    ponte-set_param time 60\ngenmove r\n";
    input.write_all(commands.as_bytes()).unwrap();
    let drawn: Vec<String> = errors.by_ref().take_while(|line| !line.is_empty()).collect();
    input.write_all(b"stop\nquit\n").unwrap();
    let rest: Vec<String> = errors.collect();
    assert!(child.wait().unwrap().success());
    assert_eq!(drawn[0], "gogui-gfx:");
    assert!(drawn[1].starts_with("VAR b "), "{drawn:?}");
    assert!(drawn[2].contains(" visits, win rate 0."), "{drawn:?}");
    assert_eq!(rest.last().unwrap(), "gogui-gfx: CLEAR");
    assert_eq!(rest.iter().filter(|line| line.contains("CLEAR")).count(), 1, "{rest:?}");
}
