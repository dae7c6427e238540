//! What the tests of several crates share.

#![allow(
    missing_docs,
    clippy::implicit_hasher,
    clippy::missing_panics_doc,
    reason = "only tests use it"
)]

use std::fs;
use std::path::PathBuf;

pub mod brute;
pub mod damage;
pub mod random_games;
pub mod reference_rules;
pub mod scripts;
pub mod small_boards;
pub mod tactic;

/// An empty folder for one test, in `tmp` of the target folder.
pub fn folder(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap();
    // target/release/deps/suite-...
    let target = program.ancestors().nth(3).expect("a test in the target folder");
    let folder = target.join("tmp").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
