//! Runs the exact solver beside a search, in slices.

use super::bounds::Bounds;
use super::node::Node;
use super::solver::{Budget, Solution, Solver, is_small_enough};
use crate::game::{Position, Value};

/// Solver nodes per slice.
const SLICE: u64 = 1 << 12;

/// Solver nodes that take about as long as one iteration.
const NODES_PER_ITERATION: u64 = 4;

/// The solver beside a search. Its share of the work, counted in nodes,
/// equals that of all iterations together: half of the time with one thread,
/// all of one thread's time with several.
pub(super) struct Ending<'a> {
    solver: &'a mut Solver,
    position: &'a Position,
    bounds: Bounds,
    /// Iterations after which the next slice is due.
    next: u64,
}

impl<'a> Ending<'a> {
    /// `None` when the ending is too large to solve.
    pub(super) fn new(solver: &'a mut Solver, position: &'a Position) -> Option<Ending<'a>> {
        is_small_enough(position).then_some(Ending {
            solver,
            position,
            bounds: Bounds::UNKNOWN,
            next: 0,
        })
    }

    /// Whether a slice is due after `iterations` of all threads.
    pub(super) fn is_due(&self, iterations: u64) -> bool {
        iterations >= self.next
    }

    /// Runs one slice. Adds the bounds proved so far to `root` and returns the
    /// solution once it is found.
    pub(super) fn advance(
        &mut self,
        root: Node<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Solution> {
        self.next += SLICE / NODES_PER_ITERATION;
        let guess = if self.bounds == Bounds::UNKNOWN {
            Value::from(self.position.outcome())
        } else {
            self.bounds.lower.max(Value::DRAW).min(self.bounds.upper)
        };
        let mut budget = Budget { nodes: SLICE, stop };
        let solution =
            self.solver.solve_exactly(self.position, guess, &mut self.bounds, &mut budget);
        root.tighten(self.bounds);
        solution
    }
}
