//! Merging the journals of a tournament's shards.
//!
//! Each machine plays a shard of one schedule and keeps its own journal:
//!
//! ```text
//! shard 1/2   pair 0, pair 2, pair 4 ...  ┐
//!                                         ├─ merge ─>  pair 0, pair 1, pair 2, pair 3 ...
//! shard 2/2   pair 1, pair 3 ...          ┘
//! ```
//!
//! Merging must produce the journal that one machine would have written, and must refuse any game
//! that cannot be part of it.
//!
//! **One tournament.** All configurations must be equal except for the shard. The place of a game
//! in the schedule then determines its opening, its seed and who opens as White. So a `Place`
//! identifies a game. If two journals have different games for one place, two runs played the same
//! shard. Such journals are refused, because keeping one of the games would mean choosing a result.
//! Identical copies count once: a file may be given twice, or contain an earlier merge.
//!
//! **One order.** Games are counted in the order of the schedule, not of the files. A sequential
//! test stops at its first verdict, so its result depends on the order of the pairs. In the order
//! of the schedule it depends neither on which machine was faster nor on file names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use crate::journal::entry::Entry;
use crate::journal::file::{Header, JournalError, config_differences, read};
use crate::journal::results::Results;
use crate::schedule::Format;
use crate::statistics::sprt::Sprt;
use pontifex::game::Rules;

/// Why journals cannot be merged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// No journal was given.
    #[error("no journal to merge")]
    NoJournals,
    /// A journal cannot be read, or is not a journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The first journal's configuration lacks a key without which its games cannot be counted.
    #[error("journal {file}: its configuration lacks {missing}")]
    Incomplete {
        /// The journal's path.
        file: String,
        /// The missing part, as in "the format".
        missing: &'static str,
    },
    /// The journals belong to different tournaments.
    #[error("{first} and {second} have different configurations: {}", differences.join("; "))]
    Configuration {
        /// The path of the first journal of the list.
        first: String,
        /// The path of the journal that differs from it.
        second: String,
        /// One line for each key that differs. In it, "the journal" is the first one.
        differences: Vec<String>,
    },
    /// Two journals have different games for one place in the schedule.
    #[error(
        "{file} and an earlier journal have different games for {white} (White) in round {round} of {pairing}: shards must not overlap"
    )]
    Overlap {
        /// The path of the later journal.
        file: String,
        /// The two engines, as in `A - B`.
        pairing: String,
        /// The round, from 0.
        round: usize,
        /// The engine that opened as White.
        white: String,
    },
    /// A game has an engine that is not in the tournament.
    #[error("journal {file}: the engines of game {game} are not in this tournament")]
    Stranger {
        /// The journal's path.
        file: String,
        /// The number of the game in the journal, from 1.
        game: usize,
    },
}

/// Merged journals.
#[derive(Debug)]
pub struct Merged {
    /// The first journal's header without its shard, with the largest number of planned games.
    pub header: Header,
    /// All games, counted in the order of the schedule.
    pub results: Results,
    /// The rules of the games, as the header states them.
    pub rules: Rules,
    /// How many identical copies of games were left out.
    pub duplicates: usize,
}

/// Merges journals of one configuration. Games that several journals contain must be identical.
/// `sprt` tests the first pairing of the merged games.
///
/// # Errors
/// See [`MergeError`]. No file is written or changed.
pub fn merge(paths: &[PathBuf], sprt: Option<Sprt>) -> Result<Merged, MergeError> {
    let first = paths.first().ok_or(MergeError::NoJournals)?;
    let incomplete = |missing| MergeError::Incomplete { file: path_text(first), missing };
    let (mut header, entries) = read_shard(first)?;
    let names = engine_names(&header).ok_or_else(|| incomplete("the engines' names"))?;
    let format = header.config["format"].as_str().and_then(|format| format.parse().ok());
    let format: Format = format.ok_or_else(|| incomplete("the format"))?;
    let rules = header.rules().ok_or_else(|| incomplete("board, supply or pie"))?;
    let mut games = BTreeMap::new();
    let mut duplicates = add_games(first, entries, &names, &mut games)?;
    for path in &paths[1..] {
        let (other, entries) = read_shard(path)?;
        let differences = config_differences(&header.config, &other.config);
        if !differences.is_empty() {
            let (first, second) = (path_text(first), path_text(path));
            return Err(MergeError::Configuration { first, second, differences });
        }
        // The number of rounds is not part of the configuration, so shards may have been started
        // with different `--games`.
        header.planned = header.planned.max(other.planned);
        duplicates += add_games(path, entries, &names, &mut games)?;
    }
    let pairings = format.pairings(names.len());
    let mut results = Results::new(names, pairings, sprt);
    for entry in games.into_values() {
        results.add(entry);
    }
    Ok(Merged { header, results, rules, duplicates })
}

/// A game's place in the schedule. Places compare field by field from the top, so a map with this
/// key iterates in the order of the schedule. The opening is not part of a place, because the place
/// determines it. Otherwise two games of one place with different openings would both be counted
/// instead of refused.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    round: usize,
    /// The numbers of the two engines.
    pairing: [usize; 2],
    /// Whether the second engine opens as White.
    exchanged: bool,
}

/// Reads a journal and removes the shard from its configuration.
fn read_shard(path: &Path) -> Result<(Header, Vec<Entry>), JournalError> {
    let (mut header, entries) = read(path)?;
    if let Some(shard) = header.config.get_mut("shard") {
        *shard = Value::Null;
    }
    Ok((header, entries))
}

/// Adds the entries of a journal to `games` and returns how many of them it already had.
fn add_games(
    path: &Path,
    entries: Vec<Entry>,
    names: &[String],
    games: &mut BTreeMap<Place, Entry>,
) -> Result<usize, MergeError> {
    let mut duplicates = 0;
    for (n, entry) in entries.into_iter().enumerate() {
        let stranger = || MergeError::Stranger { file: path_text(path), game: n + 1 };
        let key = entry.key(names).ok_or_else(stranger)?;
        let place = Place { round: key.round, pairing: key.pairing, exchanged: key.exchanged };
        match games.get(&place) {
            Some(existing) if *existing == entry => duplicates += 1,
            Some(_) => {
                return Err(MergeError::Overlap {
                    file: path_text(path),
                    pairing: format!("{} - {}", entry.a, entry.b),
                    round: entry.round,
                    white: entry.white,
                });
            }
            None => drop(games.insert(place, entry)),
        }
    }
    Ok(duplicates)
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// The engines' names by number; `None` if the configuration has none.
fn engine_names(header: &Header) -> Option<Vec<String>> {
    let engines = header.config["engines"].as_array()?;
    engines.iter().map(|engine| Some(engine["name"].as_str()?.to_owned())).collect()
}
