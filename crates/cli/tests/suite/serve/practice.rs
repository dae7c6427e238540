//! `/api/practice` over HTTP: listing, answering, and that it waits for no search.

use std::time::{Duration, Instant};

use serde_json::json;

use super::server::Server;

#[test]
fn lessons_and_puzzles_are_listed_and_answered() {
    let server = Server::start("serve-practice", &[]);
    let listing = server.get("/api/practice").json();
    assert!(listing["puzzles"].as_array().unwrap().len() >= 60);
    assert_eq!(listing["lessons"][0]["id"], "tiles");
    let ask = |message| server.post("/api/practice", &message).json();
    let fork = "lesson/fork/0";
    let verdict = ask(json!({"exercise": fork, "type": "play", "move": "d4,f6"}));
    assert_eq!((&verdict["type"], &verdict["right"]), (&json!("verdict"), &json!(true)));
    let illegal = ask(json!({"exercise": fork, "type": "play", "move": "b2,f6"}));
    assert_eq!(illegal["code"], "occupied");
    for message in [json!({"exercise": "puzzle/no", "type": "open"}), json!([]), json!({"type": 1})]
    {
        assert_eq!(ask(message)["type"], "error");
    }
    // A first game after the lessons: against level 1, on a small board.
    let (mut page, _) = server.page(&server.session());
    let state = page.ask(json!({"type": "new", "board": 6, "level": {"level": 1}}));
    assert_eq!((&state["type"], &state["rules"]["board"]), (&json!("state"), &json!(6)));
}

#[test]
fn exercises_open_while_searches_hold_all_slots() {
    // Two threads make two search slots.
    let server = Server::start("serve-practice-busy", &[]);
    let engines = json!({"white": "pontifex", "red": "pontifex"});
    let mut pages: Vec<_> = (0..3).map(|_| server.page(&server.session()).0).collect();
    for page in &mut pages {
        let state = page.ask(json!({"type": "new", "players": engines, "level": {"time": 100}}));
        assert_eq!(state["thinking"]["engine"], "pontifex");
    }
    assert_eq!(pages[2].next("thinking")["queued"], true);
    let start = Instant::now();
    let puzzle = format!("puzzle/{}", pontifex::puzzles::collection()[0].id);
    for message in [
        json!({"exercise": puzzle, "type": "open"}),
        json!({"exercise": puzzle, "type": "why", "cell": "a1"}),
        json!({"exercise": "lesson/fork/0", "type": "play", "move": "d4,f6"}),
        json!({"exercise": "lesson/fork/0", "type": "show"}),
    ] {
        assert_ne!(server.post("/api/practice", &message).json()["type"], "error", "{message}");
    }
    server.get("/api/practice").json();
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
