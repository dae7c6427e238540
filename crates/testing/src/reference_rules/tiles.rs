//! Groups of tiles (docs/rules.md, "Islands and sandbanks").

use pontifex::board::{Cell, Size};
use pontifex::game::Color;

const SIDES: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const CORNERS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

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

    /// The cells of the board at `steps` from `cell`.
    fn around(&self, cell: Cell, steps: &'static [(i8, i8)]) -> impl Iterator<Item = Cell> {
        let edge = 0..self.size.get() as i8;
        steps.iter().filter_map(move |&(columns, rows)| {
            let (column, row) = (cell.column() as i8 + columns, cell.row() as i8 + rows);
            let has = edge.contains(&column) && edge.contains(&row);
            has.then(|| Cell::new(column as u8, row as u8))
        })
    }

    /// The group of the tile on `start`: tiles of its colour connected by sides.
    pub(super) fn group(&self, start: Cell) -> Vec<Cell> {
        let mut group = vec![start];
        let mut looked_at = 0;
        while let Some(&cell) = group.get(looked_at) {
            looked_at += 1;
            for next in self.around(cell, &SIDES) {
                if self.get(next) == self.get(start) && !group.contains(&next) {
                    group.push(next);
                }
            }
        }
        group
    }

    pub(super) fn groups(&self, color: Color) -> Vec<Vec<Cell>> {
        let mut groups: Vec<Vec<Cell>> = Vec::new();
        for cell in self.of(color) {
            if !groups.iter().any(|group| group.contains(&cell)) {
                groups.push(self.group(cell));
            }
        }
        groups
    }

    /// Whether there is no group of five or more, and no island that touches
    /// another tile of its colour by a side or a corner.
    pub(super) fn obey_the_rules(&self, color: Color) -> bool {
        self.of(color).all(|tile| {
            let group = self.group(tile);
            let has_company = self
                .around(tile, &SIDES)
                .chain(self.around(tile, &CORNERS))
                .any(|beside| self.get(beside) == Some(color) && !group.contains(&beside));
            group.len() < 4 || group.len() == 4 && !has_company
        })
    }
}
