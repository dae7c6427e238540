//! Helpers shared by the tests of several crates.
//!
//! The engine's fast code is tested against slow code that is obviously right, in as many positions
//! as possible:
//!
//! - [`reference_rules`] implements the rules a second time, and [`brute`] the value of a position.
//!   Neither shares logic with the code it tests.
//! - [`random_games`] and [`scripts`] make positions of all sizes and styles: by a seed, or for
//!   proptest, which can shrink them.
//! - [`tactic`] and [`small_boards`] read the lines of data files with known results.
//!
//! This crate is not published. It panics wherever a test should fail.

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

/// An empty folder for one test, in `tmp` of the target folder. Tests run side by side, so each
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

/// Characters with a meaning in one of the formats: JSON, SGF, records, position text, moves. As
/// arbitrary bytes they would be inserted too rarely to break the structure of a text.
const SIGNIFICANT: &[u8] = b"[](){};:,-\\\"#/ \n\r.0149adlwrWBAPSZCRE";

/// Removes, repeats and overwrites parts of a text or of other data, one to six times. The result
/// is broken but resembles the original, so it gets further into a parser than random bytes.
pub fn damage(bytes: &[u8], random: &mut Gambler) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Up to 11 bytes at a time, about a word. Larger cuts would leave too little to parse.
    for _ in 0..=random.below(6) {
        let length = bytes.len() as u32;
        let start = random.below(length + 1) as usize;
        let end = (start + random.below(12) as usize).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(start),
            1 => drop(bytes.drain(start..end)),
            2 => {
                let piece = bytes[start..end].to_vec();
                drop(bytes.splice(start..start, piece));
            }
            3 if start < end => bytes[start] = random.below(256) as u8,
            4 => bytes.insert(start, random.below(256) as u8),
            _ => bytes.insert(start, SIGNIFICANT[random.below(SIGNIFICANT.len() as u32) as usize]),
        }
    }
    bytes
}
