//! Move lists: moves separated by white space, with comments from `#` to the end of the line.
//!
//! ```text
//! # board: 12
//! # white: Anna
//! # result: W+5
//! # comment:
//! # Played by candle-light.
//! d4,e6
//! swap
//! c3,c4  # first to come, first to choose
//! ```
//!
//! Before the first move, comments of the form `# KEY: VALUE` set `board` (4 to 12), `supply`
//! (`standard`, `unlimited`, `40,15`), `pie` (`on`, `off`), `start` (position text), `white` and
//! `red` (the players with these colours at the end), `event`, `round`, `place`, `date` and
//! `result` (`W+5`). The lines after `# comment:` are plain comments. A comment belongs to the move
//! before it, or to the game if there is none.
//!
//! Without `board` and `start`, the board is the smaller published one that has all cells of the
//! moves: 10×10 or 12×12. Moves may be numbered (`1. d4,e6`). A line of `---` separates two games.

use std::fmt::Display;

use super::error::{Problem, RecordError};
use super::format::{Beginning, Format, Likeness};
use super::record::{DefaultRules, Record, RecordedMove, Tag};
use super::text::{Warning, line_feeds};
use super::value::{self, MOVE, SIZE, SUPPLY, SWITCH};
use crate::board::{Cell, Size};
use crate::game::{Move, Rules, Setup};
use crate::messages::excerpt;

/// The line between two games.
const RULER: &str = "---";

/// The format of move lists, and of any text that is in no other format.
pub static FORMAT: Format = Format {
    name: "moves",
    aliases: &["record"],
    extension: "txt",
    media_type: "text/plain; charset=utf-8",
    titles: ["Move list", "Zugliste", "Liste des coups"],
    is_position: false,
    likeness: |Beginning { word, .. }| {
        if word.is_some_and(is_typical) { Likeness::Good } else { Likeness::Poor }
    },
    read,
    write: |records| {
        let games: Vec<String> = records.iter().map(write).collect();
        games.join(&format!("{RULER}\n"))
    },
};

