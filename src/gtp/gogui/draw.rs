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
    let (mut color, mut stones) = (mover, String::new());
    for &mv in line {
        let letter = if color == Color::White { 'w' } else { 'b' };
        if let Move::Tiles(a, b) = mv {
            stones += &format!(" {letter} {} {letter} {}", point(a), point(b));
        }
        // After a swap it is still Red's turn.
        color = if mv == Move::Swap { color } else { !color };
    }
    let mut text = String::new();
    if !stones.is_empty() {
        text += &format!("VAR{stones}\n");
    }
    if let Some(&Move::Bridge(a, b)) = line.first() {
        text += &format!("SQUARE {} {}\n", point(a), point(b));
    }
    let words: Vec<String> = line.iter().map(|&mv| points(mv)).collect();
    text + "TEXT " + &words.join(" ")
}

/// Bridges: the water under them, and their ends with a letter for each.
pub(in crate::gtp) fn bridges(position: &Position) -> String {
    let water: Vec<String> = position.blocked().into_iter().map(point).collect();
    let mut text = String::new();
    if !water.is_empty() {
        text += &format!("COLOR cyan {}\n", water.join(" "));
    }
    for (number, site) in position.bridges().iter().enumerate() {
        let letter = (b'a' + (number % 26) as u8) as char;
        let [a, b] = site.ends().map(point);
        text += &format!("LABEL {a} {letter} {b} {letter}\n");
    }
    text
}
