//! Writing SGF.
//!
//! A record keeps its moves in lists, and a move of a variation has the number of the
//! move before it. Here they become a tree again, together with the variations of notes,
//! and the tree is written depth first.

use crate::board::Cells;
use crate::game::{Color, Setup, SetupStage};
use crate::notation::error::property_of;
use crate::notation::record::{Record, RecordedMove, Tag, day_of};
use crate::notation::text::line_feeds;

/// The number of moves per line of text. Chosen: they fit a line of 80
/// characters.
const MOVES_PER_LINE: usize = 6;

/// A node of the tree to write.
#[derive(Debug)]
struct WrittenNode<'r> {
    turn: &'r RecordedMove,
    note: Option<&'r Note>,
    mover: Color,
    /// The indices of the moves that follow.
    next: Vec<usize>,
}

/// The moves of the record and the variations of its notes.
#[derive(Debug)]
struct WrittenTree<'r> {
    steps: Vec<WrittenNode<'r>>,
    /// The indices of the first moves.
    first: Vec<usize>,
    side: Color,
}

/// A part of a tree that is still to be written.
enum WriteTask {
    /// The line from this move on: as a variation in parentheses (`None`), or
    /// after this many moves on the current line of text.
    Line(usize, Option<usize>),
    /// An empty variation. It marks the end of the main line where variations go on
    /// from there: without it, a reader would take the first of them for the game.
    End,
    /// The closing parenthesis of a variation.
    Close,
}

/// Additions to a node of an annotated record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// Text after the record's own comment; empty for none.
    pub comment: String,
    /// Additional properties with one value each. They must not be properties
    /// that records use.
    pub properties: Vec<(&'static str, String)>,
    /// Lines of moves to play instead of the move of the node.
    pub variations: Vec<Vec<RecordedMove>>,
}

/// Writes a record as one SGF game with a line break at the end.
///
/// ```
/// use pontifex::notation::{Record, sgf};
///
/// let record = Record::parse("# board: 8\nd4,e6 swap")?;
/// let text = sgf::write(&record);
/// assert!(text.ends_with(";W[d4,e6];B[swap])\n"));
/// assert_eq!(Record::parse(&text)?, record);
/// # Ok::<(), pontifex::notation::RecordError>(())
/// ```
pub fn write(record: &Record) -> String {
    write_annotated(record, &Note::default(), &[])
}

/// Writes a record as one SGF game with notes on its start and on its moves, of which
/// `notes` has one each in the order of [`Record::moves`]; missing ones are empty. The
/// record's moves remain the main line.
pub fn write_annotated(record: &Record, start: &Note, notes: &[Note]) -> String {
    let rules = record.rules();
    let mut out = format!(
        "(;FF[4]CA[UTF-8]GM[PonteDelDiavolo]AP[pontifex:{}]\nSZ[{}]SUPPLY[{}]PIE[{}]\n",
        env!("CARGO_PKG_VERSION"),
        rules.size,
        rules.supply,
        if rules.pie { "on" } else { "off" },
    );
    let header = out.len();
    for tag in Tag::ALL {
        if let Some(text) = record.tag(tag) {
            // Dates in SGF have no time of day.
            let text = if tag == Tag::Date { day_of(text).unwrap_or(text) } else { text };
            property(&mut out, tag.property(), text);
        }
    }
    if let Some(result) = record.result {
        // SGF knows only black and white.
        property(&mut out, "RE", &result.to_string().replacen("R+", "B+", 1));
    }
    if out.len() > header {
        out.push('\n');
    }
    write_start(&mut out, &record.start);
    if write_comment(&mut out, &record.comment, start) {
        out.push('\n');
    }
    WrittenTree::of(record, notes).write(&mut out, record.moves.len());
    out.push_str(")\n");
    out
}

