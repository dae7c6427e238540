use thiserror::Error;

use super::{
    AbstractPlayError, Format, GameResult, MoveListError, ParsePositionError, SgfError,
    abstractplay, move_list, sgf, source,
};
use crate::board::Size;
use crate::game::{Color, IllegalMove, Move, Position, Rules, Setup, SetupError, Supply};

/// A game as somebody wrote it down: where it started, the moves of its main
/// line and those beside it, who played. Nothing in it is checked against the
/// rules until it is replayed.
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
    /// The board before the first move, and the rules.
    pub start: Setup,
    /// How it ended, if the record says.
    pub result: Option<GameResult>,
    /// What is said about the game before its first move.
    pub comment: String,
    /// The moves of both players in turn, `swap` among them.
    pub moves: Vec<RecordedMove>,
    /// The moves of variations, which SGF alone has.
    pub asides: Vec<Aside>,
    tags: [Option<String>; Tag::ALL.len()],
}

/// A move and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedMove {
    /// The move.
    pub mv: Move,
    /// The comment on it, empty for none.
    pub comment: String,
}

impl RecordedMove {
    /// Whose turn it is after it, when it was `side`'s: every move but a swap
    /// hands the turn over.
    pub(super) fn side_after(&self, side: Color) -> Color {
        if self.mv == Move::Swap { side } else { !side }
    }
}

/// A move of a variation. Moves have numbers: those of the main line from 1,
/// then the asides in their order; 0 is the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aside {
    /// The number of the move before it, lower than its own.
    pub after: usize,
    /// The move.
    pub turn: RecordedMove,
}

impl From<Move> for RecordedMove {
    fn from(mv: Move) -> Self {
        RecordedMove { mv, comment: String::new() }
    }
}

/// What a record tells about a game in a line of text each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// Who had White at the end, after a swap the player who swapped.
    White,
    /// Who had Red at the end.
    Red,
    /// The tournament.
    Event,
    /// The tournament's round.
    Round,
    /// The town or the web site.
    Place,
    /// When it was played: `2025-03-16`, or with the time of day as in
    /// `2025-03-16T20:15:00Z`.
    Date,
}

impl Tag {
    /// All of them, in the order of records.
    pub const ALL: [Tag; 6] = [Tag::White, Tag::Red, Tag::Event, Tag::Round, Tag::Place, Tag::Date];

    /// What move lists call it.
    pub(super) fn key(self) -> &'static str {
        match self {
            Tag::White => "white",
            Tag::Red => "red",
            Tag::Event => "event",
            Tag::Round => "round",
            Tag::Place => "place",
            Tag::Date => "date",
        }
    }

    /// SGF's property for it.
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

/// What to take for granted where a text does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// The board of a record that names none; `None` takes 10×10, or 12×12
    /// when a move list has cells beyond `j10`.
    pub size: Option<Size>,
    /// The supply.
    pub supply: Supply,
    /// Whether the pie rule is on.
    pub pie: bool,
}

impl Default for Assumed {
    /// The published game.
    fn default() -> Self {
        let Rules { supply, pie, .. } = Rules::default();
        Assumed { size: None, supply, pie }
    }
}

impl Assumed {
    /// The rules of a record that says nothing about them.
    pub(super) fn rules(&self) -> Rules {
        Rules { size: self.size.unwrap_or_default(), supply: self.supply, pie: self.pie }
    }
}

