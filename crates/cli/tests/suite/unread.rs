//! Broken pipes: a command that only prints ends quietly, and one that also writes files continues.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::client::{pontifex, run, signal, test_folder};
use super::tournament::{FAST, wait_until};

const GAME: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/data/records/abstract-play-8x8.json");

/// A query that takes ten minutes.
const QUERY: &str = "{\"id\":\"a\",\"moves\":[\"d4,e6\",\"swap\",\"c3,g6\"],\"maxTime\":600}\n";

/// Two engines that need ten minutes for a move.
const MATCH: [&str; 9] = {
    let mut slow = FAST;
    (slow[6], slow[7], slow[8]) = ("8", "--time", "600");
    slow
};

/// A process that is killed at the end of the test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Process {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Process(command.spawn().unwrap())
    }

    /// Sends input. Returns both pipes.
    fn pipes(&mut self, input: &str) -> (ChildStdin, BufReader<ChildStdout>) {
        let mut stdin = self.0.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        (stdin, BufReader::new(self.0.stdout.take().unwrap()))
    }

    /// Waits for the end. Returns the exit code and the text on stderr.
    fn end(mut self) -> (Option<i32>, String) {
        wait_until("the end of the process", || self.0.try_wait().unwrap().is_some());
        let code = self.0.wait().unwrap().code();
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut self.0.stderr.take().unwrap(), &mut stderr).unwrap();
        (code, stderr)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a command, and closes the pipe from its output.
fn start_with_broken_pipe(arguments: &[&str]) -> Process {
    let mut process = Process::start(pontifex().args(arguments));
    drop(process.0.stdout.take());
    process
}

/// The end of input alone ends no query, but a broken pipe for the answer ends the search.
#[test]
fn a_query_ends_when_both_pipes_are_closed() {
    let mut process = Process::start(pontifex().args(["engine-json", "--analysis-threads", "1"]));
    let quick = "{\"id\":\"q\",\"moves\":[\"a1,b1\"],\"maxPlayouts\":300}\n";
    let (stdin, mut stdout) = process.pipes(&[quick, QUERY].concat());
    drop(stdin);
    let mut answer = String::new();
    stdout.read_line(&mut answer).unwrap();
    assert!(answer.contains("\"id\":\"q\""), "{answer}");
    assert!(process.0.try_wait().unwrap().is_none());
    drop(stdout);
    assert_eq!(process.end(), (Some(0), String::new()));
}

/// A client that talks over a socket shuts down its writing half to end the input. It still reads.
#[test]
fn a_socket_that_is_half_closed_is_still_read() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let end =
        |stream: &UnixStream| Stdio::from(std::os::fd::OwnedFd::from(stream.try_clone().unwrap()));
    let mut command = pontifex();
    command
        .args(["engine-json", "--analysis-threads", "1"])
        .stdin(end(&theirs))
        .stdout(end(&theirs));
    let mut process = Process(command.stderr(Stdio::piped()).spawn().unwrap());
    // The command holds the other end, too.
    drop((theirs, command));
    let quick = "{\"id\":\"q\",\"moves\":[\"a1,b1\"],\"maxPlayouts\":300}\n";
    (&ours).write_all([quick, QUERY].concat().as_bytes()).unwrap();
    ours.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    let mut reader = BufReader::new(ours);
    reader.read_line(&mut answer).unwrap();
    assert!(answer.contains("\"id\":\"q\""), "{answer}");
    assert!(process.0.try_wait().unwrap().is_none());
    if cfg!(target_os = "linux") {
        drop(reader);
        assert_eq!(process.end(), (Some(0), String::new()));
    }
}

#[test]
fn an_engine_stops_thinking_on_a_broken_pipe() {
    for (arguments, input) in [
        (&["gtp", "--board", "8", "--time", "600"][..], "name\ngenmove w\n"),
        (&["gtp", "--board", "8", "--pie", "off"], "name\nponte-analyze\n"),
        (&["teufel", "--time", "3600"], "name\ngenmove blue\n"),
    ] {
        let mut process = Process::start(pontifex().args(arguments));
        let (stdin, mut stdout) = process.pipes(input);
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.starts_with("= pontifex"), "{answer}");
        drop(stdout);
        // The input stays open.
        assert_eq!(process.end(), (Some(0), String::new()), "{arguments:?}");
        drop(stdin);
    }
}

#[test]
fn commands_that_only_print_end_on_a_broken_pipe() {
    let folder = test_folder("unread");
    let journal = folder.join("games.jsonl");
    let journal = journal.to_str().unwrap();
    let more = ["--games", "2", "--board", "12", "--journal", journal];
    assert!(run(&[&FAST[..5], &more, &["--playouts", "2"]].concat(), b"").status.success());
    for arguments in [
        &["analyze", GAME, "--move", "3", "--time", "600"][..],
        &["analyze", GAME, "--move", "3", "--time", "600", "--svg", "-"],
        &["review", GAME, "--time", "600"],
        &["review", GAME, "--time", "600", "--html", "-"],
        &["perft", "9"],
        &["bench", "threads", "--seconds", "3600", "--threads", "1"],
        &["puzzles", journal, "--turns", "30", "--nodes", "100000000000"],
        &["teufel", "match", "--players", "ismcts,ismcts", "--time", "3600"],
        &MATCH,
    ] {
        assert_eq!(
            start_with_broken_pipe(arguments).end(),
            (Some(0), String::new()),
            "{arguments:?}"
        );
    }
}

