//! Transcripts: what is typed, on lines that begin with `> `, and the answers
//! without the empty lines that end them.
//!
//! `...` in an answer stands for any text in the line, alone for any number
//! of lines. Lines that begin with `#` before the first `> ` are comments.

use super::client::{self, Client};

/// A command and the lines of its answer.
pub(crate) struct Exchange {
    /// What is typed.
    pub(crate) command: String,
    /// What should come.
    pub(crate) answer: Vec<String>,
}

/// Takes a transcript apart.
pub(crate) fn parse(text: &str) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(command) = line.strip_prefix("> ") {
            exchanges.push(Exchange { command: command.to_owned(), answer: Vec::new() });
        } else if let Some(exchange) = exchanges.last_mut() {
            exchange.answer.push(line.to_owned());
        } else {
            assert!(line.starts_with('#'), "'{line}' answers nothing");
        }
    }
    exchanges
}

/// Replays a transcript on a fresh engine in an empty folder.
pub(crate) fn replay(name: &str, text: &str) {
    let folder = client::folder(&format!("transcript-{name}"));
    let mut client = Client::start_in(&folder, &["gtp", "--threads", "1"]);
    for Exchange { command, answer } in parse(text) {
        client.send(&format!("{command}\n"));
        if answer.is_empty() {
            continue;
        }
        let actual = client.answer();
        let lines: Vec<&str> = actual.lines().collect();
        let expected: Vec<&str> = answer.iter().map(String::as_str).collect();
        assert!(
            matches(&expected, &lines),
            "{name}: after '{command}'\nexpected:\n{}\nbut got:\n{actual}\n",
            answer.join("\n")
        );
    }
    client.close();
    let rest = client.rest();
    assert!(rest.is_empty(), "{name}: more answers than the transcript has: {rest:?}");
}

fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        ["...", rest @ ..] => (0..=actual.len()).any(|skip| matches(rest, &actual[skip..])),
        [first, rest @ ..] => {
            actual.first().is_some_and(|line| line_matches(first, line.trim_end()))
                && matches(rest, &actual[1..])
        }
    }
}

fn line_matches(expected: &str, actual: &str) -> bool {
    match expected.trim_end().split_once("...") {
        None => expected.trim_end() == actual,
        Some((before, after)) => actual.strip_prefix(before).is_some_and(|actual| {
            actual
                .char_indices()
                .map(|(at, _)| at)
                .chain([actual.len()])
                .any(|at| line_matches(after, &actual[at..]))
        }),
    }
}

#[test]
fn dots_stand_for_anything() {
    assert!(line_matches("= ...", "= d4,e6"));
    assert!(line_matches("=...", "="));
    assert!(line_matches("a...c...", "abcd"));
    assert!(!line_matches("a...c", "abcd"));
    assert!(matches(&["=", "...", "c"], &["=", "a", "b", "c"]));
    assert!(!matches(&["=", "...", "c"], &["=", "a", "b"]));
    assert!(!matches(&["= a"], &["= a", "b"]));
}
