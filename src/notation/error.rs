//! Why a text is not a record: what is wrong, where, and what is needed instead. All formats share
//! these errors.

use thiserror::Error;

use super::position::ParsePositionError;
use super::record::Record;
use super::text::Spot;
use crate::board::Size;
use crate::game::Color;

/// Why a text is not a record in any format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text is empty.
    #[error(
        "the text is empty: an SGF file, an Abstract Play record, a list of moves or a position is needed"
    )]
    Empty,
    /// The bytes are those of a picture or another binary file.
    #[error("this is not a text")]
    Binary,
    /// The text looks like JSON but is not valid: the parser's message, with line and column.
    #[error("not JSON: {0}")]
    Json(String),
    /// An array of records is empty.
    #[error("the array has no record")]
    NoRecord,
    /// The start in a record of Abstract Play is not a position text.
    #[error("header.pontifex.start: {0}")]
    Start(#[from] ParsePositionError),
    /// A problem at a place in the text, in any format but JSON.
    #[error("{at}: {problem}")]
    At {
        /// The place where the problem begins.
        at: Spot,
        /// What is wrong there.
        problem: Problem,
    },
    /// A problem with a value of JSON, whose place is a path instead of a line.
    #[error("{path} {problem}")]
    In {
        /// The path to the value, as in `moves[3][0]`; empty for the record itself.
        path: String,
        /// What is wrong with the value.
        problem: Problem,
    },
    /// A line that looks like a position but is not one.
    #[error("line {line}: {reason}")]
    Position {
        /// The line number, counted from 1.
        line: usize,
        /// Why the line is not one.
        reason: ParsePositionError,
    },
}

/// The message of [`Problem::Is`], which differs for a missing value.
fn must_be(found: &str, wanted: &str) -> String {
    match found {
        "missing" => format!("is missing: it must be {wanted}"),
        found => format!("is {found}, not {wanted}"),
    }
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A value is not one of those allowed in its place.
    #[error("{found} is not {wanted}")]
    Value {
        /// The value with its name, as in `SZ[3]`, `board '3'` or `'hello'`.
        found: String,
        /// What is allowed, as a phrase: `a board size from 4 to 12`.
        wanted: &'static str,
    },
    /// A value of JSON is missing, or not one of those allowed in its place.
    #[error("{}", must_be(found, wanted))]
    Is {
        /// The value as JSON, its kind if it is long, or `missing`.
        found: String,
        /// What is needed, as a phrase.
        wanted: &'static str,
    },
    /// The syntax does not allow the character here.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// What the syntax allows here, as a phrase.
        wanted: &'static str,
        /// The character in quotes, or that the text ends.
        found: String,
    },
    /// No game begins here.
    #[error("no game begins here: '(;' is needed")]
    NoGame,
    /// A bracket or parenthesis is never closed.
    #[error("the '{0}' here is never closed")]
    Unclosed(char),
    /// The record is of another game, with this name.
    #[error("GM[{0}] is another game, GM[PonteDelDiavolo] is needed")]
    OtherGame(String),
    /// The board is set up by this property in the middle of a game.
    #[error("{0} sets up the board, which is allowed only before the first move")]
    LateSetup(String),
    /// The start is not a position text.
    #[error("start: {0}")]
    Start(ParsePositionError),
    /// The board of the start is not that of the game.
    #[error("start has a board of {start}, but board says {board}")]
    TwoBoards {
        /// The size of the board in the position text.
        start: Size,
        /// The size by the header `board`.
        board: Size,
    },
    /// The game has more moves or nodes than [`Record::MAX_NODES`]; the phrase says which.
    #[error("{0} too many: a game has {max} at most", max = Record::MAX_NODES)]
    TooMany(&'static str),
    /// A move is by the wrong side.
    #[error("it is {to_move}'s turn: {} is needed", property_of(*to_move))]
    WrongTurn {
        /// The side to move.
        to_move: Color,
    },
    /// A move is in the place of the wrong side.
    #[error("is in {}'s place, but it is {to_move}'s turn", !*to_move)]
    WrongPlace {
        /// The side to move.
        to_move: Color,
    },
    /// A turn is by the wrong one of two players, of whom 0 began the game.
    #[error("it is P{to_move}'s turn")]
    WrongPlayer {
        /// The player to move.
        to_move: usize,
    },
    /// A node has a second move, with this property.
    #[error("a node has one move, {0} is its second")]
    TwoMoves(String),
    /// The actions of a turn are not a move.
    #[error("the turn ends here with neither two tiles nor one bridge")]
    NoTurn,
    /// A round has a third move.
    #[error("has no player: a round has two moves")]
    NoPlayer,
    /// A move follows the end of the game.
    #[error("comes after the game has ended with '{0}'")]
    AfterEnd(&'static str),
    /// A swap has no first move to follow.
    #[error("says that the pie rule was invoked, but there is no first move to take over")]
    NothingToSwap,
}

impl RecordError {
    /// An error at byte `offset` of a normalized text.
    pub(super) fn at(text: &str, offset: usize, problem: Problem) -> RecordError {
        RecordError::At { at: Spot::of(text, offset), problem }
    }
}

/// The SGF property for moves of a colour.
pub(super) fn property_of(color: Color) -> &'static str {
    match color {
        Color::White => "W",
        Color::Red => "B",
    }
}
