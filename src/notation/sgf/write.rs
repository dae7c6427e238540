//! Writing SGF.
//!
//! A record keeps its moves in lists, and a move of a variation has the number of the move before
//! it. This module rebuilds the tree, adds the variations of the notes, and writes it depth first.

use crate::board::Cells;
use crate::game::{Color, Setup, SetupStage};
use crate::notation::error::property_of;
use crate::notation::record::{Record, RecordedMove, Tag, day_of};
use crate::notation::text::line_feeds;

/// The number of moves per line of text: they fit a line of 80 characters.
const MOVES_PER_LINE: usize = 6;

/// A node of the tree to write.
#[derive(Debug)]
struct WrittenNode<'r> {
    recorded: &'r RecordedMove,
    note: Option<&'r Note>,
    mover: Color,
    /// The indices of the moves that follow.
    children: Vec<usize>,
}

/// The moves of the record and the variations of its notes.
#[derive(Debug)]
struct WrittenTree<'r> {
    nodes: Vec<WrittenNode<'r>>,
    /// The indices of the first moves.
    roots: Vec<usize>,
    /// The side to move at the start.
    side: Color,
}

/// A part of a tree that is still to be written.
enum WriteTask {
    /// The line from this move on: as a variation in parentheses (`None`), or after this many moves
    /// on the current line of text.
    Line(usize, Option<usize>),
    /// An empty variation. It marks the end of the main line where variations continue from there:
    /// without it, a reader would take the first of them for the main line.
    EmptyVariation,
    /// The closing parenthesis of a variation.
    Close,
}

/// Additions to a node of an annotated record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// Text after the record's own comment; empty for none.
    pub comment: String,
    /// Additional properties with one value each. They must not be properties that records use.
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

/// Writes a record as one SGF game with notes on its start and on its moves. `notes` has one note
/// for each move, in the order of [`Record::moves`]; missing ones are empty. The record's moves
/// remain the main line.
pub fn write_annotated(record: &Record, start: &Note, notes: &[Note]) -> String {
    let rules = record.rules();
    let mut out = format!(
        "(;FF[4]CA[UTF-8]GM[PonteDelDiavolo]AP[pontifex:{}]\nSZ[{}]SUPPLY[{}]PIE[{}]\n",
        env!("CARGO_PKG_VERSION"),
        rules.size,
        rules.supply,
        if rules.pie { "on" } else { "off" },
    );
    let tags_start = out.len();
    for tag in Tag::ALL {
        if let Some(text) = record.tag(tag) {
            // Dates in SGF have no time of day.
            let text = if tag == Tag::Date { day_of(text).unwrap_or(text) } else { text };
            write_property(&mut out, tag.property(), text);
        }
    }
    if let Some(result) = record.result {
        // SGF knows only black and white.
        write_property(&mut out, "RE", &result.to_string().replacen("R+", "B+", 1));
    }
    if out.len() > tags_start {
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
            WrittenTree { nodes: Vec::new(), roots: Vec::new(), side: record.start.side };
        for (index, (parent, recorded)) in record.tree().enumerate() {
            let note = notes.get(index).filter(|_| index < record.moves.len());
            tree.add(parent, recorded, note);
        }
        for (number, note) in notes.iter().enumerate().take(record.moves.len()) {
            for line in &note.variations {
                let mut parent = number;
                for recorded in line {
                    parent = tree.add(parent, recorded, None);
                }
            }
        }
        tree
    }

    /// Adds a move after the move with number `parent`, 0 for the start. Returns the number of the
    /// new move.
    fn add(&mut self, parent: usize, recorded: &'r RecordedMove, note: Option<&'r Note>) -> usize {
        let index = self.nodes.len();
        let parent = parent.checked_sub(1).and_then(|parent| self.nodes.get_mut(parent));
        let (siblings, mover) = match parent {
            Some(parent) => (&mut parent.children, parent.recorded.side_after(parent.mover)),
            None => (&mut self.roots, self.side),
        };
        siblings.push(index);
        self.nodes.push(WrittenNode { recorded, note, mover, children: Vec::new() });
        index + 1
    }

    /// Writes all lines; the main line has `main_moves` moves. Pending tasks are kept on an
    /// explicit stack, since records may nest variations to any depth.
    fn write(&self, out: &mut String, main_moves: usize) {
        let mut tasks = Vec::new();
        WrittenTree::push_tasks(&mut tasks, &self.roots, main_moves == 0, 0);
        while let Some(task) = tasks.pop() {
            let (index, moves_on_line) = match task {
                WriteTask::Close => {
                    out.push(')');
                    continue;
                }
                WriteTask::EmptyVariation => {
                    out.push_str("\n(;)");
                    continue;
                }
                WriteTask::Line(index, None) => {
                    out.push_str(if out.ends_with('\n') { "(" } else { "\n(" });
                    (index, 0)
                }
                WriteTask::Line(index, Some(MOVES_PER_LINE)) => {
                    out.push('\n');
                    (index, 0)
                }
                WriteTask::Line(index, Some(moves_on_line)) => (index, moves_on_line),
            };
            let WrittenNode { recorded, note, mover, children } = &self.nodes[index];
            out.push(';');
            write_property(out, property_of(*mover), &recorded.mv.to_string());
            write_comment(out, &recorded.comment, note.unwrap_or(&Note::default()));
            let is_end = index + 1 == main_moves;
            WrittenTree::push_tasks(&mut tasks, children, is_end, moves_on_line + 1);
        }
    }

    /// Adds the tasks for the moves that follow a move, after `moves_on_line` moves on the current
    /// line of text. `is_end` says that the main line ends with that move.
    fn push_tasks(
        tasks: &mut Vec<WriteTask>,
        children: &[usize],
        is_end: bool,
        moves_on_line: usize,
    ) {
        match children {
            &[only] if !is_end => tasks.push(WriteTask::Line(only, Some(moves_on_line))),
            // The last task is taken first, so everything is added in reverse.
            _ => {
                for &child in children.iter().rev() {
                    tasks.extend([WriteTask::Close, WriteTask::Line(child, None)]);
                }
                if is_end && !children.is_empty() {
                    tasks.push(WriteTask::EmptyVariation);
                }
            }
        }
    }
}

/// Writes a comment and a note. Returns whether anything was written.
fn write_comment(out: &mut String, comment: &str, note: &Note) -> bool {
    let texts = [comment, &note.comment];
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    if !texts.is_empty() {
        write_property(out, "C", &texts.join("\n"));
    }
    note.properties.iter().for_each(|(name, value)| write_property(out, name, value));
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
            cells.into_iter().for_each(|cell| write_value(out, &cell.to_string()));
        }
    }
    if !start.bridges.is_empty() {
        out.push_str("BRIDGE");
        start.bridges.iter().for_each(|(a, b)| write_value(out, &format!("{a}-{b}")));
    }
    write_property(out, "PL", property_of(start.side));
    if start.stage != SetupStage::Plain {
        write_property(out, "STATE", start.stage.word());
    }
    out.push('\n');
}

fn write_property(out: &mut String, name: &str, text: &str) {
    out.push_str(name);
    write_value(out, text);
}

/// Writes a value in brackets, escaped.
fn write_value(out: &mut String, text: &str) {
    out.push('[');
    for c in line_feeds(text).chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(']');
}
