//! Saved games: a disk that fails for a while, programs that make many games, odd files in the
//! folder, names of players.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use super::server::{Page, Server, TIMEOUT};
use crate::client::test_folder;

const HUMANS: &str = r#"{"white": "human", "red": "human"}"#;

fn humans() -> Value {
    serde_json::from_str(HUMANS).unwrap()
}

fn start_small_game(page: &mut Page) -> Value {
    page.change(json!({"type": "new", "board": 6, "pie": false, "players": humans()}))
}

/// A folder that is out of reach until it is restored.
struct HiddenFolder {
    data: PathBuf,
    hidden: PathBuf,
}

impl HiddenFolder {
    fn hide(data: &Path) -> HiddenFolder {
        let (data, hidden) = (data.to_owned(), data.with_extension("away"));
        let _ = fs::remove_dir_all(&hidden);
        fs::rename(&data, &hidden).unwrap();
        fs::write(&data, "").unwrap();
        HiddenFolder { data, hidden }
    }

    fn restore(self) {
        fs::remove_file(&self.data).unwrap();
        fs::rename(&self.hidden, &self.data).unwrap();
    }
}

/// The number of turns of each game in the list, sorted.
fn turn_counts(server: &Server) -> Vec<u64> {
    let listed = server.get("/api/sessions").json();
    let games = listed["sessions"].as_array().unwrap();
    let mut turn_counts: Vec<u64> =
        games.iter().map(|game| game["turns"].as_u64().unwrap()).collect();
    turn_counts.sort_unstable();
    turn_counts
}

#[test]
fn moves_made_while_nothing_can_be_saved_are_not_lost() {
    let server = Server::start("serve-unsaved", &[]);
    let session = server.session();
    let (mut page, first) = server.page(&session);
    assert_eq!(first["unsaved"], Value::Null);
    start_small_game(&mut page);
    page.change(json!({"type": "play", "move": "a1,c1"}));
    let hidden = HiddenFolder::hide(&server.data);
    // The answer itself says that the move is not safe, and so does a notice.
    let state = page.change(json!({"type": "play", "move": "a6,c6"}));
    assert!(state["unsaved"].is_string(), "{state}");
    let notice = page.next("error");
    let text = notice["text"].as_str().unwrap();
    assert!(notice["id"].is_null() && text.starts_with("the game cannot be saved: "), "{text}");
    assert!(start_small_game(&mut page)["unsaved"].is_string());
    page.change(json!({"type": "play", "move": "b2,d2"}));
    let (_, state) = server.page(&session);
    assert!(state["unsaved"].is_string(), "a page that joins learns of it");
    hidden.restore();
    page.until(|message| message["type"] == "state" && message["unsaved"].is_null());

    // The second move, the game that it belongs to, and the new one are safe.
    let server = Server::start_in(server.kill(), &[]);
    assert_eq!(turn_counts(&server), [1, 2]);
    let (_, state) = server.page(&session);
    assert_eq!(state["tree"][1]["move"], "b2,d2");
}

#[cfg(unix)]
#[test]
fn the_end_of_the_server_saves_what_it_can_and_says_what_is_lost() {
    for is_back in [true, false] {
        let server = Server::start_capturing(test_folder("serve-end"), &[]);
        let session = server.session();
        let (mut page, _) = server.page(&session);
        start_small_game(&mut page);
        let hidden = HiddenFolder::hide(&server.data);
        page.change(json!({"type": "play", "move": "a1,c1"}));
        let hidden = if is_back {
            hidden.restore();
            None
        } else {
            Some(hidden)
        };
        let data = server.data.clone();
        let (code, stderr) = server.end("-TERM");
        assert_eq!(code, Some(0), "{stderr}");
        let loss = format!("pontifex: the last moves of the game {session} are lost: ");
        assert_eq!(stderr.contains(&loss), !is_back, "{stderr}");
        if let Some(hidden) = hidden {
            hidden.restore();
        }
        assert_eq!(Server::files(&data, "json").len(), usize::from(is_back));
    }
}

