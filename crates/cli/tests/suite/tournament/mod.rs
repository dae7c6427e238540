//! `pontifex match`: tournaments, their journals, how they end, and queues.

mod adjudication;
mod ends;
mod files;
mod journals;
mod queue;
mod results;

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client::{pontifex, run};

/// A fast match: two built-in engines on a small board.
pub(super) const FAST: [&str; 9] = [
    "match",
    "--engine",
    "name=A cmd=builtin",
    "--engine",
    "name=B cmd=builtin",
    "--board",
    "6",
    "--playouts",
    "3",
];

/// Runs a match of [`FAST`] with more arguments.
fn run_fast(more: &[&str]) -> Output {
    run(&[&FAST[..], more].concat(), b"")
}

/// The JSON that a match prints.
fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", stderr(output)))
}

/// The JSON that a match prints, without the times, which differ from run to run.
fn timeless(output: &Output) -> Value {
    let mut value = json(output);
    let matches: Vec<&mut Value> = if value.get("experiments").is_some() {
        value["experiments"].as_array_mut().unwrap().iter_mut().collect()
    } else {
        vec![&mut value]
    };
    for engine in matches.into_iter().filter_map(|entry| entry["engines"].as_array_mut()).flatten()
    {
        for key in ["seconds", "median_overhead", "worst_overhead"] {
            engine[key].take();
        }
    }
    value
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The games of a journal in order: pairing, round, opening and White, and the moves.
fn sorted_games(journal: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(journal).unwrap();
    let mut games: Vec<_> = text
        .split_inclusive('\n')
        .skip(1)
        .filter(|line| line.ends_with('\n'))
        .map(|line| {
            let game: Value = serde_json::from_str(line).unwrap();
            let key = ["a", "b", "round", "opening", "white"].map(|key| game[key].to_string());
            (key.join(" "), game["moves"].as_str().unwrap().to_owned())
        })
        .collect();
    games.sort();
    games
}

/// Starts a match and discards its output.
fn start(arguments: &[&str]) -> Child {
    pontifex()
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until `condition` holds. `event` is its name for the panic after a minute.
pub(super) fn wait_until(event: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "{event} takes too long");
        thread::sleep(Duration::from_millis(2));
    }
}

/// The number of lines of a file; 0 if it does not exist.
fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.matches('\n').count())
}
