//! The settings of self-play, and the first line of a file of games, which records them.
//!
//! The header has everything that decides the games, and nothing else: the number of threads or of
//! games may change from run to run. A run with another header is refused, since a fit could not
//! tell the games of one file apart. A new setting must be left out of the header while it has its
//! default, or no earlier file could be continued.

use std::fmt;

use pontifex::board::Size;
use pontifex::engine::{Options, PARAMS, ParamUse};
use pontifex::game::{Rules, Supply};
use pontifex::search::{Config, Exploration};

/// How self-play games are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Cells along an edge of the board.
    pub size: Size,
    /// The supply of tiles and bridges.
    pub supply: Supply,
    /// The configuration of the search. Its seed is replaced for every search.
    pub config: Config,
    /// Root noise and forced visits of full searches.
    pub exploration: Exploration,
    /// Iterations of full searches, for each step; at most [`Settings::MAX_FULL`].
    pub full_iterations: u64,
    /// Iterations of quick searches, for each step.
    pub quick_iterations: u64,
    /// The share of turns that are searched in full.
    pub full_share: f64,
    /// A game counts as clear once a side's win rate has been below this for five turns in a row; 0
    /// turns this off.
    pub resign_below: f32,
    /// The share of games that continue at full strength after a clear result.
    pub resign_checked_share: f64,
    /// Whether games begin with some random turns, for variety. Without them, the search draws the
    /// first turns, too.
    pub random_turns: bool,
    /// The seed. Each game derives its own from this and its number.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let search = Options::default().search;
        Settings {
            size: Size::STANDARD,
            supply: Supply::Standard,
            config: Config { threads: 1, memory: Self::MEMORY, ..search },
            exploration: Exploration::default(),
            // A guess, never measured. A prior can only be as good as the searches that it is
            // fitted to. The built-in prior was fitted to full searches of 4,000 and 5,000
            // iterations (docs/training.md).
            full_iterations: 400,
            quick_iterations: 80,
            full_share: 0.25,
            // Set by judgement: it is too high if more than a few percent of the checked games end
            // otherwise.
            resign_below: 0.02,
            resign_checked_share: 0.1,
            random_turns: true,
            seed: 1,
        }
    }
}

impl Settings {
    /// The maximum of [`Settings::full_iterations`]: visits are stored in 16 bits.
    pub const MAX_FULL: u64 = u16::MAX as u64;

    /// The default memory of a search, in MiB. Small, as each thread has a search of its own.
    const MEMORY: usize = 32;

    /// The rules of the games. The pie rule is off.
    pub fn rules(&self) -> Rules {
        Rules { size: self.size, supply: self.supply, pie: false }
    }

    /// The header of a file of these games. Settings without an option on the command line, and
    /// rare ones, are left out if they have their defaults.
    pub fn header(&self) -> Header {
        let mut header = Header::default();
        header.push("board", self.size);
        header.push("supply", self.supply);
        header.push("full", self.full_iterations);
        header.push("quick", self.quick_iterations);
        header.push("seed", self.seed);
        header.push("evaluator", self.config.evaluator);
        header.push("full-share", self.full_share);
        header.push("resign", self.resign_below);
        header.push("resign-check", self.resign_checked_share);
        if !self.random_turns {
            header.push("random-turns", "none");
        }
        header.push("weights", format!("{:08x}", self.config.weights.checksum(self.rules())));
        // Parameters of the engine that change what a search finds, if they are set.
        let options = |config: Config| Options { search: config, ..Options::default() };
        let (current, default) =
            (options(self.config.clone()), options(Settings::default().config));
        for param in PARAMS.iter().filter(|param| param.is_for(ParamUse::Findings)) {
            let value = param.get(&current);
            if value != param.get(&default) && header.get(param.name).is_none() {
                header.push(param.name, value);
            }
        }
        if self.exploration != Exploration::default() {
            let Exploration { noise, concentration, forced } = self.exploration;
            header.push("exploration", format!("{noise},{concentration},{forced}"));
        }
        header
    }
}

/// The settings that determine the games of a file, as `NAME=VALUE` words. Files with equal headers
/// can be combined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header(Vec<(String, String)>);

impl Header {
    /// Parses words `NAME=VALUE`. A word without `=` is a name with an empty value.
    pub fn parse(text: &str) -> Header {
        let word = |word: &str| {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            (name.to_owned(), value.to_owned())
        };
        Header(text.split_whitespace().map(word).collect())
    }

    /// Adds a new name. Name and value must not contain spaces.
    fn push(&mut self, name: &str, value: impl fmt::Display) {
        self.0.push((name.to_owned(), value.to_string()));
    }

    /// The value of a name.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|word| word.0 == name).map(|word| &*word.1)
    }

    /// The differences from another header, each as in `full is 400 in the file, 600 now`.
    pub fn differences(&self, now: &Header) -> Vec<String> {
        let added = now.0.iter().filter(|word| self.0.iter().all(|old| old.0 != word.0));
        let names = self.0.iter().chain(added).map(|word| &*word.0);
        let differs = |name: &&str| self.get(name) != now.get(name);
        let text = |value: Option<&str>| value.unwrap_or("not set").to_owned();
        names
            .filter(differs)
            .map(|name| {
                format!(
                    "{name} is {} in the file, {} now",
                    text(self.get(name)),
                    text(now.get(name))
                )
            })
            .collect()
    }
}

impl fmt::Display for Header {
    /// `NAME=VALUE NAME=VALUE ...`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.0.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{name}={value}")?;
        }
        Ok(())
    }
}
