//! What the tests of several crates share.
//!
//! The engine's fast code is tested against slow code that is obviously right, in as many
//! positions as possible:
//!
//! - [`reference_rules`]: the rules a second time; [`brute`]: the value of a position a second
//!   time. Neither shares logic with what it tests.
//! - [`random_games`] and [`scripts`]: positions of all sizes and styles, by seed or for proptest.
//! - [`tactic`] and [`small_boards`]: the lines of data files with known results.
//!
//! This crate is not published. It may panic wherever a test should fail.

#![allow(
    missing_docs,
    clippy::implicit_hasher,
    clippy::missing_panics_doc,
    reason = "only tests use it"
)]

use std::fs;
use std::path::PathBuf;

use random_games::Gambler;

pub mod brute;
pub mod random_games;
pub mod reference_rules;
pub mod scripts;
pub mod small_boards;
pub mod tactic;

/// An empty folder for one test, in `tmp` of the target folder. Tests run side by side: each
/// needs a name of its own.
pub fn folder(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap();
    // target/release/deps/suite-...
    let target = program.ancestors().nth(3).expect("a test in the target folder");
    let folder = target.join("tmp").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Characters with a meaning in one of the formats: JSON, SGF, records, position text, moves.
/// Among arbitrary bytes they would be too rare to break the structure of a text.
const SIGNIFICANT: &[u8] = b"[](){};:,-\\\"#/ \n\r.0149adlwrWBAPSZCRE";

/// Removes, repeats and overwrites parts of a text or of other data, one to six times. What
/// comes out is broken but resembles the original, so it gets further into a parser than noise.
pub fn damage(bytes: &[u8], random: &mut Gambler) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Up to 11 bytes at a time: a word, not the whole text.
    for _ in 0..=random.below(6) {
        let length = bytes.len() as u32;
        let at = random.below(length + 1) as usize;
        let end = (at + random.below(12) as usize).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            3 if at < end => bytes[at] = random.below(256) as u8,
            4 => bytes.insert(at, random.below(256) as u8),
            _ => bytes.insert(at, SIGNIFICANT[random.below(SIGNIFICANT.len() as u32) as usize]),
        }
    }
    bytes
}
