//! Views of other nodes, variations beside the game, questions and positions set up by hand.

use serde_json::{Value, json};

use super::fixture::Test;
use crate::{Event, SavedSession};

/// Asserts that the answer is `played`, and returns the node after the move.
fn played_node(answer: &Value) -> u64 {
    assert_eq!(answer["type"], "played", "{answer}");
    answer["node"].as_u64().unwrap()
}

#[test]
fn looking_back_leaves_the_game_where_it_is() {
    let mut test = Test::against_engine();
    let state = test.play("a1,b1");
    let job = test.started_id();
    let view = test.ask(&json!({"type": "view", "node": 0}));
    assert_eq!((&view["type"], &view["current"]), (&json!("view"), &json!(0)));
    assert_eq!(view["position"]["turn"], 1);
    assert_eq!(view["main"], json!([0, 1]));
    assert!(!test.is_cancelled(job));
    // A variation from there does not disturb the game.
    let answer = test.ask(&json!({"type": "play", "move": "c3,c4", "node": 0, "aside": true}));
    assert_eq!(played_node(&answer), 2);
    assert!(!test.is_cancelled(job));
    for key in ["current", "tip", "main", "thinking"] {
        assert_eq!(test.state()[key], state[key], "{key}");
    }
    let view = test.ask(&json!({"type": "view", "node": 2}));
    assert_eq!((&view["main"], &view["position"]["to_move"]), (&json!([0, 2]), &json!("red")));
    // A move that was meant for the earlier position is not played in the game.
    let answer = test.ask(&json!({"type": "play", "move": "e5,e6", "node": 0}));
    assert_eq!(answer["text"], "the game has moved on");
    let answer = test.ask(&json!({"type": "view", "node": 9}));
    assert_eq!(answer["text"], "there is no node 9");
}

#[test]
fn a_variation_beside_the_game_stays_one_when_it_is_saved() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.ask(&json!({"type": "play", "move": "e5,e6", "aside": true}));
    test.ask(&json!({"type": "play", "move": "c3,c4", "node": 0, "aside": true}));
    let saved = SavedSession::of(test.session.table()).table().unwrap();
    assert_eq!(saved.tree.main_line(0), [0, 1]);
    assert_eq!(saved.current, 1);
}

#[test]
fn questions_may_be_about_any_node() {
    let mut test = Test::humans();
    test.play("a1,c1");
    test.play("f6,f4");
    let mut ask = |request: &Value| test.ask(request);
    let seconds = ask(&json!({"type": "seconds", "first": "a1", "node": 0}));
    assert!(!seconds["cells"].as_array().unwrap().is_empty());
    let seconds = ask(&json!({"type": "seconds", "first": "a1"}));
    assert_eq!(seconds["cells"], json!([]));
    assert_eq!(ask(&json!({"type": "why", "cell": "a1", "node": 0}))["type"], "legal");
    assert_eq!(ask(&json!({"type": "why", "cell": "a1"}))["code"], "occupied");
    assert_eq!(ask(&json!({"type": "why", "from": "a1"}))["type"], "legal");
    assert_eq!(ask(&json!({"type": "why", "from": "f4"}))["code"], "not_your_tile");
    test.play("a1-c1");
    test.play("f4-f6");
    let why = test.ask(&json!({"type": "why", "from": "a1"}));
    assert_eq!((&why["code"], &why["data"]["bridge"]), (&json!("carries_bridge"), &json!("a1-c1")));
    test.play("a5,d6");
    test.play("f1,e3");
    let why = test.ask(&json!({"type": "why", "from": "a5"}));
    assert_eq!((&why["code"], &why["data"]["cell"]), (&json!("no_bridge_from"), &json!("a5")));
}

#[test]
fn a_position_is_checked_and_played() {
    let mut test = Test::against_engine();
    let mut check = |text: &str| test.ask(&json!({"type": "check", "text": text}));
    assert_eq!(check("6/6/6/6/6/ww3r w - -")["type"], "legal");
    let bad = check("6/6/6/6/6/wwwww1 w - -");
    assert_eq!((&bad["code"], &bad["cells"]), (&json!("touches_island"), &json!(["e1", "d1"])));
    assert_eq!(bad["data"]["color"], "white");
    assert_eq!(check("6/6/6/6/6/w1w3 w a1-d1 -")["code"], "no_bridge_shape");
    assert_eq!(check("6/6/6/6/6/w1w3 w - last")["code"], "last_turn_is_reds");
    assert_eq!(check("6/6/6/6/6/w1w3 w - pie")["code"], "not_after_first_turn");
    let many = "# supply: 1,0\n# start: 6/6/6/6/6/w1w3 w - -\n";
    assert_eq!(check(many)["code"], "too_many_tiles");
    let text = "6/6/6/6/6/ww3r r - -";
    let players = json!({"white": "human", "red": "pontifex"});
    test.ask(&json!({"type": "load", "text": text, "players": players, "play": true}));
    assert_eq!(test.state()["tip"], 0);
    assert!(test.started().is_some(), "the engine is to move");
    test.tell(Event::Pages(0));
}

#[test]
fn a_rematch_exchanges_the_colours() {
    let mut test = Test::against_engine();
    test.play("a1,b1");
    let game = test.state()["game"].as_u64().unwrap();
    let state = test.ask(&json!({"type": "rematch", "level": {"playouts": 20}}));
    assert_eq!(state["players"], json!({"white": "pontifex", "red": "human"}));
    assert_eq!(state["level"], json!({"playouts": 20}));
    assert_eq!((&state["rules"]["board"], &state["game"]), (&json!(6), &json!(game + 1)));
    assert!(test.started().is_some());
}

#[test]
fn an_analysis_ends_with_its_game() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.ask(&json!({"type": "analyze", "on": true, "node": 0}));
    let job = test.started_id();
    test.play("e5,e6");
    assert!(!test.is_cancelled(job), "it follows its node");
    let state = test.ask(&json!({"type": "rematch"}));
    assert!(test.is_cancelled(job));
    assert_eq!(state["analysis"], false);
}
