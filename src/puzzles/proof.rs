//! The right moves of a position, proved by the exact solver, and the judge of a puzzle: is a move
//! the answer?
//!
//! A position has hundreds of moves, most of them two tiles, and the solver takes up to a second
//! for one. Proving each alone would be too slow, so [`moves_that_keep`] asks about single tiles
//! first: after a first tile the same side moves again, hence a pair can only reach the goal if the
//! position after each of its tiles can. A few dozen proofs rule out nearly all pairs:
//!
//! ```text
//!   first tiles ──prove each──► those that can reach the goal ──► pairs of two such tiles ─┐
//!   bridges, pass ─────────────────────────────────────────────────────────────────────────┤
//!                                                     right moves ◄──prove each────────────┘
//! ```
//!
//! The question is always "at least this value?": a null-window search, which cuts off far earlier
//! than a search for the exact value.
//!
//! A budget of solver nodes bounds everything. A proof that exceeds it is [`Unproved`], never
//! replaced by a guess.

use std::cmp::Reverse;

use super::puzzle::Puzzle;
use crate::board::Cells;
use crate::game::{Color, IllegalMove, Move, Position, Step, Value};
use crate::search::Bounds;
use crate::search::solver::{Budget, Solver};

/// The solver's proof of the value of a position.
#[derive(Debug)]
pub struct Proof {
    /// The value with perfect play.
    pub value: Value,
    /// The moves that keep the value; all others lose part of it.
    pub moves: Vec<Move>,
    /// Whether all others also change the result: from a win to a draw or a loss, or from a draw to
    /// a loss.
    pub is_decisive: bool,
}

/// Why the right moves are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unproved {
    /// The solver exceeded its budget.
    Budget,
    /// More moves reach the goal than allowed.
    TooMany,
}

/// Returns the right moves. `None` if the game is lost, if more than `max_moves` moves keep the
/// result, or if the solver exceeds its budget: `nodes` for the result and 20 times as many for the
/// moves.
pub fn right_moves(
    solver: &mut Solver,
    position: &Position,
    max_moves: usize,
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
    // Finding the moves that keep the result takes many null-window searches. The exact value and
    // its moves are the hardest part. The shares are a guess, never measured.
    budget.nodes = 4 * nodes;
    let keeping =
        moves_that_keep(solver, position, result.seen_by(mover), max_moves, budget).ok()?;
    budget.nodes = 16 * nodes;
    let guess = Value::from(position.outcome());
    let value = solver.solve_exactly(position, guess, &mut Bounds::UNKNOWN.clone(), budget)?.value;
    let moves = moves_that_keep(solver, position, value, max_moves, budget).ok()?;
    Some(Proof { value, is_decisive: keeping.len() == moves.len(), moves })
}

