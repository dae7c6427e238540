//! Move ordering: most promising steps first.
//!
//! Alpha-beta cuts off as soon as one move is good enough; with the best move first it visits about
//! the square root of the nodes. Steps are ordered, and a pair of tiles inherits its place from its
//! two tiles. In front come:
//!
//! 1. a pass, which ends the game or leaves the opponent one turn;
//! 2. the move that an earlier search of the position found best (from the table);
//! 3. the last moves that caused a cutoff at the same depth (*killers*);
//! 4. bridges that join islands, tiles that complete islands, and cells that matter to possible
//!    islands and bridges of either side: what helps the opponent is worth taking away;
//! 5. among equals, steps that often caused cutoffs anywhere (*history*).

use super::bounds::{Outlook, Shape};
use super::table::PackedMove;
use crate::board::{Cell, Cells, Site};
use crate::game::{Color, Position, Step};

/// A step and its weight in the order.
pub(super) type WeighedStep = (i32, Step);

/// What the search has learnt about good moves.
pub(super) struct Order {
    history: CutoffHistory,
    killers: Killers,
}

/// How often each step was part of a move that caused a cutoff.
struct CutoffHistory(Box<[[i32; STEPS]; 2]>);

/// Cells, then sites.
const STEPS: usize = Cell::TABLE + Site::TABLE;

impl CutoffHistory {
    fn new() -> CutoffHistory {
        CutoffHistory(Box::new([[0; STEPS]; 2]))
    }

