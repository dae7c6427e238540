//! [`Solver`]: exact values and bounds by repeated alpha-beta searches.
//!
//! A search with a window of one ("is the value at least *n*?") is much cheaper than one for the
//! exact value, because more turns refute each other. The exact value is therefore found by a
//! series of such questions, beginning at a guess. Each answer is a bound that often goes beyond
//! the question (the search is fail-soft), and the next question begins there:
//!
//! ```text
//! bounds  -32767 ....................................... 32767     guess 3
//!         at least 3?   no, at most 1     ► -32767 ..... 1
//!         at least 1?   yes, at least 1   ►              1 = 1     solved
//! ```
//!
//! This is MTD(f) (Plaat et al., 1996). The table makes it worthwhile: the later questions find
//! most positions answered there. A call whose budget runs out keeps its table and bounds, so the
//! next call resumes about where it stopped.

use std::fmt;

use super::alpha_beta::{AlphaBeta, Budget};
use crate::game::{Color, Position, Step, Value};
use crate::search::tree::bounds::Bounds;

/// The exact value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The value, from White's point of view.
    pub value: Value,
    /// A step that keeps that value; `None` when the game is over.
    pub best: Option<Step>,
}

/// A solver. Its table is kept from call to call: a call that ran out of budget can be repeated and
/// resumes about where it stopped.
pub struct Solver(AlphaBeta);

impl fmt::Debug for Solver {
    /// Shows only the node count: the tables would bury everything else.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("nodes", &self.nodes()).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver with a table of at most `memory_bytes`, or 64 KiB if that is more.
    pub fn new(memory_bytes: usize) -> Solver {
        Solver(AlphaBeta::new(memory_bytes))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Marks all entries of the table as old: where it is full, new entries replace them first. For
    /// use after a move of the game.
    pub fn advance(&mut self) {
        self.0.table.next_age();
    }

    /// Nodes visited since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// Searches with the window `alpha` to `beta`. The bounds returned are exact if the value lies
    /// inside the window; otherwise they prove on which side it lies. `None` when the budget did
    /// not suffice; the table keeps what was proved.
    ///
    /// The window -1 to 1 only tells win, draw and loss apart.
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
        // Fail-soft: a value outside the window is a bound, too, often a better one than its end.
        let value = Value::new(self.0.solve(position, low.get(), high.get(), budget)?);
        let bounds = Bounds {
            lower: if value > low { value } else { Value::MIN },
            upper: if value < high { value } else { Value::MAX },
        };
        Some(bounds.seen_by(side))
    }

    /// The exact value and a best step, by null-window searches that begin at `guess`. Tightens
    /// `bounds` on the way. `None` when the budget did not suffice.
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

    /// Bounds from the board alone, without any search.
    pub fn static_bounds(&mut self, position: &Position) -> Bounds {
        let (lower, upper) = self.0.static_bounds(position);
        let bounds = Bounds { lower: Value::new(lower), upper: Value::new(upper) };
        bounds.seen_by(position.side())
    }

    /// The exact value, by the series of questions described at the top of this file.
    fn solve_value(
        &mut self,
        position: &Position,
        mut guess: Value,
        bounds: &mut Bounds,
        budget: &mut Budget<'_>,
    ) -> Option<Value> {
        while bounds.lower < bounds.upper {
            // Is the value at least `test`? For a guess at the lower bound that is known already.
            let test =
                if guess > bounds.lower { guess } else { Value::new(bounds.lower.get() + 1) };
            let below = Value::new(test.get() - 1);
            let answer = self.solve(position, below, test, budget)?;
            bounds.lower = bounds.lower.max(answer.lower);
            bounds.upper = bounds.upper.min(answer.upper);
            guess = if answer.lower == Value::MIN { answer.upper } else { answer.lower };
        }
        Some(bounds.lower)
    }

    /// Bounds for a leaf of another search: from the board alone if that decides the winner, else
    /// from a search of at most `nodes` nodes for the winner.
    pub fn solve_leaf(&mut self, position: &Position, nodes: u64) -> Bounds {
        let bounds = self.static_bounds(position);
        if bounds.is_decided() || nodes == 0 {
            return bounds;
        }
        // The window asks for win, draw or loss only: that costs least, and a proved winner is
        // worth most to the search.
        let mut budget = Budget { nodes, stop: &mut || false };
        let answer = self.solve(position, Value::new(-1), Value::new(1), &mut budget);
        answer.map_or(bounds, |answer| Bounds {
            lower: bounds.lower.max(answer.lower),
            upper: bounds.upper.min(answer.upper),
        })
    }

    /// A step that achieves `value`, which must be proved for the side to move. `None` when the
    /// budget did not suffice.
    pub fn best_step(
        &mut self,
        position: &Position,
        value: Value,
        budget: &mut Budget<'_>,
    ) -> Option<Step> {
        let goal = value.seen_by(position.side()).get();
        let table_step = |solver: &Solver| {
            let entry = solver.0.table.get(position.hash())?;
            (entry.lower >= goal).then(|| entry.best.step()).flatten()
        };
        if let Some(step) = table_step(self) {
            return Some(step);
        }
        // The bound was static, or its entry has been replaced: try the steps one by one.
        for step in legal_steps(position) {
            let mut child = *position;
            child.make(step);
            let (low, high) = match position.side() {
                Color::White => (Value::new(value.get() - 1), value),
                Color::Red => (value, Value::new(value.get() + 1)),
            };
            let answer = self.solve(&child, low, high, budget)?;
            let holds = match position.side() {
                Color::White => answer.lower >= value,
                Color::Red => answer.upper <= value,
            };
            if holds {
                return Some(step);
            }
        }
        // Reached only if `value` was not proved: some step keeps the value of its position.
        debug_assert!(false, "no step keeps the proved value");
        legal_steps(position).next()
    }
}

/// The legal steps except the swap.
fn legal_steps(position: &Position) -> impl Iterator<Item = Step> {
    let bridges: Vec<Step> = position.bridge_steps().iter().map(Step::Bridge).collect();
    let pass = position.may_pass().then_some(Step::Pass);
    pass.into_iter().chain(bridges).chain(position.tile_steps().into_iter().map(Step::Tile))
}

// The solver runs on a thread of the search's pool.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Solver>();
};
