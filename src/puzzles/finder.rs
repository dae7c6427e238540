//! Makes puzzles from positions of games.
//!
//! Most positions make bad puzzles: anything wins, or nothing does, or the obvious move is right. A
//! candidate passes the checks of [`Check`] in their order, the cheap ones first, since a proof
//! takes a thousand times as long as a count of legal moves. [`CheckCounts`] says how many
//! positions survived each, which shows where a search for puzzles loses its candidates.
//!
//! "Hard" means that two simple players fail: one that takes the points it sees, and one that plays
//! the prior's favourite. The difficulty grows with the rank that the prior gives to the right
//! moves. A puzzle of several turns must be hard again after each right move and the longest
//! resistance.

use std::fmt;

use strum::{Display, VariantArray};

use super::proof::{JUDGE_NODES, Unproved, is_beyond_greed, moves_that_keep, resistance};
use super::puzzle::{Goal, Puzzle, Theme, identity};
use crate::eval::linear::refined_priors;
use crate::game::{Move, Position, Step, Value};
use crate::search::Bounds;
use crate::search::solver::{Budget, Solver, size_estimate};

/// The requirements for a puzzle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuzzleLimits {
    /// The solver's limit of nodes for all proofs of a position together; a million take about a
    /// second.
    pub nodes: u64,
    /// The largest share of right moves among the legal ones, 0 to 1.
    pub share: f64,
    /// The fewest legal moves.
    pub legal: usize,
    /// The number of turns in which the right move has to be found: 1, or from 2 to this number.
    pub turns: usize,
}

impl Default for PuzzleLimits {
    fn default() -> PuzzleLimits {
        // Set by judgement. With these, 3,771 of 6,210 small positions were proved, and 721 of them
        // had few right moves (docs/puzzles.md).
        PuzzleLimits { nodes: 200_000, share: 0.1, legal: 20, turns: 1 }
    }
}

/// The checks of a position, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, VariantArray)]
pub enum Check {
    /// Every position, before any check.
    #[strum(to_string = "positions")]
    Looked,
    /// It has enough legal moves.
    #[strum(to_string = "with enough legal moves")]
    Open,
    /// It is small enough to try a proof.
    #[strum(to_string = "small enough for a proof")]
    Small,
    /// Its value was proved.
    #[strum(to_string = "proved within the limit")]
    Proved,
    /// Few moves are right.
    #[strum(to_string = "with few right moves")]
    Few,
    /// Neither greed nor the prior solves it.
    #[strum(to_string = "not solved by greed")]
    Hard,
    /// After each right move and the longest resistance, the same is true again, for as many turns
    /// as required.
    #[strum(to_string = "with enough turns")]
    Long,
    /// It is unlike all others.
    #[strum(to_string = "unlike all others")]
    New,
}

/// The number of positions that survived each check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckCounts<C: VariantArray = Check>(Vec<(C, u64)>);

impl<C: VariantArray + Copy> Default for CheckCounts<C> {
    fn default() -> CheckCounts<C> {
        CheckCounts(C::VARIANTS.iter().map(|&check| (check, 0)).collect())
    }
}

impl<C: VariantArray + Copy + PartialEq> CheckCounts<C> {
    /// Counts positions that survived a check.
    pub fn add(&mut self, check: C, positions: u64) {
        for (counted, count) in &mut self.0 {
            *count += if *counted == check { positions } else { 0 };
        }
    }

    /// Returns the sum of these counts and `other`'s, check by check.
    #[must_use]
    pub fn and(mut self, other: &CheckCounts<C>) -> CheckCounts<C> {
        for ((_, count), (_, increment)) in self.0.iter_mut().zip(&other.0) {
            *count += increment;
        }
        self
    }

    /// The numbers, in the order of the checks.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|&(_, count)| count)
    }
}

impl<C: VariantArray + Copy> FromIterator<u64> for CheckCounts<C> {
    /// The counts with these numbers; missing ones are 0.
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> CheckCounts<C> {
        let numbers = numbers.into_iter().chain(std::iter::repeat(0));
        CheckCounts(C::VARIANTS.iter().copied().zip(numbers).collect())
    }
}

impl<C: VariantArray + fmt::Display> fmt::Display for CheckCounts<C> {
    /// A line for each check, without a line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (check, count)) in self.0.iter().enumerate() {
            let separator = if n == 0 { "" } else { "\n" };
            write!(f, "{separator}{check:<26} {count:>7}")?;
        }
        Ok(())
    }
}