/// The text is not a record of any form.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Nothing to read.
    #[error(
        "the text is empty: an SGF file, an Abstract Play record, a list of moves or a position is needed"
    )]
    Empty,
    /// It looks like SGF.
    #[error("{0}")]
    Sgf(#[from] SgfError),
    /// It looks like JSON.
    #[error("{0}")]
    AbstractPlay(#[from] AbstractPlayError),
    /// It looks like a move list, or like nothing else.
    #[error("{0}")]
    MoveList(#[from] MoveListError),
    /// It looks like positions, one a line.
    #[error("line {line}: {reason}")]
    Position {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: ParsePositionError,
    },
}

/// A record that cannot be played through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The board it starts from breaks a rule.
    #[error("the position it starts from is not legal: {0}")]
    Start(#[from] SetupError),
    /// A move breaks a rule.
    #[error("move {number} ({mv}) is not legal: {reason}")]
    Illegal {
        /// Which move, counted from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// The rule.
        reason: IllegalMove,
    },
    /// The record is not that long.
    #[error("there is no move {asked}, the record has {moves}")]
    NoSuchMove {
        /// The move that was asked for.
        asked: usize,
        /// How many there are.
        moves: usize,
    },
}

impl Record {
    /// A game that starts from `start`, without a move.
    pub fn new(start: Setup) -> Record {
        Record {
            start,
            result: None,
            comment: String::new(),
            moves: Vec::new(),
            asides: Vec::new(),
            tags: Default::default(),
        }
    }

    /// Reads a record of any form; of several games, the first.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        Record::parse_with(text, &Assumed::default())
    }

    /// Reads a record of any form; of several games, the first.
    pub fn parse_with(text: &str, assumed: &Assumed) -> Result<Record, RecordError> {
        let text = &source::normalize(text);
        match Format::detect(text).ok_or(RecordError::Empty)? {
            Format::Sgf => Ok(sgf::read(text, assumed)?),
            Format::Json => Ok(abstractplay::read(text)?),
            Format::Moves => Ok(move_list::read(text, assumed)?),
            Format::Position => positions(text, assumed).next().unwrap_or(Err(RecordError::Empty)),
        }
    }

    /// Reads every game of a text of any form; there is at least one.
    pub fn parse_all(text: &str, assumed: &Assumed) -> Result<Vec<Record>, RecordError> {
        let text = &source::normalize(text);
        match Format::detect(text).ok_or(RecordError::Empty)? {
            Format::Sgf => Ok(sgf::read_all(text, assumed)?),
            Format::Json => Ok(abstractplay::read_all(text)?),
            Format::Moves => Ok(move_list::read_all(text, assumed)?),
            Format::Position => positions(text, assumed).collect(),
        }
    }

    /// The rules it was played by.
    pub fn rules(&self) -> &Rules {
        &self.start.rules
    }

    /// What the record tells under `tag`.
    pub fn tag(&self, tag: Tag) -> Option<&str> {
        self.tags[tag as usize].as_deref()
    }

    /// Sets a tag. Line breaks become spaces, white space around the text
    /// goes; nothing left is no tag.
    pub fn set_tag(&mut self, tag: Tag, text: &str) {
        let line = text.replace(['\n', '\r'], " ");
        let line = line.trim();
        self.tags[tag as usize] = (!line.is_empty()).then(|| line.to_owned());
    }

    /// Whose turn it is before each move and after the last, by the turns
    /// alone: every move but a swap hands it over.
    pub fn sides(&self) -> impl Iterator<Item = Color> {
        let after = |side: &mut Color, turn: &RecordedMove| {
            *side = turn.side_after(*side);
            Some(*side)
        };
        std::iter::once(self.start.side).chain(self.moves.iter().scan(self.start.side, after))
    }

    /// All moves by their numbers, each with the number of the one before it.
    pub fn tree(&self) -> impl Iterator<Item = (usize, &RecordedMove)> {
        let asides = self.asides.iter().map(|Aside { after, turn }| (*after, turn));
        self.moves.iter().enumerate().chain(asides)
    }

    /// The position after the first `moves` moves.
    ///
    /// # Errors
    /// The move that breaks a rule, or `moves` is more than there are.
    pub fn position_after(&self, moves: usize) -> Result<Position, ReplayError> {
        self.replay(moves, |_| {})
    }

    /// The position before each move and after the last.
    ///
    /// # Errors
    /// The move that breaks a rule.
    pub fn positions(&self) -> Result<Vec<Position>, ReplayError> {
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        self.replay(self.moves.len(), |position| positions.push(*position))?;
        Ok(positions)
    }

    /// Plays the first `moves` moves and shows every position on the way.
    fn replay(
        &self,
        moves: usize,
        mut visit: impl FnMut(&Position),
    ) -> Result<Position, ReplayError> {
        let all = self.moves.len();
        let turns =
            self.moves.get(..moves).ok_or(ReplayError::NoSuchMove { asked: moves, moves: all })?;
        let mut position = self.start.validate()?;
        visit(&position);
        for (n, &RecordedMove { mv, .. }) in turns.iter().enumerate() {
            let illegal = |reason| ReplayError::Illegal { number: n + 1, mv, reason };
            position.play(mv).map_err(illegal)?;
            visit(&position);
        }
        Ok(position)
    }

    /// Takes back all moves after the first `moves`; a game cut short has no
    /// result and no variations.
    ///
    /// # Errors
    /// [`ReplayError::NoSuchMove`] when `moves` is more than there are.
    pub fn cut(&mut self, moves: usize) -> Result<(), ReplayError> {
        let all = self.moves.len();
        if moves > all {
            return Err(ReplayError::NoSuchMove { asked: moves, moves: all });
        }
        if moves < all {
            self.moves.truncate(moves);
            self.result = None;
            self.asides.clear();
        }
        Ok(())
    }
}

/// Positions, one a line; empty lines and `#` comments are skipped.
fn positions<'a>(
    text: &'a str,
    assumed: &'a Assumed,
) -> impl Iterator<Item = Result<Record, RecordError>> + 'a {
    let read = |(n, line): (usize, &str)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then(|| {
            Setup::parse(line, assumed.supply, assumed.pie)
                .map(Record::new)
                .map_err(|reason| RecordError::Position { line: n + 1, reason })
        })
    };
    text.lines().enumerate().filter_map(read)
}

/// The day of a date that may have the time of day behind it; `None` when
/// the text is not of the form `2025-03-16`.
pub(super) fn day_of(date: &str) -> Option<&str> {
    let (day, time) = date.split_at_checked(10)?;
    let is_day = day.bytes().enumerate().all(|(n, b)| match n {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    });
    (is_day && (time.is_empty() || time.starts_with('T'))).then_some(day)
}
