//! Fail-soft alpha-beta over whole turns, within a budget of nodes.
//!
//! Values are numbers for the side to move, negated from turn to turn (negamax). A call with the
//! window (alpha, beta) returns the exact value if it lies inside, otherwise a bound on that
//! side: at most alpha proves an upper bound, at least beta a lower one.
//!
//! A node asks, from cheap to expensive: is the game over? does the table settle the window?
//! do the bounds from the board settle it? Only then it tries its turns, in the order of
//! `order`. Each is searched with a window of one first, which shows whether it is better than
//! the best so far, and only if it is once more for its value (principal variation search).
//!
//! A node is a *turn*, not a step as in the tree search, so that the sides alternate. Two tiles
//! are an unordered pair: a second tile is only taken from behind the first in the list, which
//! halves the pairs. A position in the middle of a turn can only be the root; there the turn is
//! its second tile alone.
//!
//! The lists of all nodes on the current line stand one behind the other in two vectors. A node
//! remembers how long they were and truncates them when it is done, so that no node allocates.

use std::ops::Range;

use super::bounds::{Outlook, Ranges, Shape, all_shapes, reachable};
use super::order::{Order, WeighedStep};
use super::table::{PackedTurn, SolverTable, TableEntry};
use crate::board::{Geometry, Size};
use crate::game::{Color, Position, Step, Value};

/// The search and its memory.
pub(super) struct AlphaBeta {
    pub(super) table: SolverTable,
    order: Order,
    /// The board size last seen, and all shapes on it, which take long to list.
    board: (Option<Size>, Vec<Shape>),
    /// The possible islands at each node of the current line.
    shapes: Vec<Shape>,
    /// The steps at each node of the current line.
    steps: Vec<WeighedStep>,
    /// Nodes visited since the solver was made.
    pub(super) nodes: u64,
    /// Turns from the root to the current node.
    depth: usize,
}

/// A node whose turns are being tried.
struct OpenNode<'a> {
    outlook: &'a Outlook,
    alpha: i16,
    beta: i16,
    /// The best value so far, for the side to move.
    value: i16,
    /// The turn with that value.
    best: PackedTurn,
}

