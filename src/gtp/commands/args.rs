//! The arguments of a command.

use std::str::FromStr;

use crate::engine::Seconds;
use crate::game::{Color, Move};
use crate::gtp::error::CommandError;

/// The text after a command's name.
#[derive(Clone, Copy, Debug)]
pub(in crate::gtp) struct Args<'a> {
    text: &'a str,
    /// The usage of the command, for errors: `play COLOR MOVE`.
    usage: &'static str,
}

impl<'a> Args<'a> {
    /// The arguments `text` of the command with this usage.
    pub(in crate::gtp) fn new(text: &'a str, usage: &'static str) -> Args<'a> {
        Args { text, usage }
    }

    /// All arguments as they are written: a file name may contain spaces.
    pub(super) fn text(self) -> &'a str {
        self.text
    }

    /// The words, separated by spaces.
    pub(super) fn words(self) -> impl DoubleEndedIterator<Item = &'a str> {
        self.text.split(' ').filter(|word| !word.is_empty())
    }

    /// The words, if there are exactly `N`.
    pub(in crate::gtp) fn exactly<const N: usize>(self) -> Result<[&'a str; N], CommandError> {
        // One more than wanted is enough to see that there are too many.
        let words: Vec<&str> = self.words().take(N + 1).collect();
        words.try_into().map_err(|_| self.usage_error())
    }

    /// The only word; `None` if there is none.
    ///
    /// # Errors
    /// There are several words.
    pub(super) fn at_most_one(self) -> Result<Option<&'a str>, CommandError> {
        let mut words = self.words();
        match (words.next(), words.next()) {
            (word, None) => Ok(word),
            _ => Err(self.usage_error()),
        }
    }

    /// A syntax error that shows the usage of the command.
    pub(super) fn usage_error(self) -> CommandError {
        match self.usage.split_once(' ') {
            Some(_) => CommandError::Syntax(format!("the form is: {}", self.usage)),
            None => CommandError::Syntax(format!("{} takes no arguments", self.usage)),
        }
    }
}

/// Parses a colour: any of its names, in either case.
pub(super) fn color(word: &str) -> Result<Color, CommandError> {
    match word.to_ascii_lowercase().as_str() {
        "w" | "white" | "l" | "light" => Ok(Color::White),
        "r" | "red" | "b" | "black" | "d" | "dark" => Ok(Color::Red),
        _ => Err(CommandError::Syntax(format!(
            "'{word}' is not a colour: w, white, l or light; r, red, b, black, d or dark"
        ))),
    }
}

/// Parses a move.
pub(super) fn mv(word: &str) -> Result<Move, CommandError> {
    word.parse().map_err(|error| CommandError::Syntax(format!("{error}")))
}

/// Parses a whole number, 0 or more.
pub(super) fn whole_number<T: FromStr>(word: &str) -> Result<T, CommandError> {
    let refuse = || CommandError::Syntax(format!("'{word}' is not a whole number from 0"));
    word.parse().map_err(|_| refuse())
}

/// Parses a finite number.
pub(super) fn number(word: &str) -> Result<f64, CommandError> {
    let finite = word.parse().ok().filter(|number: &f64| number.is_finite());
    finite.ok_or_else(|| CommandError::Syntax(format!("'{word}' is not a number")))
}

/// The longest time accepted, in seconds: GTP's largest integer, which some controllers send to
/// mean no limit.
const MAX_SECONDS: f64 = 2_147_483_647.0;

/// Parses a time in seconds. A time longer than a year becomes a year.
pub(super) fn seconds(word: &str) -> Result<Seconds, CommandError> {
    let in_range = number(word).ok().filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
    in_range.map(Seconds::saturating).ok_or_else(|| {
        CommandError::Syntax(format!("'{word}' is not a time in seconds from 0 to {MAX_SECONDS}"))
    })
}

/// Whether the word is a whole number of any size and sign.
pub(super) fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
