//! Requests that the server refuses without going down.

use serde_json::json;

use super::server::Server;

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Server::start("serve-names", &["--allow-host", "Board.example"]);
    let session = server.session();
    let get = |headers: &str| server.request(&format!("GET /api/info HTTP/1.1\r\n{headers}"), b"");
    for host in [
        "localhost:PORT",
        "LOCALHOST:PORT",
        "127.0.0.1:PORT",
        "[::1]:PORT",
        "board.example",
        "board.example:443",
    ] {
        assert_eq!(get(&format!("Host: {host}")).status, 200, "{host}");
    }
    for host in [
        "",
        "localhost",
        "localhost:1",
        "evil.example:PORT",
        "localhost.evil.example:PORT",
        "127.0.0.1.evil.example:PORT",
        "10.0.0.1:PORT",
        "[::1",
        ":PORT",
    ] {
        let answer = get(&format!("Host: {host}"));
        assert_eq!(answer.status, 403, "{host}");
        assert!(answer.json()["error"].as_str().unwrap().contains("--allow-host"), "{answer:?}");
    }
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let socket = |session: &str, headers: &str| {
        let head = format!("GET /ws?session={session} HTTP/1.1\r\n{headers}\r\n{upgrade}");
        server.request(&head, b"").status
    };
    let post = |headers: &str| {
        let head = format!(
            "POST /api/sessions HTTP/1.1\r\n{headers}\r\nContent-Type: application/json\r\n\
             Content-Length: 2"
        );
        server.request(&head, b"{}").status
    };
    for origin in [
        "http://evil.example",
        "http://127.0.0.1:PORT",
        "http://localhost:PORT.evil.example",
        "null",
    ] {
        let headers = format!("Host: localhost:PORT\r\nOrigin: {origin}");
        assert_eq!((socket(&session, &headers), post(&headers)), (403, 403), "{origin}");
    }
    let own_origin = "Host: localhost:PORT\r\nOrigin: http://localhost:PORT";
    assert_eq!((socket("0", own_origin), post(own_origin)), (404, 200));
    assert_eq!(post("Host: localhost:PORT"), 200, "no browser at all");
    assert_eq!(server.request("GET /api/info HTTP/1.1", b"").status, 403, "no host");
    let form = "POST /api/sessions HTTP/1.1\r\nHost: localhost:PORT\r\n\
        Content-Type: text/plain\r\nContent-Length: 2";
    assert_eq!(server.request(form, b"{}").status, 415);
}

#[test]
fn a_server_on_all_addresses_is_known_by_each() {
    let server = Server::start("serve-everywhere", &["--address", "0.0.0.0"]);
    for (host, status) in [("192.168.1.7:PORT", 200), ("evil.example:PORT", 403)] {
        let answer = server.request(&format!("GET /api/info HTTP/1.1\r\nHost: {host}"), b"");
        assert_eq!(answer.status, status, "{host}");
    }
}

#[test]
fn answers_have_security_headers() {
    let server = Server::start("serve-heads", &[]);
    for path in ["/", "/rules", "/api/info", "/nowhere"] {
        let head = server.get(path).head;
        for words in [
            "content-security-policy: default-src 'self'; img-src 'self' data: blob:; \
             style-src 'self'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
        ] {
            assert!(head.contains(words), "{path}: {head}");
        }
    }
    let page = server.get("/");
    assert!(page.head.contains("content-type: text/html; charset=utf-8"), "{page:?}");
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = server
        .request(&format!("GET / HTTP/1.1\r\nHost: localhost:PORT\r\nIf-None-Match: {tag}"), b"");
    assert_eq!((again.status, &*again.body), (304, ""));
}

#[test]
fn unknown_paths_and_ids_are_not_found() {
    let server = Server::start("serve-paths", &[]);
    for path in [
        "/assets/../../etc/passwd",
        "/assets/%2e%2e%2fCargo.toml",
        "/etc/passwd",
        "/api/sessions/..%2f..%2fx/export?format=sgf",
        "/api/sessions/0123456789ABCDEF0123456789ABCDEF/export?format=sgf",
        "/api/sessions/00000000000000000000000000000000/export?format=sgf",
        "/ws?session=00000000000000000000000000000000",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    let session = server.session();
    for (query, words) in [
        ("format=exe", "is none of sgf, json"),
        ("format=sgf&node=9", "no node 9"),
        ("", "format is missing"),
        ("format=sgf&node=x", "node must be a whole number from 0"),
    ] {
        let answer = server.get(&format!("/api/sessions/{session}/export?{query}"));
        assert_eq!(answer.status, 400);
        assert!(answer.json()["error"].as_str().unwrap().contains(words), "{answer:?}");
    }
}

#[test]
fn games_are_converted_and_conversions_say_what_is_wrong() {
    let server = Server::start("serve-convert", &[]);
    let convert = |text: &str, format: &str| {
        server.post("/api/convert", &json!({"text": text, "format": format, "name": null}))
    };
    let game = "d4,e6 c3,g6 d4-e6";
    let answer = convert(game, "position");
    let position = "10/10/10/10/4w1r3/10/3w6/2r7/10/10 r d4-e6 -\n";
    assert_eq!(answer.json(), json!({"text": position}));
    for (format, words) in
        [("record", "d4,e6"), ("sgf", "(;FF[4]"), ("position", "10/10/"), ("json", "{")]
    {
        let answer = convert(game, format).json();
        let text = answer["text"].as_str().unwrap();
        assert!(text.contains(words), "{format}: {text}");
        let again = convert(text, "position");
        assert_eq!(again.json(), json!({"text": position}), "{format}");
    }
    let svg = convert(game, "svg").json();
    assert!(svg["text"].as_str().unwrap().starts_with("<svg"), "{svg}");
    let png = convert(game, "png").json();
    // The first bytes of every PNG.
    assert!(png["base64"].as_str().unwrap().starts_with("iVBORw0KGgo"), "{png}");
    for (text, format, words) in [
        ("d4,e6 d4,e7", "sgf", "move 2"),
        ("d4,e6", "exe", "'exe' is none of sgf, json, moves, position, svg, png"),
        ("", "sgf", "empty"),
    ] {
        let answer = convert(text, format);
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(answer.json()["error"].as_str().unwrap().contains(words), "{answer:?}");
    }
    // The bytes of a file, and the repairs that reading them took.
    let file = json!({"text": {"base64": "KDtTWls2XUNb6V07V1thMSxiMV0="}, "format": "sgf"});
    let answer = server.post("/api/convert", &file).json();
    assert!(answer["text"].as_str().unwrap().contains("C[\u{e9}]"), "{answer}");
    assert_eq!(answer["mended"][0]["code"], "guessed_encoding");
    assert_eq!(answer["mended"][1]["code"], "missing_parenthesis");
    for (body, reason) in [
        (json!(["d4,e6"]), "the body: must be an object, not a list of 1"),
        (json!({"format": "sgf"}), "the body: text is missing"),
        (json!({"text": "d4,e6", "format": 5}), "the body: must be a string, not 5"),
    ] {
        let answer = server.post("/api/convert", &body);
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!(reason)));
    }
    let answer = convert(&"x".repeat(2 << 20), "sgf");
    assert_eq!(answer.status, 413, "{answer:?}");
}

