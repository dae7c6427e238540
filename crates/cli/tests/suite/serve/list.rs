//! The list of games, who may see it, and the lock on their folder.

use std::time::Instant;

use serde_json::{Value, json};

use super::server::{Answer, Server, TIMEOUT};
use crate::client::pontifex;

/// The games of the list.
fn list_games(server: &Server) -> Vec<Value> {
    let answer = server.get("/api/sessions");
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["sessions"].as_array().unwrap().clone()
}

fn delete(server: &Server, session: &str, origin: &str) -> Answer {
    let head = format!("DELETE /api/sessions/{session} HTTP/1.1\r\nHost: localhost:PORT\r\n");
    server.request(&format!("{head}Origin: {origin}"), b"")
}

const OWN_ORIGIN: &str = "http://localhost:PORT";

#[test]
fn games_are_listed_and_deleted() {
    let server = Server::start("serve-list", &[]);
    let [first, second] = [server.session(), server.session()];
    let (mut page, _) = server.page(&first);
    assert_eq!(list_games(&server), Vec::<Value>::new());
    let humans = json!({"white": "human", "red": "human"});
    page.change(json!({"type": "new", "board": 6, "pie": false, "players": humans}));
    page.change(json!({"type": "play", "move": "a1,b1"}));
    page.change(json!({"type": "resign", "player": "red"}));
    let (mut other, _) = server.page(&second);
    other.change(json!({"type": "load", "text": "# board: 5\na1,b1 e1,e2"}));
    let games = list_games(&server);
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["session"], &games[0]["turns"]), (&json!(second), &json!(2)));
    assert_eq!(games[0]["players"], json!({"white": "human", "red": "pontifex"}));
    assert_eq!(games[1]["session"], json!(first));
    assert_eq!(
        games[1]["result"],
        json!({
            "winner": "white", "text": "W+R", "by": "resignation", "detail": null, "passed": null,
        })
    );
    assert_eq!(games[1]["board"], 6);
    assert!(games[1]["used"].as_u64().unwrap() > 1_700_000_000, "{:?}", games[1]);

    // A game cannot be deleted while a page shows it, from another origin, or twice.
    assert_eq!(delete(&server, &first, OWN_ORIGIN).status, 409);
    page.vanish();
    assert_eq!(delete(&server, &first, "http://evil.example").status, 403);
    let start = Instant::now();
    while delete(&server, &first, OWN_ORIGIN).status != 200 {
        assert!(start.elapsed() < TIMEOUT, "the server does not see that the page has left");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(delete(&server, &first, OWN_ORIGIN).status, 404);
    assert_eq!(delete(&server, "x", OWN_ORIGIN).status, 404);
    assert!(server.try_page(&first).is_err());
    assert_eq!(list_games(&server).len(), 1);
    assert_eq!(Server::files(&server.data, "json").len(), 1, "a game without a move has none");
    assert_eq!(other.change(json!({"type": "undo"}))["current"], 0, "the other goes on");
}

#[test]
fn a_server_for_others_does_not_list_its_games() {
    let server = Server::start("serve-unlisted", &["--allow-host", "board.example"]);
    let answer = server.get("/api/sessions");
    assert_eq!(answer.status, 403, "{answer:?}");
    assert!(answer.json()["error"].as_str().unwrap().contains("which games"), "{answer:?}");
}

#[test]
fn a_second_server_in_the_same_folder_is_refused() {
    let server = Server::start("serve-twice", &[]);
    let start_second = || {
        let mut command = pontifex();
        command.args(["serve", "--port", "0", "--data"]).arg(&server.data);
        command.output().unwrap()
    };
    let output = start_second();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let data = server.data.display();
    let reason = "another server keeps its games there";
    assert_eq!(stderr, format!("pontifex: the games cannot be kept in {data}: {reason}\n"));
    assert!(output.stdout.is_empty());
    // A killed server leaves no lock.
    let data = server.kill();
    drop(Server::start_in(data, &[]));
}

/// On a server that others reach, a spectator knows the session's id, too.
#[test]
fn a_shared_session_cannot_be_deleted_by_others() {
    for (arguments, status) in [(&["--allow-host", "board.example"][..], 403), (&[], 200)] {
        let server = Server::start("serve-shared", arguments);
        let session = server.session();
        let (mut page, _) = server.page(&session);
        let humans = json!({"white": "human", "red": "human"});
        page.change(json!({"type": "new", "board": 6, "pie": false, "players": humans}));
        let secret = "annaannaannaanna";
        let invite = json!({"type": "invite", "token": secret, "key": secret, "player": "white"});
        assert_eq!(page.ask(invite)["seat"], 1);
        page.change(json!({"type": "play", "move": "a1,b1"}));
        page.vanish();
        let start = Instant::now();
        let mut answer = delete(&server, &session, OWN_ORIGIN).status;
        while answer == 409 {
            assert!(start.elapsed() < TIMEOUT, "the server does not see that the page has left");
            std::thread::sleep(std::time::Duration::from_millis(10));
            answer = delete(&server, &session, OWN_ORIGIN).status;
        }
        assert_eq!(answer, status);
    }
}

#[test]
fn the_link_of_an_invitation_is_a_qr_code() {
    let server = Server::start("serve-qr", &[]);
    let answer = server.get("/api/qr?text=http%3A%2F%2Fboard.example%2F%3Fsession%3D7%23i%3Dkey");
    assert_eq!(answer.status, 200, "{answer:?}");
    let picture = answer.body;
    assert!(picture.contains("<svg") && !picture.contains("board.example"), "{picture}");
    let long_text = "x".repeat(501);
    assert_eq!(server.get(&format!("/api/qr?text={long_text}")).status, 400);
}
