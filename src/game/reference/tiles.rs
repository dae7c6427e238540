//! RULES.md, "Islands and sandbanks".

use std::collections::BTreeSet;

use super::bridge::difference;
use crate::board::{Cell, Size};
use crate::game::Color;

/// The cells of a board, in notation order.
pub fn cells(size: Size) -> impl Iterator<Item = Cell> {
    let n = size.get();
    (0..n).flat_map(move |column| (0..n).map(move |row| Cell::new(column, row)))
}

/// The tiles on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tiles {
    size: Size,
    /// By column, then row.
    at: [[Option<Color>; 12]; 12],
}

impl Tiles {
    pub(super) fn none(size: Size) -> Tiles {
        Tiles { size, at: [[None; 12]; 12] }
    }

    pub(super) fn get(&self, cell: Cell) -> Option<Color> {
        self.at[usize::from(cell.column())][usize::from(cell.row())]
    }

    pub(super) fn with(mut self, color: Color, cell: Cell) -> Tiles {
        self.at[usize::from(cell.column())][usize::from(cell.row())] = Some(color);
        self
    }

    pub(super) fn of(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        cells(self.size).filter(move |&cell| self.get(cell) == Some(color))
    }

    /// The group of the tile on `start`: what sides of one colour join.
    pub(super) fn group(&self, start: Cell) -> BTreeSet<Cell> {
        let mut group = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(cell) = open.pop() {
            for (columns, rows) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let column = i32::from(cell.column()) + columns;
                let row = i32::from(cell.row()) + rows;
                let edge = i32::from(self.size.get());
                if !(0..edge).contains(&column) || !(0..edge).contains(&row) {
                    continue;
                }
                let next = Cell::new(column as u8, row as u8);
                if self.get(next) == self.get(start) && group.insert(next) {
                    open.push(next);
                }
            }
        }
        group
    }

    pub(super) fn groups(&self, color: Color) -> Vec<BTreeSet<Cell>> {
        let mut groups: Vec<BTreeSet<Cell>> = Vec::new();
        for cell in self.of(color) {
            if !groups.iter().any(|group| group.contains(&cell)) {
                groups.push(self.group(cell));
            }
        }
        groups
    }

    /// No group of five or more, and no island with a tile of its colour
    /// beside it, by side or by corner.
    pub(super) fn obey_the_rules(&self, color: Color) -> bool {
        self.groups(color).iter().all(|group| {
            let beside = |other: Cell| {
                group.iter().any(|&tile| {
                    let (columns, rows) = difference(tile, other);
                    columns.abs() <= 1 && rows.abs() <= 1
                })
            };
            let is_island = group.len() == 4;
            group.len() <= 4
                && !(is_island
                    && self.of(color).any(|other| !group.contains(&other) && beside(other)))
        })
    }
}
