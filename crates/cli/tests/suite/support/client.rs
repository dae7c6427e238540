//! Runs the binary: to its end, or behind pipes as a GTP controller does.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use pontifex_testing::folder as test_folder;

/// The longest time to wait for an answer before the test fails.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The binary under test.
pub(crate) fn pontifex() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pontifex"))
}

/// Runs the binary with `arguments` and `input` until it exits.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = pontifex()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// A running `pontifex gtp`.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the engine with `arguments`.
    pub(crate) fn start(arguments: &[&str]) -> Client {
        Client::start_in(Path::new("."), arguments)
    }

    /// Starts the engine in a folder.
    pub(crate) fn start_in(folder: &Path, arguments: &[&str]) -> Client {
        let mut child = pontifex()
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Client { stdin: child.stdin.take(), child, lines }
    }

    /// Sends text unchanged.
    pub(crate) fn send(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Waits for the next answer. Returns it without the empty line that ends it.
    pub(crate) fn answer(&mut self) -> String {
        let mut answer = Vec::new();
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).expect("an answer in time");
            if line.is_empty() {
                return answer.join("\n");
            }
            answer.push(line);
        }
    }

    /// The next line of output.
    pub(crate) fn line(&mut self) -> String {
        self.lines.recv_timeout(TIMEOUT).expect("a line in time")
    }

    /// Whether the engine prints nothing for `time`.
    pub(crate) fn is_silent(&mut self, time: Duration) -> bool {
        self.lines.recv_timeout(time).is_err()
    }

    /// Sends a line and waits for its answer.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(&format!("{line}\n"));
        self.answer()
    }

    /// Closes the engine's input.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// The ID of the engine's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the process to exit. Returns its exit code and the elapsed time.
    pub(crate) fn wait(&mut self) -> (Option<i32>, Duration) {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), start.elapsed());
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the engine does not exit");
    }

    /// The remaining lines on stdout, until the engine closes it.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        self.lines.iter().collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal such as `-INT` to processes, in this order and at once.
#[cfg(unix)]
pub(crate) fn signal(name: &str, ids: &[u32]) {
    let ids = ids.iter().map(u32::to_string);
    let kill = Command::new("kill").arg(name).args(ids).status();
    assert!(kill.unwrap().success());
}
