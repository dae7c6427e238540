//! What journals are for: killed, resumed, split and joined.

use std::fs;
use std::path::Path;

use pontifex::eval::Random;

use super::{FAST, fast, games, json, lines, start, stderr, until};
use crate::client::{folder, run};

/// The arguments of a match with a journal.
fn with_journal<'a>(journal: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&FAST[..], &["--journal", journal.to_str().unwrap()], more].concat()
}

#[test]
fn killed_matches_resume_with_the_same_games() {
    let folder = folder("killed");
    let (whole, killed) = (folder.join("whole.jsonl"), folder.join("killed.jsonl"));
    let more = ["--games", "120", "--playouts", "60"];
    let more = |journal| {
        let mut arguments = with_journal(journal, &more);
        arguments.retain(|argument| *argument != "3");
        arguments.remove(7);
        arguments
    };
    assert!(run(&more(&whole), b"").status.success());
    let mut random = Random::new(11);
    for _ in 0..10 {
        let before = lines(&killed);
        let mut child = start(&more(&killed));
        let games = 1 + random.below(5) as usize;
        until("a game", || lines(&killed) >= before.max(1) + games);
        std::thread::sleep(std::time::Duration::from_micros(u64::from(random.below(5000))));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(lines(&killed) < 121, "killed too late to show anything");
    let output = run(&more(&killed), b"");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(lines(&killed), 121);
    assert_eq!(games(&killed), games(&whole));
    // There is nothing left to play.
    let again = fs::read(&killed).unwrap();
    assert!(run(&more(&killed), b"").status.success());
    assert_eq!(fs::read(&killed).unwrap(), again);
}

#[test]
fn matches_can_be_prolonged() {
    let journal = folder("prolonged").join("journal.jsonl");
    assert!(run(&with_journal(&journal, &["--games", "4"]), b"").status.success());
    let four = games(&journal);
    let output = run(&with_journal(&journal, &["--games", "10", "--json"]), b"");
    assert_eq!(json(&output)["games"], 10);
    let ten = games(&journal);
    assert!(four.iter().all(|game| ten.contains(game)));
}

#[test]
fn two_runs_cannot_write_one_journal() {
    let journal = folder("locked").join("journal.jsonl");
    let slow = ["match", "--engine", "name=A cmd=builtin", "--engine", "name=B cmd=builtin"];
    let arguments = [&slow[..], &["--time", "5", "--journal", journal.to_str().unwrap()]].concat();
    let mut child = start(&arguments);
    until("the header", || lines(&journal) == 1);
    let second = run(&arguments, b"");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("is being written by another run"), "{}", stderr(&second));
}

#[test]
fn journals_of_other_matches_are_refused() {
    let folder = folder("foreign");
    let journal = folder.join("journal.jsonl");
    assert!(run(&with_journal(&journal, &["--games", "2"]), b"").status.success());
    let before = fs::read(&journal).unwrap();
    for (more, difference) in [
        (["--seed", "2"], "seed is 1 in the journal, 2 now"),
        (["--margin", "7"], "margin is 100 in the journal, 7 now"),
        (["--order", "sequential"], "order is \"shuffled\" in the journal, \"sequential\" now"),
        (["--shard", "1/2"], "shard is not set in the journal, \"1/2\" now"),
        (["--engine", "name=C cmd=builtin"], "format is \"match\" in the journal"),
    ] {
        let output = run(&with_journal(&journal, &more), b"");
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(difference), "{}", stderr(&output));
    }
    assert_eq!(fs::read(&journal).unwrap(), before);
    let letter = folder.join("letter.txt");
    fs::write(&letter, "Dear Ada").unwrap();
    let output = run(&with_journal(&letter, &[]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is not a journal"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&letter).unwrap(), "Dear Ada");
}

#[cfg(unix)]
#[test]
fn an_engine_that_was_built_anew_is_told() {
    let folder = folder("built-anew");
    let (journal, engine) = (folder.join("journal.jsonl"), folder.join("engine"));
    let build = |comment: &str| {
        let binary = env!("CARGO_BIN_EXE_pontifex");
        fs::write(&engine, format!("#!/bin/sh\n# {comment}\nexec '{binary}' gtp\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&engine, mode).unwrap();
    };
    let (cmd, path) = (format!("name=B cmd={}", engine.display()), journal.to_str().unwrap());
    let play = |games: &str| {
        let engines = ["match", "--engine", "name=A cmd=builtin", "--engine", &cmd];
        let more = ["--board", "6", "--playouts", "3", "--games", games, "--journal", path];
        let output = run(&[&engines[..], &more].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    build("one");
    assert!(!play("2").contains("is not one engine"));
    assert!(!play("4").contains("is not one engine"));
    build("another");
    let told = play("6");
    assert!(told.contains("'B' is not one engine: pontifex 0.1.0 ("), "{told}");
    let merged = stderr(&run(&["match", "--merge", path], b""));
    assert!(merged.contains("'B' is not one engine: ") && !merged.contains("'A'"), "{merged}");
}

#[test]
fn shards_joined_are_the_whole() {
    let folder = folder("shards");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games_of = |name: &str| games(&folder.join(name));
    let whole = json(&fast(&["--games", "14", "--journal", &path("whole"), "--json"]));
    for shard in ["1/3", "2/3", "3/3"] {
        let name = path(&shard[..1]);
        let output =
            fast(&["--games", "14", "--shard", shard, "--journal", &name, "--concurrency", "2"]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(games_of("1").len() + games_of("2").len() + games_of("3").len(), 14);
    // One of them twice, which changes nothing.
    let [one, two, three, joined] = ["1", "2", "3", "joined"].map(path);
    let merge = ["match", "--merge", &two, &one, &two, &three, "--journal", &joined, "--json"];
    let output = run(&merge, b"");
    assert_eq!(json(&output), whole);
    assert!(stderr(&output).contains("14 of 14 games, 4 of them twice"), "{}", stderr(&output));
    assert_eq!(games_of("joined"), games_of("whole"));
    assert_eq!(run(&merge, b"").status.code(), Some(2), "the file exists");
    // What is joined goes on as if it had never been split.
    let more = ["--games", "16", "--journal", &joined, "--json"];
    assert_eq!(json(&fast(&more))["games"], 16);
}

#[test]
fn journals_that_do_not_belong_together_are_not_joined() {
    let folder = folder("unlike");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [one, two, other] = ["one", "two", "other"].map(path);
    for (journal, seed) in [(&one, "1"), (&two, "1"), (&other, "2")] {
        assert!(fast(&["--games", "2", "--journal", journal, "--seed", seed]).status.success());
    }
    for (second, error) in [(&other, "seed is 1 in the journal, 2 now"), (&two, "must not overlap")]
    {
        let output = run(&["match", "--merge", &one, second], b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(error), "{}", stderr(&output));
    }
    let output = run(&["match", "--merge", &one, &path("nothing")], b"");
    assert_eq!(output.status.code(), Some(2));
}
