//! Clients that take more than their share of connections, memory, threads and searches. Others are
//! served nevertheless.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use pontifex::engine::Options;
use pontifex::notation::Record;
use pontifex_serve::{Settings, serve};
use pontifex_tournament::ProcessGroups;
use serde_json::{Value, json};

use super::server::{Page, Server, TIMEOUT, small_game};
use crate::client::test_folder;

/// Connects from an address of this machine: on Linux, 127.0.0.2 is one, too.
#[cfg(target_os = "linux")]
fn connect_from(host: u8, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(2048).unwrap();
        socket.bind((Ipv4Addr::new(127, 0, 0, host), 0).into()).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream
}

/// Starts a server in this process whose connections may be silent for 300 ms and stall for 600 ms.
#[cfg(target_os = "linux")]
fn start_with_short_timeouts(name: &str) -> SocketAddr {
    let settings = Settings {
        address: Ipv4Addr::LOCALHOST.into(),
        port: 0,
        allowed_hosts: Vec::new(),
        data: test_folder(name),
        engines: Vec::new(),
        options: Options::default(),
        request_timeout: Duration::from_millis(300),
    };
    let (ready, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let ready = move |address| ready.send(address).unwrap();
        serve(settings, ProcessGroups::default(), Box::new(ready), Box::pin(std::future::pending()))
    });
    address.recv_timeout(TIMEOUT).unwrap()
}

const REQUEST: &[u8] = b"GET /assets/main.js HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n";

fn request_bytes(address: SocketAddr) -> Vec<u8> {
    String::from_utf8_lossy(REQUEST).replace("PORT", &address.port().to_string()).into()
}

