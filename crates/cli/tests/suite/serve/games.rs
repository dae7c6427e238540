//! Games against the engine: playing, saving, analysis and review.

use std::time::Duration;

use pontifex::game::Move;
use pontifex::notation::Record;
use serde_json::{Value, json};

use super::server::{Page, Server, any_move, small_game};

fn is_over(state: &Value) -> bool {
    !state["position"]["result"].is_null()
}

/// Plays a game to its end. Returns its last state.
fn play_out(page: &mut Page, mut state: Value) -> Value {
    while !is_over(&state) {
        let mv = any_move(page, &state);
        state = page.play(&mv);
    }
    state
}

#[test]
fn a_whole_game_against_the_engine() {
    let server = Server::start("serve-game", &[]);
    let session = server.session();
    let (mut page, first) = server.page(&session);
    assert_eq!(first["session"], session.as_str());
    assert_eq!(first["rules"], json!({"board": 10, "supply": "standard", "pie": true}));
    assert_eq!(first["players"], json!({"white": "human", "red": "pontifex"}));
    assert_eq!(first["position"]["legal"]["cells"].as_array().unwrap().len(), 100);
    let state = page.change(small_game(&json!({"playouts": 20})));
    let state = play_out(&mut page, state);
    assert_eq!(state["position"]["status"], "over");
    assert_eq!(state["position"]["result"]["by"], "score");
    let answer = page.ask(json!({"type": "play", "move": "a1,a2"}));
    assert_eq!(answer["type"], "error", "{answer}");

    // The downloaded record is the same game, by the rules of the library.
    let export = server.get(&format!("/api/sessions/{session}/export?format=sgf"));
    assert!(export.head.contains("attachment"), "{export:?}");
    let record = Record::parse(&export.body).unwrap();
    let tree = state["tree"].as_array().unwrap();
    let moves: Vec<Move> =
        tree[1..].iter().map(|node| node["move"].as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(record.moves.iter().map(|recorded| recorded.mv).collect::<Vec<_>>(), moves);
    let end = record.position_after(moves.len()).unwrap();
    assert_eq!(state["position"]["text"], end.to_string());
    assert_eq!(record.result.unwrap().to_string(), state["position"]["result"]["text"]);
    for (format, words) in [("position", " over"), ("record", ","), ("json", "{")] {
        let export = server.get(&format!("/api/sessions/{session}/export?format={format}"));
        assert!(export.status == 200 && export.body.contains(words), "{export:?}");
    }
}

#[test]
fn a_reload_and_a_power_cut_find_the_game_as_it_was() {
    let server = Server::start("serve-kept", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    let state = page.change(small_game(&json!({"playouts": 10})));
    let mv = any_move(&mut page, &state);
    page.play(&mv);
    page.change(json!({"type": "goto", "node": 0}));
    let state = page.play("e1,e5");
    page.vanish();
    let (mut page, again) = server.page(&session);
    let assert_same = |a: &Value, b: &Value| {
        let keys =
            ["game", "rules", "players", "level", "tree", "current", "tip", "main", "position"];
        for key in keys {
            assert_eq!(a[key], b[key], "{key}");
        }
    };
    assert_same(&again, &state);
    assert_eq!(state["tree"].as_array().unwrap().len(), 5);
    let state = page.change(json!({"type": "undo"}));
    let data = server.kill();

    let server = Server::start_in(data, &[]);
    let (mut page, again) = server.page(&session);
    assert_same(&again, &state);
    let state = page.play("e1,e5");
    assert!(state["position"]["turn"].as_u64().unwrap() >= 3, "the engine answers: {state}");
    drop(page);

    // A file that something else has written to is set aside.
    let data = server.kill();
    let file = data.join(format!("{session}.json"));
    std::fs::write(&file, "{\"version\":1,\"board\":5").unwrap();
    let server = Server::start_in(data, &[]);
    assert!(server.try_page(&session).is_err());
    assert_eq!(Server::files(&server.data, "damaged").len(), 1);
    let (_, state) = server.page(&server.session());
    assert_eq!(state["current"], 0);
}

#[test]
fn a_page_that_reconnects_is_told_who_thinks() {
    let server = Server::start("serve-back", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    page.change(small_game(&json!({"time": 600.0})));
    page.change(json!({"type": "play", "move": "a1,c3"}));
    let server = Server::start_in(server.kill(), &[]);
    let mut page = server.try_page(&session).unwrap();
    let thinking = json!({"player": "red", "engine": "pontifex"});
    page.until(|message| message["type"] == "state" && message["thinking"] == thinking);
}

#[cfg(unix)]
#[test]
fn signals_end_the_server_in_order_while_an_engine_thinks() {
    for (signal, code) in [("-INT", 130), ("-TERM", 0)] {
        let server = Server::start(&format!("serve-signal{signal}"), &[]);
        let session = server.session();
        let (mut page, _) = server.page(&session);
        page.change(small_game(&json!({"time": 600.0})));
        page.change(json!({"type": "play", "move": "a1,c3"}));
        let data = server.data.clone();
        assert_eq!(server.signal(signal), Some(code));
        let server = Server::start_in(data, &[]);
        let (_, state) = server.page(&session);
        assert_eq!(state["tree"][1]["move"], "a1,c3");
    }
}

#[test]
fn two_games_at_once_and_two_pages_of_each() {
    let server = Server::start("serve-two", &[]);
    let sessions = [server.session(), server.session()];
    assert_ne!(sessions[0], sessions[1]);
    std::thread::scope(|scope| {
        for session in &sessions {
            let server = &server;
            scope.spawn(move || {
                let (mut page, _) = server.page(session);
                let (mut other, _) = server.page(session);
                let state = page.change(small_game(&json!({"playouts": 20})));
                let state = play_out(&mut page, state);
                let other_state = other.until(is_over_state);
                assert_eq!(other_state["position"], state["position"]);
            });
        }
    });
}

#[test]
fn a_position_as_the_page_sees_it() {
    let server = Server::start("serve-state", &[]);
    let (mut page, _) = server.page(&server.session());
    let humans = json!({"white": "human", "red": "human"});
    page.change(json!({"type": "new", "players": humans}));
    page.play("a1,b1");
    page.play("j9,j10");
    let state = page.play("a2,b2");
    let position = &state["position"];
    assert_eq!(position["islands"][0]["cells"], json!(["a1", "a2", "b1", "b2"]));
    assert_eq!(position["networks"][0]["points"], 1);
    assert_eq!(position["score"]["white"]["islands"], 1);
    assert_eq!(position["supply"], json!({"white": 36, "red": 38, "bridges": 15}));
    assert_eq!(position["last"], json!({"move": "a2,b2", "player": "white"}));
    assert_eq!(position["turn"], 4);
    assert_eq!(state["tree"][3]["turn"], 3);
    assert_eq!(state["clock"], json!({"kind": "none"}));
    let red = position["candidates"]["red"].as_array().unwrap();
    assert!(red.contains(&json!("c3")), "{red:?}");
    assert!(!red.contains(&json!("a1")), "{red:?}");
}

#[test]
fn all_fields_of_a_new_game_are_read() {
    let server = Server::start("serve-new", &[]);
    let (mut page, _) = server.page(&server.session());
    let state = page.change(json!({
        "type": "new", "board": 8, "supply": "unlimited", "pie": false,
        "players": {"white": "human", "red": "pontifex"}, "level": {"playouts": 10},
        "clock": {"kind": "byoyomi", "main": 0, "period": 10, "count": 3},
    }));
    assert_eq!(state["rules"], json!({"board": 8, "supply": "unlimited", "pie": false}));
    assert_eq!(state["players"], json!({"white": "human", "red": "pontifex"}));
    assert_eq!(state["level"], json!({"playouts": 10}));
    let clock = &state["clock"];
    assert_eq!((&clock["kind"], &clock["count"]), (&json!("byoyomi"), &json!(3)));
    let state = page.change(json!({"type": "new", "clock": {"kind": "none"}}));
    assert_eq!(state["rules"], json!({"board": 10, "supply": "standard", "pie": true}));
    page.change(json!({"type": "review", "cancel": true}));
    page.change(json!({"type": "analyze", "on": true, "multi": 3}));
}

fn is_over_state(message: &Value) -> bool {
    message["type"] == "state" && is_over(message)
}

#[test]
fn taking_back_variations_swapping_and_resigning() {
    let server = Server::start("serve-tree", &[]);
    let (mut page, _) = server.page(&server.session());
    let humans = json!({"white": "human", "red": "human"});
    page.change(json!({"type": "new", "board": 8, "pie": true, "players": humans}));
    page.change(json!({"type": "settings", "players": {"white": "human", "red": "pontifex"},
        "level": {"playouts": 5}}));
    page.change(json!({"type": "settings", "players": humans}));
    page.change(json!({"type": "play", "move": "d4,e5"}));
    let state = page.change(json!({"type": "play", "move": "swap"}));
    assert_eq!(state["position"]["to_move"], "red");
    // A move that is taken back no longer belongs to the game.
    let state = page.change(json!({"type": "undo"}));
    assert_eq!((&state["current"], &state["main"]), (&json!(1), &json!([0, 1])));
    let state = page.change(json!({"type": "play", "move": "a1,h8"}));
    let node = state["current"].clone();
    assert_eq!(state["main"], json!([0, 1, node]));
    // A variation stays until it is deleted.
    let aside = json!({"type": "play", "move": "a1,b8", "node": 1, "aside": true});
    let variation = page.ask(aside)["node"].clone();
    let state = page.change(json!({"type": "delete", "node": variation}));
    assert_eq!((&state["current"], &state["main"]), (&node, &json!([0, 1, node])));
    assert_eq!(state["tree"].as_array().map(Vec::len), Some(3));

    let state = page.change(json!({"type": "resign", "player": "red"}));
    let result = &state["position"]["result"];
    assert_eq!(
        *result,
        json!({"winner": "white", "text": "W+R", "by": "resignation", "detail": null, "passed": null})
    );

    let text = "d4,e6 c3,g6 d4-e6";
    let state = page.change(json!({"type": "load", "text": text, "name": null}));
    assert_eq!((&state["current"], &state["tip"]), (&json!(3), &Value::Null));
    let answer = page.ask(json!({"type": "load", "text": "d4,e6 d4,e7"}));
    assert!(answer["text"].as_str().unwrap().contains("move 2"), "{answer}");
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let server = Server::start("serve-clock", &[]);
    let (mut page, _) = server.page(&server.session());
    let humans = json!({"white": "human", "red": "human"});
    let state = page.change(json!({"type": "new", "board": 8, "players": humans,
        "clock": {"kind": "fischer", "main": 6.0, "increment": 6.0}}));
    assert_eq!(state["clock"]["kind"], "fischer");
    let state = page.change(json!({"type": "play", "move": "d4,e5"}));
    assert!(state["clock"]["white"]["left"].as_f64().unwrap() > 6.0, "{}", state["clock"]);
    let clock = page.next("clock");
    assert_eq!(clock["running"], "red");
    let state = page.until(is_over_state);
    assert_eq!(state["position"]["result"]["text"], "W+T");
    assert_eq!(state["position"]["result"]["by"], "time");
    let (mut other, _) = server.page(state["session"].as_str().unwrap());
    other.send(&json!({"type": "ping"}).to_string());
    let message = other.until(|message| message["type"] == "clock" || message["type"] == "pong");
    assert_eq!(message["type"], "pong", "no clock of what is over");
    let answer = page.ask(json!({"type": "new", "clock": {"kind": "absolute", "main": -5.0}}));
    assert_eq!(answer["type"], "error");
}

#[test]
fn analysis_streams_and_follows_the_current_node() {
    let server = Server::start("serve-analysis", &[]);
    let (mut page, _) = server.page(&server.session());
    let humans = json!({"white": "human", "red": "human"});
    page.change(json!({"type": "new", "board": 8, "pie": false, "players": humans}));
    let state = page.change(json!({"type": "analyze", "on": true, "ownership": true, "multi": 3}));
    assert_eq!(state["analysis"], true);
    let first = page.next("analysis");
    for _ in 0..10 {
        assert_eq!(page.next("analysis")["node"], 0);
    }
    assert!(first["moves"].as_array().unwrap().len() <= 3);
    assert!(first["root"]["winrate"].is_f64(), "{first}");
    assert!(first["ownership"]["white"].is_object(), "{first}");
    page.change(json!({"type": "play", "move": "d4,e5"}));
    let next = page.until(|message| message["type"] == "analysis" && message["node"] == 1);
    assert_eq!(next["to_move"], "red");
    let best = next["moves"][0]["move"].as_str().unwrap();
    assert_eq!(next["moves"][0]["pv"][0], best);
    let state = page.change(json!({"type": "analyze", "on": false}));
    assert_eq!(state["analysis"], false);
    page.ask(json!({"type": "ping"}));
    std::thread::sleep(Duration::from_millis(300));
    page.send("{\"type\":\"ping\",\"id\":99}");
    while let Some(message) = page.read() {
        assert_ne!(message["type"], "analysis");
        if message["id"] == 99 {
            assert_eq!(message["type"], "pong");
            break;
        }
    }
}

#[test]
fn an_analysis_leaves_no_values_in_the_next_game() {
    let server = Server::start("serve-next-game", &[]);
    let (mut page, _) = server.page(&server.session());
    for _ in 0..5 {
        let humans = json!({"white": "human", "red": "human"});
        page.change(json!({"type": "new", "board": 8, "pie": false, "players": humans}));
        page.change(json!({"type": "analyze", "on": true}));
        page.next("analysis");
        // There is nothing to analyse in a game that is over.
        page.change(json!({"type": "load", "text": "4/4/4/4 w - over"}));
        std::thread::sleep(Duration::from_millis(100));
        let state = page.change(json!({"type": "goto", "node": 0}));
        assert!(state["tree"][0]["winrate"].is_null(), "{}", state["tree"]);
    }
}

#[test]
fn a_review_tells_what_every_turn_cost() {
    let server = Server::start("serve-review", &[]);
    let (mut page, _) = server.page(&server.session());
    let answer = page.ask(json!({"type": "review", "playouts": 50}));
    assert_eq!(answer["type"], "error");
    let text = "# board: 6\na1,a6 c3,d4 f1,f6 c4,d3";
    page.change(json!({"type": "load", "text": text}));
    let state = page.change(json!({"type": "review", "playouts": 50}));
    assert_eq!(state["review"], json!({"node": 4}));
    // Only the newest message of each kind is sent, so the two may come in either order.
    let mut idle = None;
    let review = page.until(|message| {
        if message["type"] == "state" && message["review"].is_null() {
            idle = Some(message.clone());
        }
        message["type"] == "review" && message["finished"] == true
    });
    let turns = review["turns"].as_array().unwrap();
    assert_eq!((turns.len(), &review["total"]), (4, &json!(4)));
    for (number, turn) in turns.iter().enumerate() {
        assert_eq!(turn["turn"], number + 1);
        assert_eq!(turn["node"], number + 1);
        assert!(turn["loss"]["winrate"].as_f64().unwrap() >= 0.0, "{turn}");
        assert!(turn["best"] == turn["pv"][0] && turn["winrate"].is_f64(), "{turn}");
        let loss = turn["loss"]["winrate"].as_f64().unwrap();
        assert_eq!(turn["grade"].is_null(), loss < 0.05, "{turn}");
    }
    assert_eq!(review["summary"]["red"]["turns"], 2);
    let is_idle = |message: &Value| message["type"] == "state" && message["review"].is_null();
    let state = idle.unwrap_or_else(|| page.until(is_idle));
    assert!(state["tree"][3]["winrate"].is_f64(), "{}", state["tree"]);
    page.change(json!({"type": "review", "time": 10.0}));
    let state = page.change(json!({"type": "review", "cancel": true}));
    assert!(state["review"].is_null());
}

#[test]
fn move_now_and_undo_end_the_engines_search() {
    let server = Server::start("serve-now", &[]);
    let (mut page, _) = server.page(&server.session());
    page.change(small_game(&json!({"time": 600.0})));
    let state = page.change(json!({"type": "play", "move": "a1,c3"}));
    assert_eq!(state["thinking"], json!({"player": "red", "engine": "pontifex"}));
    let thinking = page.next("thinking");
    assert!(thinking["player"] == "red" && thinking["move"].is_string(), "{thinking}");
    let state = page.change(json!({"type": "move_now"}));
    let state = page.wait_for_human(state);
    assert_eq!(state["position"]["turn"], 3);
    // The engine has already moved.
    let state = page.change(json!({"type": "move_now", "node": 1}));
    assert!(state["thinking"].is_null());
    let mv = any_move(&mut page, &state);
    page.change(json!({"type": "play", "move": mv}));
    let state = page.change(json!({"type": "undo"}));
    assert!(state["thinking"].is_null());
    assert_eq!(state["position"]["turn"], 3);
    // The engine moves in a human's place.
    page.change(json!({"type": "settings", "level": {"playouts": 10}}));
    let state = page.change(json!({"type": "move_now"}));
    assert_eq!(state["thinking"], json!({"player": "white", "engine": "pontifex"}));
    let state = page.wait_for_human(state);
    assert_eq!(state["position"]["turn"], 5);
}
