//! `/api/practice` over HTTP, and the page's size.

use serde_json::json;

use super::server::Server;

#[test]
fn lessons_and_puzzles_are_listed_and_answered() {
    let server = Server::start("serve-practice", &[]);
    let listed = server.get("/api/practice").json();
    assert!(listed["puzzles"].as_array().unwrap().len() >= 60);
    assert_eq!(listed["lessons"][0]["id"], "tiles");
    let ask = |message| server.post("/api/practice", &message).json();
    let fork = "lesson/fork/0";
    let played = ask(json!({"exercise": fork, "type": "play", "move": "d4,f6"}));
    assert_eq!((&played["type"], &played["right"]), (&json!("verdict"), &json!(true)));
    let illegal = ask(json!({"exercise": fork, "type": "play", "move": "b2,f6"}));
    assert_eq!(illegal["code"], "occupied");
    for message in [json!({"exercise": "puzzle/no", "type": "open"}), json!([]), json!({"type": 1})]
    {
        assert_eq!(ask(message)["type"], "error");
    }
    let (mut page, _) = server.page(&server.session());
    let state = page.ask(json!({"type": "new", "board": 6, "level": {"level": 1}, "hints": true}));
    assert_eq!((&state["type"], &state["rules"]["board"]), (&json!("state"), &json!(6)));
    let picture = server.get("/picture.svg");
    assert_eq!(picture.status, 200);
}
