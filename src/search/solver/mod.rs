//! Exact endings: what a position is worth when both sides play perfectly.
//!
//! A fail-soft alpha-beta over whole turns with a hash table (`table`). What
//! makes it reach deep is that nothing ever comes back in this game:
//! candidates, open bridge sites and possible islands (`shapes`) only become
//! fewer and scores only rise, so that cheap bounds on the final score
//! (`score_bounds`) settle most positions long before the last pass. Turns are
//! tried most useful first (`order`).
//!
//! Values are of colours, White's point of view: the pie rule is a choice of
//! seats and changes none. Before White's first turn the solver answers as if
//! there were no pie rule.

mod alpha_beta;
mod order;
mod score_bounds;
mod shapes;
mod table;

use std::fmt;

use self::order::{History, Killers};
use self::shapes::Shape;
use self::table::Table;
use super::Bounds;
use crate::board::Size;
use crate::game::{Color, Position, Step, Value};

/// How long a call may take.
pub struct Budget<'a> {
    /// Positions left to visit.
    pub nodes: u64,
    /// Asked every 32 nodes; `true` ends the call.
    pub stop: &'a mut dyn FnMut() -> bool,
}

impl Budget<'_> {
    /// Whether another node may be visited; counts it.
    #[inline]
    fn spend(&mut self) -> bool {
        const NODES_BETWEEN_QUESTIONS: u64 = 1 << 5;
        if self.nodes == 0 || (self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && (self.stop)())
        {
            return false;
        }
        self.nodes -= 1;
        true
    }
}

/// The exact value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// What it is worth.
    pub value: Value,
    /// A step that keeps that value; `None` when the game is over.
    pub best: Option<Step>,
}

/// A solver and its memory, which carries over from call to call: a search
/// that ran out of its budget goes on about where it was.
pub struct Solver {
    table: Table,
    history: History,
    /// All shapes of the board last seen, and its size.
    board: (Option<Size>, Vec<Shape>),
    /// The possible shapes of both colours at each node of the current line.
    shapes: Vec<Shape>,
    /// The steps of each node of the current line and their worth.
    steps: Vec<(i32, Step)>,
    nodes: u64,
    /// The turns that last refuted the opponent at each depth.
    killers: Killers,
    /// How many turns the current node is from the root.
    depth: usize,
}

