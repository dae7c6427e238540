//! Tests of `src/analysis/review/cache.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use pontifex::analysis::review::{Cache, Opened, SearchedPosition};
use pontifex::engine::{Analysis, Bounds, RootInfo};
use pontifex::game::{Position, Rules};
use serde_json::{Map, Value};

use super::client::test_folder;

fn settings(time: f64) -> Map<String, Value> {
    let mut settings = Map::new();
    settings.insert("time".to_owned(), time.into());
    settings
}

fn searched_position(visits: u64) -> SearchedPosition {
    let root = RootInfo { winrate: 0.123_457, lead: -1.5, visits, bounds: Bounds::UNKNOWN };
    let position = Position::new(Rules::default());
    SearchedPosition { analysis: Analysis::of_root(&position, root), after_best: Some(root) }
}

fn cache_path(name: &str) -> PathBuf {
    test_folder(name).join("some.cache")
}

/// Writes a cache with this many entries, and returns its bytes.
fn cache_bytes(path: &Path, entries: u64) -> Vec<u8> {
    fs::write(path, "").unwrap();
    let mut cache = Cache::open(path, &settings(0.2)).unwrap().cache;
    for n in 0..entries {
        cache.add("abcd", n as usize, &searched_position(n)).unwrap();
    }
    fs::read(path).unwrap()
}

/// Opens a cache with these bytes. Returns also whether a damaged one was set aside.
fn open(path: &Path, bytes: &[u8], time: f64) -> (Opened, bool) {
    let copy = path.with_file_name("some.cache.damaged");
    let _ = fs::remove_file(&copy);
    fs::write(path, bytes).unwrap();
    let opened = Cache::open(path, &settings(time)).unwrap();
    (opened, copy.exists())
}

#[test]
fn entries_are_read_as_written() {
    let path = cache_path("cache-entries");
    let bytes = cache_bytes(&path, 3);
    let (opened, _) = open(&path, &bytes, 0.2);
    assert_eq!((fs::read(&path).unwrap(), opened.note), (bytes, None));
    assert_eq!(opened.known.len(), 3);
    assert_eq!(opened.known[&("abcd".to_owned(), 2)], searched_position(2));
}

#[test]
fn an_incomplete_line_is_ignored() {
    let path = cache_path("cache-incomplete");
    let bytes = cache_bytes(&path, 3);
    for cut in 0..bytes.len() {
        let (opened, is_damaged) = open(&path, &bytes[..cut], 0.2);
        assert_eq!((is_damaged, opened.note), (false, None), "{cut}");
        assert!(opened.known.len() < 3, "{cut}");
        assert!(bytes.starts_with(&fs::read(&path).unwrap()), "{cut}");
    }
}

#[test]
fn other_settings_replace_the_cache() {
    let path = cache_path("cache-settings");
    let (opened, is_damaged) = open(&path, &cache_bytes(&path, 3), 0.5);
    assert!(opened.known.is_empty());
    assert!(!is_damaged);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
    assert!(opened.note.unwrap().contains("(time 0.2 -> 0.5)"));
}

#[test]
fn damage_is_reported_and_the_rest_used() {
    let path = cache_path("cache-damage");
    let start = cache_bytes(&path, 0).len();
    let good = cache_bytes(&path, 3);
    for flipped in 0..good.len() {
        let mut bytes = good.clone();
        bytes[flipped] ^= 1;
        let (opened, _) = open(&path, &bytes, 0.2);
        // Without its line feed the last line is incomplete.
        assert!(opened.note.is_some() || flipped == good.len() - 1, "{flipped}");
        for ((_, index), search) in &opened.known {
            assert_eq!(*search, searched_position(*index as u64), "{flipped}");
        }
        assert!(flipped < start || !opened.known.is_empty(), "{flipped}");
    }
}
