use super::bounds::Bounds;
use super::node::Node;
use super::solver::{Budget, Solution, Solver, is_small_enough};
use crate::game::{Position, Value};

/// Positions the solver visits between two looks at the search.
const SLICE: u64 = 1 << 12;

/// About as many positions as the solver visits in the time of one
/// iteration.
const NODES_PER_ITERATION: u64 = 4;

/// The solver beside a search: it has about half of one thread's time, by
/// count of positions, as long as the ending seems within its reach.
pub(super) struct Ending<'a> {
    solver: &'a mut Solver,
    position: &'a Position,
    bounds: Bounds,
    /// The iteration before which it is not due again.
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

    /// Goes on for a while if it is due at the thread's `iteration`; the
    /// solution once there is one. What is proved on the way goes to `root`.
    pub(super) fn go_on(
        &mut self,
        iteration: u64,
        root: Node<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Solution> {
        if iteration < self.next {
            return None;
        }
        self.next = iteration + SLICE / NODES_PER_ITERATION;
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
