//! Reading and writing openings as text, and the default openings of a match.

use std::io;
use std::path::Path;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use pontifex::board::Size;
use pontifex::files;
use pontifex::game::{IllegalMove, Move, Position, Rules};
use pontifex::messages::excerpt;
use pontifex::notation::normalize;

/// Reads the openings in the file at `path` for games by `rules`. The pie rule is ignored.
///
/// # Errors
/// The file cannot be read or has no opening, or a line is not a legal opening. The error names the
/// file, the line, the move and the rule it breaks.
pub fn read(path: &Path, rules: Rules) -> Result<Vec<Vec<Move>>, OpeningsError> {
    let name = || path.display().to_string();
    let text =
        files::read_text(path).map_err(|reason| OpeningsError::Read { file: name(), reason })?;
    parse(&text, rules).map_err(|error| match error {
        OpeningsError::Line { line, problem, .. } => {
            OpeningsError::Line { file: Some(name()), line, problem }
        }
        OpeningsError::Empty { .. } => OpeningsError::Empty { file: Some(name()) },
        error @ OpeningsError::Read { .. } => error,
    })
}

/// Reads openings for games by `rules`. The pie rule is ignored.
///
/// ```
/// use pontifex_tournament::openings;
/// use pontifex::game::Rules;
///
/// let openings = openings::parse("# two\nd4,e6 c3,g6\n\ne5,f7\n", Rules::default())?;
/// assert_eq!(openings.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
/// let error = openings::parse("d4,e6 e6,f7", Rules::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1: move 2, e6,f7, is illegal: e6 is occupied by a white tile"
/// );
/// # Ok::<(), openings::OpeningsError>(())
/// ```
///
/// # Errors
/// The text has no opening, or a line is not a legal opening. The error names the line, the move
/// and the rule it breaks.
pub fn parse(text: &str, rules: Rules) -> Result<Vec<Vec<Move>>, OpeningsError> {
    let rules = Rules { pie: false, ..rules };
    let mut openings = Vec::new();
    for (number, line) in normalize(text).lines().enumerate() {
        let line_error = |problem| OpeningsError::Line { file: None, line: number + 1, problem };
        let (moves, comment) = line.split_once('#').unwrap_or((line, ""));
        // Only a comment above the first opening can name the board. Later ones describe openings.
        if openings.is_empty() && moves.trim().is_empty() {
            check_board(comment, rules.size).map_err(line_error)?;
        }
        let opening = parse_line(moves, rules).map_err(line_error)?;
        if !opening.is_empty() {
            openings.push(opening);
        }
    }
    if openings.is_empty() { Err(OpeningsError::Empty { file: None }) } else { Ok(openings) }
}

/// Formats an opening as one line, without a line end.
///
/// ```
/// use pontifex_tournament::openings;
///
/// let opening = ["d4,e6".parse()?, "c3,g6".parse()?];
/// assert_eq!(openings::format_opening(&opening), "d4,e6 c3,g6");
/// # Ok::<(), pontifex::notation::ParseMoveError>(())
/// ```
pub fn format_opening(opening: &[Move]) -> String {
    opening.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Why openings cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// The file cannot be read or is not UTF-8.
    #[error("cannot read openings from {file}: {reason}")]
    Read {
        /// The path of the file.
        file: String,
        /// The system's error, or where the text is not UTF-8.
        reason: io::Error,
    },
    /// A line is not an opening.
    #[error("{}line {line}: {problem}", file.as_deref().map_or(String::new(), |f| format!("{f}: ")))]
    Line {
        /// The path of the file; `None` for a text that was not read from one.
        file: Option<String>,
        /// The line, counted from 1, with comments and empty lines.
        line: usize,
        /// The problem with the line.
        problem: OpeningProblem,
    },
    /// The text has no opening.
    #[error("{} no openings: expected one per line, as in d4,e6 c3,g6",
            file.as_deref().map_or("the text has".to_owned(), |file| format!("{file} has")))]
    Empty {
        /// The path of the file; `None` for a text that was not read from one.
        file: Option<String>,
    },
}

