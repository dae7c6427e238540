//! `pontifex train`: from games to a network that plays, and what becomes of
//! a run that is cut off.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use super::client::{folder, pontifex, run};
use super::tournament::until;

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Plays some games on a board into a file.
fn games(path: &Path, board: &str, seed: &str) {
    let begin = ["selfplay", "--output", path.to_str().unwrap(), "--board", board, "--seed", seed];
    let fast = ["--games", "6", "--full", "24", "--full-share", "1", "--evaluator", "linear"];
    let output = run(&[&begin[..], &fast].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// A folder with games on two boards.
fn with_games(name: &str) -> (PathBuf, [PathBuf; 2]) {
    let folder = folder(name);
    let paths = ["4.games", "6.games"].map(|name| folder.join(name));
    games(&paths[0], "4", "1");
    games(&paths[1], "6", "2");
    (folder, paths)
}

/// The arguments of a short training, or what `more` has instead.
fn arguments<'a>(output: &'a Path, games: &'a [PathBuf], more: &[&'a str]) -> Vec<&'a str> {
    const SHORT: [[&str; 2]; 5] = [
        ["--window", "5"],
        ["--epochs", "2"],
        ["--batch", "32"],
        ["--hold-out", "6"],
        ["--threads", "2"],
    ];
    let short = SHORT.iter().filter(|[name, _]| !more.contains(name)).flatten().copied();
    let files = games.iter().map(|path| path.to_str().unwrap());
    let begin = ["train", "--output", output.to_str().unwrap()];
    begin.into_iter().chain(files).chain(short).chain(more.iter().copied()).collect()
}

