use super::Solver;
use super::alpha_beta::Outlook;
use super::table::Turn;
use crate::board::{Cell, Site};
use crate::game::{Color, Position, Step};

/// How often a step was part of a turn that refuted the opponent's.
pub(super) struct History(Box<[[i32; STEPS]; 2]>);

const STEPS: usize = Cell::TABLE + Site::TABLE;

impl History {
    pub(super) fn new() -> History {
        History(Box::new([[0; STEPS]; 2]))
    }

    pub(super) fn reward(&mut self, color: Color, turn: Turn) {
        const MOST: i32 = 255;
        let table = &mut self.0[color.index()];
        let site = match turn.step() {
            Some(Step::Bridge(site)) => Some(Cell::TABLE + site.index()),
            _ => None,
        };
        let cells = turn.cells().into_iter().flatten().map(Cell::index);
        let mut is_full = false;
        for place in cells.chain(site) {
            table[place] += 1;
            is_full |= table[place] > MOST;
        }
        if is_full {
            for count in table.iter_mut() {
                *count /= 2;
            }
        }
    }

    #[inline]
    fn of_cell(&self, color: Color, cell: Cell) -> i32 {
        self.0[color.index()][cell.index()]
    }

    #[inline]
    fn of_site(&self, color: Color, site: Site) -> i32 {
        self.0[color.index()][Cell::TABLE + site.index()]
    }
}

/// For each depth the last two turns that refuted the opponent's: they often
/// refute the next one too.
pub(super) struct Killers(Vec<[Turn; 2]>);

impl Killers {
    pub(super) fn new() -> Killers {
        Killers(Vec::new())
    }

    pub(super) fn remember(&mut self, depth: usize, turn: Turn) {
        if self.0.len() <= depth {
            self.0.resize(depth + 1, [Turn::NONE; 2]);
        }
        let killers = &mut self.0[depth];
        if killers[0] != turn {
            *killers = [turn, killers[0]];
        }
    }

    #[inline]
    fn at(&self, depth: usize) -> [Turn; 2] {
        self.0.get(depth).copied().unwrap_or([Turn::NONE; 2])
    }
}

/// What a step is worth in the order: only comparisons matter. Chosen by the
/// nodes that endings of engine games take.
mod weight {
    pub(super) const KNOWN_BEST: i32 = 1 << 20;
    pub(super) const KILLER: i32 = 5_000;
    pub(super) const JOINING_BRIDGE: i32 = 2_000;
    pub(super) const EACH_POINT: i32 = 500;
    pub(super) const HISTORY_OF_SITE: i32 = 4;
    pub(super) const COMPLETES: i32 = 1_000;
    /// For each possible island a cell is part of, by tiles missing.
    pub(super) const MY_SHAPE: [i32; 4] = [1_000, 120, 20, 5];
    pub(super) const THEIR_SHAPE: [i32; 4] = [800, 100, 15, 4];
    /// Each point of a bridge that could be built now over the cell.
    pub(super) const SPAN: i32 = 600;
    /// The same, when a tile for its end is still wanting.
    pub(super) const FUTURE_SPAN: i32 = 30;
}

/// What a tile on each cell is worth, as far as the board tells.
type Worths = [i32; Cell::TABLE];

impl Solver {
    /// Lists the steps of `position`, the most promising first; `hint` is the
    /// turn that was best before.
    pub(super) fn list_steps(&mut self, position: &Position, outlook: &Outlook, hint: Turn) {
        let start = self.steps.len();
        let side = position.side();
        let killers = self.killers.at(self.depth);
        if position.may_pass() {
            self.steps.push((i32::MAX, Step::Pass));
        }
        for site in position.bridge_steps().iter() {
            let step = Some(Step::Bridge(site));
            let gain = points_joined(position, site.ends());
            let mut worth = if gain > 0 {
                weight::JOINING_BRIDGE + weight::EACH_POINT * gain
            } else {
                weight::HISTORY_OF_SITE * self.history.of_site(side, site)
            };
            if killers.iter().any(|killer| killer.step() == step) {
                worth += weight::KILLER;
            }
            if hint.step() == step {
                worth += weight::KNOWN_BEST;
            }
            self.steps.push((worth, Step::Bridge(site)));
        }
        let mut worths = [0; Cell::TABLE];
        self.count_shapes(position, outlook, &mut worths);
        if position.bridges_left() != Some(0) {
            count_spans(position, outlook, &mut worths);
        }
        let completing = position.completing(side);
        for cell in outlook.candidates[side.index()] {
            let mut worth = worths[cell.index()] + self.history.of_cell(side, cell);
            if completing.contains(cell) {
                worth += weight::COMPLETES;
            }
            if killers.iter().any(|killer| killer.cells().contains(&Some(cell))) {
                worth += weight::KILLER;
            }
            if hint.cells().contains(&Some(cell)) {
                worth += weight::KNOWN_BEST;
            }
            self.steps.push((worth, Step::Tile(cell)));
        }
        self.steps[start..].sort_by_key(|&(worth, _)| -worth);
    }

    /// A cell that islands want is a good one, for either colour.
    fn count_shapes(&self, position: &Position, outlook: &Outlook, worths: &mut Worths) {
        for color in Color::BOTH {
            let is_mine = color == position.side();
            let weights = if is_mine { weight::MY_SHAPE } else { weight::THEIR_SHAPE };
            for shape in &self.shapes[outlook.shapes[color.index()].clone()] {
                let missing = shape.cells - position.tiles(color);
                let weight = weights[(missing.len() as usize - 1) & 3];
                for cell in missing {
                    worths[cell.index()] += weight;
                }
            }
        }
    }
}

/// A tile under one's own bridge to be spoils it; under the opponent's it is
/// what one wants. Where the end of such a bridge wants a tile, that is a good
/// one too.
fn count_spans(position: &Position, outlook: &Outlook, worths: &mut Worths) {
    for color in Color::BOTH {
        let sign = if color == position.side() { -1 } else { 1 };
        let tiles = position.tiles(color);
        for site in outlook.sites[color.index()].iter() {
            let ends = site.ends();
            let span = position.geometry().span(site);
            if ends.iter().all(|&end| tiles.contains(end)) {
                let gain = points_joined(position, ends);
                for cell in span {
                    worths[cell.index()] += sign * weight::SPAN * gain;
                }
                continue;
            }
            let islands = ends.map(|end| {
                if tiles.contains(end) { i32::from(position.network_islands(end)) } else { 1 }
            });
            let weight = weight::FUTURE_SPAN * islands[0] * islands[1];
            for cell in span {
                worths[cell.index()] += sign * weight;
            }
            for end in ends.into_iter().filter(|&end| !tiles.contains(end)) {
                worths[end.index()] += weight;
            }
        }
    }
}

/// What a bridge between two tiles would bring: a point for each pair of
/// islands that it connects.
fn points_joined(position: &Position, [a, b]: [Cell; 2]) -> i32 {
    if position.network(a) == position.network(b) {
        return 0;
    }
    i32::from(position.network_islands(a)) * i32::from(position.network_islands(b))
}
