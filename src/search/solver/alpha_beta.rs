//! Fail-soft alpha-beta over whole moves, within a budget of nodes.
//!
//! Values are numbers for the side to move, negated from move to move (negamax). A call with the
//! window (alpha, beta) returns the exact value if it lies inside, otherwise a bound: a result of
//! at most alpha is an upper bound, a result of at least beta a lower one.
//!
//! A node checks, from cheap to expensive, whether the game is over, whether the table settles the
//! window, and whether the bounds from the board settle it. Only then does it try its moves, in the
//! order of `order`. Each is searched first with a null window, which shows whether it beats the
//! best so far. If it does, it is searched again for its value (principal variation search).
//!
//! The search goes from move to move, not from step to step as the tree search does, so that the
//! sides alternate. Two tiles are an unordered pair: a second tile is taken only from those listed
//! after the first, which halves the pairs. A position in the middle of a turn can only be the
//! root; there the move is the second tile alone.
//!
//! The lists of all nodes on the current line are kept back to back in two vectors. A node
//! remembers their lengths and truncates them when it is done, so no node allocates.

use std::ops::Range;

use super::bounds::{Outlook, Ranges, Shape, all_shapes, reachable};
use super::order::{Order, WeighedStep};
use super::table::{PackedMove, SolverTable, TableEntry};
use crate::board::{Geometry, Size};
use crate::game::{Color, Position, Step, Value};

/// The search and its memory.
pub(super) struct AlphaBeta {
    pub(super) table: SolverTable,
    order: Order,
    /// A board size and all shapes on that board. Cached, because they take long to list.
    cached_shapes: (Option<Size>, Vec<Shape>),
    /// The possible islands at each node of the current line.
    shapes: Vec<Shape>,
    /// The steps at each node of the current line.
    steps: Vec<WeighedStep>,
    /// Nodes visited since the solver was made.
    pub(super) nodes: u64,
    /// Moves from the root to the current node.
    depth: usize,
}

/// A node whose moves are being tried.
struct OpenNode<'a> {
    outlook: &'a Outlook,
    alpha: i16,
    beta: i16,
    /// The best value so far, for the side to move.
    value: i16,
    /// The move with that value.
    best: PackedMove,
}

impl AlphaBeta {
    pub(super) fn new(memory_bytes: usize) -> AlphaBeta {
        AlphaBeta {
            table: SolverTable::new(memory_bytes),
            order: Order::new(),
            cached_shapes: (None, Vec::new()),
            shapes: Vec::new(),
            steps: Vec::new(),
            nodes: 0,
            depth: 0,
        }
    }

