//! Text from outside in errors, warnings and tables becomes one line of at most 300 characters that
//! cannot control a terminal.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::client::{pontifex, run, test_folder};

/// A text that colours a terminal, begins a line and is long.
fn hostile_text() -> String {
    format!("\u{1b}[31m\n\u{9b}1A\u{202e}{}", "é".repeat(100_000))
}

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    pontifex().current_dir(folder).args(arguments).output().unwrap()
}

/// Checks that a text is safe to print, and that each line is short.
fn check_printable(text: &str, context: &str) {
    let controls_terminal =
        |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{2028}'..='\u{202e}'));
    assert!(!text.contains(controls_terminal), "{context}: {text:.400?}");
    assert!(text.lines().all(|line| line.chars().count() <= 300), "{context}: {text:.400}");
}

/// Checks that an error is one short line that is safe to print.
fn check_error(output: &Output, context: &str) {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!output.status.success(), "{context}");
    assert_eq!(error.lines().count(), 1, "{context}: {error:.400}");
    assert!(error.starts_with("pontifex: "), "{context}: {error:.400}");
    check_printable(&error, context);
}

#[test]
fn errors_about_files_are_one_printable_line() {
    let folder = test_folder("messages-files");
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let toml = Value::from(hostile_text()).to_string().replace('\u{9b}', "\\u009b");
    write("value.toml", format!("board = {toml}\n"));
    write("key.toml", format!("{toml} = 1\n"));
    write("syntax.toml", format!("x = {}", hostile_text()));
    write("experiment.toml", format!("[[experiment]]\nname = {toml}\n"));
    write("game.sgf", format!("(;GM[PonteDelDiavolo]SZ[{0}]W[{0}])", hostile_text()));
    write("moves.txt", format!("d4,e6 {}", hostile_text()));
    write("openings.txt", format!("d4,e6 {}", hostile_text()));
    write("game.json", format!("{{\"game\":{toml}}}"));
    for arguments in [
        &["gtp", "--config", "value.toml"][..],
        &["gtp", "--config", "key.toml"],
        &["gtp", "--config", "syntax.toml"],
        &["match", "--config", "value.toml"],
        &["match", "--config", "key.toml"],
        &["match", "--queue", "experiment.toml"],
        &["convert", "game.sgf"],
        &["convert", "moves.txt"],
        &["convert", "game.json"],
        &["convert", "no \u{1b}[31m\nfile"],
        &["perft", "1", "--position", "\u{1b}[31m\n4/4 w - -"],
        &["gtp", "--board", "\u{1b}[31m\n\u{202e}"],
        &["\u{1b}[31m\n"],
    ] {
        check_error(&run_in(&folder, arguments), &arguments.join(" "));
    }
    let engines = ["--engine", "name=a cmd=builtin", "--engine", "name=b cmd=builtin"];
    let arguments = [&["match", "--openings", "openings.txt"][..], &engines].concat();
    check_error(&run_in(&folder, &arguments), "openings");
}

#[test]
fn a_bad_move_in_a_journal_is_one_short_line() {
    let folder = test_folder("messages-journal");
    let engines = [
        "--board",
        "6",
        "--playouts",
        "1",
        "--games",
        "2",
        "--engine",
        "cmd=builtin name=a",
        "--engine",
        "cmd=builtin name=b",
    ];
    let play = [&["match", "--journal", "j.jsonl"][..], &engines].concat();
    assert!(run_in(&folder, &play).status.success());
    let journal = fs::read_to_string(folder.join("j.jsonl")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    let mut entry: Value = serde_json::from_str(lines[1]).unwrap();
    entry["moves"] = hostile_text().into();
    fs::write(folder.join("bad.jsonl"), format!("{}\n{entry}\n", lines[0])).unwrap();
    let again =
        [&["match", "--journal", "bad.jsonl", "--records", "out.sgf"][..], &engines].concat();
    check_error(&run_in(&folder, &again), "records");
    check_error(&run_in(&folder, &["puzzles", "bad.jsonl"]), "puzzles");
    // The names of the engines are in the tables.
    let name = "\u{1b}[31m\u{9b}\u{202e}";
    let renamed = journal.replace(":\"a\"", &format!(":{}", Value::from(name)));
    fs::write(folder.join("named.jsonl"), renamed).unwrap();
    let output = run_in(&folder, &["match", "--merge", "named.jsonl"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("\\u{1b}[31m\\u{9b}\\u{202e} - b: 2 games"), "{table}");
    check_printable(&table, "table");
}

#[test]
fn answers_of_the_protocols_are_short_and_printable() {
    let bad = hostile_text().replace('\n', " ");
    let lines = format!(
        "play w {bad}\nboardsize {bad}\nponte-set_param board {bad}\nloadsgf {bad}\n\
         ponte-set_position {bad}\nprintsgf no/{bad}\nponte-set_param {bad} 1\n"
    );
    let output = run(&["gtp"], lines.as_bytes());
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.matches("? ").count(), 7, "{answers:.400}");
    check_printable(&answers, "gtp");
    let text = Value::from(hostile_text());
    let queries = [
        format!("{{\"id\":\"a\",\"moves\":[{text}]}}"),
        format!("{{\"id\":\"a\",\"action\":{text}}}"),
        format!("{{\"id\":\"a\",\"initialPosition\":{text}}}"),
        format!("{{\"id\":\"a\",\"overrideSettings\":{{{text}:1}}}}"),
        format!("{{\"id\":\"a\",\"maxVisits\":{text}}}"),
    ];
    let output = run(&["engine-json"], queries.join("\n").as_bytes());
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), queries.len(), "{answers:.400}");
    for answer in answers.lines() {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let message = answer["error"].as_str().or(answer["warning"].as_str()).unwrap();
        assert!(!message.contains('\n'), "{message}");
        check_printable(message, "json");
    }
}

#[test]
fn a_review_escapes_control_characters_in_names() {
    let folder = test_folder("messages-review");
    let game = "(;GM[PonteDelDiavolo]SZ[6]PW[\u{1b}[31mAnna\\]\u{202e}]PB[B\nert];W[a1,b1])";
    fs::write(folder.join("\u{1b}game.sgf"), game).unwrap();
    let output = run_in(&folder, &["review", "\u{1b}game.sgf", "--playouts", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("\\u{1b}game.sgf: \\u{1b}[31mAnna]\\u{202e} (White)"), "{text}");
    check_printable(&text, "review");
}