#[test]
fn malformed_messages_are_answered_and_harm_no_one() {
    let server = Server::start("serve-nonsense", &[]);
    let session = server.session();
    let (mut page, _) = server.page(&session);
    for text in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        "{\"type\":\"fly\"}",
        "{\"type\":\"play\"}",
        "{\"type\":\"play\",\"move\":17}",
        "{\"type\":\"goto\",\"node\":-1}",
        "{\"type\":\"new\",\"board\":99}",
        "{\"type\":\"new\",\"board\":8,\"supply\":\"lots\"}",
        "{\"type\":\"new\",\"level\":{\"time\":1e99}}",
        "{\"type\":\"review\",\"playouts\":0}",
        "{\"type\":\"resign\",\"player\":\"blue\"}",
        "{\"type\":\"why\"}",
    ] {
        page.send(text);
        assert_eq!(page.next("error")["id"], json!(null), "{text}");
    }
    let answer = page.ask(json!({"type": "goto", "node": 7}));
    assert_eq!((&answer["type"], &answer["id"]), (&json!("error"), &json!(1)));
    let answer = page.ask(json!({"type": "delete", "node": 0}));
    assert_eq!(answer["type"], "error");
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    page.send(&deep);
    page.next("error");

    // A message that is too long ends its socket, and nothing else.
    let (mut other, _) = server.page(&session);
    page.try_send(format!("{{\"type\":\"load\",\"text\":\"{}\"}}", "x".repeat(3 << 20)));
    while page.read().is_some() {}
    assert_eq!(other.ask(json!({"type": "ping"}))["type"], "pong");
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn illegal_moves_name_the_rule_and_the_cells() {
    let server = Server::start("serve-illegal", &[]);
    let (mut page, _) = server.page(&server.session());
    let humans = json!({"white": "human", "red": "human"});
    page.change(json!({"type": "new", "board": 8, "pie": false, "players": humans}));
    for mv in ["a1,a2", "h7,h8", "b1,b2"] {
        page.change(json!({"type": "play", "move": mv}));
    }
    page.change(json!({"type": "play", "move": "g7,f1"}));
    let play =
        |page: &mut super::server::Page, mv: &str| page.ask(json!({"type": "play", "move": mv}));
    let answer = play(&mut page, "c3,e5");
    assert_eq!(answer["type"], "illegal", "{answer}");
    assert_eq!(
        (&answer["code"], &answer["cells"]),
        (&json!("touches_island"), &json!(["c3", "b2"]))
    );
    assert_eq!(answer["text"], "c3 touches the island at b2");
    for (fields, code) in [
        (json!({"move": "a1-b2"}), json!("no_bridge_shape")),
        (json!({"cell": "h8"}), json!("occupied")),
        (json!({"cell": "c1"}), json!("touches_island")),
        (json!({"first": "e5", "cell": "e5"}), json!("same_cell")),
        (json!({"cell": "l12"}), json!("off_board")),
        (json!({"move": "swap"}), json!("swap_not_allowed")),
    ] {
        let mut question = fields.clone();
        question["type"] = "why".into();
        let answer = page.ask(question);
        assert_eq!((&answer["type"], &answer["code"]), (&json!("illegal"), &code), "{fields}");
    }
    assert_eq!(answer["data"], json!({"cell": "c3", "island": "b2", "beside": false}));
    let answer = page.ask(json!({"type": "why", "cell": "e5"}));
    assert_eq!(answer["type"], "legal", "{answer}");
    let second_cells = page.ask(json!({"type": "seconds", "first": "e5"}));
    let cells = second_cells["cells"].as_array().unwrap();
    assert!(!cells.contains(&json!("e5")) && cells.contains(&json!("e6")), "{second_cells}");
}
