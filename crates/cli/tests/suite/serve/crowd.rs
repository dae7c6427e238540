//! Many clients at once: the server stays up and its memory bounded.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use pontifex::engine::Options;
use pontifex_serve::{Settings, serve};
use pontifex_tournament::ProcessGroups;
use serde_json::json;

use super::server::{Server, TIMEOUT, small_game};
use crate::client::test_folder;

/// The number of sockets that are opened and left open.
const SOCKETS: usize = 1000;

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_open_sockets_are_partly_refused_and_do_no_harm() {
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
    let mut sockets = Vec::new();
    for _ in 0..SOCKETS {
        let mut stream = server.connect();
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost");
        sockets.push(stream);
    }
    // Earlier pages are still served.
    page.change(small_game(&json!({"playouts": 20})));
    page.play("a1,c3");
    let during = server.memory();
    println!("{before:.1} MiB before, {during:.1} MiB with {SOCKETS} sockets");
    assert!(during < before + 100.0, "{before} {during}");
    let mut refused = sockets.pop().unwrap();
    let mut text = String::new();
    let _ = refused.read_to_string(&mut text);
    assert!(text.is_empty() || text.contains("503 Service Unavailable"), "{text}");
    drop(sockets);
    let start = Instant::now();
    while server.get("/api/info").status != 200 {
        assert!(start.elapsed() < TIMEOUT, "no connection is accepted any more");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A connection that sends no request is closed after the timeout of the settings.
#[test]
fn a_silent_connection_is_closed() {
    let settings = Settings {
        address: Ipv4Addr::LOCALHOST.into(),
        port: 0,
        allowed_hosts: Vec::new(),
        data: test_folder("serve-silent"),
        engines: Vec::new(),
        options: Options::default(),
        request_timeout: Duration::from_millis(100),
    };
    let (ready, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let ready = move |address| ready.send(address).unwrap();
        serve(settings, ProcessGroups::default(), Box::new(ready), Box::pin(std::future::pending()))
    });
    let mut stream = TcpStream::connect(address.recv_timeout(TIMEOUT).unwrap()).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut bytes = Vec::new();
    // The server may answer 408 before it closes.
    stream.read_to_end(&mut bytes).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn pages_that_vanish_while_engines_think_leave_nothing_behind() {
    let server = Server::start("serve-vanish", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    page.change(small_game(&json!({"playouts": 50})));
    for _ in 0..20 {
        let (mut other, _) = server.page(&server.session());
        other.change(small_game(&json!({"time": 0.2})));
        other.change(json!({"type": "analyze", "on": true}));
        other.change(json!({"type": "play", "move": "a1,c3"}));
        other.vanish();
    }
    // This move waits for the engines of the others: 0.2 seconds each, two at a time.
    let state = page.play("a1,c3");
    assert_eq!(state["position"]["turn"], 3);
    let memory = server.memory();
    println!("{memory:.1} MiB after 21 games with --memory 64");
    assert!(memory < 64.0 + 120.0, "{memory}");
    // No analysis of a vanished page holds a search slot.
    page.play("e5,e1");
}

/// Analyses share the search slots, and moves take precedence.
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
    page.play("a1,c3");
    for analyst in &mut analysts {
        analyst.next("analysis");
    }
}
