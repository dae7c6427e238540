//! Tests of `src/journal/file.rs`.

use std::fs;
use std::path::PathBuf;

use super::entry::played_game;
use pontifex_tournament::journal::{Header, read};
use pontifex_tournament::{Entry, GameEnd, GameKey, Journal, JournalError};
use serde_json::json;

/// The path of a file that does not exist.
fn fresh_path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("pontifex-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn header(seed: u64) -> Header {
    Header::new(vec![], 20, json!({"seed": seed, "engines": [{"name": "A"}, {"name": "B"}]}))
}

fn entry(round: usize) -> Entry {
    let key = GameKey { pairing: [0, 1], round, opening: round, exchanged: false };
    let names = ["A", "B"].map(String::from);
    Entry::new(&key, &names, 1, 9, played_game(Some(0), GameEnd::Score))
}

#[test]
fn journals_continue_after_interruptions() {
    let path = fresh_path("resume.jsonl");
    let (mut journal, entries) = Journal::open(&path, &header(1)).unwrap();
    assert!(entries.is_empty());
    journal.append(&entry(0)).unwrap();
    assert!(matches!(Journal::open(&path, &header(1)), Err(JournalError::Locked { .. })));
    drop(journal);
    // Killed within a line.
    let whole = fs::read(&path).unwrap();
    let line = serde_json::to_string(&entry(1)).unwrap();
    for cut in [0, 1, 40, line.len()] {
        fs::write(&path, [&whole, &line.as_bytes()[..cut]].concat()).unwrap();
        let (mut journal, entries) = Journal::open(&path, &header(1)).unwrap();
        assert_eq!(entries.iter().map(|entry| entry.round).collect::<Vec<_>>(), [0]);
        journal.append(&entry(1)).unwrap();
        drop(journal);
        assert_eq!(read(&path).unwrap().1.len(), 2);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn torn_headers_are_rewritten() {
    let path = fresh_path("torn.jsonl");
    let line = serde_json::to_string(&header(1)).unwrap();
    for cut in [0, 1, 9, line.len()] {
        fs::write(&path, &line[..cut]).unwrap();
        drop(Journal::open(&path, &header(1)).unwrap());
        assert_eq!(read(&path).unwrap().0.config, header(1).config);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn other_files_are_left_alone() {
    let path = fresh_path("other.jsonl");
    for text in ["a letter", "a letter\n", "{\"journal\":\"diary\",\"format\":1}\n", "\n{}\n"] {
        fs::write(&path, text).unwrap();
        let error = Journal::open(&path, &header(1)).unwrap_err();
        assert!(matches!(error, JournalError::NotAJournal { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    drop(fs::remove_file(&path));
    drop(Journal::open(&path, &header(1)).unwrap());
    let error = Journal::open(&path, &header(2)).unwrap_err().to_string();
    assert!(error.contains(": seed is 1 in the journal, 2 now; "), "{error}");
    fs::write(&path, fs::read_to_string(&path).unwrap() + "{}\n").unwrap();
    let error = Journal::open(&path, &header(1)).unwrap_err();
    assert!(matches!(error, JournalError::Line { line: 2, .. }), "{error}");
    fs::remove_file(path).unwrap();
}

#[test]
fn differences_of_configurations_name_the_key() {
    let path = fresh_path("differences.jsonl");
    let open = |config| Journal::open(&path, &Header::new(vec![], 20, config));
    let old = json!({"engines": [{"name": "A", "cmd": "a"}], "shard": null, "board": 10});
    drop(open(old.clone()).unwrap());
    let differences = |config| match open(config) {
        Err(JournalError::Configuration { differences, .. }) => differences,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        differences(json!({"engines": [{"name": "A", "cmd": "b"}], "shard": "1/2"})),
        [
            "engines[0].cmd is \"a\" in the journal, \"b\" now",
            "shard is not set in the journal, \"1/2\" now",
            "board is 10 in the journal, not set now",
        ]
    );
    assert_eq!(
        differences(json!({"engines": [], "board": 10})),
        ["engines are 1 in the journal, 0 now"]
    );
    fs::remove_file(path).unwrap();
}
