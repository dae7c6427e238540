//! Many who want something at once: the server stays up and bounded.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::server::{PATIENCE, Server, small_game};

/// Sockets that are opened and left open.
const SOCKETS: usize = 1000;

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_open_sockets_are_refused_in_part_and_kill_nothing() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < 4096
    {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(8192), hard);
    }
    let server = Server::start("serve-crowd", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    let before = server.memory();
    let mut open = Vec::new();
    for _ in 0..SOCKETS {
        let mut stream = server.connect();
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost");
        open.push(stream);
    }
    // Who was there before goes on.
    page.change(small_game(&json!({"playouts": 20})));
    page.play("a1,c3");
    let during = server.memory();
    println!("{before:.1} MiB before, {during:.1} MiB with {SOCKETS} sockets");
    assert!(during < before + 100.0, "{before} {during}");
    let mut refused = open.pop().unwrap();
    let mut text = String::new();
    let _ = std::io::Read::read_to_string(&mut refused, &mut text);
    assert!(text.is_empty() || text.contains("503 Service Unavailable"), "{text}");
    drop(open);
    let start = Instant::now();
    while server.get("/api/info").status != 200 {
        assert!(start.elapsed() < PATIENCE, "there is never a place again");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Connections that send nothing lose their place.
#[test]
fn a_silent_connection_is_closed() {
    let server = Server::start("serve-silent", &[]);
    let mut stream = server.connect();
    let mut text = String::new();
    let start = Instant::now();
    let _ = std::io::Read::read_to_string(&mut stream, &mut text);
    assert!(start.elapsed() < PATIENCE);
}

#[cfg(target_os = "linux")]
#[test]
fn pages_that_vanish_while_engines_think_leave_nothing_behind() {
    let server = Server::start("serve-vanish", &[]);
    let watched = server.session();
    let (mut page, _) = server.page(&watched);
    page.change(small_game(&json!({"playouts": 50})));
    for _ in 0..20 {
        let (mut other, _) = server.page(&server.session());
        other.change(small_game(&json!({"time": 1.0})));
        other.change(json!({"type": "analyze", "on": true}));
        other.change(json!({"type": "play", "move": "a1,c3"}));
        other.vanish();
    }
    // Its turn comes after those that wait: a second each, two at a time.
    let start = Instant::now();
    let state = page.play("a1,c3");
    println!("after {:?} of waiting", start.elapsed());
    assert_eq!(state["position"]["turn"], 3);
    let memory = server.memory();
    println!("{memory:.1} MiB after 21 games with --memory 64");
    assert!(memory < 64.0 + 120.0, "{memory}");
    // No analysis runs for anybody: a search gets its place at once.
    let start = Instant::now();
    page.play("e5,e1");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Analyses share the places there are, and moves come first.
#[test]
fn moves_are_made_while_everybody_analyses() {
    let server = Server::start("serve-places", &[]);
    let mut analysts: Vec<_> = (0..4)
        .map(|_| {
            let (mut page, _) = server.page(&server.session());
            page.change(json!({"type": "analyze", "on": true}));
            page
        })
        .collect();
    let (mut page, _) = server.page(&server.session());
    page.change(small_game(&json!({"playouts": 20})));
    let start = Instant::now();
    page.play("a1,c3");
    let elapsed = start.elapsed();
    println!("a move took {elapsed:?} beside four analyses");
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
    for analyst in &mut analysts {
        analyst.next("analysis");
    }
}
