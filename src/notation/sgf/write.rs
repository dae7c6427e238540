use super::property_of;
use crate::board::Cells;
use crate::game::{Color, Setup, SetupStage};
use crate::notation::record::day_of;
use crate::notation::source::line_feeds;
use crate::notation::{Record, Tag};

/// How many moves stand on a line.
const MOVES_A_LINE: usize = 6;

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
    if !record.comment.is_empty() {
        property(&mut out, "C", &record.comment);
        out.push('\n');
    }
    for (n, (turn, side)) in record.moves.iter().zip(record.sides()).enumerate() {
        if n > 0 && n % MOVES_A_LINE == 0 {
            out.push('\n');
        }
        out.push(';');
        property(&mut out, property_of(side), &turn.mv.to_string());
        if !turn.comment.is_empty() {
            property(&mut out, "C", &turn.comment);
        }
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