/// Finds puzzles. Keeps a solver's table from position to position.
#[derive(Debug)]
pub struct Finder {
    solver: Solver,
    limits: PuzzleLimits,
    /// The counts so far, except for [`Check::New`], which the caller counts.
    pub counts: CheckCounts,
}

impl Finder {
    /// A finder with a table of 64 MiB.
    pub fn new(limits: PuzzleLimits) -> Finder {
        Finder { solver: Solver::new(64 << 20), limits, counts: CheckCounts::default() }
    }

    /// Returns the puzzle in a position; `None` if it fails a check.
    pub fn find(&mut self, position: &Position) -> Option<Puzzle> {
        /// The largest [`size_estimate`]. Set by judgement: larger positions are hardly ever
        /// proved, and `TacticFinder` takes them.
        const MAX_SIZE: u32 = 44;

        self.counts.add(Check::Looked, 1);
        let legal = position.counts().total() as usize;
        if position.is_over() || position.may_swap() || legal < self.limits.legal {
            return None;
        }
        self.counts.add(Check::Open, 1);
        if size_estimate(position) > MAX_SIZE {
            return None;
        }
        self.counts.add(Check::Small, 1);
        self.solver.clear();
        let max_right = (legal as f64 * self.limits.share) as usize;
        let (goal, value, right) = match self.prove(position, max_right) {
            Ok(proof) => proof,
            // The value is proved, but too many moves keep it.
            Err(Unproved::TooMany) => {
                self.counts.add(Check::Proved, 1);
                return None;
            }
            Err(Unproved::Budget) => return None,
        };
        self.counts.add(Check::Proved, 1);
        self.counts.add(Check::Few, 1);
        let is_beyond_greed = is_beyond_greed(position, &right);
        let rank = rank(position, &right);
        if !is_beyond_greed && rank == 0 {
            return None;
        }
        self.counts.add(Check::Hard, 1);
        let goal_value = goal.value(value, position.side());
        let turns = self.count_turns(position, goal_value, &right, self.limits.turns);
        if turns < self.limits.turns.min(2) {
            return None;
        }
        self.counts.add(Check::Long, 1);
        // Several easy moves in a row are not easy: two are at least medium, three hard.
        let min_difficulty = turns.min(3) as u8;
        Some(Puzzle {
            id: identity(position),
            theme: theme(position, &right)?,
            difficulty: difficulty(rank, is_beyond_greed, right.len()).max(min_difficulty),
            goal,
            value,
            right_count: right.len(),
            legal_count: legal,
            turns,
            position: *position,
        })
    }

    /// Returns in how many turns, at most `max_turns`, the right move has to be found. The moves
    /// `right` are right in this position. Whichever is played, the answer leaves a position in
    /// which, again, few moves are right and neither greed nor the prior finds them.
    fn count_turns(
        &mut self,
        position: &Position,
        goal_value: Value,
        right: &[Move],
        max_turns: usize,
    ) -> usize {
        if max_turns <= 1 {
            return max_turns;
        }
        let turns_after = |&mv: &Move| {
            let next = self.next_position(position, goal_value, mv);
            next.map_or(0, |(next, right)| {
                self.count_turns(&next, goal_value, &right, max_turns - 1)
            })
        };
        1 + right.iter().map(turns_after).min().unwrap_or(0)
    }

    /// Returns the position after a right move and the longest resistance, with its right moves;
    /// `None` if it fails a check.
    fn next_position(
        &mut self,
        position: &Position,
        goal_value: Value,
        mv: Move,
    ) -> Option<(Position, Vec<Move>)> {
        /// Each move closes cells, so later positions need only half as many legal moves.
        const LEGAL_DIVISOR: usize = 2;

        let next = position.after_move(mv).ok()?;
        if next.is_over() {
            return None;
        }
        // The judge will also begin with an empty table. Half of its budget leaves it a margin.
        self.solver.clear();
        let mut stop = || false;
        let budget = &mut Budget { nodes: JUDGE_NODES / 2, stop: &mut stop };
        let guess = Value::from(next.outcome());
        let value = self.solver.solve_exactly(&next, guess, &mut Bounds::UNKNOWN.clone(), budget);
        let reply = resistance(&mut self.solver, &next, value?.value, goal_value, budget)?;
        let next = next.after_move(reply).ok()?;
        let legal = next.counts().total() as usize;
        if next.is_over() || legal * LEGAL_DIVISOR < self.limits.legal {
            return None;
        }
        let max_right = (legal as f64 * self.limits.share) as usize;
        let right = moves_that_keep(&mut self.solver, &next, goal_value, max_right, budget).ok()?;
        let is_hard = is_beyond_greed(&next, &right) || rank(&next, &right) > 0;
        is_hard.then_some((next, right))
    }

