//! Variations: the tree of a game, and its way through a record.

use pontifex::game::Move;
use pontifex::notation::{Record, VariationMove, sgf};
use serde_json::{Value, json};

use super::server::{Page, Server};

fn goto(page: &mut Page, node: u32) -> Value {
    page.change(json!({"type": "goto", "node": node}))
}

/// A new game between humans with two variations after its first move.
fn two_lines(server: &Server, session: &str) -> (Page, Value) {
    let (mut page, _) = server.page(session);
    let humans = json!({"white": "human", "red": "human"});
    page.change(json!({"type": "new", "players": humans}));
    for mv in ["a1,c1", "e1,g1", "d9,f9"] {
        page.play(mv);
    }
    goto(&mut page, 1);
    page.play("swap");
    let state = page.play("a9,c9");
    (page, state)
}

#[test]
fn variations_share_their_common_moves() {
    let server = Server::start("serve-variations", &[]);
    let session = server.session();
    let (mut page, state) = two_lines(&server, &session);
    assert_eq!(state["tree"].as_array().unwrap().len(), 6);
    assert_eq!(state["main"], json!([0, 1, 4, 5]));
    assert_eq!(state["tree"][5]["player"], "red");
    goto(&mut page, 3);
    assert_eq!(goto(&mut page, 1)["main"], json!([0, 1, 2, 3]));
    // Every change is saved, the main line included.
    goto(&mut page, 0);
    let server = Server::start_in(server.kill(), &[]);
    let (mut page, state) = server.page(&session);
    assert_eq!((&state["current"], &state["main"]), (&json!(0), &json!([0, 1, 2, 3])));

    let delete = |page: &mut Page, node: u32| page.ask(json!({"type": "delete", "node": node}));
    goto(&mut page, 3);
    let state = delete(&mut page, 2);
    assert_eq!((&state["current"], &state["main"]), (&json!(1), &json!([0, 1, 4, 5])));
    assert_eq!(delete(&mut page, 2)["type"], "error", "there is no such node");
    assert_eq!(delete(&mut page, 0)["type"], "error", "the start stays");
    let answer = page.ask(json!({"type": "play", "move": "a1,b1"}));
    assert_eq!(answer["type"], "illegal");
    assert_eq!(page.play("e1,g1")["current"], 6, "a new number");
    assert_eq!(delete(&mut page, 6)["current"], 1);
    assert_eq!(page.play("e1,g1")["current"], 7, "no number is used twice");
}

#[test]
fn variations_survive_a_round_trip_through_a_record() {
    let server = Server::start("serve-export", &[]);
    let session = server.session();
    let (mut page, state) = two_lines(&server, &session);
    let answer = server.get(&format!("/api/sessions/{session}/export?format=sgf&node=3"));
    assert_eq!(answer.status, 200, "{answer:?}");
    let mut record = Record::parse(&answer.body).unwrap();
    let mut load = |text: &str| page.change(json!({"type": "load", "text": text}));
    let loaded = load(&answer.body);
    assert_eq!((&loaded["current"], &loaded["tip"]), (&json!(3), &Value::Null));
    assert_eq!(loaded["main"], json!([0, 1, 2, 3]));
    assert_eq!(loaded["tree"], state["tree"]);
    let mv = |text: &str| text.parse::<Move>().unwrap();
    // Illegal variations are dropped, the others are loaded.
    record.variations[0].recorded.mv = mv("a1,a2");
    record.variations.push(VariationMove { parent: 3, recorded: mv("j1,j3").into() });
    let loaded = load(&sgf::write(&record));
    assert_eq!(loaded["tree"].as_array().unwrap().len(), 5);
}
