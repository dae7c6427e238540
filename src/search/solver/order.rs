use super::Solver;
use super::alpha_beta::Outlook;
use super::table::Turn;
use crate::board::Cell;
use crate::game::{Color, Ply, Position};

/// How often a ply was part of a turn that refuted the opponent's.
pub(super) struct History([[i32; PLIES]; 2]);

const PLIES: usize = Cell::TABLE;

impl History {
    pub(super) fn new() -> History {
        History([[0; PLIES]; 2])
    }

    pub(super) fn reward(&mut self, color: Color, turn: Turn) {
        let table = &mut self.0[color.index()];
        let mut is_full = false;
        for cell in turn.cells().into_iter().flatten() {
            let count = &mut table[cell.index()];
            *count += 1;
            is_full |= *count > 255;
        }
        if is_full {
            table.iter_mut().for_each(|count| *count /= 2);
        }
    }

    #[inline]
    fn of(&self, color: Color, cell: Cell) -> i32 {
        self.0[color.index()][cell.index()]
    }
}

impl Solver {
    /// Lists the plies of `position`, the most promising first; `hint` is the
    /// turn that was best before.
    pub(super) fn list_plies(&mut self, position: &Position, outlook: &Outlook, hint: Turn) {
        let start = self.plies.len();
        let side = position.side();
        if position.may_pass() {
            self.plies.push((i32::MAX, Ply::Pass));
        }
        let hinted = hint.cells();
        let hinted_ply = hint.ply();
        for site in position.bridge_plies().iter() {
            let gain = joined(position, site.ends());
            let worth = if hinted_ply == Some(Ply::Bridge(site)) {
                1 << 20
            } else if gain > 0 {
                2000 + 500 * gain
            } else {
                -1000
            };
            self.plies.push((worth, Ply::Bridge(site)));
        }
        let cells = outlook.candidates[side.index()];
        let (mine, theirs) = (side.index(), (!side).index());
        let completing = position.completing(side);
        let mut worth = [0i32; Cell::TABLE];
        let mut count = |color: usize, weights: [i32; 4]| {
            let tiles = position.tiles(Color::BOTH[color]);
            for shape in &self.shapes[outlook.shapes[color].clone()] {
                let missing = shape.cells - tiles;
                let weight = weights[(missing.len() as usize - 1) & 3];
                for cell in missing {
                    worth[cell.index()] += weight;
                }
            }
        };
        count(mine, [1000, 120, 20, 5]);
        count(theirs, [800, 100, 15, 4]);
        // A tile under one's own bridge to be spoils it; under the
        // opponent's it is what one wants.
        let mut spans = |color: Color, weight: i32| {
            for site in position.buildable(color).iter() {
                let gain = joined(position, site.ends());
                if gain > 0 {
                    for cell in position.geometry().span(site) {
                        worth[cell.index()] += weight * gain;
                    }
                }
            }
        };
        if position.bridges_left() != Some(0) {
            spans(side, -600);
            spans(!side, 600);
        }
        for cell in cells {
            let mut worth = worth[cell.index()] + self.history.of(side, cell);
            if completing.contains(cell) {
                worth += 1000;
            }
            if hinted.contains(&Some(cell)) {
                worth += 1 << 20;
            }
            self.plies.push((worth, Ply::Tile(cell)));
        }
        self.plies[start..].sort_by_key(|&(worth, _)| -worth);
    }
}

/// What a bridge between two tiles would bring: each pair of islands that it
/// connects is a point.
fn joined(position: &Position, [a, b]: [Cell; 2]) -> i32 {
    if position.network(a) == position.network(b) {
        return 0;
    }
    i32::from(position.network_islands(a)) * i32::from(position.network_islands(b))
}
