//! Game records and replaying them.
//!
//! A record is a game as a text describes it, legal or not. The main line and the variations are
//! two lists of moves but are numbered together: the main line from 1, then the variations. A move
//! of a variation refers to the number of the preceding move, which is always lower than its own.
//! So one pass in the order of the numbers visits every move after its predecessor.

use strum::IntoStaticStr;
use thiserror::Error;

use super::text::Warning;
use super::value::{GameResult, WonBy};
use crate::board::Size;
use crate::game::{Color, IllegalMove, Move, Position, Rules, Setup, SetupError, Supply};

/// A recorded game: start position, moves, variations, players. Its moves are not checked until it
/// is replayed.
///
/// ```
/// use pontifex::notation::Record;
///
/// let record = Record::parse("d4,e6 swap c3,c4")?;
/// let position = record.position_after(record.moves.len())?;
/// assert_eq!(position.to_string(), "10/10/10/10/4w5/10/2rw6/2r7/10/10 w - -");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position before the first move, and the rules. Not validated.
    pub start: Setup,
    /// The result; `None` if the record gives none or leaves it open.
    pub result: Option<GameResult>,
    /// The comment on the game, empty for none.
    pub comment: String,
    /// The moves of the main line, including `swap`.
    pub moves: Vec<RecordedMove>,
    /// The moves of variations, which only SGF supports: other formats drop them.
    pub variations: Vec<VariationMove>,
    /// The texts of the tags, in the order of [`Tag::ALL`].
    tags: [Option<String>; Tag::ALL.len()],
}

/// A move and the comment on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// The move, which may be illegal.
    pub mv: Move,
    /// The comment, empty if there is none.
    pub comment: String,
}

impl RecordedMove {
    /// The side to move after this move by `side`: after a swap, still `side`.
    pub(super) fn side_after(&self, side: Color) -> Color {
        if self.mv == Move::Swap { side } else { !side }
    }
}

/// A move of a variation. Moves are numbered: the main line from 1, then the variations in order; 0
/// is the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariationMove {
    /// The number of the preceding move, lower than its own.
    pub parent: usize,
    /// The move, with its comment.
    pub recorded: RecordedMove,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> Self {
        RecordedMove { mv, comment: String::new() }
    }
}

/// A fact about a game, one line of text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Tag {
    /// The player with White at the end of the game: after a swap, the player who swapped.
    White,
    /// The player with Red at the end of the game.
    Red,
    /// The name of the tournament or match.
    Event,
    /// The round of the tournament, not necessarily a number.
    Round,
    /// The town or the web site where the game was played.
    Place,
    /// The date, perhaps with the time of day: `2025-03-16` or `2025-03-16T20:15:00Z`.
    Date,
}

impl Tag {
    /// All tags, in the order in which records list them.
    pub const ALL: [Tag; 6] = [Tag::White, Tag::Red, Tag::Event, Tag::Round, Tag::Place, Tag::Date];

    /// The key in move lists.
    pub(super) fn key(self) -> &'static str {
        self.into()
    }

    /// The property in SGF.
    pub(super) fn property(self) -> &'static str {
        match self {
            Tag::White => "PW",
            Tag::Red => "PB",
            Tag::Event => "EV",
            Tag::Round => "RO",
            Tag::Place => "PC",
            Tag::Date => "DT",
        }
    }
}

/// The rules to assume where a text gives none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefaultRules {
    /// The board size. `None` means 10×10, or 12×12 for move lists with cells beyond `j10`.
    pub size: Option<Size>,
    /// How many tiles and bridges there are.
    pub supply: Supply,
    /// Whether the pie rule is on.
    pub pie: bool,
}

impl Default for DefaultRules {
    /// The rules of the published game.
    fn default() -> Self {
        let Rules { supply, pie, .. } = Rules::default();
        DefaultRules { size: None, supply, pie }
    }
}

impl DefaultRules {
    /// The rules of a record that gives none.
    pub(super) fn rules(&self) -> Rules {
        Rules { size: self.size.unwrap_or_default(), supply: self.supply, pie: self.pie }
    }
}

/// Why a record cannot be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The start position breaks a rule.
    #[error("the start position is illegal: {0}")]
    Start(#[from] SetupError),
    /// A move breaks a rule.
    #[error("move {number} ({mv}) is illegal: {reason}")]
    Illegal {
        /// The number of the move, counted from 1.
        number: usize,
        /// The move in the record.
        mv: Move,
        /// The rule that it breaks.
        reason: IllegalMove,
    },
    /// The record has fewer moves.
    #[error("there is no move {number}, the record has {moves}")]
    NoSuchMove {
        /// The requested number.
        number: usize,
        /// The number of moves that there are.
        moves: usize,
    },
}

