//! Runs the examples of the README and the pages in `docs/` and `openings/`: every line behind `$ `
//! in a `console` block is a shell command, and the lines after it are its output. A `toml` block
//! below a line such as `` `night.toml`: `` is a file that the commands find.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::transcript::matches;
use super::{client, root};

/// A test for each page with examples: its name, the page, and how many examples the page has at
/// least.
macro_rules! pages {
    ($($name:ident: $page:literal, $least:literal;)*) => {
        const PAGES: &[&str] = &[$($page),*];

        $(
            #[test]
            #[cfg(unix)]
            fn $name() {
                replay(stringify!($name), $page, $least);
            }
        )*
    };
}

pages! {
    examples_of_the_readme: "README.md", 10;
    examples_of_engine_json: "docs/engine-json.md", 19;
    examples_of_match: "docs/match.md", 2;
    examples_of_queue: "docs/queue.md", 1;
    examples_of_journals: "docs/journals.md", 2;
    examples_of_records: "docs/records.md", 7;
    examples_of_review: "docs/review.md", 5;
    examples_of_rules: "docs/rules.md", 4;
    examples_of_teufel: "docs/teufel.md", 3;
    examples_of_training: "docs/training.md", 6;
    examples_of_openings: "openings/README.md", 2;
}

#[test]
fn every_page_with_examples_is_tested() {
    for folder in ["docs", "openings"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let page = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            if !page_examples(&read(&page)).is_empty() {
                assert!(PAGES.contains(&&*page), "{page} is missing in the list of pages");
            }
        }
    }
}

#[test]
#[cfg(unix)]
fn the_commands_of_training_md_fit_weights_and_try_them() {
    let text = read("docs/training.md");
    let mut commands = text.split("```").nth(1).unwrap().strip_prefix("sh\n").unwrap().to_owned();
    let weights = root().join("src/eval/linear/weights.txt").display().to_string();
    for (long, short) in [
        ("--games 20000 --full 600 --quick 100", "--games 6 --board 6 --full 40 --quick 10"),
        ("src/eval/linear/weights.txt", &format!("'{weights}' --epochs 1 --hold-out 3")),
        (
            "--openings openings/10x10.txt --time 0.1 --sprt elo0=0,elo1=20 --sprt-exit",
            "--board 6 --games 2 --playouts 20",
        ),
    ] {
        assert!(commands.contains(long), "{commands}");
        commands = commands.replace(long, short);
    }
    let folder = client::test_folder("training");
    let output = shell(&folder, &format!("set -e\n{commands}")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = String::from_utf8(output.stdout).unwrap();
    for part in ["first.games: 6 games, ", "\nblend  ", "\nnew - old: 2 games, "] {
        assert!(report.contains(part), "no '{part}' in:\n{report}");
    }
}

/// The object that `docs/match.md` shows is that of the match at the top of the page.
#[test]
#[cfg(unix)]
fn the_json_of_match_md_is_that_of_its_first_match() {
    use serde_json::Value;

    /// Compares numbers as the page rounds them; times differ from run to run.
    fn is_same(shown: &Value, actual: &Value) -> bool {
        match (shown, actual) {
            (Value::Number(a), Value::Number(b)) => {
                (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 0.006
            }
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                let is_member = |(key, value): (&String, &Value)| {
                    b.get(key).is_some_and(|other| key == "seconds" || is_same(value, other))
                };
                a.len() == b.len() && a.iter().all(is_member)
            }
            _ => shown == actual,
        }
    }
    let text = read("docs/match.md");
    let (_, block) = text.split_once("\n```json\n").unwrap();
    let shown: Value = serde_json::from_str(block.split_once("```").unwrap().0).unwrap();
    let (command, _) = page_examples(&text)[0].split_once('\n').unwrap();
    let folder = client::test_folder("match-json");
    let output = shell(&folder, &format!("{command} --json")).output().unwrap();
    let actual: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(is_same(&shown, &actual), "{actual}");
}

/// The commands of a page, each with its output.
fn page_examples(text: &str) -> Vec<&str> {
    text.split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("\n```").map(|(example, _)| example))
        .flat_map(|block| block.split("$ ").skip(1))
        .collect()
}

/// The files of a page, by name.
#[cfg(unix)]
fn files(text: &str) -> Vec<(&str, &str)> {
    let blocks = text.match_indices("`:\n\n```toml\n");
    let file = |(start, mark): (usize, &str)| {
        let (_, name) = text[..start].rsplit_once('`')?;
        Some((name, text[start + mark.len()..].split_once("```")?.0))
    };
    blocks.filter_map(file).collect()
}

/// Runs every example of a page that has at least `least` of them.
#[cfg(unix)]
fn replay(name: &str, page: &str, least: usize) {
    let text = read(page);
    let examples = page_examples(&text);
    assert!(examples.len() >= least, "{page} has only {} examples", examples.len());
    // One folder for all: an example may use what an earlier one wrote.
    let folder = client::test_folder(name);
    for (name, contents) in files(&text) {
        fs::write(folder.join(name), contents).unwrap();
    }
    for example in examples {
        check_example(page, &folder, example);
    }
}

/// Runs an example and compares its output.
#[cfg(unix)]
fn check_example(page: &str, folder: &Path, example: &str) {
    let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
    let expected: Vec<&str> = expected.trim_end().lines().collect();
    let (actual, errors) = if command.starts_with("pontifex serve") {
        (first_lines(folder, command, expected.len()), String::new())
    } else {
        let output = shell(folder, command).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (String::from_utf8(output.stdout).unwrap(), errors)
    };
    let actual: Vec<&str> = actual.trim_end().lines().collect();
    assert!(
        matches(&expected, &actual),
        "{page}: $ {command}\nexpected:\n{}\nbut got:\n{}\n{errors}",
        expected.join("\n"),
        actual.join("\n"),
    );
}

/// The first `count` lines that a server prints. It runs until it is killed.
#[cfg(unix)]
fn first_lines(folder: &Path, command: &str, count: usize) -> String {
    let mut server =
        shell(folder, &format!("exec {command}")).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines().take(count);
    let lines: Vec<String> = lines.map(Result::unwrap).collect();
    server.kill().unwrap();
    server.wait().unwrap();
    lines.join("\n")
}

/// A shell that runs commands with `pontifex` on the path.
#[cfg(unix)]
fn shell(folder: &Path, commands: &str) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_pontifex"));
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = binary.parent().map(Into::into).into_iter().chain(env::split_paths(&others));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", commands])
        .env("PATH", env::join_paths(folders).unwrap())
        // A server saves its games there.
        .env("HOME", folder)
        .env_remove("XDG_DATA_HOME")
        .current_dir(folder);
    shell
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}
