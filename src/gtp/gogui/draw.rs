//! Answers that GoGui draws: boards of words, and lines of its `gfx` language.

use super::point::{point, points};
use crate::board::{Cell, Size};
use crate::game::{Color, Move, Position};

/// A word for every cell, row by row from the top, after an empty first line.
pub(in crate::gtp) fn board(size: Size, word: impl Fn(Cell) -> String) -> String {
    let rows = (0..size.get()).rev().map(|row| {
        let cells = (0..size.get()).map(|column| Cell::new(column, row));
        format!("\n{}", cells.map(&word).collect::<Vec<_>>().join(" "))
    });
    rows.collect()
}

/// A variation: tiles as numbered stones, the ends of a bridge in the first
/// turn as squares, and the moves as text.
pub(in crate::gtp) fn line(mover: Color, line: &[Move]) -> String {
    let (mut color, mut stones) = (mover, Vec::new());
    for &mv in line {
        let letter = if color == Color::White { 'w' } else { 'b' };
        if let Move::Tiles(a, b) = mv {
            stones.extend([a, b].map(|cell| format!("{letter} {}", point(cell))));
        }
        // After a swap, Red is still to move.
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

/// All bridges: the cells under them, and a letter for each at its ends.
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