impl Record {
    /// The most nodes of a game that is read: moves, and in SGF also nodes without one. Set by
    /// judgement: a real game has a hundredth of them, and the limit bounds the memory that a
    /// hostile file can take.
    pub const MAX_NODES: usize = 100_000;

    /// Creates a record without moves.
    pub fn new(start: Setup) -> Record {
        Record {
            start,
            result: None,
            comment: String::new(),
            moves: Vec::new(),
            variations: Vec::new(),
            tags: Default::default(),
        }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.start.rules
    }

    /// The text of a tag; `None` if the record does not have it. Never empty.
    pub fn tag(&self, tag: Tag) -> Option<&str> {
        self.tags[tag as usize].as_deref()
    }

    /// Sets a tag. Line breaks become spaces and the text is trimmed. An empty text removes the
    /// tag.
    pub fn set_tag(&mut self, tag: Tag, text: &str) {
        let line = text.replace(['\n', '\r'], " ");
        let line = line.trim();
        self.tags[tag as usize] = (!line.is_empty()).then(|| line.to_owned());
    }

    /// The side to move before each move and after the last.
    pub fn sides(&self) -> impl Iterator<Item = Color> {
        let next = |side: &mut Color, recorded: &RecordedMove| {
            *side = recorded.side_after(*side);
            Some(*side)
        };
        std::iter::once(self.start.side).chain(self.moves.iter().scan(self.start.side, next))
    }

    /// All moves in the order of their numbers, each with the number of the preceding move.
    pub fn tree(&self) -> impl Iterator<Item = (usize, &RecordedMove)> {
        let variations =
            self.variations.iter().map(|variation| (variation.parent, &variation.recorded));
        self.moves.iter().enumerate().chain(variations)
    }

    /// The position after the first `moves` moves.
    ///
    /// # Errors
    /// The first illegal move, or there are fewer than `moves` moves.
    pub fn position_after(&self, moves: usize) -> Result<Position, ReplayError> {
        self.replay(moves, |_| {})
    }

    /// The position before each move and after the last.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn positions(&self) -> Result<Vec<Position>, ReplayError> {
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        self.replay(self.moves.len(), |position| positions.push(*position))?;
        Ok(positions)
    }

    /// Plays the first `moves` moves and calls `visit` with every position.
    fn replay(
        &self,
        moves: usize,
        mut visit: impl FnMut(&Position),
    ) -> Result<Position, ReplayError> {
        let count = self.moves.len();
        let played = self
            .moves
            .get(..moves)
            .ok_or(ReplayError::NoSuchMove { number: moves, moves: count })?;
        let mut position = self.start.validate()?;
        visit(&position);
        for (n, &RecordedMove { mv, .. }) in played.iter().enumerate() {
            let illegal = |reason| ReplayError::Illegal { number: n + 1, mv, reason };
            position.play(mv).map_err(illegal)?;
            visit(&position);
        }
        Ok(position)
    }

    /// Compares the result with the outcome on the board, which takes precedence. A result by
    /// resignation, on time or by forfeit is kept. `game` is the number of the record for the
    /// warning.
    pub(super) fn check_result(&mut self, game: Option<usize>) -> Option<Warning> {
        let recorded = self.result?;
        let (GameResult::Played(_) | GameResult::Won { by: WonBy::Unstated, .. }) = recorded else {
            return None;
        };
        // With an illegal move the board does not show the result. Replaying the record reports the
        // move.
        let last = self.position_after(self.moves.len()).ok()?;
        if !last.is_over() {
            return None;
        }
        let outcome = last.outcome();
        self.result = Some(GameResult::Played(outcome));
        let is_right = match recorded {
            GameResult::Played(recorded) => recorded == outcome,
            recorded => recorded.winner() == outcome.winner(),
        };
        (!is_right).then_some(Warning::WrongResult { game, recorded, outcome })
    }

    /// Removes all moves after the first `moves`. If there were any, removes the result and the
    /// variations too.
    ///
    /// # Errors
    /// [`ReplayError::NoSuchMove`] if there are fewer than `moves` moves.
    pub fn truncate(&mut self, moves: usize) -> Result<(), ReplayError> {
        let count = self.moves.len();
        if moves > count {
            return Err(ReplayError::NoSuchMove { number: moves, moves: count });
        }
        if moves < count {
            self.moves.truncate(moves);
            self.result = None;
            self.variations.clear();
        }
        Ok(())
    }
}

/// The day of a date, without the time of day. Returns `None` if the text does not have the form
/// `2025-03-16`.
pub(super) fn day_of(date: &str) -> Option<&str> {
    let (day, time) = date.split_at_checked(10)?;
    let is_day = day.bytes().enumerate().all(|(n, b)| match n {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    });
    (is_day && (time.is_empty() || time.starts_with('T'))).then_some(day)
}
