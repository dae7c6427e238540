//! The examples of the README and of `docs/engine-json.md`: every line behind
//! `$ ` runs in a shell, and what it prints is what the lines after it say.

use std::env;
use std::process::Command;

use super::client;
use super::transcript::matches;

#[test]
#[cfg(unix)]
fn examples_print_what_they_say() {
    replay("readme", include_str!("../../README.md"), 8);
}

#[test]
#[cfg(unix)]
fn examples_of_engine_json_md_print_what_they_say() {
    replay("engine-json", include_str!("../../docs/engine-json.md"), 8);
}

/// Runs every example of a document that has so many or more.
#[cfg(unix)]
fn replay(name: &str, text: &str, least: usize) {
    let examples: Vec<&str> = text
        .split("```console\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("\n```").map(|(example, _)| example))
        .flat_map(|block| block.split("$ ").skip(1))
        .filter(|example| cfg!(feature = "web") || !example.contains("pontifex serve"))
        .collect();
    assert!(examples.len() >= least, "only {} examples", examples.len());
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_pontifex"));
    let path = env::join_paths(
        binary
            .parent()
            .map(Into::into)
            .into_iter()
            .chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    )
    .unwrap();
    // One folder for all: an example may use what an earlier one wrote.
    let folder = client::folder(name);
    for example in examples {
        let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
        let output = Command::new("sh")
            .args(["-c", command])
            .env("PATH", &path)
            .current_dir(&folder)
            .output()
            .unwrap();
        let actual = String::from_utf8(output.stdout).unwrap();
        let expected: Vec<&str> = expected.trim_end().lines().collect();
        let actual: Vec<&str> = actual.trim_end().lines().collect();
        assert!(
            matches(&expected, &actual),
            "$ {command}\nexpected:\n{}\nbut got:\n{}\n{}",
            expected.join("\n"),
            actual.join("\n"),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
