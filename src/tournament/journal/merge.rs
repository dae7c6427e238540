//! The journals of the shards of a tournament, joined.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use crate::game::Rules;
use crate::tournament::journal::entry::Entry;
use crate::tournament::journal::results::Results;
use crate::tournament::journal::{self, Header, JournalError};
use crate::tournament::schedule::Format;
use crate::tournament::statistics::sprt::Sprt;

/// Why journals cannot be joined.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// One of them cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its configuration lacks something.
    #[error("journal {file}: its configuration is not complete: {missing}")]
    Incomplete {
        /// Which.
        file: String,
        /// What is missing.
        missing: &'static str,
    },
    /// They are of different tournaments.
    #[error("{first} and {second} are of different configurations: {}", differences.join("; "))]
    Configuration {
        /// One.
        first: String,
        /// The other.
        second: String,
        /// What differs, the first being the journal.
        differences: Vec<String>,
    },
    /// One game was played twice.
    #[error(
        "{file} has another game of {white} (White) in round {round} of {pairing} than a journal before it: shards must not overlap"
    )]
    Overlap {
        /// Which.
        file: String,
        /// The pairing.
        pairing: String,
        /// The round, counted from 0.
        round: usize,
        /// Who opened as White.
        white: String,
    },
    /// An entry of an engine that is not in the tournament.
    #[error("journal {file}: game {game} is not of engines of this tournament")]
    Stranger {
        /// Which.
        file: String,
        /// Which game, counted from 1.
        game: usize,
    },
}

/// Joined journals.
#[derive(Debug)]
pub struct Merged {
    /// The first journal's header, without its shard.
    pub header: Header,
    /// All games.
    pub results: Results,
    /// Board and supply, for records.
    pub rules: Rules,
    /// How many games were in more than one journal.
    pub duplicates: usize,
}

/// Joins journals of one configuration. Games that several of them have must
/// be the same to the last digit.
///
/// # Errors
/// See [`MergeError`].
pub fn merge(paths: &[PathBuf], sprt: Option<Sprt>) -> Result<Merged, MergeError> {
    let mut merged: Option<(Header, Vec<String>)> = None;
    let mut games: BTreeMap<_, Entry> = BTreeMap::new();
    let mut duplicates = 0;
    for path in paths {
        let (mut header, entries) = journal::read(path)?;
        if let Some(shard) = header.config.get_mut("shard") {
            *shard = Value::Null;
        }
        let names = match &mut merged {
            None => {
                let names = names(path, &header)?;
                &merged.insert((header, names)).1
            }
            Some((first, names)) => {
                let differences = journal::differences(&first.config, &header.config);
                if !differences.is_empty() {
                    let name = |path: &Path| path.display().to_string();
                    let (first, second) = (name(&paths[0]), name(path));
                    return Err(MergeError::Configuration { first, second, differences });
                }
                first.planned = first.planned.max(header.planned);
                &*names
            }
        };
        for (n, entry) in entries.into_iter().enumerate() {
            let file = || path.display().to_string();
            let stranger = || MergeError::Stranger { file: file(), game: n + 1 };
            let key = entry.key(names).ok_or_else(stranger)?;
            let place = (key.round, key.pairing, key.exchanged);
            match games.get(&place) {
                Some(known) if *known == entry => duplicates += 1,
                Some(_) => {
                    return Err(MergeError::Overlap {
                        file: file(),
                        pairing: format!("{} - {}", entry.a, entry.b),
                        round: entry.round,
                        white: entry.white,
                    });
                }
                None => drop(games.insert(place, entry)),
            }
        }
    }
    let missing = MergeError::Incomplete { file: String::new(), missing: "a journal" };
    let (header, names) = merged.ok_or(missing)?;
    let incomplete =
        |missing| MergeError::Incomplete { file: paths[0].display().to_string(), missing };
    let text = |key: &str| header.config.get(key).and_then(Value::as_str).unwrap_or_default();
    let format: Format = text("format").parse().map_err(|_| incomplete("format"))?;
    let rules = rules(&header.config).ok_or_else(|| incomplete("board, supply, pie"))?;
    let mut results = Results::new(names.clone(), format.pairings(names.len()), sprt);
    for entry in games.into_values() {
        results.add(entry);
    }
    Ok(Merged { header, results, rules, duplicates })
}

/// The engines' names.
fn names(path: &Path, header: &Header) -> Result<Vec<String>, MergeError> {
    let read = || -> Option<Vec<String>> {
        let engines = header.config.get("engines")?.as_array()?;
        engines.iter().map(|engine| Some(engine.get("name")?.as_str()?.to_owned())).collect()
    };
    read().ok_or_else(|| MergeError::Incomplete {
        file: path.display().to_string(),
        missing: "engines and their names",
    })
}

fn rules(config: &Value) -> Option<Rules> {
    Some(Rules {
        size: crate::board::Size::new(config.get("board")?.as_u64()?).ok()?,
        supply: config.get("supply")?.as_str()?.parse().ok()?,
        pie: config.get("pie")?.as_str()? == "play",
    })
}
