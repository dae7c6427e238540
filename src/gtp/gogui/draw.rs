//! What GoGui's window can draw: boards of words, and commands of its `gfx`
//! language, one a line.

use super::point::{point, points};
use crate::board::{Cell, Size};
use crate::game::{Color, Move, Position};

/// A word for every cell, from the top row down; the first line is empty.
pub(in crate::gtp) fn board(size: Size, word: impl Fn(Cell) -> String) -> String {
    let rows = (0..size.get()).rev().map(|row| {
        let cells = (0..size.get()).map(|column| Cell::new(column, row));
        format!("\n{}", cells.map(&word).collect::<Vec<_>>().join(" "))
    });
    rows.collect()
}

/// A line of turns: tiles as stones with numbers, the ends of the first turn's
/// bridge as squares, all of it in words.
pub(in crate::gtp) fn line(mover: Color, line: &[Move]) -> String {
    let (mut color, mut stones) = (mover, Vec::new());
    for &mv in line {
        let letter = if color == Color::White { 'w' } else { 'b' };
        if let Move::Tiles(a, b) = mv {
            stones.extend([a, b].map(|cell| format!("{letter} {}", point(cell))));
        }
        // After a swap it is still Red's turn.
        color = if mv == Move::Swap { color } else { !color };
    }
    let mut lines = Vec::new();
    if !stones.is_empty() {
        lines.push(format!("VAR {}", stones.join(" ")));
    }
    if let Some(&Move::Bridge(a, b)) = line.first() {
        lines.push(format!("SQUARE {} {}", point(a), point(b)));
    }
    let words: Vec<String> = line.iter().map(|&mv| points(mv)).collect();
    lines.push(format!("TEXT {}", words.join(" ")));
    lines.join("\n")
}

/// Bridges: the water under them, and their ends with a letter for each.
pub(in crate::gtp) fn bridges(position: &Position) -> String {
    let mut lines = Vec::new();
    let water: Vec<String> = position.blocked().into_iter().map(point).collect();
    if !water.is_empty() {
        lines.push(format!("COLOR cyan {}", water.join(" ")));
    }
    for (site, letter) in position.bridges().iter().zip(('a'..='z').cycle()) {
        let [a, b] = site.ends().map(point);
        lines.push(format!("LABEL {a} {letter} {b} {letter}"));
    }
    lines.join("\n")
}
