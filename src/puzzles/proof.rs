//! The right turns of a position, proved by the exact solver, and the judge of a
//! puzzle: is a turn the answer?

use super::puzzle::Puzzle;
use crate::board::Cells;
use crate::game::{Color, IllegalMove, Move, Position, Step, Value};
use crate::search::Bounds;
use crate::search::solver::{Budget, Solver};

/// What the solver proved about a position.
#[derive(Debug)]
pub struct Proof {
    /// The value with perfect play.
    pub value: Value,
    /// The turns that keep the value; all others lose part of it.
    pub turns: Vec<Move>,
    /// Whether all others also change the result: from a win to a draw or a
    /// loss, or from a draw to a loss.
    pub is_decisive: bool,
}

/// Why the right turns are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unproved {
    /// The solver exceeded its budget.
    Budget,
    /// More turns reach the goal than asked for.
    TooMany,
}

/// The right turns. `None` if the game is lost, if more than `most` turns keep
/// the result, or if the solver exceeds its budget: `nodes` for the result and
/// 20 times as many for the turns.
pub fn right_turns(
    solver: &mut Solver,
    position: &Position,
    most: usize,
    nodes: u64,
) -> Option<Proof> {
    let mut stop = || false;
    let mover = position.side();
    let budget = &mut Budget { nodes, stop: &mut stop };
    let bounds = solver.solve(position, Value::new(-1), Value::new(1), budget)?.seen_by(mover);
    // The lowest value with the same result, seen by the side to move.
    let result = if bounds.lower > Value::DRAW {
        Value::new(1)
    } else if bounds.exact() == Some(Value::DRAW) {
        Value::DRAW
    } else {
        return None;
    };
    budget.nodes = 4 * nodes;
    let keeping = turns_that_keep(solver, position, result.seen_by(mover), most, budget).ok()?;
    budget.nodes = 16 * nodes;
    let guess = Value::from(position.outcome());
    let value = solver.solve_exactly(position, guess, &mut Bounds::UNKNOWN.clone(), budget)?.value;
    let turns = turns_that_keep(solver, position, value, most, budget).ok()?;
    Some(Proof { value, is_decisive: keeping.len() == turns.len(), turns })
}

/// The turns after which the side to move has at least the value `goal`, which
/// is White's as always.
///
/// # Errors
/// When there are more than `most`, or the budget does not suffice.
pub fn turns_that_keep(
    solver: &mut Solver,
    position: &Position,
    goal: Value,
    most: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<Move>, Unproved> {
    let mut turns = Vec::new();
    let mut firsts = Cells::EMPTY;
    for cell in position.tile_steps() {
        let mut after = *position;
        after.make(Step::Tile(cell));
        if keeps(solver, &after, position.side(), goal, budget).ok_or(Unproved::Budget)? {
            firsts.insert(cell);
            // Each belongs to a pair, so there are at least half as many pairs.
            if firsts.len() as usize > 2 * most {
                return Err(Unproved::TooMany);
            }
        }
    }
    for mv in position.moves() {
        let is_refuted = match mv {
            // A pair can only reach the goal if both of its tiles can.
            Move::Tiles(a, b) => !firsts.contains(a) || !firsts.contains(b),
            Move::Bridge(..) | Move::Pass => false,
            Move::Swap => true,
        };
        let mut after = *position;
        if is_refuted || after.play(mv).is_err() {
            continue;
        }
        if keeps(solver, &after, position.side(), goal, budget).ok_or(Unproved::Budget)? {
            turns.push(mv);
            if turns.len() > most {
                return Err(Unproved::TooMany);
            }
        }
    }
    Ok(turns)
}

/// Whether the value of `after` is at least `goal` for `mover`. `None` when
/// the budget does not suffice.
pub fn keeps(
    solver: &mut Solver,
    after: &Position,
    mover: Color,
    goal: Value,
    budget: &mut Budget<'_>,
) -> Option<bool> {
    let number = goal.get();
    Some(match mover {
        Color::White => solver.solve(after, Value::new(number - 1), goal, budget)?.lower >= goal,
        Color::Red => solver.solve(after, goal, Value::new(number + 1), budget)?.upper <= goal,
    })
}

/// Whether greed seldom finds a right turn: of the turns that gain the most
/// points and islands at once, at most a third are right.
pub fn is_beyond_greed(position: &Position, right: &[Move]) -> bool {
    let side = position.side();
    let gain = |mv: Move| {
        let mut after = *position;
        let _ = after.play(mv);
        let (now, before) = (after.score(side), position.score(side));
        (now.points - before.points, now.islands - before.islands)
    };
    let mut moves = position.moves();
    moves.retain(|&mv| mv != Move::Swap);
    let most = moves.iter().map(|&mv| gain(mv)).max();
    let greedy: Vec<Move> = moves.into_iter().filter(|&mv| Some(gain(mv)) == most).collect();
    let lucky = greedy.iter().filter(|mv| right.contains(mv)).count();
    lucky * 3 <= greedy.len()
}

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

/// The solver's limit for one question.
const NODES: u64 = 600_000;

/// The solver's limit for the exact value after a wrong turn.
const VALUE_NODES: u64 = 200_000;

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
