//! A server for tests, and pages that talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::protocol::WebSocket;
use tungstenite::{Message, client};

use crate::client::{pontifex, test_folder};

/// The longest wait before a test fails.
pub(super) const TIMEOUT: Duration = Duration::from_secs(60);

/// A running `pontifex serve`.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) data: PathBuf,
}

/// An answer over plain HTTP.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

/// A page, connected by a WebSocket.
pub(super) struct Page {
    socket: WebSocket<TcpStream>,
    last_id: u64,
}

impl Server {
    /// Starts a server with an empty folder for the games.
    pub(crate) fn start(name: &str, arguments: &[&str]) -> Server {
        Server::start_in(test_folder(name), arguments)
    }

    /// Starts a server with a folder that may hold games.
    pub(super) fn start_in(data: PathBuf, arguments: &[&str]) -> Server {
        Server::start_with(data, arguments, Stdio::inherit())
    }

    /// Starts a server whose stderr is captured for [`Server::end`].
    #[cfg(unix)]
    pub(super) fn start_capturing(data: PathBuf, arguments: &[&str]) -> Server {
        Server::start_with(data, arguments, Stdio::piped())
    }

    fn start_with(data: PathBuf, arguments: &[&str], stderr: Stdio) -> Server {
        let mut child = pontifex()
            .args(["serve", "--port", "0", "--data"])
            .arg(&data)
            .args(["--threads", "2", "--memory", "64"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().strip_prefix("http://127.0.0.1:").expect(&line);
        let port = port.trim_end_matches('/').parse().unwrap();
        Server { child, port, data }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills the server and returns its folder.
    pub(super) fn kill(mut self) -> PathBuf {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.data.clone()
    }

    /// Sends a signal, waits for the end and returns the exit code.
    #[cfg(unix)]
    pub(super) fn signal(self, name: &str) -> Option<i32> {
        self.end(name).0
    }

    /// Sends a signal, waits for the end and returns the exit code and the captured stderr, which
    /// is empty if the server was not started for it.
    #[cfg(unix)]
    pub(super) fn end(mut self, name: &str) -> (Option<i32>, String) {
        crate::client::signal(name, &[self.id()]);
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().unwrap() {
                let mut text = String::new();
                if let Some(mut stderr) = self.child.stderr.take() {
                    stderr.read_to_string(&mut text).unwrap();
                }
                return (status.code(), text);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server does not end");
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends a raw request: lines of the head, and a body.
    pub(super) fn request(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let head = head.replace("PORT", &self.port.to_string());
        stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        // A server that refuses may not read the rest.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.request(&format!("GET {path} HTTP/1.1\r\nHost: localhost:PORT"), b"")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: http://localhost:PORT\r\n\
             Content-Type: application/json\r\nContent-Length: {}",
            body.len()
        );
        self.request(&head, body.as_bytes())
    }

    /// Creates a session. Returns its id.
    pub(super) fn session(&self) -> String {
        let answer = self.post("/api/sessions", &json!({}));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["session"].as_str().unwrap().to_owned()
    }

    /// Opens a page that shows a session. Returns it and its first `state`.
    pub(super) fn page(&self, session: &str) -> (Page, Value) {
        let mut page = self.try_page(session).unwrap();
        let state = page.next("state");
        (page, state)
    }

    pub(super) fn try_page(&self, session: &str) -> Result<Page, String> {
        let url = format!("ws://localhost:{}/ws?session={session}", self.port);
        let (socket, _) = client(url, self.connect()).map_err(|error| format!("{error:?}"))?;
        Ok(Page { socket, last_id: 0 })
    }

    /// Resident memory, in MiB.
    #[cfg(target_os = "linux")]
    pub(super) fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        let kib: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        kib / 1024.0
    }

    /// The files of the folder with this extension.
    pub(super) fn files(data: &Path, extension: &str) -> Vec<PathBuf> {
        let files = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|name| name == extension)).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Page {
    pub(super) fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Sends a message that may be refused.
    pub(super) fn try_send(&mut self, text: String) {
        let _ = self.socket.send(Message::text(text));
    }

    /// The next message, of any kind; `None` when the server has closed.
    pub(super) fn read(&mut self) -> Option<Value> {
        let start = Instant::now();
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                // Pings come as long as the server lives.
                Ok(_) => assert!(start.elapsed() < TIMEOUT, "only pings for {TIMEOUT:?}"),
            }
        }
    }

    /// The next message of a type, within [`TIMEOUT`].
    pub(super) fn next(&mut self, kind: &str) -> Value {
        self.until(|message| message["type"] == kind)
    }

    /// The next message that satisfies the condition.
    pub(super) fn until(&mut self, mut is_wanted: impl FnMut(&Value) -> bool) -> Value {
        let start = Instant::now();
        let mut last = Value::Null;
        while start.elapsed() < TIMEOUT {
            let message = self.read().expect("the server stays");
            if is_wanted(&message) {
                return message;
            }
            last = message;
        }
        panic!("no such message; the last was {last}");
    }

    /// Sends a request and waits for the answer with its id.
    pub(super) fn ask(&mut self, mut message: Value) -> Value {
        self.last_id += 1;
        message["id"] = self.last_id.into();
        self.send(&message.to_string());
        let id = self.last_id;
        self.until(|answer| answer["id"] == id)
    }

    /// Sends a request that is answered with the state.
    pub(super) fn change(&mut self, message: Value) -> Value {
        let answer = self.ask(message);
        assert_eq!(answer["type"], "state", "{answer}");
        answer
    }

    /// Plays, and waits until it is a human's turn again or the game is over.
    pub(super) fn play(&mut self, mv: &str) -> Value {
        let state = self.change(json!({"type": "play", "move": mv}));
        self.wait_for_human(state)
    }

    /// Waits until no engine thinks. Returns the state then.
    pub(super) fn wait_for_human(&mut self, state: Value) -> Value {
        if state["thinking"].is_null() {
            return state;
        }
        self.until(|message| message["type"] == "state" && message["thinking"].is_null())
    }

    /// Leaves without closing the WebSocket.
    pub(super) fn vanish(self) {
        drop(self);
    }
}

/// A legal move of the position in a state.
pub(super) fn any_move(page: &mut Page, state: &Value) -> String {
    let legal = &state["position"]["legal"];
    if let Some(bridge) = legal["bridges"].get(0) {
        return bridge.as_str().unwrap().to_owned();
    }
    let cells = legal["cells"].as_array().unwrap();
    let Some(first) = cells.get(cells.len() / 2) else { return "pass".to_owned() };
    let second_cells = page.ask(json!({"type": "seconds", "first": first}));
    let second = second_cells["cells"].as_array().unwrap().last().unwrap().clone();
    format!("{},{}", first.as_str().unwrap(), second.as_str().unwrap())
}

/// A new small game between a human and the engine.
pub(super) fn small_game(strength: &Value) -> Value {
    json!({
        "type": "new", "board": 5, "supply": "standard", "pie": false,
        "players": {"white": "human", "red": "pontifex"}, "level": strength,
        "clock": {"kind": "none"},
    })
}
