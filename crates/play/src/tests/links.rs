//! Games by links.

use serde_json::{Value, json};

use super::fixture::Test;
use crate::SavedSession;

/// A game by links on a board of 6, in which this device has a colour.
fn by_links(white: &str, red: &str) -> Test {
    let mut test = Test::humans();
    let new = json!({"type": "new", "board": 6, "pie": true, "link": "ab1-2",
        "players": {"white": white, "red": red}});
    let state = test.ask(&new);
    assert_eq!(state["link"], json!({"game": "ab1-2", "sent": false}));
    test
}

#[test]
fn a_game_by_links_goes_to_and_fro() {
    let mut test = by_links("human", "friend");
    assert_eq!(test.play("a1,c1")["type"], "state");
    assert_eq!(test.play("a5,c5")["text"], "it is for the friend to move");
    assert_eq!(test.ask(&json!({"type": "undo"}))["current"], 0, "before it is sent");
    test.play("a1,d1");
    let tip = test.session.table().tip.unwrap();
    let sent = json!({"type": "sent", "node": tip});
    assert_eq!(test.ask(&sent)["link"]["sent"], true);
    assert_eq!(
        test.ask(&json!({"type": "undo"}))["text"],
        "there is no move of a human to take back"
    );
    // The friend swaps: this device has Red, and Red is to move.
    let go_on = |moves: &[&str]| json!({"type": "continue", "moves": moves});
    let state = test.ask(&go_on(&["a1,d1", "swap"]));
    assert_eq!(state["players"], json!({"white": "friend", "red": "human"}));
    assert_eq!((&state["link"]["sent"], &state["live"]), (&json!(true), &json!(true)));
    assert_eq!(test.ask(&json!({"type": "undo"}))["type"], "error");
    test.play("f5,f6");
    // A link that is behind, one of another game, and one with an illegal turn change nothing.
    let before = test.session.table().record(0);
    for (moves, answer) in [
        (vec!["a1,d1", "swap"], "error"),
        (vec!["a1,d1", "a4,a5", "b6,d6"], "error"),
        (vec!["a1,d1", "swap", "f5,f6", "c3,d3", "c3,d3"], "illegal"),
    ] {
        assert_eq!(test.ask(&go_on(&moves))["type"], answer, "{moves:?}");
        assert_eq!(test.session.table().record(0), before);
    }
    let state = test.ask(&json!({"type": "continue", "resigned": "white",
        "moves": ["a1,d1", "swap", "f5,f6", "c3,d3", "b6,d6"]}));
    assert_eq!((&state["end"]["text"], &state["link"]["sent"]), (&json!("R+R"), &json!(true)));
    // Saved and read again, it is the same.
    let restored = test.reread_table();
    assert_eq!(restored.link, test.session.table().link);
    assert!(restored.is_sent());
}

#[test]
fn in_a_game_by_links_nobody_moves_for_the_friend_and_no_engine_helps() {
    let mut test = by_links("friend", "human");
    for request in [
        json!({"type": "play", "move": "a1,c1"}),
        json!({"type": "play", "move": "a1,c1", "node": 0}),
        json!({"type": "resign", "player": "white"}),
        json!({"type": "undo"}),
        json!({"type": "hint"}),
        json!({"type": "consider", "move": "a1,c1"}),
        json!({"type": "move_now"}),
        json!({"type": "analyze", "on": true}),
        json!({"type": "rematch"}),
        json!({"type": "settings", "players": {"white": "human", "red": "human"}}),
        json!({"type": "new", "players": {"white": "human", "red": "friend"}}),
        json!({"type": "new", "link": "x", "players": {"white": "human", "red": "human"}}),
        json!({"type": "new", "link": "x", "players": {"white": "human", "red": "friend"},
            "clock": {"kind": "absolute", "main": 60}}),
        json!({"type": "load", "text": "a1,c1", "players": {"white": "human", "red": "friend"}}),
    ] {
        assert_eq!(test.ask(&request)["type"], "error", "{request}");
        assert_eq!(test.effects().len(), 1, "only the reply");
    }
    // A refused request changes nothing, not even in part.
    let before = SavedSession::of(test.session.table());
    let refused = json!({"type": "settings", "level": {"level": 7},
        "players": {"white": "human", "red": "human"}});
    assert_eq!(test.ask(&refused)["type"], "error");
    assert_eq!(SavedSession::of(test.session.table()), before);
    test.ask(&json!({"type": "continue", "moves": ["a1,c1"]}));
    test.play("a5,c5");
    // Moves at an earlier node and deleting turns of the game are refused, too.
    for request in [
        json!({"type": "play", "move": "a5,d5", "node": 1}),
        json!({"type": "delete", "node": 2}),
        json!({"type": "resign", "player": "white"}),
    ] {
        assert_eq!(test.ask(&request)["type"], "error", "{request}");
    }
    let aside = test.ask(&json!({"type": "play", "move": "a5,d5", "node": 1, "aside": true}));
    assert_eq!(test.ask(&json!({"type": "delete", "node": aside["node"]}))["type"], "state");
    assert_eq!(test.ask(&json!({"type": "resign", "player": "red"}))["link"]["sent"], false);
    assert_eq!(test.ask(&json!({"type": "undo"}))["type"], "error");
    // Another game in this session has no friend.
    let state = test.ask(&json!({"type": "new"}));
    assert_eq!(state["players"], json!({"white": "human", "red": "human"}));
    assert_eq!(state["link"], Value::Null);
}
