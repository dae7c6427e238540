//! Journals: killed matches, resumed matches, and shards.

use std::fs;
use std::path::Path;

use pontifex::eval::Random;

use super::{FAST, json, lines, run_fast, sorted_games, start, stderr, timeless, wait_until};
use crate::client::{run, test_folder};

/// The arguments of a match with a journal.
fn with_journal<'a>(journal: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    [&FAST[..], &["--journal", journal.to_str().unwrap()], more].concat()
}

#[test]
fn killed_matches_resume_with_the_same_games() {
    let folder = test_folder("killed");
    let (whole, killed) = (folder.join("whole.jsonl"), folder.join("killed.jsonl"));
    let mut random = Random::new(11);
    for _ in 0..5 {
        let before = lines(&killed);
        // More games than are played before the kill.
        let mut child = start(&with_journal(&killed, &["--games", "100000"]));
        let games = 1 + random.below(2) as usize;
        wait_until("a game", || lines(&killed) >= before.max(1) + games);
        std::thread::sleep(std::time::Duration::from_micros(u64::from(random.below(5000))));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // One pair more than was played, or half of one.
    let games_in_all = lines(&killed) / 2 * 2 + 2;
    let games_text = games_in_all.to_string();
    let output = run(&with_journal(&killed, &["--games", &games_text]), b"");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(lines(&killed), games_in_all + 1);
    assert!(run(&with_journal(&whole, &["--games", &games_text]), b"").status.success());
    assert_eq!(sorted_games(&killed), sorted_games(&whole));
    // Nothing is left to play.
    let finished = fs::read(&killed).unwrap();
    assert!(run(&with_journal(&killed, &["--games", &games_text]), b"").status.success());
    assert_eq!(fs::read(&killed).unwrap(), finished);
}

#[test]
fn matches_can_be_extended() {
    let journal = test_folder("prolonged").join("journal.jsonl");
    assert!(run(&with_journal(&journal, &["--games", "4"]), b"").status.success());
    let four = sorted_games(&journal);
    let output = run(&with_journal(&journal, &["--games", "10", "--json"]), b"");
    assert_eq!(json(&output)["games"], 10);
    let ten = sorted_games(&journal);
    assert!(four.iter().all(|game| ten.contains(game)));
}

#[test]
fn two_runs_cannot_write_one_journal() {
    let journal = test_folder("locked").join("journal.jsonl");
    let slow = ["match", "--engine", "name=A cmd=builtin", "--engine", "name=B cmd=builtin"];
    let arguments = [&slow[..], &["--time", "5", "--journal", journal.to_str().unwrap()]].concat();
    let mut child = start(&arguments);
    wait_until("the header", || lines(&journal) == 1);
    let second = run(&arguments, b"");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("is being written by another run"), "{}", stderr(&second));
}

#[test]
fn journals_of_other_matches_are_refused() {
    let folder = test_folder("foreign");
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
fn a_rebuilt_engine_is_reported() {
    let folder = test_folder("built-anew");
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
    assert!(!play("2").contains("has changed between games"));
    assert!(!play("4").contains("has changed between games"));
    build("another");
    let warnings = play("6");
    assert!(warnings.contains("'B' has changed between games: pontifex 0.1.0 ("), "{warnings}");
    let merged = stderr(&run(&["match", "--merge", path], b""));
    assert!(
        merged.contains("'B' has changed between games: ") && !merged.contains("'A'"),
        "{merged}"
    );
}

#[test]
fn merged_shards_are_the_whole() {
    let folder = test_folder("shards");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games_of = |name: &str| sorted_games(&folder.join(name));
    let whole = timeless(&run_fast(&["--games", "8", "--journal", &path("whole"), "--json"]));
    for shard in ["1/3", "2/3", "3/3"] {
        let name = path(&shard[..1]);
        let output =
            run_fast(&["--games", "8", "--shard", shard, "--journal", &name, "--concurrency", "2"]);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(["1", "2", "3"].map(|name| games_of(name).len()), [4, 2, 2]);
    // Duplicates are ignored.
    let [one, two, three, merged] = ["1", "2", "3", "merged"].map(path);
    let merge = ["match", "--merge", &two, &one, &two, &three, "--journal", &merged, "--json"];
    let output = run(&merge, b"");
    assert_eq!(timeless(&output), whole);
    assert!(stderr(&output).contains("8 of 8 games, 2 duplicates ignored"), "{}", stderr(&output));
    assert_eq!(games_of("merged"), games_of("whole"));
    assert_eq!(run(&merge, b"").status.code(), Some(2), "the file exists");
    // A merged journal can be continued.
    let more = ["--games", "10", "--journal", &merged, "--json"];
    assert_eq!(json(&run_fast(&more))["games"], 10);
}

#[test]
fn journals_of_different_tournaments_are_not_merged() {
    let folder = test_folder("unlike");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [one, two, other] = ["one", "two", "other"].map(path);
    for (journal, seed) in [(&one, "1"), (&two, "1"), (&other, "2")] {
        assert!(run_fast(&["--games", "2", "--journal", journal, "--seed", seed]).status.success());
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