/// Returns the moves after which the side to move has at least the value `goal`, which like all
/// values is White's.
///
/// # Errors
/// If there are more than `max_moves`, or the budget does not suffice.
pub fn moves_that_keep(
    solver: &mut Solver,
    position: &Position,
    goal: Value,
    max_moves: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<Move>, Unproved> {
    let mut keeping = Vec::new();
    let mut first_cells = Cells::EMPTY;
    for cell in position.tile_steps() {
        let mut after = *position;
        after.make(Step::Tile(cell));
        if keeps_value(solver, &after, position.side(), goal, budget).ok_or(Unproved::Budget)? {
            first_cells.insert(cell);
            // Each belongs to a pair, so there are at least half as many pairs.
            if first_cells.len() as usize > 2 * max_moves {
                return Err(Unproved::TooMany);
            }
        }
    }
    for mv in position.moves() {
        let is_refuted = match mv {
            // A pair can only reach the goal if both of its tiles can, as either may come first.
            Move::Tiles(a, b) => !first_cells.contains(a) || !first_cells.contains(b),
            Move::Bridge(..) | Move::Pass => false,
            // No puzzle begins in a position where a swap is possible.
            Move::Swap => true,
        };
        if is_refuted {
            continue;
        }
        let after = position.after_legal_move(mv);
        if keeps_value(solver, &after, position.side(), goal, budget).ok_or(Unproved::Budget)? {
            keeping.push(mv);
            if keeping.len() > max_moves {
                return Err(Unproved::TooMany);
            }
        }
    }
    Ok(keeping)
}

/// Returns whether the value of `after` is at least `goal` for `mover`; `None` if the budget does
/// not suffice.
pub fn keeps_value(
    solver: &mut Solver,
    after: &Position,
    mover: Color,
    goal: Value,
    budget: &mut Budget<'_>,
) -> Option<bool> {
    // A null window at the goal: the solver only decides on which side of it the value lies.
    let number = goal.get();
    Some(match mover {
        Color::White => solver.solve(after, Value::new(number - 1), goal, budget)?.lower >= goal,
        Color::Red => solver.solve(after, goal, Value::new(number + 1), budget)?.upper <= goal,
    })
}

/// Whether greed seldom finds a right move: of the moves that gain the most points and islands
/// immediately, at most a third are right.
pub fn is_beyond_greed(position: &Position, right: &[Move]) -> bool {
    let side = position.side();
    let gain = |mv: Move| {
        let (old, new) = (position.score(side), position.after_legal_move(mv).score(side));
        (new.points - old.points, new.islands - old.islands)
    };
    let mut moves = position.moves();
    moves.retain(|&mv| mv != Move::Swap);
    let max_gain = moves.iter().map(|&mv| gain(mv)).max();
    let greedy: Vec<Move> = moves.into_iter().filter(|&mv| Some(gain(mv)) == max_gain).collect();
    let right_count = greedy.iter().filter(|mv| right.contains(mv)).count();
    right_count * 3 <= greedy.len()
}

/// The judgement on a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Whether the move reaches the puzzle's goal.
    pub is_right: bool,
    /// White's value before the move; `None` if the solver's budget does not suffice.
    pub before: Option<Value>,
    /// White's value after the move; `None` if it is not proved.
    pub value: Option<Value>,
    /// The proved bounds of White's value after the move.
    pub bounds: Bounds,
    /// The opponent's best answer, if it is known. If the puzzle continues, it is the answer that
    /// resists longest.
    pub reply: Option<Move>,
    /// Whether the puzzle continues after the answer, with another move to find.
    pub continues: bool,
}

/// Judges the moves of a puzzle. Its solver keeps its table from move to move.
#[derive(Debug)]
pub struct Judge {
    puzzle: Puzzle,
    solver: Solver,
}

/// The solver's limit for the verdict on one move, about two thirds of a second. The slowest puzzle
/// of the collection takes 158,375 nodes with all its lines (docs/puzzles.md).
pub(super) const JUDGE_NODES: u64 = 600_000;

