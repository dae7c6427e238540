//! Foreign engines as players.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::server::{Server, any_move};
#[cfg(unix)]
use crate::referee::orphans::{new_mark, wait_for, wait_until_gone};

fn spec(name: &str, arguments: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/engines");
    format!("name={name} cmd=\"python3 {}/{arguments}\"", folder.display())
}

#[test]
fn a_foreign_engine_plays_and_so_do_two_while_one_watches() {
    let plain = spec("plain", "plain.py 3");
    let server = Server::start("serve-foreign", &["--engine", &plain]);
    assert_eq!(server.get("/api/info").json()["engines"], json!(["pontifex", "plain"]));
    let (mut page, _) = server.page(&server.session());
    let new = |players: Value| {
        json!({"type": "new", "board": 5, "pie": false, "players": players,
            "level": {"playouts": 10}})
    };
    let mut state = page.change(new(json!({"white": "human", "red": "plain"})));
    for turn in 0..3 {
        let mv = any_move(&mut page, &state);
        state = page.play(&mv);
        assert_eq!(state["position"]["turn"], 3 + 2 * turn, "{state}");
        if turn == 1 {
            // The engine gets a game that differs from the one it knows.
            page.change(json!({"type": "undo"}));
            state = page.play(&mv);
        }
    }
    let state = page.change(new(json!({"white": "plain", "red": "pontifex"})));
    let end = page.wait_for_human(state);
    assert_eq!(end["position"]["result"]["by"], "score", "{end}");
}

/// The players change seats: the human who opened has Red and moves next.
#[test]
fn an_engine_swaps() {
    let server = Server::start("serve-swap", &["--engine", &spec("swapper", "swapper.py")]);
    let (mut page, _) = server.page(&server.session());
    page.change(json!({"type": "new", "board": 6, "pie": true, "level": {"playouts": 10},
        "players": {"white": "human", "red": "swapper"}}));
    let state = page.play("c3,c4");
    assert_eq!(state["position"]["last"], json!({"move": "swap", "player": "red"}));
    assert_eq!(state["players"], json!({"white": "swapper", "red": "human"}));
    assert_eq!(state["position"]["to_move"], "red");
    let state = page.play("a1,f6");
    assert_eq!(state["position"]["turn"], 5, "the engine has White now: {state}");
    let state = page.change(json!({"type": "undo"}));
    assert_eq!(state["position"]["turn"], 3);
    let state = page.change(json!({"type": "undo"}));
    assert_eq!(state["players"], json!({"white": "human", "red": "swapper"}));
}

#[test]
fn engines_that_fail_forfeit_and_say_why() {
    let modes = ["crash", "illegal", "nonsense", "wrong-id"];
    let specs: Vec<String> =
        modes.iter().map(|mode| spec(mode, &format!("bad.py {mode}"))).collect();
    let arguments: Vec<&str> = specs.iter().flat_map(|spec| ["--engine", spec]).collect();
    let server = Server::start("serve-bad", &arguments);
    let (mut page, _) = server.page(&server.session());
    for mode in modes {
        let players = json!({"white": "human", "red": mode});
        let mut state = page.change(json!({"type": "new", "board": 6, "pie": false,
            "players": players, "level": {"playouts": 10}}));
        while state["position"]["result"].is_null() {
            let mv = any_move(&mut page, &state);
            state = page.play(&mv);
        }
        let result = &state["position"]["result"];
        assert_eq!((&result["text"], &result["by"]), (&json!("W+F"), &json!("forfeit")));
        assert!(result["detail"].as_str().unwrap().starts_with(mode), "{result}");
    }
    // An error of one game is not reported in the next.
    let session = page.change(json!({"type": "new"}))["session"].clone();
    let (mut other, _) = server.page(session.as_str().unwrap());
    other.send(&json!({"type": "ping"}).to_string());
    let message = other.until(|message| message["type"] == "error" || message["type"] == "pong");
    assert_eq!(message["type"], "pong");
}

/// A search that is no longer needed is ended together with its process.
#[test]
fn an_undo_ends_a_foreign_engines_turn() {
    let server = Server::start("serve-stall", &["--engine", &spec("stall", "bad.py stall")]);
    let (mut page, _) = server.page(&server.session());
    let mut state = page.change(json!({"type": "new", "board": 6, "pie": false,
        "players": {"white": "human", "red": "stall"}, "level": {"playouts": 10}}));
    let mv = any_move(&mut page, &state);
    state = page.play(&mv);
    let mv = any_move(&mut page, &state);
    page.change(json!({"type": "play", "move": mv}));
    std::thread::sleep(Duration::from_millis(200));
    let state = page.change(json!({"type": "undo"}));
    assert!(state["thinking"].is_null());
    // Its search slot is free for the built-in engine.
    page.change(json!({"type": "settings", "players": {"white": "human", "red": "pontifex"}}));
    let state = page.play(&mv);
    assert_eq!(state["position"]["turn"], 5);
}

/// The engine ignores the end of its input, and has a child that does so too.
#[cfg(unix)]
#[test]
fn engines_end_with_a_server_that_is_killed() {
    let mark = new_mark();
    let deaf = spec("deaf", &format!("bad.py ignores-quit {mark}"));
    let server = Server::start("serve-killed", &["--engine", &deaf]);
    let (mut page, _) = server.page(&server.session());
    page.change(json!({"type": "new", "board": 6, "pie": false,
        "players": {"white": "human", "red": "deaf"}, "level": {"playouts": 10}}));
    page.play("a1,c3");
    // The server, whose arguments have the mark, the engine and its child.
    wait_for(&mark, 3);
    server.kill();
    assert!(wait_until_gone(&mark));
}

#[test]
fn wrong_engines_are_refused_at_the_start() {
    for (spec, words) in [
        ("cmd=./no-such-engine", "there is no file"),
        ("name=pontifex cmd=builtin", "the name 'pontifex' is taken"),
        ("name=x cmd=builtin", "cmd=builtin is there already"),
        ("name=x", "needs cmd"),
    ] {
        let output = crate::client::run(&["serve", "--engine", spec], b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(words), "{error}");
    }
}
