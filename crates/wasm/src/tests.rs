//! Tests of hosts, as native code.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::host::Host;

fn new_host() -> Host {
    let mut host = Host::new("test", None, 16, 7.0).unwrap();
    host.join(1);
    take(&mut host);
    host
}

/// Takes all outputs, and confirms every game to save as saved.
fn take(host: &mut Host) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let outputs: Vec<Value> = serde_json::from_str(&host.take()).unwrap();
        let count = outputs.iter().filter(|output| output["session"].is_string()).count();
        all.extend(outputs);
        if count == 0 {
            return all;
        }
        host.saved(None);
    }
}

/// Sends a request and returns what follows from it at once.
fn ask(host: &mut Host, page: u32, message: &Value) -> Vec<Value> {
    host.receive(page, &message.to_string());
    take(host)
}

fn new_game(white: &str, red: &str, strength: &Value) -> Value {
    json!({
        "type": "new", "board": 5, "pie": false, "level": strength,
        "players": {"white": white, "red": red},
    })
}

/// The messages for page `page`.
fn messages_for(outputs: &[Value], page: u32) -> Vec<Value> {
    let mine = outputs.iter().filter(|output| output["to"] == page);
    mine.map(|output| serde_json::from_str(output["text"].as_str().unwrap()).unwrap()).collect()
}

/// Works until `is_done`, or fails after 20 seconds.
fn work(host: &mut Host, mut is_done: impl FnMut(&[Value]) -> bool) {
    let start = Instant::now();
    let mut all = Vec::new();
    while !is_done(&all) {
        assert!(start.elapsed() < Duration::from_secs(20), "{all:?}");
        host.work();
        all.extend(messages_for(&take(host), 1));
    }
}

fn is_over(messages: &[Value]) -> bool {
    messages.last().is_some_and(|last| last["type"] == "state" && !last["end"].is_null())
}

