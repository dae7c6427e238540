//! Move lists: moves separated by white space, with comments from `#` to the end
//! of the line.
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
//! Before the first move, comments of the form `# KEY: VALUE` set `board` (4 to
//! 12), `supply` (`standard`, `unlimited`, `40,15`), `pie` (`on`, `off`), `start`
//! (position text), `white` and `red` (the players with these colours at the
//! end), `event`, `round`, `place`, `date` and `result` (`W+5`). The lines after
//! `# comment:` are plain comments. A comment belongs to the move before it, or
//! to the game if there is none.
//!
//! Without `board` and `start`, the board is the smaller published one that has
//! all cells of the moves: 10×10 or 12×12. Moves may be numbered (`1. d4,e6`). A
//! line of `---` separates two games.

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

/// The format of move lists, and of any text that is no other format.
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

/// Reads the games of a text. There is at least one, even if it has no moves.
fn read(
    text: &str,
    assumed: &DefaultRules,
    most: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Record>, RecordError> {
    let lines: Vec<_> = lines(text).collect();
    let mut games: Vec<_> = games(&lines).take(most).collect();
    if games.is_empty() {
        games.push(&[]);
    }
    games.into_iter().map(|lines| game(text, lines, assumed, warnings)).collect()
}

/// Splits the lines at the rulers and drops empty games.
fn games<'t>(lines: &'t [(usize, &'t str)]) -> impl Iterator<Item = &'t [(usize, &'t str)]> {
    lines
        .split(|(_, line)| line.trim() == RULER)
        .filter(|game| game.iter().any(|(_, line)| !line.trim().is_empty()))
}

fn game(
    text: &str,
    lines: &[(usize, &str)],
    assumed: &DefaultRules,
    warnings: &mut Vec<Warning>,
) -> Result<Record, RecordError> {
    let mut reader = ListReader::new(*assumed);
    for &(at, line) in lines {
        reader.line(text, at, line)?;
    }
    warnings.append(&mut reader.warnings);
    reader.finish(text)
}

/// The pieces of a text that end with a character for which `end` holds, without that
/// character, each with its byte offset.
fn pieces(text: &str, end: fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive(end).scan(0, move |next, piece| {
        let at = *next;
        *next += piece.len();
        Some((at, piece.strip_suffix(end).unwrap_or(piece)))
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
    /// The lines so far of the comment on the last move or on the game; `None` if there
    /// is none.
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

    /// Reads a line, which begins at byte `at` of `text`.
    fn line(&mut self, text: &str, at: usize, line: &str) -> Result<(), RecordError> {
        let (moves, comment) = match line.split_once('#') {
            Some((moves, comment)) => (moves, Some(comment)),
            None => (line, None),
        };
        let words = pieces(moves, char::is_whitespace);
        for (word_at, word) in words.filter(|(_, word)| !word.is_empty() && !is_number(word)) {
            let Ok(mv) = word.parse::<Move>() else {
                let found = format!("'{}'", excerpt(word));
                let problem = Problem::Value { found, wanted: MOVE };
                return Err(RecordError::at(text, at + word_at, problem));
            };
            if self.record.moves.len() == Record::MAX_NODES {
                let problem = Problem::TooMany("this is one move");
                return Err(RecordError::at(text, at + word_at, problem));
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
            let at = at + moves.len();
            let key = key.trim().to_ascii_lowercase();
            let is_header = self.header(&key, value.trim(), at);
            if is_header.map_err(|problem| RecordError::at(text, at, problem))? {
                return Ok(());
            }
        }
        // An unknown key is not an error: comments have colons, too.
        self.add_comment(comment.strip_prefix(' ').unwrap_or(comment));
        Ok(())
    }

    /// Reads a header. Returns whether the key is known.
    fn header(&mut self, key: &str, text: &str, at: usize) -> Result<bool, Problem> {
        let wrong = |wanted| Problem::Value { found: format!("{key} '{}'", excerpt(text)), wanted };
        if let Some(tag) = Tag::ALL.into_iter().find(|tag| tag.key() == key) {
            self.record.set_tag(tag, text);
            return Ok(true);
        }
        match key {
            "board" => self.board = Some(value::size(text).ok_or_else(|| wrong(SIZE))?),
            "supply" => self.assumed.supply = text.parse().map_err(|_| wrong(SUPPLY))?,
            "pie" => self.assumed.pie = value::switch(text).ok_or_else(|| wrong(SWITCH))?,
            "start" => self.start = Some((at, text.to_owned())),
            "result" => self.record.result = value::result(text, &mut self.warnings),
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
            Some(turn) => turn.comment = comment,
            None => self.record.comment = comment,
        }
    }

    fn finish(mut self, text: &str) -> Result<Record, RecordError> {
        self.end_comment();
        let DefaultRules { size, supply, pie } = self.assumed;
        if let Some((at, start)) = self.start {
            let wrong = |problem| RecordError::at(text, at, problem);
            let start = Setup::parse(&start, supply, pie)
                .map_err(|reason| wrong(Problem::Start(reason)))?;
            let size = start.rules.size;
            if let Some(board) = self.board.filter(|&board| board != size) {
                return Err(wrong(Problem::TwoBoards { start: size, board }));
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
    let all_fit = moves.iter().all(|turn| match turn.mv {
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
    for turn in &record.moves {
        out.push_str(&turn.mv.to_string());
        out.push('\n');
        if !turn.comment.is_empty() {
            write_comment(&mut out, &turn.comment);
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