/// Trains, which must go well; what it prints.
fn train(output: &Path, games: &[PathBuf], more: &[&str]) -> String {
    let output = run(&arguments(output, games, more), b"");
    assert_eq!(output.status.code(), Some(0), "{more:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What must be refused in one line that says so.
fn refused(output: &Path, games: &[PathBuf], more: &[&str], code: i32, said: &str) {
    let output = run(&arguments(output, games, more), b"");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{more:?}: {error}");
    assert!(error.lines().count() == 1 && error.contains(said), "{more:?}: {error}");
    assert!(output.stdout.is_empty());
}

/// The file beside a network.
fn beside(output: &Path, name: &str) -> PathBuf {
    format!("{}.{name}", output.display()).into()
}

#[test]
fn games_become_a_network_that_plays() {
    let (folder, games) = with_games("train");
    let net = folder.join("net.bin");
    let report = train(&net, &games, &[]);
    let lines: Vec<&str> = report.lines().collect();
    let said = format!("{}: 10 games, 4 of 4 windows, ", net.display());
    assert!(lines[0].starts_with(&said) && lines[0].ends_with(" positions"), "{report}");
    assert!(lines[1].starts_with("2 held out ") && lines[1].ends_with(" owner"), "{report}");
    assert!(lines[2].starts_with("linear ") && lines[2].ends_with(" -"), "{report}");
    assert!(lines[3].starts_with("network ") && !lines[3].ends_with(" -"), "{report}");
    assert!(lines[4].ends_with(" positions a second") && lines.len() == 5, "{report}");
    let curves = fs::read_to_string(beside(&net, "curves.txt")).unwrap();
    assert_eq!(curves.lines().count(), 5);
    assert!(curves.starts_with("epoch\trate\tpositions\ttrain_result\t"), "{curves}");
    assert!(fs::read_to_string(beside(&net, "curves.svg")).unwrap().contains("net.bin: losses"));

    // Again there is nothing to do, and nothing changes but what is missing.
    let before = fs::read(&net).unwrap();
    fs::remove_file(&net).unwrap();
    let output = run(&arguments(&net, &games, &[]), b"");
    assert!(stderr(&output).ends_with("net.bin is done\n"), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.lines().eq(lines[..4].iter().copied()), "{said}");
    assert!(fs::read(&net).unwrap() == before);

    let play = ["--net", net.to_str().unwrap(), "--board", "6", "--playouts", "50"];
    let options = ["--threads", "1"];
    let commands = b"ponte-get_param evaluator\ngenmove white\n";
    let output = run(&[&play[..], &options].concat(), commands);
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.starts_with("= network\n\n= ") && answer.contains(','), "{answer}");
}

#[test]
fn a_run_that_is_cut_off_goes_on_to_the_same_network() {
    let (folder, games) = with_games("train-resumed");
    let [whole, part] = ["whole.bin", "part.bin"].map(|name| folder.join(name));
    // Windows of one game, so that there is time to interrupt it.
    let more = ["--window", "1", "--epochs", "6"];
    let table = |net: &Path| fs::read_to_string(beside(net, "curves.txt")).unwrap_or_default();
    let windows = |net: &Path| table(net).lines().count().saturating_sub(1);
    train(&whole, &games, &[&more[..], &["--threads", "1"]].concat());
    let start = || {
        let arguments = arguments(&part, &games, &more);
        let mut command = pontifex();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut child = start();
    until("two windows", || windows(&part) >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    #[cfg(unix)]
    {
        fs::remove_file(beside(&part, "curves.txt")).unwrap();
        let child = start();
        until("some windows more", || windows(&part) >= 3);
        super::tournament::interrupt(&child);
        let output = child.wait_with_output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("learning the window under way; interrupt again"), "{said}");
    }
    let before = windows(&part);
    let output = run(&arguments(&part, &games, &more), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    if cfg!(unix) {
        let said = format!("part.bin has {before} windows, {} are missing", 60 - before);
        assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    }
    assert!(fs::read(&part).unwrap() == fs::read(&whole).unwrap());
    assert_eq!(table(&part), table(&whole));
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let (folder, games) = with_games("train-refused");
    let net = folder.join("net.bin");
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        vec![path]
    };
    let letter = path("letter.txt", b"Dear games,\n");
    refused(&net, &letter, &[], 2, "letter.txt is not a file of pontifex selfplay");
    refused(&net, &[folder.join("none.games")], &[], 2, "none.games: ");
    let empty = path("empty.games", b"pontifex-games 2 board=4\n");
    refused(&net, &empty, &[], 2, "there is no game to learn from: 0 games were read");
    refused(&net, &games, &["--hold-out", "1"], 2, "12 games were read, 12 of them held out");
    // White passes at once, and the checksum is right: only the rules can tell.
    let mut bytes = fs::read(&games[0]).unwrap();
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let length = u32::from_le_bytes(*bytes[line..].first_chunk().unwrap()) as usize;
    bytes[line + 22..line + 24].copy_from_slice(&1728u16.to_le_bytes());
    let sum = crc32fast::hash(&bytes[line + 8..line + 8 + length]);
    bytes[line + 4..line + 8].copy_from_slice(&sum.to_le_bytes());
    let forged = path("forged.games", &bytes);
    refused(&net, &forged, &[], 2, "forged.games: game 1 of the file, at byte ");
    for (more, said) in [
        (["--rate", "0"], "a number above 0, 1 at most"),
        (["--decay", "101"], "a number from 0 to 100"),
        (["--search-share", "1.1"], "a number from 0 to 1"),
        (["--batch", "0"], "1..=1000000"),
        (["--threads", "0"], "1..=1024"),
    ] {
        refused(&net, &games, &more, 2, said);
    }
    assert!(!net.exists() && !beside(&net, "checkpoint").exists());
    refused(&letter[0], &games, &[], 2, "letter.txt is there and is no network");
    refused(&folder.join("no/such/net.bin"), &games, &[], 1, "net.bin.lock: No such file");

    train(&net, &games[..1], &[]);
    let before = fs::read(&net).unwrap();
    refused(&net, &games[..1], &["--epochs", "3"], 2, "epochs is 2 in the file, 3 now");
    let other = "of another training: its games are from 4.games, not from 4.games, 6.games";
    refused(&net, &games, &[], 2, other);
    assert!(fs::read(&net).unwrap() == before);
}
