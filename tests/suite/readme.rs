//! The examples of the README and of `docs/engine-json.md`: every line behind
//! `$ ` runs in a shell, and what it prints is what the lines after it say.
//! The commands with which `docs/training.md` begins run on a small board.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

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

#[test]
#[cfg(unix)]
fn the_commands_of_training_md_make_a_network_and_try_it() {
    let text = include_str!("../../docs/training.md");
    let mut commands = text.split("```").nth(1).unwrap().strip_prefix("sh\n").unwrap().to_owned();
    for (long, short) in [
        ("--games 20000 --full 600 --quick 100", "--games 6 --board 6 --full 40 --quick 10"),
        (
            "--openings openings/10x10.txt --time 0.1 --sprt elo0=0,elo1=20 --sprt-exit",
            "--board 6 --games 2 --playouts 20",
        ),
    ] {
        assert!(commands.contains(long), "{commands}");
        commands = commands.replace(long, short);
    }
    let folder = client::folder("training");
    let output = shell(&folder, &format!("set -e\n{commands}"));
    let (said, error) = (output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{error}");
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("\nnet.bin: 6 games, "), "{said}");
    assert!(said.contains("\nnew - old: 2 games, "), "{said}");
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
    // One folder for all: an example may use what an earlier one wrote.
    let folder = client::folder(name);
    for example in examples {
        let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
        let output = shell(&folder, command);
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

/// Runs commands where `pontifex` is found.
#[cfg(unix)]
fn shell(folder: &Path, commands: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_pontifex"));
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = binary.parent().map(Into::into).into_iter().chain(env::split_paths(&others));
    Command::new("sh")
        .args(["-c", commands])
        .env("PATH", env::join_paths(folders).unwrap())
        .current_dir(folder)
        .output()
        .unwrap()
}