impl<'r> WrittenTree<'r> {
    fn of(record: &'r Record, notes: &'r [Note]) -> WrittenTree<'r> {
        let mut tree =
            WrittenTree { steps: Vec::new(), first: Vec::new(), side: record.start.side };
        for (number, (before, turn)) in record.tree().enumerate() {
            tree.add(before, turn, notes.get(number).filter(|_| number < record.moves.len()));
        }
        for (number, note) in notes.iter().enumerate().take(record.moves.len()) {
            for line in &note.variations {
                let mut before = number;
                for turn in line {
                    before = tree.add(before, turn, None);
                }
            }
        }
        tree
    }

    /// Adds a move after the move with number `before`. Returns its number.
    fn add(&mut self, before: usize, turn: &'r RecordedMove, note: Option<&'r Note>) -> usize {
        let own = self.steps.len();
        let before = before.checked_sub(1).and_then(|before| self.steps.get_mut(before));
        let (next, mover) = match before {
            Some(before) => (&mut before.next, before.turn.side_after(before.mover)),
            None => (&mut self.first, self.side),
        };
        next.push(own);
        self.steps.push(WrittenNode { turn, note, mover, next: Vec::new() });
        own + 1
    }

    /// Writes all lines; the main line has `main` moves. Pending tasks are kept
    /// on an explicit stack, since records may nest variations to any depth.
    fn write(&self, out: &mut String, main: usize) {
        let mut tasks = Vec::new();
        WrittenTree::push_tasks(&mut tasks, &self.first, main == 0, 0);
        while let Some(task) = tasks.pop() {
            let (number, along) = match task {
                WriteTask::Close => {
                    out.push(')');
                    continue;
                }
                WriteTask::End => {
                    out.push_str("\n(;)");
                    continue;
                }
                WriteTask::Line(number, None) => {
                    out.push_str(if out.ends_with('\n') { "(" } else { "\n(" });
                    (number, 0)
                }
                WriteTask::Line(number, Some(MOVES_PER_LINE)) => {
                    out.push('\n');
                    (number, 0)
                }
                WriteTask::Line(number, Some(along)) => (number, along),
            };
            let WrittenNode { turn, note, mover, next } = &self.steps[number];
            out.push(';');
            property(out, property_of(*mover), &turn.mv.to_string());
            write_comment(out, &turn.comment, note.unwrap_or(&Note::default()));
            WrittenTree::push_tasks(&mut tasks, next, number + 1 == main, along + 1);
        }
    }

    /// Adds the tasks for the moves that follow a move, after `along` moves on the
    /// current line of text. `is_end` says that the main line ends with that move.
    fn push_tasks(tasks: &mut Vec<WriteTask>, next: &[usize], is_end: bool, along: usize) {
        match next {
            &[only] if !is_end => tasks.push(WriteTask::Line(only, Some(along))),
            // The last task is taken first, so everything is added in reverse.
            _ => {
                for &each in next.iter().rev() {
                    tasks.extend([WriteTask::Close, WriteTask::Line(each, None)]);
                }
                if is_end && !next.is_empty() {
                    tasks.push(WriteTask::End);
                }
            }
        }
    }
}

/// Writes a comment and a note. Returns whether anything was written.
fn write_comment(out: &mut String, own: &str, note: &Note) -> bool {
    let texts = [own, &note.comment];
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    if !texts.is_empty() {
        property(out, "C", &texts.join("\n"));
    }
    note.properties.iter().for_each(|(name, value)| property(out, name, value));
    !texts.is_empty() || !note.properties.is_empty()
}

/// Writes the start position, unless it is the empty board.
fn write_start(out: &mut String, start: &Setup) {
    if *start == Setup::empty(start.rules) {
        return;
    }
    for color in Color::BOTH {
        let cells: Cells = start.tiles[color.index()];
        if !cells.is_empty() {
            out.push_str(if color == Color::White { "AW" } else { "AB" });
            cells.into_iter().for_each(|cell| bracket(out, &cell.to_string()));
        }
    }
    if !start.bridges.is_empty() {
        out.push_str("BRIDGE");
        start.bridges.iter().for_each(|(a, b)| bracket(out, &format!("{a}-{b}")));
    }
    property(out, "PL", property_of(start.side));
    if start.stage != SetupStage::Plain {
        property(out, "STATE", start.stage.word());
    }
    out.push('\n');
}

fn property(out: &mut String, name: &str, text: &str) {
    out.push_str(name);
    bracket(out, text);
}

/// Writes a value in brackets, escaped.
fn bracket(out: &mut String, text: &str) {
    out.push('[');
    for c in line_feeds(text).chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(']');
}
