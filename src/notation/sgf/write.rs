use super::property_of;
use crate::board::Cells;
use crate::game::{Color, Move, Setup, SetupStage};
use crate::notation::record::day_of;
use crate::notation::source::line_feeds;
use crate::notation::{Record, RecordedMove, Tag};

/// How many moves stand on a line.
const MOVES_A_LINE: usize = 6;

/// What an annotated record says at a node beside the record's own words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// Text behind the record's comment.
    pub comment: String,
    /// Properties of one value each, which must not be those of records.
    pub properties: Vec<(&'static str, String)>,
    /// Lines that could have been played in place of the node's move and
    /// those after it.
    pub variations: Vec<Vec<RecordedMove>>,
}

/// The record as one SGF game, a line break at its end.
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

/// The record as one SGF game with notes: on its start, and on each of its
/// moves as far as there are any. The record's moves stay the main line.
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
            // SGF has dates without the time of day.
            let text = if tag == Tag::Date { day_of(text).unwrap_or(text) } else { text };
            property(&mut out, tag.property(), text);
        }
    }
    if let Some(result) = record.result {
        property(&mut out, "RE", &result.to_string().replacen("R+", "B+", 1));
    }
    if out.len() > header {
        out.push('\n');
    }
    setup(&mut out, &record.start);
    if say(&mut out, &record.comment, start) {
        out.push('\n');
    }
    // Variations stand behind the rest of the game they are beside.
    let mut behind: Vec<String> = Vec::new();
    let none = Note::default();
    for (n, (turn, side)) in record.moves.iter().zip(record.sides()).enumerate() {
        let note = notes.get(n).unwrap_or(&none);
        if !note.variations.is_empty() {
            behind.push(note.variations.iter().map(|line| variation(line, side)).collect());
            out.push_str("\n(");
        } else if n > 0 && n % MOVES_A_LINE == 0 {
            out.push('\n');
        }
        out.push(';');
        property(&mut out, property_of(side), &turn.mv.to_string());
        say(&mut out, &turn.comment, note);
    }
    while let Some(variations) = behind.pop() {
        out.push_str(")\n");
        out.push_str(variations.trim_end());
    }
    out.push_str(")\n");
    out
}

/// A comment and what a note adds to it; whether there was anything to say.
fn say(out: &mut String, comment: &str, note: &Note) -> bool {
    let texts = [comment, &note.comment];
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    if !texts.is_empty() {
        property(out, "C", &texts.join("\n"));
    }
    note.properties.iter().for_each(|(name, value)| property(out, name, value));
    !texts.is_empty() || !note.properties.is_empty()
}

/// A line of moves that `side` begins.
fn variation(line: &[RecordedMove], mut side: Color) -> String {
    let mut out = "(".to_owned();
    for turn in line {
        out.push(';');
        property(&mut out, property_of(side), &turn.mv.to_string());
        if !turn.comment.is_empty() {
            property(&mut out, "C", &turn.comment);
        }
        side = if turn.mv == Move::Swap { side } else { !side };
    }
    out.push_str(")\n");
    out
}

/// The board before the first move, unless it is the empty one.
fn setup(out: &mut String, start: &Setup) {
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

/// The text in brackets, escaped where SGF needs it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_leave_the_record_as_it_was() {
        let mut record = Record::parse("# board: 8\nd4,e6 swap a1,a2 h8,g8").unwrap();
        record.moves[1].comment = "mine".to_owned();
        let line = |text: &str| -> Vec<RecordedMove> {
            text.split(' ').map(|mv| RecordedMove::from(mv.parse::<Move>().unwrap())).collect()
        };
        let start = Note { properties: vec![("SBKV", "50.0".to_owned())], ..Note::default() };
        let swap = Note {
            comment: "theirs ]".to_owned(),
            properties: vec![("SBKV", "40.0".to_owned())],
            variations: vec![line("a1,b1 c1,d1"), line("swap h1,h2 h3,h4")],
        };
        let last = Note { variations: vec![line("b1,c1")], ..Note::default() };
        let none = Note::default();
        let text = write_annotated(&record, &start, &[none.clone(), swap, none, last]);
        assert_eq!(
            text.split_once("\nSBKV").unwrap().1,
            "[50.0]\n;W[d4,e6]\n(;B[swap]C[mine\ntheirs \\]]SBKV[40.0];B[a1,a2]\n(;W[g8,h8])\n\
             (;W[b1,c1]))\n(;B[a1,b1];W[c1,d1])\n(;B[swap];B[h1,h2];W[h3,h4]))\n"
        );
        let mut read = Record::parse(&text).unwrap();
        assert_eq!(read.moves[1].comment, "mine\ntheirs ]");
        read.moves[1].comment = "mine".to_owned();
        assert_eq!(read, record);
    }
}
