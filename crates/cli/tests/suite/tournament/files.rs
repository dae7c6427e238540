//! Files that a match reads and writes.

use std::fs;

use super::{run_fast, sorted_games, stderr};
use crate::client::{run, test_folder};

#[test]
fn openings_are_played_in_pairs() {
    let folder = test_folder("given-openings");
    let (file, journal) = (folder.join("openings.txt"), folder.join("journal.jsonl"));
    fs::write(&file, "# three\na1,f6 a6,f1\n\nc3,d4 c4,d3 # the centre\nb2,e5\n").unwrap();
    let (file, journal) = (file.to_str().unwrap(), journal.to_str().unwrap());
    let more = ["--openings", file, "--order", "sequential", "--journal", journal];
    assert!(run_fast(&more).status.success());
    let games = sorted_games(journal.as_ref());
    assert_eq!(games.len(), 6);
    for (pair, opening) in games.chunks(2).zip(["a1,f6 a6,f1 ", "c3,d4 c4,d3 ", "b2,e5 "]) {
        assert!(pair.iter().all(|(_, moves)| moves.starts_with(opening)), "{pair:?}");
    }
}

#[test]
fn engines_of_similar_names_have_different_files() {
    let records = test_folder("like-names").join("records");
    let engines = ["net-1", "net.1", "net 1"].map(|name| format!("name='{name}' cmd=builtin"));
    let mut arguments = vec!["match", "--format", "gauntlet", "--engine", "name=base cmd=builtin"];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine.as_str()]));
    let path = records.to_str().unwrap();
    let more = ["--board", "6", "--playouts", "1", "--games", "4", "--records", path];
    arguments.extend(more);
    assert!(run(&arguments, b"").status.success());
    let files = fs::read_dir(&records).unwrap().map(|file| file.unwrap().path());
    let mut games: Vec<String> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    assert_eq!(games.len(), 12);
    games.sort();
    games.dedup();
    assert_eq!(games.len(), 12);
    assert!(records.join("00002-base-net_1-1-3.sgf").exists());
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = test_folder("bad-files");
    let file = folder.join("openings.txt");
    fs::write(&file, "a1,f6 a1,f1\n").unwrap();
    let file = file.to_str().unwrap();
    let nowhere = folder.join("no/where.jsonl");
    let nowhere = nowhere.to_str().unwrap();
    for (more, error) in [
        (["--openings", file], "line 1: move 2"),
        (["--openings", nowhere], "cannot read openings"),
        (["--journal", nowhere], "no/where.jsonl"),
        (["--records", nowhere], "no/where.jsonl"),
    ] {
        let output = run_fast(&more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(error), "{}", stderr(&output));
    }
}