impl AlphaBeta {
    pub(super) fn new(memory_bytes: usize) -> AlphaBeta {
        AlphaBeta {
            table: SolverTable::new(memory_bytes),
            order: Order::new(),
            board: (None, Vec::new()),
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

    /// The value of `position` for the side to move: exact if inside the
    /// window, else a bound on that side. `None` when the budget is used up.
    pub(super) fn solve(
        &mut self,
        position: &Position,
        alpha: i16,
        beta: i16,
        budget: &mut Budget<'_>,
    ) -> Option<i16> {
        let shapes = self.root_shapes(position);
        let found = self.search(position, (alpha, beta), &shapes, budget);
        // An exhausted budget leaves the lists and the depth of the line where it ended.
        self.shapes.clear();
        self.steps.clear();
        self.depth = 0;
        found
    }

    /// Bounds for the side to move from the board alone.
    pub(super) fn static_bounds(&mut self, position: &Position) -> (i16, i16) {
        let range = self.root_shapes(position);
        let outlook = Outlook::new(position, &range, &mut self.shapes);
        let bounds = outlook.bounds(position, &self.shapes);
        self.shapes.clear();
        bounds
    }

    /// Starts the list of shapes with the possible islands of `position`.
    fn root_shapes(&mut self, position: &Position) -> Ranges {
        if self.board.0 != Some(position.size()) {
            let all = all_shapes(Geometry::of(position.size()));
            self.board = (Some(position.size()), all);
        }
        self.shapes.clear();
        Color::BOTH.map(|color| {
            let start = self.shapes.len();
            let (tiles, candidates) = (position.tiles(color), reachable(position, color));
            if !candidates.is_empty() {
                let open = tiles | candidates;
                let all = self.board.1.iter();
                let possible = all.filter(|shape| shape.is_possible(open, tiles, candidates));
                self.shapes.extend(possible);
            }
            start..self.shapes.len()
        })
    }

    /// As [`AlphaBeta::solve`]; `parent` covers at least the possible islands
    /// of the position.
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
        let mut known = self.table.get(key).unwrap_or(TableEntry::UNKNOWN);
        if let Some(value) = known.settles(alpha, beta) {
            return Some(value);
        }
        if !budget.spend() {
            return None;
        }
        self.nodes += 1;
        let shape_mark = self.shapes.len();
        let outlook = Outlook::new(position, parent, &mut self.shapes);
        let (lower, upper) = outlook.bounds(position, &self.shapes);
        known.lower = known.lower.max(lower);
        known.upper = known.upper.min(upper);
        if let Some(value) = known.settles(alpha, beta) {
            self.shapes.truncate(shape_mark);
            // Stored so that a search in slices makes progress however many
            // turns there are.
            self.table.put(key, known, 1);
            return Some(value);
        }
        // What is known narrows the window. One more on either side keeps the known limits
        // themselves inside, so that a value equal to one of them is exact. The smallest lower
        // bound is -32767, so that the subtraction does not overflow.
        let window = (alpha.max(known.lower - 1), beta.min(known.upper.saturating_add(1)));
        let nodes_before = self.nodes;
        let step_mark = self.steps.len();
        self.depth += 1;
        let found = self.search_turns(position, window, &outlook, known.best, budget);
        self.depth -= 1;
        self.steps.truncate(step_mark);
        self.shapes.truncate(shape_mark);
        let (value, best) = found?;
        known.update(value, best, window, lower);
        self.table.put(key, known, self.nodes - nodes_before);
        Some(value)
    }

    /// Tries the turns of `position`; returns the best value for the side to
    /// move and its turn. `hint` is the turn to try first.
    fn search_turns(
        &mut self,
        position: &Position,
        (alpha, beta): (i16, i16),
        outlook: &Outlook,
        hint: PackedTurn,
        budget: &mut Budget<'_>,
    ) -> Option<(i16, PackedTurn)> {
        let start = self.steps.len();
        let hints = (self.depth, hint);
        self.order.list_steps(position, outlook, &self.shapes, hints, &mut self.steps);
        let end = self.steps.len();
        let (value, best) = (Value::MIN.get(), PackedTurn::NONE);
        let mut node = OpenNode { outlook, alpha, beta, value, best };
        for index in start..end {
            let step = self.steps[index].1;
            let mut after = *position;
            after.make(step);
            let is_cut = match step {
                Step::Tile(cell) if !after.is_half_turn() => {
                    self.try_turn(&after, PackedTurn::tiles(None, cell), &mut node, budget)?
                }
                Step::Tile(_) => self.try_seconds(&after, index..end, &mut node, budget)?,
                Step::Bridge(site) => {
                    self.try_turn(&after, PackedTurn::bridge(site), &mut node, budget)?
                }
                Step::Pass | Step::Swap => {
                    self.try_turn(&after, PackedTurn::PASS, &mut node, budget)?
                }
            };
            if is_cut {
                self.order.reward(position.side(), self.depth, node.best);
                break;
            }
        }
        Some((node.value, node.best))
    }

    /// Tries the second tiles after the first tile of `half`, the first of the
    /// listed `steps`. Only steps listed behind it: pairs with earlier ones
    /// have been tried. That loses no pair, because legal pairs are legal in either order
    /// (docs/rules.md). Returns whether there was a cutoff.
    fn try_seconds(
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
            if self.try_turn(&after, PackedTurn::tiles(Some(first), second), node, budget)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tries a turn, which led to `after`; returns whether there was a cutoff.
    fn try_turn(
        &mut self,
        after: &Position,
        turn: PackedTurn,
        node: &mut OpenNode<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let (alpha, beta) = (node.alpha, node.beta);
        let shapes = &node.outlook.shapes;
        let mut value = -self.search(after, (-alpha - 1, -alpha), shapes, budget)?;
        // Better than alpha, by how much is unknown: searched again for the exact value. In a
        // window of one that is never necessary.
        if value > alpha && value < beta && beta > alpha + 1 {
            value = -self.search(after, (-beta, -alpha), shapes, budget)?;
        }
        if value > node.value {
            node.value = value;
            node.best = turn;
        }
        node.alpha = alpha.max(value);
        Some(value >= beta)
    }
}

/// The budget of a solver call: it ends when either runs out.
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
        // By measurement (docs/experiments.tsv, topic "punctuality"): with 1,024, when moves had
        // 50 ms, one move in 46 was more than 5 ms late; with 32, three in 12,000.
        const NODES_BETWEEN_QUESTIONS: u64 = 1 << 5;
        if self.nodes == 0 || (self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && (self.stop)())
        {
            return false;
        }
        self.nodes -= 1;
        true
    }
}