/// The problem with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum OpeningProblem {
    /// A word is not a move.
    #[error("move {number}, '{text}', is not a move: CELL,CELL or CELL-CELL or pass, as in d4,e6")]
    Move {
        /// The number of the move on the line, from 1.
        number: usize,
        /// The beginning of the word.
        text: String,
    },
    /// A move is illegal in the position after the moves before it.
    #[error("move {number}, {mv}, is illegal: {reason}")]
    Illegal {
        /// The number of the move on the line, from 1.
        number: usize,
        /// The move as it was understood.
        mv: Move,
        /// The rule that the move breaks.
        reason: IllegalMove,
    },
    /// The game is over after the opening, so there is nothing left to play.
    #[error("the game is over after the opening")]
    Over,
    /// The openings are for another board.
    #[error("the openings are for board {found}, the board is {board}")]
    Board {
        /// The value of the comment `# board:`.
        found: String,
        /// The board of the match.
        board: Size,
    },
}

/// Checks that a comment does not name a board other than `board`.
fn check_board(comment: &str, board: Size) -> Result<(), OpeningProblem> {
    match comment.split_once(':') {
        Some((key, value))
            if key.trim().eq_ignore_ascii_case("board")
                && value.trim().parse() != Ok(board.get()) =>
        {
            Err(OpeningProblem::Board { found: excerpt(value.trim()), board })
        }
        _ => Ok(()),
    }
}

/// Reads the moves of a line and plays them from the empty board.
fn parse_line(line: &str, rules: Rules) -> Result<Vec<Move>, OpeningProblem> {
    let mut position = Position::new(rules);
    let mut opening = Vec::new();
    for word in line.split_whitespace() {
        let number = opening.len() + 1;
        let mv: Move =
            word.parse().map_err(|_| OpeningProblem::Move { number, text: excerpt(word) })?;
        position.play(mv).map_err(|reason| OpeningProblem::Illegal { number, mv, reason })?;
        opening.push(mv);
    }
    if position.is_over() { Err(OpeningProblem::Over) } else { Ok(opening) }
}

/// The shipped suites by board size, compiled into the program so that a match needs no file.
const SUITES: [(u64, &str); 2] = [
    (10, include_str!("../../../../openings/10x10.txt")),
    (12, include_str!("../../../../openings/12x12.txt")),
];

/// The number of random openings for boards without a suite: as many as a suite has.
const RANDOM_OPENINGS: usize = 500;

/// The default openings of a match: the shipped suite of the board if there is one and its openings
/// are legal with the supply, otherwise 500 random openings. Random openings may be uneven, but
/// each is played with both colours, which is fair to the engines.
pub fn default_openings(rules: Rules, seed: u64) -> Vec<Vec<Move>> {
    SUITES
        .iter()
        .find(|(board, _)| *board == u64::from(rules.size.get()))
        .and_then(|(_, suite)| parse(suite, rules).ok())
        .unwrap_or_else(|| random_openings(rules, seed))
}

/// Random openings. Each side has one turn on boards below 8×8, and two turns on larger ones, where
/// a turn uses up less of the board. The same seed gives the same openings.
fn random_openings(rules: Rules, seed: u64) -> Vec<Vec<Move>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let turns = if rules.size.get() < 8 { 2 } else { 4 };
    (0..RANDOM_OPENINGS).map(|_| random_opening(rules, turns, &mut rng)).collect()
}

/// Random legal moves of two tiles: `turns` of them, or fewer if the next one would end the game.
fn random_opening(rules: Rules, turns: usize, rng: &mut impl RngExt) -> Vec<Move> {
    let mut position = Position::new(Rules { pie: false, ..rules });
    let mut opening = Vec::new();
    for _ in 0..turns {
        let moves = position.moves();
        let pairs: Vec<&Move> = moves.iter().filter(|mv| matches!(mv, Move::Tiles(..))).collect();
        let Some(&&mv) = pairs.choose(rng) else { break };
        if position.play(mv).is_err() || position.is_over() {
            break;
        }
        opening.push(mv);
    }
    opening
}