impl fmt::Debug for Solver {
    /// How much it has done: its memory would bury what is around it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver with a table of at most `memory_bytes`, at least 64 KiB.
    pub fn new(memory_bytes: usize) -> Solver {
        Solver {
            table: Table::new(memory_bytes),
            history: History::new(),
            board: (None, Vec::new()),
            shapes: Vec::new(),
            steps: Vec::new(),
            nodes: 0,
            killers: Killers::new(),
            depth: 0,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = History::new();
        self.killers = Killers::new();
    }

    /// Lets what is known give way to what is found from now on, where the
    /// table is full: for when the game has gone on.
    pub fn advance(&mut self) {
        self.table.next_age();
    }

    /// Positions visited since it was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Tells whether the value of `position` is above `alpha` and below
    /// `beta`, and what it is if both: the bounds that come back leave no
    /// doubt about that. `None` when the budget did not suffice.
    ///
    /// With `alpha` = -1 and `beta` = 1 as numbers this tells win, draw and
    /// loss apart and no more.
    ///
    /// # Panics
    /// Unless `alpha` < `beta`.
    pub fn solve(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
        budget: &mut Budget<'_>,
    ) -> Option<Bounds> {
        assert!(alpha < beta);
        let side = position.side();
        let (low, high) = match side {
            Color::White => (alpha, beta),
            Color::Red => (-beta, -alpha),
        };
        self.enter(position.size());
        let range = self.root_shapes(position);
        let found = self.search(position, low.get(), high.get(), &range, budget);
        self.shapes.clear();
        self.steps.clear();
        self.depth = 0;
        let value = Value::new(found?);
        let bounds = Bounds {
            lower: if value > low { value } else { Value::MIN },
            upper: if value < high { value } else { Value::MAX },
        };
        Some(bounds.seen_by(side))
    }

    /// The exact value and a best step, by a sequence of yes-or-no questions
    /// that begins at `guess`. `None` when the budget did not suffice; then
    /// `bounds` has what was proved.
    pub fn solve_exactly(
        &mut self,
        position: &Position,
        guess: Value,
        bounds: &mut Bounds,
        budget: &mut Budget<'_>,
    ) -> Option<Solution> {
        let value = self.solve_value(position, guess, bounds, budget)?;
        if position.is_over() {
            return Some(Solution { value, best: None });
        }
        let best = self.best_step(position, value, budget)?;
        Some(Solution { value, best: Some(best) })
    }

    /// What follows from the board alone, without any search.
    pub fn static_bounds(&mut self, position: &Position) -> Bounds {
        self.enter(position.size());
        let range = self.root_shapes(position);
        let outlook = self.outlook(position, &range);
        let (lower, upper) = self.bounds_of(position, &outlook);
        self.shapes.clear();
        let bounds = Bounds { lower: Value::new(lower), upper: Value::new(upper) };
        bounds.seen_by(position.side())
    }

    /// The first half of [`Solver::solve_exactly`].
    fn solve_value(
        &mut self,
        position: &Position,
        mut guess: Value,
        bounds: &mut Bounds,
        budget: &mut Budget<'_>,
    ) -> Option<Value> {
        while bounds.lower < bounds.upper {
            // Is it `test` or more?
            let test =
                if guess > bounds.lower { guess } else { Value::new(bounds.lower.get() + 1) };
            let below = Value::new(test.get() - 1);
            let found = self.solve(position, below, test, budget)?;
            bounds.lower = bounds.lower.max(found.lower);
            bounds.upper = bounds.upper.min(found.upper);
            guess = if found.lower == Value::MIN { found.upper } else { found.lower };
        }
        Some(bounds.lower)
    }

    /// The exact value of each legal step but swap. `None` when the budget did
    /// not suffice.
    pub fn solve_steps(
        &mut self,
        position: &Position,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<(Step, Value)>> {
        let mut guess = Value::from(position.outcome());
        let mut values = Vec::new();
        for step in legal_steps(position) {
            let mut after = *position;
            after.make(step);
            guess = self.solve_value(&after, guess, &mut Bounds::UNKNOWN.clone(), budget)?;
            values.push((step, guess));
        }
        Some(values)
    }

    /// Bounds for a leaf of another search: from the board alone if they
    /// tell the winner, else from a search of at most `nodes` positions that
    /// asks for nothing but the winner.
    pub fn solve_leaf(&mut self, position: &Position, nodes: u64) -> Bounds {
        let bounds = self.static_bounds(position);
        if bounds.is_decided() || nodes == 0 {
            return bounds;
        }
        let mut budget = Budget { nodes, stop: &mut || false };
        let found = self.solve(position, Value::new(-1), Value::new(1), &mut budget);
        found.map_or(bounds, |found| Bounds {
            lower: bounds.lower.max(found.lower),
            upper: bounds.upper.min(found.upper),
        })
    }

    /// A step that gets the mover `value`, which is proved to be possible.
    /// `None` when the budget did not suffice.
    pub fn best_step(
        &mut self,
        position: &Position,
        value: Value,
        budget: &mut Budget<'_>,
    ) -> Option<Step> {
        let goal = value.seen_by(position.side()).get();
        let known = |solver: &Solver| {
            let entry = solver.table.get(position.hash())?;
            (entry.lower >= goal).then(|| entry.best.step()).flatten()
        };
        if let Some(step) = known(self) {
            return Some(step);
        }
        // The bound was static, or its entry has been replaced: look at the
        // steps one by one.
        for step in legal_steps(position) {
            let mut child = *position;
            child.make(step);
            let (low, high) = match position.side() {
                Color::White => (Value::new(value.get() - 1), value),
                Color::Red => (value, Value::new(value.get() + 1)),
            };
            let found = self.solve(&child, low, high, budget)?;
            let holds = match position.side() {
                Color::White => found.lower >= value,
                Color::Red => found.upper <= value,
            };
            if holds {
                return Some(step);
            }
        }
        debug_assert!(false, "no step keeps the proved value");
        legal_steps(position).next()
    }
}

/// How much there is left to do, as a number that grows with the work of
/// solving: where either colour may lay tiles and where it could build now.
///
/// On 10×10, of positions from engine games, a million nodes (about a second)
/// solve all below 30, 93 % from 30 to 39, half from 40 to 49 and hardly any
/// above.
pub fn size_estimate(position: &Position) -> u32 {
    let of = |color: Color| {
        let bridges = match position.bridges_left() {
            Some(0) => 0,
            _ => position.buildable(color).len(),
        };
        score_bounds::reachable(position, color).len() + bridges
    };
    of(Color::White) + of(Color::Red)
}

/// Up to this [`size_estimate`] solving is worth a try.
pub const SMALL: u32 = 40;

/// Whether solving is worth a try.
pub fn is_small_enough(position: &Position) -> bool {
    size_estimate(position) <= SMALL
}

/// The legal steps but for swap.
fn legal_steps(position: &Position) -> impl Iterator<Item = Step> {
    let bridges: Vec<Step> = position.bridge_steps().iter().map(Step::Bridge).collect();
    let pass = position.may_pass().then_some(Step::Pass);
    pass.into_iter().chain(bridges).chain(position.tile_steps().into_iter().map(Step::Tile))
}

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Solver>();
};
