//! Is a turn the answer to a puzzle? The solver says.

use super::proof::{Unproved, keeps, turns_that_keep};
use super::puzzle::Puzzle;
use crate::game::{IllegalMove, Move, Position, Step, Value};
use crate::search::Bounds;
use crate::search::solver::{Budget, Solver};

/// The solver's limit for one question.
const NODES: u64 = 600_000;

/// The solver's limit for the exact value after a wrong turn.
const VALUE_NODES: u64 = 200_000;

/// The judgement on a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Whether the turn reaches the puzzle's goal.
    pub is_right: bool,
    /// White's value after the turn; `None` if only the winner is known.
    pub value: Option<Value>,
    /// What is proved about White's value after the turn.
    pub bounds: Bounds,
    /// The opponent's best answer, if it is known.
    pub reply: Option<Move>,
    /// The position after the turn.
    pub after: Position,
}

/// Judges the turns of a puzzle. Its solver keeps what it has found from question
/// to question.
#[derive(Debug)]
pub struct Judge {
    puzzle: Puzzle,
    solver: Solver,
}

impl Judge {
    /// A judge whose solver's table has at most `memory_bytes`.
    pub fn new(puzzle: &Puzzle, memory_bytes: usize) -> Judge {
        Judge { puzzle: puzzle.clone(), solver: Solver::new(memory_bytes) }
    }

    /// The nodes that the solver has visited.
    pub fn nodes(&self) -> u64 {
        self.solver.nodes()
    }

    /// Judges a turn. `Ok(None)` if the solver's budget does not suffice, which
    /// the making of the puzzles rules out.
    ///
    /// # Errors
    /// When the turn is illegal.
    pub fn judge(&mut self, mv: Move) -> Result<Option<Verdict>, IllegalMove> {
        let Judge { puzzle, solver } = self;
        let mut after = puzzle.position;
        after.play(mv)?;
        let mut stop = || false;
        let budget = &mut Budget { nodes: NODES, stop: &mut stop };
        let side = puzzle.position.side();
        let goal = puzzle.goal.value(puzzle.value, side);
        let Some(is_right) = keeps(solver, &after, side, goal, budget) else { return Ok(None) };
        budget.nodes = VALUE_NODES;
        let mut bounds = Bounds::UNKNOWN;
        // Sound even if the budget ends: the bounds are then merely wider.
        let found = solver.solve(&after, Value::new(-1), Value::new(1), budget);
        bounds = found.map_or(bounds, |found| bounds.and(found));
        let guess = Value::from(after.outcome());
        let solution = solver.solve_exactly(&after, guess, &mut bounds, budget);
        let value = solution.map(|solution| solution.value).or(bounds.exact());
        let reply = value.and_then(|value| reply(solver, &after, value));
        Ok(Some(Verdict { is_right, value, bounds, reply, after }))
    }

    /// All right turns.
    ///
    /// # Errors
    /// When the solver's budget does not suffice.
    pub fn right_turns(&mut self) -> Result<Vec<Move>, Unproved> {
        let Judge { puzzle, solver } = self;
        let mut stop = || false;
        let budget = &mut Budget { nodes: 2 * NODES, stop: &mut stop };
        let goal = puzzle.goal.value(puzzle.value, puzzle.position.side());
        turns_that_keep(solver, &puzzle.position, goal, puzzle.right, budget)
    }
}

/// A best turn in a position with this value.
fn reply(solver: &mut Solver, position: &Position, value: Value) -> Option<Move> {
    let mut stop = || false;
    let budget = &mut Budget { nodes: VALUE_NODES, stop: &mut stop };
    let mut best = |position: &Position| {
        if position.is_over() { None } else { solver.best_step(position, value, budget) }
    };
    match best(position)? {
        Step::Tile(first) => {
            let mut half = *position;
            half.make(Step::Tile(first));
            match best(&half)? {
                Step::Tile(second) => Some(Move::tiles(first, second)),
                _ => None,
            }
        }
        step => step.whole_turn(),
    }
}
