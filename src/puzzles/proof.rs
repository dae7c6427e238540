//! The right turns of a position, by the exact solver.

use crate::board::Cells;
use crate::game::{Color, Move, Position, Step, Value};
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
