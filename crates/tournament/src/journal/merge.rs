//! Merging the journals of a tournament's shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use crate::journal::entry::Entry;
use crate::journal::file::{Header, JournalError, differences, read};
use crate::journal::results::Results;
use crate::schedule::Format;
use crate::statistics::sprt::Sprt;
use pontifex::game::Rules;

/// Why journals cannot be merged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A configuration is incomplete.
    #[error("journal {file}: its configuration lacks {missing}")]
    Incomplete {
        /// The file.
        file: String,
        /// What is missing.
        missing: &'static str,
    },
    /// The journals belong to different tournaments.
    #[error("{first} and {second} have different configurations: {}", differences.join("; "))]
    Configuration {
        /// The first journal.
        first: String,
        /// The other journal.
        second: String,
        /// The differences; "the journal" is the first.
        differences: Vec<String>,
    },
    /// Two journals have different games for one key.
    #[error(
        "{file} and an earlier journal have different games for {white} (White) in round {round} of {pairing}: shards must not overlap"
    )]
    Overlap {
        /// The file.
        file: String,
        /// The pairing.
        pairing: String,
        /// The round, from 0.
        round: usize,
        /// The engine that opened as White.
        white: String,
    },
    /// A game with an engine that is not in the tournament.
    #[error("journal {file}: the engines of game {game} are not in this tournament")]
    Stranger {
        /// The file.
        file: String,
        /// The game, from 1.
        game: usize,
    },
}

/// Merged journals.
#[derive(Debug)]
pub struct Merged {
    /// The first journal's header, without its shard.
    pub header: Header,
    /// All games.
    pub results: Results,
    /// The rules of the games.
    pub rules: Rules,
    /// The number of repeated games.
    pub duplicates: usize,
}

/// Merges journals of one configuration. Games that several journals contain
/// must be identical.
///
/// # Errors
/// See [`MergeError`].
pub fn merge(paths: &[PathBuf], sprt: Option<Sprt>) -> Result<Merged, MergeError> {
    let missing = |file: &Path, missing| MergeError::Incomplete { file: shown(file), missing };
    let Some(first) = paths.first() else {
        return Err(missing(Path::new(""), "a journal"));
    };
    let (mut header, entries) = read_shard(first)?;
    let names = names(&header).ok_or_else(|| missing(first, "the engines' names"))?;
    let format = header.config["format"].as_str().and_then(|format| format.parse().ok());
    let format: Format = format.ok_or_else(|| missing(first, "the format"))?;
    let rules = header.rules().ok_or_else(|| missing(first, "board, supply or pie"))?;
    let mut games = BTreeMap::new();
    let mut duplicates = collect(first, entries, &names, &mut games)?;
    for path in &paths[1..] {
        let (other, entries) = read_shard(path)?;
        let differences = differences(&header.config, &other.config);
        if !differences.is_empty() {
            let (first, second) = (shown(first), shown(path));
            return Err(MergeError::Configuration { first, second, differences });
        }
        header.planned = header.planned.max(other.planned);
        duplicates += collect(path, entries, &names, &mut games)?;
    }
    let pairings = format.pairings(names.len());
    let mut results = Results::new(names, pairings, sprt);
    for entry in games.into_values() {
        results.add(entry);
    }
    Ok(Merged { header, results, rules, duplicates })
}

/// What identifies a game in the merged tournament: round, pairing, and
/// whether colours are exchanged. Games are merged in this order.
type Place = (usize, [usize; 2], bool);

/// Reads a journal and removes the shard from its configuration.
fn read_shard(path: &Path) -> Result<(Header, Vec<Entry>), JournalError> {
    let (mut header, entries) = read(path)?;
    if let Some(shard) = header.config.get_mut("shard") {
        *shard = Value::Null;
    }
    Ok((header, entries))
}

/// Adds the entries of a journal to `games` and returns how many of them were
/// there already.
fn collect(
    path: &Path,
    entries: Vec<Entry>,
    names: &[String],
    games: &mut BTreeMap<Place, Entry>,
) -> Result<usize, MergeError> {
    let mut duplicates = 0;
    for (n, entry) in entries.into_iter().enumerate() {
        let stranger = || MergeError::Stranger { file: shown(path), game: n + 1 };
        let key = entry.key(names).ok_or_else(stranger)?;
        let place = (key.round, key.pairing, key.exchanged);
        match games.get(&place) {
            Some(known) if *known == entry => duplicates += 1,
            Some(_) => {
                return Err(MergeError::Overlap {
                    file: shown(path),
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

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn names(header: &Header) -> Option<Vec<String>> {
    let engines = header.config["engines"].as_array()?;
    engines.iter().map(|engine| Some(engine["name"].as_str()?.to_owned())).collect()
}