/// The status of the answer to a request.
fn status(stream: &mut TcpStream, request: &[u8]) -> String {
    let _ = stream.write_all(request);
    let mut head = [0; 12];
    stream.read_exact(&mut head).map_or_else(
        |error| error.to_string(),
        |()| String::from_utf8_lossy(&head[9..]).into_owned(),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn clients_that_never_read_lose_their_connections() {
    let address = start_with_short_timeouts("serve-unread");
    let request = request_bytes(address);
    let many = request.repeat(400);
    let mut streams = Vec::new();
    // All 400 connections, at most 64 from each address.
    for host in 2..9 {
        for _ in 0..64 {
            let mut stream = connect_from(host, address);
            let _ = stream.set_write_timeout(Some(Duration::from_millis(10)));
            let _ = stream.write(&many);
            streams.push(stream);
        }
    }
    let start = Instant::now();
    loop {
        let answer = status(&mut connect_from(1, address), &request);
        if answer == "200" {
            break;
        }
        assert!(start.elapsed() < TIMEOUT, "{answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(streams);
}

/// The whole answer takes longer than the server waits for a client that reads nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_client_that_reads_gets_everything() {
    let address = start_with_short_timeouts("serve-slow");
    let mut request = request_bytes(address);
    let mut stream = connect_from(1, address);
    let end = request.len() - 2;
    request.splice(end..end, *b"Connection: close\r\n");
    stream.write_all(&request).unwrap();
    let (mut bytes, mut buffer) = (Vec::new(), [0; 1500]);
    loop {
        let count = stream.read(&mut buffer).unwrap();
        bytes.extend(&buffer[..count]);
        if count == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let length = format!("content-length: {}", body.len());
    assert!(head.to_lowercase().contains(&length), "{head}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_address_has_a_share_of_the_connections_and_the_others_get_503() {
    let server = Server::start("serve-share", &[]);
    let address = (Ipv4Addr::LOCALHOST, server.port).into();
    let request = request_bytes(address);
    let open: Vec<_> = (0..64)
        .map(|_| {
            let mut stream = connect_from(1, address);
            assert_eq!(status(&mut stream, &request), "200");
            stream
        })
        .collect();
    // More than the 128 refused connections that the server keeps open.
    let mut refused: Vec<_> = (0..200).map(|_| connect_from(1, address)).collect();
    assert_eq!(status(&mut connect_from(2, address), &request), "200", "another address");
    let mut last = refused.pop().unwrap();
    assert_eq!(status(&mut last, &request), "503");
    let mut rest = String::new();
    last.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("\r\nRetry-After: 10\r\n"), "{rest}");
    assert!(rest.ends_with(r#"{"error":"too many connections; try again in a while"}"#), "{rest}");
    // A connection that sends its request late is not reset either.
    let mut late = connect_from(1, address);
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(status(&mut late, &request), "503");
    drop(open);
}

#[cfg(target_os = "linux")]
#[test]
fn conversions_of_endless_games_take_little_memory() {
    let server = Server::start("serve-conversions", &[]);
    let before = server.memory();
    let text = format!("(;W[aa]{})", ";".repeat((1 << 20) - 200));
    let body = json!({"text": text, "format": "sgf"});
    let answers: Vec<_> = std::thread::scope(|scope| {
        let convert = || server.post("/api/convert", &body);
        let all: Vec<_> = (0..60).map(|_| scope.spawn(convert)).collect();
        all.into_iter().map(|answer| answer.join().unwrap()).collect()
    });
    let after = server.memory();
    let too_many = format!("a game has {} at most", Record::MAX_NODES);
    for answer in answers {
        let text = &answer.body;
        assert!(
            answer.status == 400 && text.contains(&too_many)
                || answer.status == 503 && text.contains("try again in a while"),
            "{answer:?}"
        );
    }
    println!("{before:.1} MiB before, {after:.1} MiB after");
    assert!(after < before + 250.0, "{before} {after}");
}

/// Each text keeps a thread of the server busy: 1 MiB with 90,000 nodes. Pings are counted, not
/// timed: on a busy machine both take longer.
#[test]
fn pings_are_answered_while_others_read_long_texts() {
    let server = Server::start("serve-pings", &[]);
    let long_text = format!("(;{})", ";C[comment]".repeat(90_000));
    let check = json!({"type": "check", "text": long_text}).to_string();
    let (mut page, _) = server.page(&server.session());
    let mut others: Vec<Page> = (0..16).map(|_| server.page(&server.session()).0).collect();
    for other in &mut others {
        other.send(&check);
        other.send(&check);
    }
    let texts = 2 * others.len();
    let mut pings = 0;
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            for other in &mut others {
                other.next("legal");
                other.next("legal");
            }
        });
        while !reader.is_finished() {
            assert_eq!(page.ask(json!({"type": "ping"}))["type"], "pong");
            pings += 1;
        }
    });
    println!("{pings} pings while {texts} texts were read");
    // Behind the texts, a ping would wait for at least one of them, but for those that are still
    // being sent.
    assert!(pings > 10 * texts, "{pings} pings while {texts} texts were read");
}

/// A game in which the engine thinks for an hour.
fn endless_game(clock: &Value) -> Value {
    let mut game = small_game(&json!({"time": 3600}));
    game["players"] = json!({"white": "pontifex", "red": "human"});
    game["board"] = json!(10);
    game["clock"] = clock.clone();
    game
}

/// Starts sessions whose engines think for an hour and take all search slots.
fn start_endless_games(server: &Server, clock: &Value) -> Vec<(String, Page)> {
    let start = || {
        let session = server.session();
        let (mut page, _) = server.page(&session);
        page.change(endless_game(clock));
        page.until(|message| message["type"] == "thinking" && message["visits"].is_u64());
        (session, page)
    };
    (0..2).map(|_| start()).collect()
}

#[test]
fn games_that_nobody_shows_give_way_and_can_be_deleted() {
    let server = Server::start("serve-hour", &[]);
    let mut sessions = Vec::new();
    for (session, page) in start_endless_games(&server, &json!({"kind": "none"})) {
        page.vanish();
        sessions.push(session);
    }
    let (mut page, _) = server.page(&server.session());
    page.change(small_game(&json!({"playouts": 10})));
    assert_eq!(page.play("a1,c3")["position"]["turn"], 3);
    for session in sessions {
        let start = Instant::now();
        let head = format!(
            "DELETE /api/sessions/{session} HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://localhost:PORT"
        );
        while server.request(&head, b"").status != 200 {
            assert!(start.elapsed() < TIMEOUT, "it stays though nobody shows it");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(server.try_page(&session).is_err());
    }
    assert_eq!(Server::files(&server.data, "json").len(), 1);
}

#[test]
fn games_that_pages_show_give_way_and_resume() {
    let server = Server::start("serve-hours", &[]);
    let mut holders = start_endless_games(&server, &json!({"kind": "none"}));
    let (mut page, _) = server.page(&server.session());
    page.change(small_game(&json!({"playouts": 10})));
    assert_eq!(page.play("a1,c3")["position"]["turn"], 3);
    for (_, holder) in &mut holders {
        // None of them has moved, and their engines think again.
        let state = holder.change(json!({"type": "analyze", "on": false}));
        assert_eq!((&state["current"], &state["thinking"]["player"]), (&json!(0), &json!("white")));
        let state = holder.change(json!({"type": "move_now"}));
        let state = holder.wait_for_human(state);
        assert_eq!(state["position"]["turn"], 2);
    }
}

#[test]
fn under_a_clock_a_game_that_gives_way_moves() {
    let server = Server::start("serve-clocks", &[]);
    let clock = json!({"kind": "absolute", "main": 1_000_000});
    let holders = start_endless_games(&server, &clock);
    let (mut page, _) = server.page(&server.session());
    page.change(small_game(&json!({"playouts": 10})));
    assert_eq!(page.play("a1,c3")["position"]["turn"], 3);
    let mut moved = 0;
    for (_, mut holder) in holders {
        let state = holder.change(json!({"type": "analyze", "on": false}));
        moved += i32::from(state["position"]["turn"] == 2);
    }
    assert!(moved >= 1, "one of them has moved to make room");
}
