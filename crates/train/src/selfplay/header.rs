//! The first line of a file of games: the settings they were played with.

use std::fmt;

/// The settings that determine the games of a file, as `NAME=VALUE` words.
/// Files with equal headers can be combined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header(Vec<(String, String)>);

impl Header {
    /// Parses words `NAME=VALUE`. A word without `=` is a name with an empty
    /// value.
    pub fn parse(text: &str) -> Header {
        let word = |word: &str| {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            (name.to_owned(), value.to_owned())
        };
        Header(text.split_whitespace().map(word).collect())
    }

    /// Adds a name that is not there yet. Name and value must not contain spaces.
    pub(crate) fn push(&mut self, name: &str, value: impl fmt::Display) {
        self.0.push((name.to_owned(), value.to_string()));
    }

    /// The value of a name.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|word| word.0 == name).map(|word| &*word.1)
    }

    /// The differences to another header, each as in `full is 400 in the file,
    /// 600 now`.
    pub fn differences(&self, now: &Header) -> Vec<String> {
        let added = now.0.iter().filter(|word| self.0.iter().all(|there| there.0 != word.0));
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
