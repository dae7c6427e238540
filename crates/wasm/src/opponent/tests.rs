//! Tests of the engine of JavaScript programs, as native code.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Opponent, Refusal};

fn new_opponent(options: &str) -> Opponent {
    Opponent::new(options, 7.0).unwrap()
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn position(opponent: &Opponent) -> Value {
    json_of(&opponent.position())
}

fn advance(opponent: &mut Opponent) -> Option<Value> {
    opponent.advance().unwrap().as_deref().map(json_of)
}

/// The message of a refusal.
fn refusal<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> Value {
    json!(refused.unwrap_err())
}

/// Advances until the search is over. Returns all its messages.
fn finish(opponent: &mut Opponent) -> Vec<Value> {
    let mut messages = Vec::new();
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(30), "the search does not end");
        messages.extend(advance(opponent));
        if messages.last().is_some_and(|news: &Value| news["done"] == true) {
            return messages;
        }
    }
}

fn best_move(opponent: &mut Opponent, options: &str) -> String {
    opponent.start_move(options).unwrap();
    finish(opponent).pop().unwrap()["move"].as_str().unwrap().to_owned()
}

#[test]
fn a_level_plays_a_game_to_its_end() {
    let mut opponent = new_opponent(r#"{"board": 6, "level": 4, "memory": 1}"#);
    while position(&opponent)["status"] != "over" {
        let mv = best_move(&mut opponent, "{}");
        assert!(opponent.legal_moves().contains(&mv), "{mv}");
        opponent.play(&mv).unwrap();
    }
    let end = position(&opponent);
    assert!(end["result"]["winner"].is_string(), "{end}");
    assert_eq!(refusal(opponent.start_move("{}"))["code"], "game_over");
    let record = opponent.record("sgf").unwrap();
    let mut again = new_opponent("{}");
    again.load(&record).unwrap();
    assert_eq!(position(&again), end);
}

#[test]
fn slices_do_not_change_the_move() {
    let moves = ["d4,e6", "c3,g6", "d6,f7", "f4,g8", "c8,g5", "b5,h3"];
    let mut opponent = new_opponent(r#"{"pie": false, "memory": 64}"#);
    for mv in moves {
        opponent.play(mv).unwrap();
    }
    // Position 2 of `pontifex bench`.
    assert_eq!(best_move(&mut opponent, r#"{"playouts": 2000}"#), "e7,g4");
}

#[test]
fn an_analysis_reports_news_until_it_is_stopped() {
    let mut opponent = new_opponent(r#"{"memory": 16}"#);
    opponent.play("d4,e6").unwrap();
    opponent.start_analysis(r#"{"moves": 2, "intervalMs": 20, "ownership": true}"#).unwrap();
    let mut count = 0;
    while count < 3 {
        if let Some(news) = advance(&mut opponent) {
            let analysis = &news["analysis"];
            assert_eq!(
                (&analysis["to_move"], &analysis["finished"]),
                (&"red".into(), &false.into())
            );
            assert!(analysis["moves"].as_array().unwrap().len() <= 2);
            assert!(analysis["ownership"]["white"].is_object());
            count += 1;
        }
    }
    opponent.stop();
    let last = finish(&mut opponent).pop().unwrap();
    assert_eq!(last["analysis"]["finished"], true);
    opponent.play("swap").unwrap();
}

#[test]
fn during_a_search_the_game_can_be_read_but_not_changed() {
    let mut opponent = new_opponent(r#"{"memory": 16, "pie": false}"#);
    opponent.play("d4,e6").unwrap();
    opponent.start_move(r#"{"playouts": 100000}"#).unwrap();
    assert!(advance(&mut opponent).is_none());
    for refused in [
        refusal(opponent.play("a1,b1")),
        refusal(opponent.undo(1)),
        refusal(opponent.new_game("{}")),
        refusal(opponent.set_position("4/4/4/4 w - -")),
        refusal(opponent.load("d4,e6")),
        refusal(opponent.gtp("undo")),
        refusal(opponent.start_move("{}")),
        refusal(opponent.start_analysis("{}")),
    ] {
        assert_eq!(refused["code"], "busy", "{refused}");
    }
    assert_eq!(position(&opponent)["moves"], serde_json::json!(["d4,e6"]));
    assert!(!opponent.legal_moves().is_empty());
    opponent.stop();
    assert!(finish(&mut opponent)[0]["move"].is_string());
    opponent.undo(1).unwrap();
    assert_eq!(refusal(opponent.advance())["code"], "idle");
}

#[test]
fn gtp_and_calls_change_the_same_game() {
    let mut opponent = new_opponent(r#"{"board": 6}"#);
    assert_eq!(opponent.gtp("1 play w c3,d4").unwrap(), "=1\n\n");
    opponent.play("swap").unwrap();
    let expected = format!("= {}\n\n", position(&opponent)["text"].as_str().unwrap());
    assert_eq!(opponent.gtp("ponte-position").unwrap(), expected);
    // The limits of one search are not those of the next.
    best_move(&mut opponent, r#"{"playouts": 3}"#);
    assert_eq!(opponent.gtp("ponte-get_param playouts").unwrap(), "= 0\n\n");
    assert_eq!(opponent.gtp("# nothing").unwrap(), "");
}

#[test]
fn errors_name_the_rule_the_cells_and_the_number_of_the_move() {
    let mut opponent = new_opponent("{}");
    opponent.play("d4,e6").unwrap();
    let taken = refusal(opponent.play("d4,a1"));
    assert_eq!((&taken["type"], &taken["code"]), (&"illegal".into(), &"occupied".into()));
    assert_eq!(taken["cells"], serde_json::json!(["d4"]));
    assert_eq!(taken["data"], serde_json::json!({"cell": "d4", "color": "white"}));
    assert_eq!(refusal(opponent.play("d4"))["code"], "not_a_move");
    let record = refusal(opponent.load("d4,e6 c3,d4"));
    assert_eq!((&record["code"], &record["number"]), (&"occupied".into(), &2.into()));
    assert_eq!(refusal(opponent.set_position("x"))["code"], "not_a_position");
    assert_eq!(refusal(opponent.undo(9))["code"], "undo");
    assert_eq!(position(&opponent)["moves"].as_array().unwrap().len(), 1, "nothing has changed");
}

#[test]
fn options_are_checked_by_name_type_and_range() {
    for options in [
        "",
        "[]",
        r#"{"bord": 6}"#,
        r#"{"board": 3}"#,
        r#"{"board": "6"}"#,
        r#"{"pie": 1}"#,
        r#"{"level": 0}"#,
        r#"{"level": 256}"#,
        r#"{"memory": 0}"#,
        r#"{"seed": -1}"#,
        r#"{"supply": "few"}"#,
    ] {
        assert_eq!(refusal(Opponent::new(options, 1.0))["code"], "options", "{options}");
    }
    let mut opponent = new_opponent("{}");
    for options in
        [r#"{"timeMs": 0}"#, r#"{"timeMs": 1e99}"#, r#"{"playouts": 0}"#, r#"{"moves": 3}"#]
    {
        assert_eq!(refusal(opponent.start_move(options))["code"], "options", "{options}");
    }
    opponent.new_game(r#"{"board": 8}"#).unwrap();
    assert_eq!(position(&opponent)["rules"]["supply"], "standard");
}

#[test]
fn loading_reports_repairs() {
    let mut opponent = new_opponent("{}");
    assert_eq!(opponent.load("(;SZ[6];W[a1,b1])").unwrap(), "[]");
    let repairs = json_of(&opponent.load_file(b"(;SZ[6]C[\xe9];W[a1,b1];B[a6,b6]").unwrap());
    assert_eq!(
        (&repairs[0]["code"], &repairs[1]["code"]),
        (&json!("guessed_encoding"), &json!("missing_parenthesis"))
    );
    assert_eq!(position(&opponent)["moves"].as_array().unwrap().len(), 2);
}
