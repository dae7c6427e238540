//! Transcripts: input on lines that begin with `> `, and the answers without the empty lines that
//! end them.
//!
//! `...` in an answer stands for any text, and alone on a line for any number of lines. Requests
//! without an answer below them are sent together with the next one. After `ponte-analyze` and
//! `kata-analyze` an empty line is sent, which ends it. Lines that begin with `#` before the first
//! `> ` are comments.

use super::client::{self, Client};

/// A command and the expected answers.
pub(crate) struct Exchange {
    /// The input line.
    pub(crate) command: String,
    /// The lines of each answer. A comment has none. Several answers belong to this and earlier
    /// commands.
    pub(crate) answers: Vec<Vec<String>>,
}

/// Parses a transcript.
pub(crate) fn parse(text: &str) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(command) = line.strip_prefix("> ") {
            exchanges.push(Exchange { command: command.to_owned(), answers: Vec::new() });
            continue;
        }
        let answers = exchanges.last_mut().map(|exchange| &mut exchange.answers);
        match answers {
            None => assert!(line.starts_with('#'), "'{line}' comes before any command"),
            Some(answers) if line.starts_with(['=', '?']) => answers.push(vec![line.to_owned()]),
            Some(answers) => answers.last_mut().expect("= or ? first").push(line.to_owned()),
        }
    }
    exchanges
}

/// Replays a transcript with a new engine in an empty folder.
pub(crate) fn replay(name: &str, text: &str) {
    let folder = client::test_folder(&format!("transcript-{name}"));
    let mut client = Client::start_in(&folder, &["gtp", "--threads", "1"]);
    for Exchange { command, answers } in parse(text) {
        client.send(&format!("{command}\n"));
        if command.split(' ').any(|word| word == "ponte-analyze" || word == "kata-analyze") {
            client.send("\n");
        }
        for expected in answers {
            let actual = client.answer();
            let lines: Vec<&str> = actual.lines().collect();
            assert!(
                matches(&expected.iter().map(String::as_str).collect::<Vec<_>>(), &lines),
                "{name}: after '{command}'\nexpected:\n{}\nbut got:\n{actual}\n",
                expected.join("\n")
            );
        }
    }
    client.close();
    let rest = client.rest();
    assert!(rest.is_empty(), "{name}: more answers than the transcript has: {rest:?}");
}

/// Whether the lines match, with `...` for any text or lines.
pub(crate) fn matches(expected: &[&str], actual: &[&str]) -> bool {
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
                .map(|(index, _)| index)
                .chain([actual.len()])
                .any(|index| line_matches(after, &actual[index..]))
        }),
    }
}

#[test]
fn dots_match_any_text() {
    assert!(line_matches("= ...", "= d4,e6"));
    assert!(line_matches("=...", "="));
    assert!(line_matches("a...c...", "abcd"));
    assert!(!line_matches("a...c", "abcd"));
    assert!(matches(&["=", "...", "c"], &["=", "a", "b", "c"]));
    assert!(!matches(&["=", "...", "c"], &["=", "a", "b"]));
    assert!(!matches(&["= a"], &["= a", "b"]));
}