    /// Proves the goal, the value and the right moves, at most `max_right` of them. The goal is the
    /// margin if too many moves keep the result.
    fn prove(
        &mut self,
        position: &Position,
        max_right: usize,
    ) -> Result<(Goal, Value, Vec<Move>), Unproved> {
        let mut stop = || false;
        // Set by judgement: a value that takes more than a quarter of the nodes leaves too few for
        // the moves.
        let budget = &mut Budget { nodes: self.limits.nodes / 4, stop: &mut stop };
        let (solver, side) = (&mut self.solver, position.side());
        let mut bounds = Bounds::UNKNOWN;
        let guess = Value::from(position.outcome());
        let solution = solver.solve_exactly(position, guess, &mut bounds, budget);
        let value = solution.ok_or(Unproved::Budget)?.value;
        budget.nodes = self.limits.nodes;
        let result = match value.seen_by(side).get() {
            1.. => Goal::Win,
            0 => Goal::Draw,
            // The game is lost, and losing by little is not a goal for a puzzle.
            _ => return Err(Unproved::TooMany),
        };
        // The result comes first, because it is easier to state than the margin.
        for goal in [result, Goal::Most] {
            match moves_that_keep(solver, position, goal.value(value, side), max_right, budget) {
                Ok(right) => return Ok((goal, value, right)),
                Err(Unproved::TooMany) => {}
                Err(Unproved::Budget) => return Err(Unproved::Budget),
            }
        }
        Err(Unproved::TooMany)
    }
}

/// The most frequent theme of the moves.
pub(super) fn theme(position: &Position, moves: &[Move]) -> Option<Theme> {
    let themes: Vec<Theme> = moves.iter().map(|&mv| Theme::of(position, mv)).collect();
    let count = |theme: &Theme| themes.iter().filter(|other| *other == theme).count();
    themes.iter().copied().max_by_key(|theme| (count(theme), std::cmp::Reverse(*theme)))
}

/// The number of moves that the prior prefers to the best of the right ones.
pub(super) fn rank(position: &Position, right: &[Move]) -> usize {
    let priors = move_priors(position);
    let rank_of = |right: &Move| priors.iter().position(|(mv, _)| mv == right);
    right.iter().filter_map(rank_of).min().unwrap_or(priors.len())
}

/// The legal moves by their prior probability, the most probable first.
fn move_priors(position: &Position) -> Vec<(Move, f32)> {
    let mut first_steps = Vec::new();
    refined_priors(position, &mut first_steps);
    let mut moves: Vec<(Move, f32)> = Vec::new();
    let mut second_steps = Vec::new();
    for (step, prior) in first_steps {
        match step {
            Step::Tile(first) => {
                let mut half = *position;
                half.make(step);
                refined_priors(&half, &mut second_steps);
                for &(step, second_prior) in &second_steps {
                    if let Step::Tile(second) = step {
                        moves.push((Move::tiles(first, second), prior * second_prior));
                    }
                }
            }
            Step::Swap => {}
            step => moves.extend(step.as_move().map(|mv| (mv, prior))),
        }
    }
    // Each pair occurs in both orders, so its probability is the sum of both.
    moves.sort_by_key(|&(mv, _)| mv);
    moves.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        if is_same {
            first.1 += later.1;
        }
        is_same
    });
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    moves
}

/// The difficulty from 1 to 3: harder if the prior ranks the right moves low, if greed fails, and
/// if only one move is right.
pub(super) fn difficulty(rank: usize, is_beyond_greed: bool, right: usize) -> u8 {
    let by_rank = match rank {
        0 => 0,
        1..=4 => 1,
        _ => 2,
    };
    // Up to four points for three grades. The thresholds are a guess, never measured.
    match by_rank + u8::from(is_beyond_greed) + u8::from(right == 1) {
        0 | 1 => 1,
        2 => 2,
        _ => 3,
    }
}