/// The solver's limit for the exact value after a wrong move. Set by judgement: the value is only
/// shown, and the verdict does not depend on it.
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

    /// The position of the puzzle after a line of right moves and answers.
    fn position_after(&self, line: &[Move]) -> Result<Position, IllegalMove> {
        let mut position = self.puzzle.position;
        line.iter().try_for_each(|&mv| position.play(mv))?;
        Ok(position)
    }

    /// White's value that a right move keeps.
    fn goal_value(&self) -> Value {
        self.puzzle.goal.value(self.puzzle.value, self.puzzle.position.side())
    }

    /// Judges a move after the moves and answers of `line`. Returns `Ok(None)` if the solver's
    /// budget does not suffice, which the checks of the [`Finder`](super::Finder) rule out.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn judge(&mut self, line: &[Move], mv: Move) -> Result<Option<Verdict>, IllegalMove> {
        let position = self.position_after(line)?;
        let after = position.after_move(mv)?;
        let goal_value = self.goal_value();
        let is_last = line.len() / 2 + 1 >= self.puzzle.turns || after.is_over();
        let solver = &mut self.solver;
        let mut stop = || false;
        let budget = &mut Budget { nodes: JUDGE_NODES, stop: &mut stop };
        let side = position.side();
        let Some(is_right) = keeps_value(solver, &after, side, goal_value, budget) else {
            return Ok(None);
        };
        let continues = is_right && !is_last;
        budget.nodes = if continues { JUDGE_NODES } else { VALUE_NODES };
        let mut bounds = Bounds::UNKNOWN;
        // The winner is proved first, which is quick. The bounds are sound even if the budget runs
        // out, only wider.
        let winner_bounds = solver.solve(&after, Value::new(-1), Value::new(1), budget);
        bounds = winner_bounds.map_or(bounds, |proved| bounds.and(proved));
        let guess = Value::from(after.outcome());
        let solution = solver.solve_exactly(&after, guess, &mut bounds, budget);
        let value = solution.map(|solution| solution.value).or(bounds.exact());
        let reply = match value {
            Some(value) if continues => resistance(solver, &after, value, goal_value, budget),
            Some(value) => best_reply(solver, &after, value),
            None => None,
        };
        if continues && reply.is_none() {
            return Ok(None);
        }
        let before = if line.is_empty() {
            Some(self.puzzle.value)
        } else {
            budget.nodes = VALUE_NODES;
            let guess = self.puzzle.value;
            let bounds = &mut Bounds::UNKNOWN.clone();
            let solution = solver.solve_exactly(&position, guess, bounds, budget);
            solution.map(|solution| solution.value)
        };
        Ok(Some(Verdict { is_right, before, value, bounds, reply, continues }))
    }

    /// Returns all right moves after the moves and answers of `line`, which must be legal.
    ///
    /// # Errors
    /// If the solver's budget does not suffice.
    pub fn right_moves(&mut self, line: &[Move]) -> Result<Vec<Move>, Unproved> {
        let position = self.position_after(line).map_err(|_| Unproved::Budget)?;
        let goal_value = self.goal_value();
        let mut stop = || false;
        let budget = &mut Budget { nodes: 2 * JUDGE_NODES, stop: &mut stop };
        let legal = position.counts().total() as usize;
        moves_that_keep(&mut self.solver, &position, goal_value, legal, budget)
    }
}

/// Returns the answer with which the opponent, the side to move in a position with this value,
/// resists longest. Of the answers that lose nothing, this one leaves the fewest moves that keep
/// `goal_value` for the other side. Among equals, it is the one that leaves the most legal moves,
/// then the first.
pub(super) fn resistance(
    solver: &mut Solver,
    position: &Position,
    value: Value,
    goal_value: Value,
    budget: &mut Budget<'_>,
) -> Option<Move> {
    let legal = position.counts().total() as usize;
    let answers = moves_that_keep(solver, position, value, legal, budget).ok()?;
    let mut best: Option<((usize, Reverse<usize>), Move)> = None;
    for mv in answers {
        let next = position.after_move(mv).ok()?;
        let legal = if next.is_over() { 0 } else { next.counts().total() as usize };
        // An answer that ends the game is not resistance, so it comes last. An answer that leaves
        // more right moves than the best one so far is rejected, so counting stops there.
        let max_right = best.map_or(legal, |((right, _), _)| right.min(legal));
        let right = if legal == 0 {
            usize::MAX
        } else {
            match moves_that_keep(solver, &next, goal_value, max_right, budget) {
                Ok(right) => right.len(),
                Err(Unproved::TooMany) => continue,
                Err(Unproved::Budget) => return None,
            }
        };
        let key = (right, Reverse(legal));
        if best.is_none_or(|(best_key, _)| key < best_key) {
            best = Some((key, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// Returns a best move in a position with this value.
fn best_reply(solver: &mut Solver, position: &Position, value: Value) -> Option<Move> {
    let mut stop = || false;
    let budget = &mut Budget { nodes: VALUE_NODES, stop: &mut stop };
    let mut best_step = |position: &Position| {
        if position.is_over() { None } else { solver.best_step(position, value, budget) }
    };
    match best_step(position)? {
        Step::Tile(first) => {
            let mut half = *position;
            half.make(Step::Tile(first));
            match best_step(&half)? {
                Step::Tile(second) => Some(Move::tiles(first, second)),
                _ => None,
            }
        }
        step => step.as_move(),
    }
}
