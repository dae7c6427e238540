//! Damaged messages and files for the server: each is answered or refused in one short line, and
//! the server keeps running.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Page, Server, small_game};
use crate::client::test_folder;
use crate::damaged::{LONGEST_LINE, tries};
use pontifex_testing::damage;
use pontifex_testing::random_games::Gambler;

const MESSAGES: [&str; 32] = [
    r#"{"type":"new","board":5,"supply":"standard","pie":false,"players":{"white":"human","red":"pontifex"},"level":{"playouts":3},"clock":{"kind":"none"}}"#,
    r#"{"type":"new","board":6,"players":{"white":"human","red":"human"},"clock":{"kind":"fischer","main":60,"increment":2}}"#,
    r#"{"type":"new","board":4,"clock":{"kind":"byoyomi","main":10,"period":5,"count":3}}"#,
    r#"{"type":"settings","players":{"white":"human","red":"human"},"level":{"level":2}}"#,
    r#"{"type":"play","move":"a1,c3"}"#,
    r#"{"type":"play","move":"d4-d2","node":1,"aside":true}"#,
    r#"{"type":"view","node":0}"#,
    r#"{"type":"seconds","first":"d4","node":0}"#,
    r#"{"type":"why","move":"a1,a2"}"#,
    r#"{"type":"why","first":"a1","cell":"a2","node":0}"#,
    r#"{"type":"why","from":"a1"}"#,
    r#"{"type":"check","text":"w4/5/5/5/4r w - -"}"#,
    r#"{"type":"check","text":"(;GM[ponte]SZ[5];W[a1,b3];B[c5,e2])"}"#,
    r#"{"type":"hint","node":0}"#,
    r#"{"type":"retry","node":1,"move":"a1,c5"}"#,
    r#"{"type":"rematch","level":{"playouts":2}}"#,
    r#"{"type":"goto","node":0}"#,
    r#"{"type":"undo"}"#,
    r#"{"type":"delete","node":1}"#,
    r#"{"type":"new","board":5,"link":"ab-2","players":{"white":"human","red":"friend"}}"#,
    r#"{"type":"continue","moves":["a1,b3","swap","c5,e2"],"resigned":"red"}"#,
    r#"{"type":"sent","node":1}"#,
    r#"{"type":"enter","token":"annaannaannaanna","key":"keykeykeykeykeyk"}"#,
    r#"{"type":"offer","offer":"takeback"}"#,
    r#"{"type":"decline"}"#,
    r#"{"type":"resign","player":"white"}"#,
    r#"{"type":"move_now","node":0}"#,
    r#"{"type":"analyze","on":true,"ownership":true,"multi":5}"#,
    r#"{"type":"analyze","on":false}"#,
    r#"{"type":"review","playouts":2,"once":true}"#,
    r#"{"type":"load","text":"board: 5\na1,b3 c5,e2 d1,e5","players":{"white":"human","red":"human"},"play":true}"#,
    r#"{"type":"load","text":"{\"header\":{},\"moves\":[[{\"move\":\"a1,b3\"}]]}"}"#,
];

/// Fails if the text of an error is not one short line.
fn inspect(text: &str, input: &str) {
    let length = text.chars().count();
    assert!(length <= LONGEST_LINE, "{length} characters for {input:?}: {text}");
    assert!(!text.contains(char::is_control), "{text:?} for {input:?}");
}

/// Waits for the answer to a `ping`, and inspects the errors before it. Returns `false` if the
/// server closes the page instead.
fn settle(page: &mut Page, id: u64, input: &str) -> bool {
    page.try_send(json!({"type": "ping", "id": id}).to_string());
    while let Some(message) = page.read() {
        if message["type"] == "error" || message["type"] == "illegal" {
            inspect(message["text"].as_str().unwrap_or_default(), input);
        }
        if message["type"] == "pong" && message["id"] == id {
            return true;
        }
    }
    false
}

/// `PONTIFEX_DAMAGED_MESSAGES` sets the number of messages.
#[test]
fn damaged_messages_are_answered_or_refused_in_one_line() {
    let (number, longest) = tries("PONTIFEX_DAMAGED_MESSAGES", 1000);
    let server = Server::start("damaged-messages", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    page.change(small_game(&json!({"playouts": 3})));
    let mut random = Gambler::new(44);
    let mut slowest = Duration::ZERO;
    for index in 0..number {
        let text = MESSAGES[random.below(MESSAGES.len() as u32) as usize];
        let bytes =
            if random.one_in(4) { text.into() } else { damage(text.as_bytes(), &mut random) };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let start = Instant::now();
        page.try_send(text.clone());
        if !settle(&mut page, 1_000_000 + u64::from(index), &text) {
            page = server.page(&session).0;
        }
        let elapsed = start.elapsed();
        assert!(elapsed <= longest, "{elapsed:?} for {text:?}");
        slowest = slowest.max(elapsed);
        if random.one_in(20) {
            let body: Value = json!({"text": text, "format": "sgf"});
            let answer = server.post("/api/convert", &body);
            if answer.status != 200 {
                inspect(answer.json()["error"].as_str().unwrap(), &text);
            }
        }
    }
    println!("{number} messages, the slowest took {slowest:?}");
    assert_eq!(server.get("/api/info").status, 200);
}

/// `PONTIFEX_DAMAGED_SESSIONS` sets the number of files.
#[test]
fn damaged_sessions_are_read_or_set_aside() {
    let (number, longest) = tries("PONTIFEX_DAMAGED_SESSIONS", 40);
    let server = Server::start_in(test_folder("damaged-sessions"), &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    let game = json!({
        "type": "new", "board": 5, "pie": false, "players": {"white": "human", "red": "human"},
        "clock": {"kind": "fischer", "main": 600, "increment": 2},
    });
    page.change(game);
    for mv in ["a1,c3", "e5,b4", "a3,e1"] {
        page.change(json!({"type": "play", "move": mv}));
    }
    page.vanish();
    let data = server.kill();
    let saved = fs::read(&Server::files(&data, "json")[0]).unwrap();
    let mut random = Gambler::new(44);
    let ids: Vec<String> = (0..number).map(|index| format!("{index:032x}")).collect();
    for id in &ids {
        fs::write(data.join(format!("{id}.json")), damage(&saved, &mut random)).unwrap();
    }
    let server = Server::start_in(data, &[]);
    for id in &ids {
        let start = Instant::now();
        if let Ok(mut page) = server.try_page(id) {
            page.next("state");
            assert!(settle(&mut page, 7, id), "{id}");
        }
        assert!(start.elapsed() <= longest, "{:?} for {id}", start.elapsed());
    }
    assert_eq!(server.get("/api/info").status, 200);
}