/// Reads the games of a text: at least one, even if it has no moves.
fn read(
    text: &str,
    assumed: &DefaultRules,
    max_games: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Record>, RecordError> {
    let lines: Vec<_> = lines(text).collect();
    let mut games: Vec<_> = split_games(&lines).take(max_games).collect();
    if games.is_empty() {
        games.push(&[]);
    }
    games.into_iter().map(|lines| read_game(text, lines, assumed, warnings)).collect()
}

/// Splits the lines at the rulers and drops empty games.
fn split_games<'t>(lines: &'t [(usize, &'t str)]) -> impl Iterator<Item = &'t [(usize, &'t str)]> {
    lines
        .split(|(_, line)| line.trim() == RULER)
        .filter(|game| game.iter().any(|(_, line)| !line.trim().is_empty()))
}

fn read_game(
    text: &str,
    lines: &[(usize, &str)],
    assumed: &DefaultRules,
    warnings: &mut Vec<Warning>,
) -> Result<Record, RecordError> {
    let mut reader = ListReader::new(*assumed);
    for &(offset, line) in lines {
        reader.read_line(text, offset, line)?;
    }
    warnings.append(&mut reader.warnings);
    reader.finish(text)
}

/// Splits a text after every character for which `is_end` holds. Returns the pieces without that
/// character, each with its byte offset.
fn pieces(text: &str, is_end: fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive(is_end).scan(0, move |next, piece| {
        let offset = *next;
        *next += piece.len();
        Some((offset, piece.strip_suffix(is_end).unwrap_or(piece)))
    })
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    pieces(text, |c| c == '\n')
}

/// Builds the record.
struct ListReader {
    record: Record,
    warnings: Vec<Warning>,
    assumed: DefaultRules,
    /// Whether the header has ended, with `# comment:` or a move.
    is_past_header: bool,
    board: Option<Size>,
    /// The header `start`: its byte offset and value.
    start: Option<(usize, String)>,
    /// The lines so far of the comment on the last move or on the game; `None` if there is none.
    comment: Option<String>,
}

impl ListReader {
    fn new(assumed: DefaultRules) -> ListReader {
        let record = Record::new(Setup::empty(assumed.rules()));
        ListReader {
            record,
            warnings: Vec::new(),
            assumed,
            is_past_header: false,
            board: None,
            start: None,
            comment: None,
        }
    }

    /// Reads a line, which begins at byte `offset` of `text`.
    fn read_line(&mut self, text: &str, offset: usize, line: &str) -> Result<(), RecordError> {
        let (moves, comment) = match line.split_once('#') {
            Some((moves, comment)) => (moves, Some(comment)),
            None => (line, None),
        };
        let words = pieces(moves, char::is_whitespace);
        for (word_offset, word) in words.filter(|(_, word)| !word.is_empty() && !is_number(word)) {
            let Ok(mv) = word.parse::<Move>() else {
                let found = format!("'{}'", excerpt(word));
                let problem = Problem::Value { found, wanted: MOVE };
                return Err(RecordError::at(text, offset + word_offset, problem));
            };
            if self.record.moves.len() == Record::MAX_NODES {
                let problem = Problem::TooMany("this is one move");
                return Err(RecordError::at(text, offset + word_offset, problem));
            }
            // The comment so far belongs to the move before.
            self.end_comment();
            self.is_past_header = true;
            self.record.moves.push(RecordedMove::from(mv));
        }
        let Some(comment) = comment else { return Ok(()) };
        if let Some((key, value)) = comment.split_once(':')
            && !self.is_past_header
        {
            let offset = offset + moves.len();
            let key = key.trim().to_ascii_lowercase();
            let is_header = self.read_header(&key, value.trim(), offset);
            if is_header.map_err(|problem| RecordError::at(text, offset, problem))? {
                return Ok(());
            }
        }
        // An unknown key is not an error: comments may contain colons.
        self.add_comment(comment.strip_prefix(' ').unwrap_or(comment));
        Ok(())
    }

    /// Reads a header at byte `offset`. Returns whether the key is known.
    fn read_header(&mut self, key: &str, text: &str, offset: usize) -> Result<bool, Problem> {
        let wrong_value =
            |wanted| Problem::Value { found: format!("{key} '{}'", excerpt(text)), wanted };
        if let Some(tag) = Tag::ALL.into_iter().find(|tag| tag.key() == key) {
            self.record.set_tag(tag, text);
            return Ok(true);
        }
        match key {
            "board" => self.board = Some(value::parse_size(text).ok_or_else(|| wrong_value(SIZE))?),
            "supply" => self.assumed.supply = text.parse().map_err(|_| wrong_value(SUPPLY))?,
            "pie" => {
                self.assumed.pie = value::parse_switch(text).ok_or_else(|| wrong_value(SWITCH))?;
            }
            "start" => self.start = Some((offset, text.to_owned())),
            "result" => self.record.result = value::parse_result(text, &mut self.warnings),
            "comment" => {
                self.is_past_header = true;
                if !text.is_empty() {
                    self.add_comment(text);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add_comment(&mut self, line: &str) {
        match &mut self.comment {
            Some(comment) => {
                comment.push('\n');
                comment.push_str(line);
            }
            None => self.comment = Some(line.to_owned()),
        }
    }

    /// Assigns the comment to the last move, or to the game.
    fn end_comment(&mut self) {
        let comment = self.comment.take().unwrap_or_default();
        match self.record.moves.last_mut() {
            Some(last) => last.comment = comment,
            None => self.record.comment = comment,
        }
    }

    fn finish(mut self, text: &str) -> Result<Record, RecordError> {
        self.end_comment();
        let DefaultRules { size, supply, pie } = self.assumed;
        if let Some((offset, start)) = self.start {
            let error = |problem| RecordError::at(text, offset, problem);
            let start = Setup::parse(&start, supply, pie)
                .map_err(|reason| error(Problem::Start(reason)))?;
            let size = start.rules.size;
            if let Some(board) = self.board.filter(|&board| board != size) {
                return Err(error(Problem::TwoBoards { start: size, board }));
            }
            self.record.start = start;
        } else {
            let size = self.board.or(size);
            let size = size.unwrap_or_else(|| fitting_size(&self.record.moves));
            self.record.start = Setup::empty(Rules { size, supply, pie });
        }
        Ok(self.record)
    }
}

/// Whether a word is typical of move lists: a ruler, a move number or a move.
fn is_typical(word: &str) -> bool {
    word == RULER || is_number(word) || word.parse::<Move>().is_ok()
}

/// Whether a word is a move number: `1.` or `12...`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The smaller published board that has all cells of the moves.
fn fitting_size(moves: &[RecordedMove]) -> Size {
    let fits = |cell: Cell| cell.is_on(Size::STANDARD);
    let all_fit = moves.iter().all(|recorded| match recorded.mv {
        Move::Tiles(a, b) | Move::Bridge(a, b) => fits(a) && fits(b),
        Move::Pass | Move::Swap => true,
    });
    if all_fit { Size::STANDARD } else { Size::MAX }
}

/// Writes a record as a move list, one move per line.
///
/// ```
/// use pontifex::notation::{Record, move_list};
///
/// let record = Record::parse("1. D4,E6 swap")?;
/// assert_eq!(
///     move_list::write(&record),
///     "# board: 10\n# supply: standard\n# pie: on\nd4,e6\nswap\n"
/// );
/// # Ok::<(), pontifex::notation::RecordError>(())
/// ```
pub fn write(record: &Record) -> String {
    let rules = record.rules();
    let mut out = String::new();
    let mut header = |key: &str, value: &dyn Display| {
        out.push_str("# ");
        out.push_str(key);
        out.push_str(": ");
        out.push_str(&value.to_string());
        out.push('\n');
    };
    header("board", &rules.size);
    header("supply", &rules.supply);
    header("pie", if rules.pie { &"on" } else { &"off" });
    if record.start != Setup::empty(*rules) {
        header("start", &record.start);
    }
    for tag in Tag::ALL {
        if let Some(text) = record.tag(tag) {
            header(tag.key(), &text);
        }
    }
    if let Some(result) = record.result {
        header("result", &result);
    }
    if !record.comment.is_empty() {
        out.push_str("# comment:\n");
        write_comment(&mut out, &record.comment);
    }
    for RecordedMove { mv, comment } in &record.moves {
        out.push_str(&mv.to_string());
        out.push('\n');
        if !comment.is_empty() {
            write_comment(&mut out, comment);
        }
    }
    out
}

fn write_comment(out: &mut String, text: &str) {
    for line in line_feeds(text).split('\n') {
        out.push_str(if line.is_empty() { "#" } else { "# " });
        out.push_str(line);
        out.push('\n');
    }
}