#[test]
fn engines_play_a_game_to_its_end_and_it_is_saved() {
    let mut host = new_host();
    let outputs = ask(&mut host, 1, &new_game("pontifex", "pontifex", &json!({"level": 2})));
    assert!(outputs[0]["session"].is_string(), "saved before anything else");
    let mut saved = None;
    let start = Instant::now();
    loop {
        host.work();
        let outputs = take(&mut host);
        let sessions = outputs.iter().filter_map(|output| output["session"].as_str());
        saved = sessions.map(str::to_owned).next_back().or(saved);
        if is_over(&messages_for(&outputs, 1)) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    let mut again = Host::new("test", saved, 16, 7.0).unwrap();
    again.join(5);
    let greeting = messages_for(&take(&mut again), 5);
    assert!(is_over(&greeting[..1]), "{greeting:?}");
    assert!(again.work().is_infinite(), "nothing is left to do");
}

#[test]
fn the_asking_page_gets_one_state_and_others_get_theirs() {
    let mut host = new_host();
    host.join(2);
    assert_eq!(messages_for(&take(&mut host), 2).len(), 1, "the state");
    let mut new = new_game("human", "human", &json!({"level": 1}));
    new["id"] = 17.into();
    let outputs = ask(&mut host, 1, &new);
    let (mine, others) = (messages_for(&outputs, 1), messages_for(&outputs, 2));
    assert_eq!((mine.len(), others.len()), (1, 1));
    assert_eq!(mine[0]["id"], 17);
    assert_eq!(others[0]["id"], Value::Null);
    let refused = ask(&mut host, 2, &json!({"type": "play", "move": "a1,a1", "id": 3}));
    assert_eq!((messages_for(&refused, 1).len(), messages_for(&refused, 2).len()), (0, 1));
    let nonsense = ask(&mut host, 2, &json!({"type": "nonsense", "id": 4}));
    assert_eq!(messages_for(&nonsense, 2)[0]["type"], "error");
}

#[test]
fn a_move_interrupts_an_endless_analysis_after_a_slice() {
    let mut host = new_host();
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    ask(&mut host, 1, &json!({"type": "analyze", "on": true}));
    work(&mut host, |messages| messages.iter().any(|message| message["type"] == "analysis"));
    let answer = messages_for(&ask(&mut host, 1, &json!({"type": "play", "move": "a1,c1"})), 1);
    let state = answer.iter().find(|message| message["type"] == "state").expect("a state");
    let node = state["current"].clone();
    // The search of the old position ends, that of the new one begins.
    work(&mut host, |messages| {
        messages.iter().any(|message| message["type"] == "analysis" && message["node"] == node)
    });
    ask(&mut host, 1, &json!({"type": "analyze", "on": false}));
    let start = Instant::now();
    while host.work() == 0.0 {
        assert!(start.elapsed() < Duration::from_secs(5), "the analysis goes on");
    }
}

#[test]
fn a_hint_comes_beside_an_analysis_and_a_new_game_ends_both() {
    let mut host = new_host();
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    ask(&mut host, 1, &json!({"type": "analyze", "on": true}));
    ask(&mut host, 1, &json!({"type": "hint"}));
    work(&mut host, |messages| messages.iter().any(|message| message["type"] == "hint"));
    ask(&mut host, 1, &json!({"type": "hint"}));
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    ask(&mut host, 1, &json!({"type": "analyze", "on": false}));
    let start = Instant::now();
    while host.work() == 0.0 {
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_foreign_engine_is_refused_in_one_line() {
    let mut host = new_host();
    let answer =
        messages_for(&ask(&mut host, 1, &new_game("other", "human", &json!({"level": 1}))), 1);
    assert_eq!(answer[0]["text"], "no engine is called other, there is pontifex");
}

#[test]
fn saved_sessions_are_checked() {
    for saved in ["", "{}", "[1]", "{\"version\":1}"] {
        let error = Host::new("test", Some(saved.to_owned()), 16, 7.0).unwrap_err();
        assert!(error.starts_with("the saved game is damaged: "), "{error}");
    }
}

#[test]
fn a_game_that_cannot_be_saved_continues_and_pages_are_told() {
    let mut host = new_host();
    host.join(2);
    host.leave(2);
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    host.receive(1, &json!({"type": "play", "move": "a1,c1"}).to_string());
    let outputs: Vec<Value> = serde_json::from_str(&host.take()).unwrap();
    assert!(outputs.len() == 1 && outputs[0]["own"] == true, "no page hears of it before");
    host.saved(Some("the browser's storage is full".to_owned()));
    let messages = messages_for(&take(&mut host), 1);
    assert_eq!(messages[0]["position"]["turn"], 2);
    assert_eq!(messages[0]["unsaved"], "the browser's storage is full");
    let notice = messages.iter().find(|message| message["type"] == "error").unwrap();
    assert_eq!(notice["text"], "the game cannot be saved: the browser's storage is full");
    assert!(host.work() > 500.0, "it is tried again, but not at once");
    let messages = messages_for(&ask(&mut host, 1, &json!({"type": "play", "move": "a5,c5"})), 1);
    assert_eq!(messages.last().unwrap()["unsaved"], Value::Null);
}

#[test]
fn games_are_exported() {
    let mut host = new_host();
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    let outputs = ask(&mut host, 1, &json!({"type": "play", "move": "a1,c1"}));
    assert!(outputs[0]["session"].is_string() && outputs[0]["entry"].is_object(), "{outputs:?}");
    assert_eq!((outputs.len(), &outputs[1]["to"]), (2, &json!(1)));
    let moves: Value = serde_json::from_str(&host.export("moves", None).unwrap()).unwrap();
    assert!(moves["text"].as_str().unwrap().contains("a1,c1"));
    assert_eq!(
        (&moves["extension"], &moves["kind"]),
        (&json!("txt"), &json!("text/plain; charset=utf-8"))
    );
    assert!(host.export("svg", Some(0)).unwrap().contains("<svg"));
    assert!(host.export("moves", Some(9)).is_err() && host.export("pdf", None).is_err());
}
