use super::bounds::Bounds;
use super::node::Node;
use super::solver::{Budget, Solution, Solver, is_small_enough};
use crate::game::{Position, Value};

/// Positions the solver visits between two looks at the search.
const SLICE: u64 = 1 << 12;

/// About as many positions as the solver visits in the time of one
/// iteration.
const NODES_PER_ITERATION: u64 = 4;

/// The solver beside a search, as long as the ending seems within its reach:
/// by count of positions it has as much time as the iterations take together,
/// half of one thread's or, beside others, all of it.
pub(super) struct Ending<'a> {
    solver: &'a mut Solver,
    position: &'a Position,
    bounds: Bounds,
    /// How many iterations there must be before it is due again.
    next: u64,
}

impl<'a> Ending<'a> {
    /// What is to be solved, if it seems small enough.
    pub(super) fn new(solver: &'a mut Solver, position: &'a Position) -> Option<Ending<'a>> {
        is_small_enough(position).then_some(Ending {
            solver,
            position,
            bounds: Bounds::UNKNOWN,
            next: 0,
        })
    }

    /// Whether it is due after so many iterations of all threads.
    pub(super) fn is_due(&self, iterations: u64) -> bool {
        iterations >= self.next
    }

    /// Goes on for a while; the solution once there is one. What is proved on
    /// the way goes to `root`.
    pub(super) fn go_on(
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
