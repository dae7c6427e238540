//! Tests of hosts, on the machine's own processor.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::host::{Host, Output};

fn host() -> Host {
    let mut host = Host::new("test", None, 16, 7).unwrap();
    host.join(1);
    host.take();
    host
}

/// Sends a request and returns what follows from it at once.
fn ask(host: &mut Host, page: u32, message: &Value) -> Vec<Output> {
    host.receive(page, &message.to_string());
    host.take()
}

fn new_game(white: &str, red: &str, level: &Value) -> Value {
    json!({
        "type": "new", "board": 5, "pie": false, "level": level,
        "players": {"white": white, "red": red},
    })
}

/// What page `page` gets.
fn heard(outputs: &[Output], page: u32) -> Vec<Value> {
    let text = |output: &Output| match output {
        Output::One(to, text) if *to == page => Some(text.clone()),
        Output::All(text, except) if *except != Some(page) => Some(text.clone()),
        _ => None,
    };
    outputs.iter().filter_map(text).map(|text| serde_json::from_str(&text).unwrap()).collect()
}

/// Works until `is_done`, or fails after 20 seconds.
fn work(host: &mut Host, mut is_done: impl FnMut(&[Value]) -> bool) {
    let start = Instant::now();
    let mut all = Vec::new();
    while !is_done(&all) {
        assert!(start.elapsed() < Duration::from_secs(20), "{all:?}");
        host.work();
        all.extend(heard(&host.take(), 1));
    }
}

fn is_over(messages: &[Value]) -> bool {
    messages.last().is_some_and(|last| last["type"] == "state" && !last["end"].is_null())
}

#[test]
fn engines_play_a_game_to_its_end_and_it_is_saved() {
    let mut host = host();
    let outputs = ask(&mut host, 1, &new_game("pontifex", "pontifex", &json!({"level": 2})));
    assert!(matches!(outputs[0], Output::Save { .. }), "saved before anything else");
    let mut saved = None;
    let start = Instant::now();
    loop {
        host.work();
        let outputs = host.take();
        for output in &outputs {
            if let Output::Save { session, .. } = output {
                saved = Some(session.clone());
            }
        }
        if is_over(&heard(&outputs, 1)) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    let mut again = Host::new("test", saved.as_deref(), 16, 7).unwrap();
    again.join(5);
    let greeting = heard(&again.take(), 5);
    assert!(is_over(&greeting[..1]), "{greeting:?}");
    assert!(again.work().is_infinite(), "nothing is left to do");
}

#[test]
fn the_asking_page_gets_one_state_and_others_get_theirs() {
    let mut host = host();
    host.join(2);
    assert_eq!(heard(&host.take(), 2).len(), 1, "the state");
    let mut new = new_game("human", "human", &json!({"level": 1}));
    new["id"] = 17.into();
    let outputs = ask(&mut host, 1, &new);
    let (mine, others) = (heard(&outputs, 1), heard(&outputs, 2));
    assert_eq!((mine.len(), others.len()), (1, 1));
    assert_eq!(mine[0]["id"], 17);
    assert_eq!(others[0]["id"], Value::Null);
    let refused = ask(&mut host, 2, &json!({"type": "play", "move": "a1,a1", "id": 3}));
    assert_eq!((heard(&refused, 1).len(), heard(&refused, 2).len()), (0, 1));
    let nonsense = ask(&mut host, 2, &json!({"type": "nonsense", "id": 4}));
    assert_eq!(heard(&nonsense, 2)[0]["type"], "error");
}

#[test]
fn an_endless_analysis_hears_a_move_after_each_slice() {
    let mut host = host();
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    ask(&mut host, 1, &json!({"type": "analyze", "on": true}));
    work(&mut host, |messages| messages.iter().any(|message| message["type"] == "analysis"));
    let answer = heard(&ask(&mut host, 1, &json!({"type": "play", "move": "a1,c1"})), 1);
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
    let mut host = host();
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
    let mut host = host();
    let answer = heard(&ask(&mut host, 1, &new_game("other", "human", &json!({"level": 1}))), 1);
    assert_eq!(answer[0]["text"], "no engine is called other, there is pontifex");
}

#[test]
fn what_was_saved_is_checked() {
    for saved in ["", "{}", "[1]", "{\"version\":1}"] {
        let error = Host::new("test", Some(saved), 16, 7).unwrap_err();
        assert!(error.starts_with("the saved game is damaged: "), "{error}");
    }
}

#[test]
fn a_game_that_cannot_be_saved_goes_on_and_pages_are_told() {
    let mut host = host();
    host.join(2);
    host.leave(2);
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    host.not_saved("the browser's storage is full");
    let told = heard(&host.take(), 1);
    assert_eq!(told[0]["text"], "the game cannot be saved: the browser's storage is full");
    assert_eq!(told[1]["unsaved"], "the browser's storage is full");
    let answer = heard(&ask(&mut host, 1, &json!({"type": "play", "move": "a1,c1"})), 1);
    let state = answer.iter().find(|message| message["position"]["turn"] == 2).unwrap();
    assert_eq!(state["unsaved"], "the browser's storage is full");
    host.saved();
    let told = heard(&host.take(), 1);
    assert_eq!((told.len(), &told[0]["unsaved"]), (1, &Value::Null));
}

#[test]
fn games_are_exported_and_outputs_are_json() {
    let mut host = host();
    ask(&mut host, 1, &new_game("human", "human", &json!({"level": 1})));
    let outputs = ask(&mut host, 1, &json!({"type": "play", "move": "a1,c1"}));
    let json: Vec<Value> = outputs.iter().map(Output::to_json).collect();
    assert!(json[0]["session"].is_string() && json[0]["entry"].is_string(), "{json:?}");
    assert_eq!(json[1]["except"], 1, "the page has the answer");
    assert_eq!(json[2]["to"], 1);
    let moves = host.export("moves", None).unwrap();
    assert!(String::from_utf8(moves.bytes).unwrap().contains("a1,c1"));
    assert_eq!((moves.extension, moves.kind), ("txt", "text/plain; charset=utf-8"));
    assert!(host.export("svg", Some(0)).unwrap().bytes.starts_with(b"<svg"));
    assert!(host.export("moves", Some(9)).is_err() && host.export("pdf", None).is_err());
}