    /// Forgets everything but the node count.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.order = Order::new();
    }

    /// The value of `position` for the side to move: exact if inside the window, else a bound on
    /// that side. `None` when the budget is used up.
    pub(super) fn solve(
        &mut self,
        position: &Position,
        alpha: i16,
        beta: i16,
        budget: &mut Budget<'_>,
    ) -> Option<i16> {
        let shapes = self.root_shapes(position);
        let value = self.search(position, (alpha, beta), &shapes, budget);
        // If the budget ran out, the lists and the depth are still those of the current line.
        self.shapes.clear();
        self.steps.clear();
        self.depth = 0;
        value
    }

    /// Bounds for the side to move from the board alone.
    pub(super) fn static_bounds(&mut self, position: &Position) -> (i16, i16) {
        let ranges = self.root_shapes(position);
        let outlook = Outlook::new(position, &ranges, &mut self.shapes);
        let bounds = outlook.bounds(position, &self.shapes);
        self.shapes.clear();
        bounds
    }

    /// Starts the list of shapes with the possible islands of `position`.
    fn root_shapes(&mut self, position: &Position) -> Ranges {
        if self.cached_shapes.0 != Some(position.size()) {
            let all = all_shapes(Geometry::of(position.size()));
            self.cached_shapes = (Some(position.size()), all);
        }
        self.shapes.clear();
        Color::BOTH.map(|color| {
            let start = self.shapes.len();
            let (tiles, candidates) = (position.tiles(color), reachable(position, color));
            if !candidates.is_empty() {
                let usable = tiles | candidates;
                let all = self.cached_shapes.1.iter();
                let possible = all.filter(|shape| shape.is_possible(usable, tiles, candidates));
                self.shapes.extend(possible);
            }
            start..self.shapes.len()
        })
    }

    /// As [`AlphaBeta::solve`]; the ranges of `parent` contain at least the possible islands of the
    /// position.
    fn search(
        &mut self,
        position: &Position,
        (alpha, beta): (i16, i16),
        parent: &Ranges,
        budget: &mut Budget<'_>,
    ) -> Option<i16> {
        if position.is_over() {
            return Some(Value::from(position.outcome()).seen_by(position.side()).get());
        }
        let key = position.hash();
        let mut entry = self.table.get(key).unwrap_or(TableEntry::UNKNOWN);
        if let Some(value) = entry.cutoff(alpha, beta) {
            return Some(value);
        }
        if !budget.spend() {
            return None;
        }
        self.nodes += 1;
        let shape_mark = self.shapes.len();
        let outlook = Outlook::new(position, parent, &mut self.shapes);
        let (lower, upper) = outlook.bounds(position, &self.shapes);
        entry.lower = entry.lower.max(lower);
        entry.upper = entry.upper.min(upper);
        if let Some(value) = entry.cutoff(alpha, beta) {
            self.shapes.truncate(shape_mark);
            // Stored so that a search in slices makes progress however many moves there are.
            self.table.put(key, entry, 1);
            return Some(value);
        }
        // The known bounds narrow the window. One more on either side keeps the bounds themselves
        // inside, so that a value equal to one of them is exact. The smallest lower bound is
        // -32767, so the subtraction does not overflow.
        let window = (alpha.max(entry.lower - 1), beta.min(entry.upper.saturating_add(1)));
        let nodes_before = self.nodes;
        let step_mark = self.steps.len();
        self.depth += 1;
        let result = self.search_moves(position, window, &outlook, entry.best, budget);
        self.depth -= 1;
        self.steps.truncate(step_mark);
        self.shapes.truncate(shape_mark);
        let (value, best) = result?;
        entry.update(value, best, window, lower);
        self.table.put(key, entry, self.nodes - nodes_before);
        Some(value)
    }

    /// Tries the moves of `position`; returns the best value for the side to move and the move that
    /// has it. `table_move` is tried first.
    fn search_moves(
        &mut self,
        position: &Position,
        (alpha, beta): (i16, i16),
        outlook: &Outlook,
        table_move: PackedMove,
        budget: &mut Budget<'_>,
    ) -> Option<(i16, PackedMove)> {
        let start = self.steps.len();
        let first_moves = self.order.first_moves(self.depth, table_move);
        self.order.list_steps(position, outlook, &self.shapes, first_moves, &mut self.steps);
        let end = self.steps.len();
        let (value, best) = (Value::MIN.get(), PackedMove::NONE);
        let mut node = OpenNode { outlook, alpha, beta, value, best };
        for index in start..end {
            let step = self.steps[index].1;
            let mut after = *position;
            after.make(step);
            let is_cut = match step {
                Step::Tile(cell) if !after.is_half_turn() => {
                    self.try_move(&after, PackedMove::tiles(None, cell), &mut node, budget)?
                }
                Step::Tile(_) => self.try_second_tiles(&after, index..end, &mut node, budget)?,
                Step::Bridge(site) => {
                    self.try_move(&after, PackedMove::bridge(site), &mut node, budget)?
                }
                Step::Pass | Step::Swap => {
                    self.try_move(&after, PackedMove::PASS, &mut node, budget)?
                }
            };
            if is_cut {
                self.order.reward(position.side(), self.depth, node.best);
                break;
            }
        }
        Some((node.value, node.best))
    }

    /// Tries the second tiles after the first tile of `half`, which is the first of `steps`. Only
    /// those listed after it: pairs with earlier tiles have been tried. That loses no pair, because
    /// legal pairs are legal in either order (docs/rules.md). Returns whether there was a cutoff.
    fn try_second_tiles(
        &mut self,
        half: &Position,
        steps: Range<usize>,
        node: &mut OpenNode<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let Step::Tile(first) = self.steps[steps.start].1 else { return Some(false) };
        let candidates = half.open_cells(half.side());
        for next in steps.start + 1..steps.end {
            let Step::Tile(second) = self.steps[next].1 else { continue };
            if !candidates.contains(second) {
                continue;
            }
            let mut after = *half;
            after.make(Step::Tile(second));
            if self.try_move(&after, PackedMove::tiles(Some(first), second), node, budget)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tries the move that leads to `after`; returns whether there was a cutoff.
    fn try_move(
        &mut self,
        after: &Position,
        mv: PackedMove,
        node: &mut OpenNode<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let (alpha, beta) = (node.alpha, node.beta);
        let shapes = &node.outlook.shapes;
        let mut value = -self.search(after, (-alpha - 1, -alpha), shapes, budget)?;
        // Better than alpha, but by how much is unknown: the move is searched again for its exact
        // value. In a null window that is never necessary.
        if value > alpha && value < beta && beta > alpha + 1 {
            value = -self.search(after, (-beta, -alpha), shapes, budget)?;
        }
        if value > node.value {
            node.value = value;
            node.best = mv;
        }
        node.alpha = alpha.max(value);
        Some(value >= beta)
    }
}

/// The budget of a solver call, which ends when the nodes run out or at a stop.
pub struct Budget<'a> {
    /// Nodes left to visit.
    pub nodes: u64,
    /// Asked every 32 nodes; `true` ends the call.
    pub stop: &'a mut dyn FnMut() -> bool,
}

impl Budget<'_> {
    /// Counts a node; `false` when the budget is used up.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        // Measured at 50 ms a move (docs/experiments.tsv, topic "punctuality"): with 1,024, one
        // move in 46 was more than 5 ms late; with 32, three in 12,000.
        const NODES_BETWEEN_QUESTIONS: u64 = 1 << 5;
        if self.nodes == 0 || (self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && (self.stop)())
        {
            return false;
        }
        self.nodes -= 1;
        true
    }
}