/// The picture and the page are written despite the broken pipe for the text.
#[test]
fn commands_that_write_files_finish_them_despite_a_broken_pipe() {
    let folder = test_folder("unread-files");
    let (svg, html) = (folder.join("best.svg"), folder.join("review.html"));
    let limit = ["--playouts", "20"];
    let (analyze, review) = (["analyze", GAME, "--move", "3"], ["review", GAME]);
    let svg_option = ["--svg", svg.to_str().unwrap()];
    let html_option = ["--html", html.to_str().unwrap()];
    for (arguments, file) in [
        ([&analyze[..], &limit, &svg_option].concat(), &svg),
        ([&review[..], &limit, &html_option].concat(), &html),
    ] {
        assert_eq!(
            start_with_broken_pipe(&arguments).end(),
            (Some(0), String::new()),
            "{arguments:?}"
        );
        assert!(fs::read_to_string(file).unwrap().trim_end().ends_with('>'), "{arguments:?}");
    }
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.matches('\n').count())
}

#[test]
fn a_match_with_a_journal_is_played_to_its_end_despite_a_broken_pipe() {
    let journal = test_folder("unread-journal").join("journal.jsonl");
    let more = ["--games", "4", "--journal", journal.to_str().unwrap()];
    assert_eq!(
        start_with_broken_pipe(&[&FAST[..], &more].concat()).end(),
        (Some(0), String::new())
    );
    assert_eq!(lines(&journal), 5);
}

#[test]
fn a_broken_pipe_does_not_change_the_exit_code_of_a_match() {
    let folder = test_folder("unread-code");
    let journal = |name: &str| folder.join(name).display().to_string();
    let missing = ["match", "--engine", "name=A cmd=builtin", "--engine", "name=B cmd=false"];
    let rest = ["--board", "6", "--playouts", "3", "--journal", &journal("a")];
    assert_eq!(start_with_broken_pipe(&[&missing[..], &rest].concat()).end().0, Some(3));
    let test = ["--sprt", "elo0=0,elo1=5", "--sprt-exit", "--games", "2"];
    assert_eq!(start_with_broken_pipe(&[&FAST[..], &test].concat()).end().0, Some(11));
    assert_eq!(start_with_broken_pipe(&["match", "--check", "false"]).end().0, Some(3));
}

/// Ctrl-C in a terminal ends both sides of `pontifex engine-json | tee log`.
#[test]
fn an_interrupt_that_also_ends_the_reader_is_an_interrupt() {
    let version = "{\"id\":\"v\",\"action\":\"query_version\"}\n";
    for (arguments, input) in [("engine-json", [QUERY, version].concat()), ("gtp", "name\n".into())]
    {
        let mut process = Process::start(pontifex().arg(arguments));
        let (stdin, mut stdout) = process.pipes(&input);
        stdout.read_line(&mut String::new()).unwrap();
        signal("-INT", &[process.0.id()]);
        drop(stdout);
        assert_eq!(process.end().0, Some(130), "{arguments}");
        drop(stdin);
    }
}

#[test]
fn signals_end_commands_with_broken_pipes_with_their_codes() {
    let folder = test_folder("unread-signals");
    let path = |name: &str| folder.join(name).display().to_string();
    let (games, ended, training) = (path("interrupted"), path("ended"), path("training"));
    let (cache, html) = (path("cache"), path("html"));
    let endless = ["--games", "100000"];
    let selfplay = ["selfplay", "--board", "5", "--full", "4", "--quick", "2", "--output"];
    let review = ["review", GAME, "--time", "600", "--threads", "2"];
    let outputs = ["--html", &html, "--cache", &cache];
    for (arguments, file, name, code) in [
        ([&FAST[..], &endless, &["--journal", &games]].concat(), &games, "-INT", 130),
        ([&FAST[..], &endless, &["--journal", &ended]].concat(), &ended, "-TERM", 143),
        ([&selfplay[..], &[&training], &endless].concat(), &training, "-INT", 130),
        ([&review[..], &outputs].concat(), &cache, "-INT", 130),
    ] {
        let process = start_with_broken_pipe(&arguments);
        wait_until("the file", || fs::metadata(file).is_ok_and(|data| data.len() > 0));
        // The signals are handled after the first game has begun.
        if file != &cache {
            let size = fs::metadata(file).unwrap().len();
            wait_until("a game", || fs::metadata(file).unwrap().len() > size);
        }
        signal(name, &[process.0.id()]);
        let (exit_code, stderr) = process.end();
        assert_eq!(exit_code, Some(code), "{arguments:?}: {stderr}");
    }
}
