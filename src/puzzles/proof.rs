//! The right turns of a position, proved by the exact solver, and the judge of a
//! puzzle: is a turn the answer?
//!
//! A position has hundreds of turns, most of them two tiles, and the solver takes up to a
//! second for one. Proving each alone would be too slow, so [`turns_that_keep`] asks about
//! single tiles first: after a first tile the same side moves again, hence a pair can only
//! reach the goal if the position after each of its tiles can. A few dozen proofs rule out
//! nearly all pairs:
//!
//! ```text
//!   first tiles ──prove each──► those that can reach the goal ──► pairs of two such tiles ─┐
//!   bridges, pass ─────────────────────────────────────────────────────────────────────────┤
//!                                                     right turns ◄──prove each────────────┘
//! ```
//!
//! The question is always "at least this value?", a search with a window
//! of one, which cuts off far earlier than one for the exact value.
//!
//! A budget of solver nodes bounds everything. What exceeds it is [`Unproved`], never a guess.

use std::cmp::Reverse;

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
    // The turns that keep the result are many questions with one answer each; the exact value and
    // its turns are the hardest part. The shares were chosen.
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
            // A pair can only reach the goal if both of its tiles can, as either may come first.
            Move::Tiles(a, b) => !firsts.contains(a) || !firsts.contains(b),
            Move::Bridge(..) | Move::Pass => false,
            // No puzzle begins where a swap is possible.
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
    // A window of one around the goal: the solver only decides on which side of it the value lies.
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
    /// White's value before the turn.
    pub before: Option<Value>,
    /// White's value after the turn; `None` if only the winner is known.
    pub value: Option<Value>,
    /// What is proved about White's value after the turn.
    pub bounds: Bounds,
    /// The opponent's best answer, if it is known; after a right turn of a puzzle that
    /// goes on, the one that resists longest.
    pub reply: Option<Move>,
    /// Whether more turns have to be found, after the answer.
    pub goes_on: bool,
}

/// Judges the turns of a puzzle. Its solver keeps what it has found from question
/// to question.
#[derive(Debug)]
pub struct Judge {
    puzzle: Puzzle,
    solver: Solver,
}

/// The solver's limit for one question, about two thirds of a second. The slowest puzzle of the
/// collection takes 158,375 nodes with all its lines (docs/puzzles.md).
pub(super) const NODES: u64 = 600_000;

/// The solver's limit for the exact value after a wrong turn. Chosen: the value is only shown, and
/// the verdict stands without it.
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

    /// The position of the puzzle after a line of right turns and answers.
    fn position_after(&self, line: &[Move]) -> Result<Position, IllegalMove> {
        let mut position = self.puzzle.position;
        line.iter().try_for_each(|&mv| position.play(mv))?;
        Ok(position)
    }

    /// White's value that a right turn keeps.
    fn kept(&self) -> Value {
        self.puzzle.goal.value(self.puzzle.value, self.puzzle.position.side())
    }

    /// Judges a turn after the turns and answers of `line`. `Ok(None)` if the solver's
    /// budget does not suffice, which the making of the puzzles rules out.
    ///
    /// # Errors
    /// When a turn is illegal.
    pub fn judge(&mut self, line: &[Move], mv: Move) -> Result<Option<Verdict>, IllegalMove> {
        let position = self.position_after(line)?;
        let mut after = position;
        after.play(mv)?;
        let kept = self.kept();
        let is_last = line.len() / 2 + 1 >= self.puzzle.turns || after.is_over();
        let solver = &mut self.solver;
        let mut stop = || false;
        let budget = &mut Budget { nodes: NODES, stop: &mut stop };
        let side = position.side();
        let Some(is_right) = keeps(solver, &after, side, kept, budget) else { return Ok(None) };
        let goes_on = is_right && !is_last;
        budget.nodes = if goes_on { NODES } else { VALUE_NODES };
        let mut bounds = Bounds::UNKNOWN;
        // The winner first, which is quick. Bounds are sound even if the budget ends, and then
        // merely wider.
        let found = solver.solve(&after, Value::new(-1), Value::new(1), budget);
        bounds = found.map_or(bounds, |found| bounds.and(found));
        let guess = Value::from(after.outcome());
        let solution = solver.solve_exactly(&after, guess, &mut bounds, budget);
        let value = solution.map(|solution| solution.value).or(bounds.exact());
        let reply = match value {
            Some(value) if goes_on => resistance(solver, &after, value, kept, budget),
            Some(value) => best_reply(solver, &after, value),
            None => None,
        };
        if goes_on && reply.is_none() {
            return Ok(None);
        }
        let before = if line.is_empty() {
            Some(self.puzzle.value)
        } else {
            budget.nodes = VALUE_NODES;
            let guess = self.puzzle.value;
            let known = &mut Bounds::UNKNOWN.clone();
            solver.solve_exactly(&position, guess, known, budget).map(|found| found.value)
        };
        Ok(Some(Verdict { is_right, before, value, bounds, reply, goes_on }))
    }

    /// All right turns after the turns and answers of `line`, which must be legal.
    ///
    /// # Errors
    /// When the solver's budget does not suffice.
    pub fn right_turns(&mut self, line: &[Move]) -> Result<Vec<Move>, Unproved> {
        let position = self.position_after(line).map_err(|_| Unproved::Budget)?;
        let kept = self.kept();
        let mut stop = || false;
        let budget = &mut Budget { nodes: 2 * NODES, stop: &mut stop };
        let most = position.counts().total() as usize;
        turns_that_keep(&mut self.solver, &position, kept, most, budget)
    }
}

/// The answer with which the opponent, the side to move in a position with this value,
/// resists longest: it loses nothing; of those that do not, it leaves the fewest turns that
/// keep `kept` for the other side, then the most legal ones, and it is the first of them.
pub(super) fn resistance(
    solver: &mut Solver,
    position: &Position,
    value: Value,
    kept: Value,
    budget: &mut Budget<'_>,
) -> Option<Move> {
    let legal = position.counts().total() as usize;
    let answers = turns_that_keep(solver, position, value, legal, budget).ok()?;
    let mut best: Option<((usize, Reverse<usize>), Move)> = None;
    for mv in answers {
        let mut next = *position;
        next.play(mv).ok()?;
        let legal = if next.is_over() { 0 } else { next.counts().total() as usize };
        // The end of the game is no resistance: such an answer comes last. An answer that leaves
        // more right turns than the best one so far cannot win, so counting stops there.
        let fewest = best.map_or(legal, |((right, _), _)| right.min(legal));
        let right = if legal == 0 {
            usize::MAX
        } else {
            match turns_that_keep(solver, &next, kept, fewest, budget) {
                Ok(right) => right.len(),
                Err(Unproved::TooMany) => continue,
                Err(Unproved::Budget) => return None,
            }
        };
        let key = (right, Reverse(legal));
        if best.is_none_or(|(least, _)| key < least) {
            best = Some((key, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// A best turn in a position with this value.
fn best_reply(solver: &mut Solver, position: &Position, value: Value) -> Option<Move> {
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
        step => step.as_move(),
    }
}