#[test]
fn empty_sessions_make_no_files_and_delete_no_game() {
    let server = Server::start("serve-empty", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    start_small_game(&mut page);
    page.change(json!({"type": "play", "move": "a1,c1"}));
    page.vanish();
    let mut last = String::new();
    for _ in 0..1010 {
        last = server.session();
    }
    assert_eq!(Server::files(&server.data, "json").len(), 1);
    let (_, state) = server.page(&session);
    assert_eq!(state["tree"][1]["move"], "a1,c1");
    let (_, state) = server.page(&last);
    assert_eq!(state["current"], 0);
}

#[test]
fn a_program_that_loads_games_in_a_loop_is_refused() {
    let server = Server::start("serve-loop", &[]);
    let (mut page, _) = server.page(&server.session());
    let players = json!({"white": "human", "red": "human"});
    let load = json!({"type": "load", "text": "# board: 5\na1,b1 e1,e2", "players": players});
    let answers: Vec<Value> = (0..100).map(|_| page.ask(load.clone())).collect();
    let is_refused = |answer: &&Value| answer["type"] == "error";
    let refused = answers.iter().find(is_refused).expect("too many");
    let text = refused["text"].as_str().unwrap();
    assert!(
        text.starts_with("too many games were begun here in a short time; try again"),
        "{text}"
    );
    let files = Server::files(&server.data, "json").len();
    assert!((30..70).contains(&files), "{files}");
    assert_eq!(page.change(json!({"type": "undo"}))["current"], 1, "the game goes on");
}

#[test]
fn players_must_be_existing_engines() {
    let server = Server::start("serve-names-of-players", &[]);
    let (mut page, _) = server.page(&server.session());
    for name in ["nobody".to_owned(), "x".repeat(1_000_000), "\u{1b}[2J".to_owned()] {
        let players = json!({"white": "human", "red": name});
        for request in [
            json!({"type": "settings", "players": players}),
            json!({"type": "new", "board": 6, "players": players}),
            json!({"type": "load", "text": "a1,b1", "players": players}),
        ] {
            let answer = page.ask(request);
            let text = answer["text"].as_str().unwrap();
            assert_eq!(answer["type"], "error");
            let (begin, end) = ("no engine is called ", ", there is pontifex");
            assert!(text.starts_with(begin) && text.ends_with(end) && text.len() < 100, "{text}");
        }
    }
    let state = page.change(json!({"type": "goto", "node": 0}));
    assert_eq!(state["players"], json!({"white": "human", "red": "pontifex"}));
    assert!(state.to_string().len() < 10_000);
}

#[cfg(unix)]
#[test]
fn a_pipe_named_like_a_session_blocks_nothing() {
    let data = test_folder("serve-pipe");
    let id = "0123456789abcdef0123456789abcdef";
    let pipe = data.join(format!("{id}.json"));
    let mkfifo = || std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success();
    assert!(mkfifo());
    let server = Server::start_capturing(data, &[]);
    assert!(server.try_page(id).is_err());
    let start = Instant::now();
    let (mut page, _) = server.page(&server.session());
    page.change(json!({"type": "play", "move": "a1,c1"}));
    assert_eq!(turn_counts(&server), [1]);
    assert!(start.elapsed() < TIMEOUT);
    let (code, stderr) = server.end("-TERM");
    assert_eq!(code, Some(0));
    assert!(stderr.contains("it is left out"), "{stderr}");
}

#[test]
fn contents_of_files_are_checked_before_they_are_served() {
    let server = Server::start("serve-checked", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    page.change(json!({"type": "new", "board": 6, "pie": false, "players": humans(),
        "clock": {"kind": "fischer", "main": 60.0, "increment": 1.0}}));
    page.change(json!({"type": "play", "move": "a1,c1"}));
    let data = server.kill();
    let file = data.join(format!("{session}.json"));
    let text = fs::read_to_string(&file).unwrap();
    let open_changed = |change: &dyn Fn(&mut Value), data: PathBuf| {
        let mut saved: Value = serde_json::from_str(&text).unwrap();
        change(&mut saved);
        fs::write(&file, saved.to_string()).unwrap();
        let server = Server::start_in(data, &[]);
        let page = server.try_page(&session).map(|mut page| {
            page.next("state");
            page.send(r#"{"type":"ping","id":1}"#);
            page.until(|message| {
                assert!(!message.to_string().contains("<script>"), "{message}");
                message["type"] == "pong"
            });
        });
        (page.is_ok(), server.kill())
    };
    let (is_open, data) = open_changed(&|saved| saved["clocks"][0]["main"] = json!(1e300), data);
    assert!(!is_open, "no clock shows that");
    let (is_open, data) =
        open_changed(&|saved| saved["seats"][0] = "x".repeat(1 << 20).into(), data);
    assert!(!is_open, "nobody is called that");
    let review = json!({"end": 1, "message": {"type": "review", "text": "<script>"}});
    let (is_open, _) = open_changed(&|saved| saved["review"] = review.clone(), data);
    assert!(is_open, "the game is there without the review");
}