    fn reward(&mut self, color: Color, mv: PackedMove) {
        // When a count exceeds this, all counts are halved: old cutoffs count less, and the history
        // remains a tie-break beside the other weights.
        const MOST: i32 = 255;
        let table = &mut self.0[color.index()];
        let site = match mv.step() {
            Some(Step::Bridge(site)) => Some(Cell::TABLE + site.index()),
            _ => None,
        };
        let cells = mv.cells().into_iter().flatten().map(Cell::index);
        let mut is_full = false;
        for index in cells.chain(site) {
            table[index] += 1;
            is_full |= table[index] > MOST;
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

/// The last two moves that caused a cutoff at each depth: they often cause the next one, too.
struct Killers(Vec<[PackedMove; 2]>);

impl Killers {
    fn new() -> Killers {
        Killers(Vec::new())
    }

    fn remember(&mut self, depth: usize, mv: PackedMove) {
        if self.0.len() <= depth {
            self.0.resize(depth + 1, [PackedMove::NONE; 2]);
        }
        let killers = &mut self.0[depth];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
    }

    #[inline]
    fn at(&self, depth: usize) -> [PackedMove; 2] {
        self.0.get(depth).copied().unwrap_or([PackedMove::NONE; 2])
    }
}

/// The moves of a node to try first.
#[derive(Clone, Copy)]
pub(super) struct FirstMoves {
    table_move: PackedMove,
    killers: [PackedMove; 2],
}

/// Weights of the order; only comparisons matter, so there is no unit. Set by judgement to minimise
/// the nodes of endings from engine games; a bad order costs time but never changes a value.
mod weight {
    /// The best move of an earlier search: above any sum of the others.
    pub(super) const KNOWN_BEST: i32 = 1 << 20;
    /// Above most sums of the others, below a bridge that gains many points.
    pub(super) const KILLER: i32 = 5_000;
    /// A bridge between networks that both have islands.
    pub(super) const JOINING_BRIDGE: i32 = 2_000;
    /// Added for each point that it gains.
    pub(super) const EACH_POINT: i32 = 500;
    /// For each cutoff by a bridge that gains nothing, up to 255 of them. A tile has 1.
    pub(super) const HISTORY_OF_SITE: i32 = 4;
    /// A tile that completes an island.
    pub(super) const COMPLETES: i32 = 1_000;
    /// For each possible island that contains the cell, by the number of tiles missing, less 1.
    pub(super) const MY_SHAPE: [i32; 4] = [1_000, 120, 20, 5];
    /// The same for the opponent's, slightly less: it is better to build than to hinder.
    pub(super) const THEIR_SHAPE: [i32; 4] = [800, 100, 15, 4];
    /// For each point of a bridge over the cell that can be built now.
    pub(super) const SPAN: i32 = 600;
    /// The same for a bridge that still needs a tile at an end.
    pub(super) const FUTURE_SPAN: i32 = 30;
}

/// The weight of a tile on each cell, from the board alone.
type CellWeights = [i32; Cell::TABLE];

impl Order {
    pub(super) fn new() -> Order {
        Order { history: CutoffHistory::new(), killers: Killers::new() }
    }

    /// Learns from a move of `color` at `depth` that caused a cutoff.
    pub(super) fn reward(&mut self, color: Color, depth: usize, mv: PackedMove) {
        self.history.reward(color, mv);
        self.killers.remember(depth, mv);
    }

    /// The moves to try first at `depth`; `table_move` is the best one of an earlier search.
    pub(super) fn first_moves(&self, depth: usize, table_move: PackedMove) -> FirstMoves {
        FirstMoves { table_move, killers: self.killers.at(depth) }
    }

    /// Appends the steps of `position` to `steps`, the most promising first.
    pub(super) fn list_steps(
        &self,
        position: &Position,
        outlook: &Outlook,
        shapes: &[Shape],
        first_moves: FirstMoves,
        steps: &mut Vec<WeighedStep>,
    ) {
        let start = steps.len();
        if position.may_pass() {
            steps.push((i32::MAX, Step::Pass));
        }
        self.list_bridges(position, first_moves, steps);
        let weights = tile_weights(position, outlook, shapes);
        let open_cells = outlook.open_cells[position.side().index()];
        self.list_tiles(position, open_cells, &weights, first_moves, steps);
        // Stable, so that equal weights keep the order of cells and the search is repeatable.
        steps[start..].sort_by_key(|&(weight, _)| -weight);
    }

    /// Appends the bridges of `position`, unsorted.
    fn list_bridges(
        &self,
        position: &Position,
        FirstMoves { table_move, killers }: FirstMoves,
        steps: &mut Vec<WeighedStep>,
    ) {
        for site in position.bridge_steps().iter() {
            let step = Some(Step::Bridge(site));
            let gain = points_joined(position, site.ends());
            let mut weight = if gain > 0 {
                weight::JOINING_BRIDGE + weight::EACH_POINT * gain
            } else {
                weight::HISTORY_OF_SITE * self.history.of_site(position.side(), site)
            };
            if killers.iter().any(|killer| killer.step() == step) {
                weight += weight::KILLER;
            }
            if table_move.step() == step {
                weight += weight::KNOWN_BEST;
            }
            steps.push((weight, Step::Bridge(site)));
        }
    }

    /// Appends the tiles on `open_cells`, unsorted.
    fn list_tiles(
        &self,
        position: &Position,
        open_cells: Cells,
        weights: &CellWeights,
        FirstMoves { table_move, killers }: FirstMoves,
        steps: &mut Vec<WeighedStep>,
    ) {
        let completing = position.completing_cells(position.side());
        for cell in open_cells {
            let history = self.history.of_cell(position.side(), cell);
            let mut weight = weights[cell.index()] + history;
            if completing.contains(cell) {
                weight += weight::COMPLETES;
            }
            if killers.iter().any(|killer| killer.cells().contains(&Some(cell))) {
                weight += weight::KILLER;
            }
            if table_move.cells().contains(&Some(cell)) {
                weight += weight::KNOWN_BEST;
            }
            steps.push((weight, Step::Tile(cell)));
        }
    }
}

/// The weights of tiles in `position`, from the board alone.
fn tile_weights(position: &Position, outlook: &Outlook, shapes: &[Shape]) -> CellWeights {
    let mut weights = [0; Cell::TABLE];
    add_shapes(position, outlook, shapes, &mut weights);
    if position.bridges_left() != Some(0) {
        add_spans(position, outlook, &mut weights);
    }
    weights
}

/// Adds the weights of cells that complete possible islands of either colour.
fn add_shapes(position: &Position, outlook: &Outlook, shapes: &[Shape], weights: &mut CellWeights) {
    for color in Color::BOTH {
        let is_mine = color == position.side();
        let by_missing = if is_mine { weight::MY_SHAPE } else { weight::THEIR_SHAPE };
        for shape in &shapes[outlook.shapes[color.index()].clone()] {
            let missing = shape.cells - position.tiles(color);
            // 1 to 4 cells are missing; the mask spares a check of the index.
            let weight = by_missing[(missing.len() as usize - 1) & 3];
            for cell in missing {
                weights[cell.index()] += weight;
            }
        }
    }
}

/// Adds the weights of cells under possible bridges: negative under own ones, which a tile would
/// prevent, positive under the opponent's. The missing ends of bridges of either colour have
/// positive weights, too.
fn add_spans(position: &Position, outlook: &Outlook, weights: &mut CellWeights) {
    for color in Color::BOTH {
        let sign = if color == position.side() { -1 } else { 1 };
        let tiles = position.tiles(color);
        for site in outlook.sites[color.index()].iter() {
            let ends = site.ends();
            let span = position.geometry().span(site);
            if ends.iter().all(|&end| tiles.contains(end)) {
                let gain = points_joined(position, ends);
                for cell in span {
                    weights[cell.index()] += sign * weight::SPAN * gain;
                }
                continue;
            }
            let islands = ends.map(|end| {
                if tiles.contains(end) { i32::from(position.network_islands(end)) } else { 1 }
            });
            let weight = weight::FUTURE_SPAN * islands[0] * islands[1];
            for cell in span {
                weights[cell.index()] += sign * weight;
            }
            for end in ends.into_iter().filter(|&end| !tiles.contains(end)) {
                weights[end.index()] += weight;
            }
        }
    }
}

/// The points of a bridge between two tiles: one for each pair of islands that it connects.
fn points_joined(position: &Position, [a, b]: [Cell; 2]) -> i32 {
    if position.network_root(a) == position.network_root(b) {
        return 0;
    }
    i32::from(position.network_islands(a)) * i32::from(position.network_islands(b))
}
