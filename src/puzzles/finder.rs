//! Makes puzzles from positions of games.
//!
//! Most positions make bad puzzles: anything wins, or nothing does, or the obvious move is
//! right. A candidate passes the checks of [`Check`] in their order, the cheap ones first,
//! since a proof takes a thousand times as long as a count of legal turns. [`CheckCounts`]
//! says how many positions survived each, which shows at once where a search for puzzles
//! loses its material.
//!
//! "Hard" means that two simple players fail: one that takes the points it sees, and one that
//! plays the prior's favourite. The difficulty grows with the rank that the prior gives to the
//! right turns. A puzzle of several turns must be hard again after each right turn and the
//! longest resistance.

use std::fmt;

use strum::{Display, VariantArray};

use super::proof::{NODES, Unproved, is_beyond_greed, resistance, turns_that_keep};
use super::puzzle::{Goal, Puzzle, Theme, identity};
use crate::eval::linear::refined_priors;
use crate::game::{Move, Position, Step, Value};
use crate::search::Bounds;
use crate::search::solver::{Budget, Solver, size_estimate};

/// What a puzzle must fulfil.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuzzleLimits {
    /// The solver's limit of nodes for all proofs of a position together; a
    /// million take about a second.
    pub nodes: u64,
    /// The largest share of right turns among all.
    pub share: f64,
    /// The fewest legal turns.
    pub legal: usize,
    /// How many turns have to be found: 1, or from 2 to this number.
    pub turns: usize,
}

impl Default for PuzzleLimits {
    fn default() -> PuzzleLimits {
        // Chosen. With these, 3,771 of 6,210 small positions were proved, and 721 of them had few
        // right turns (docs/puzzles.md).
        PuzzleLimits { nodes: 200_000, share: 0.1, legal: 20, turns: 1 }
    }
}

/// The checks of a position, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, VariantArray)]
pub enum Check {
    /// Every position, before any check.
    #[strum(to_string = "positions")]
    Looked,
    /// It has enough legal turns.
    #[strum(to_string = "with enough legal turns")]
    Open,
    /// It is small enough to try a proof.
    #[strum(to_string = "small enough for a proof")]
    Small,
    /// Its value was proved.
    #[strum(to_string = "proved within the limit")]
    Proved,
    /// Few turns are right.
    #[strum(to_string = "with few right turns")]
    Few,
    /// Neither greed nor the prior solves it.
    #[strum(to_string = "not solved by greed")]
    Hard,
    /// After each right turn and the longest resistance, the same is true again, as
    /// often as asked for.
    #[strum(to_string = "with turns enough")]
    Long,
    /// It is unlike all others.
    #[strum(to_string = "unlike all others")]
    New,
}

/// How many positions survived each check.
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
        for (each, count) in &mut self.0 {
            *count += if *each == check { positions } else { 0 };
        }
    }

    /// The sum of these counts and `other`'s, check by check.
    #[must_use]
    pub fn and(mut self, other: &CheckCounts<C>) -> CheckCounts<C> {
        for ((_, count), (_, more)) in self.0.iter_mut().zip(&other.0) {
            *count += more;
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
            let start = if n == 0 { "" } else { "\n" };
            write!(f, "{start}{check:<26} {count:>7}")?;
        }
        Ok(())
    }
}

/// Finds puzzles. Keeps a solver's table from position to position.
#[derive(Debug)]
pub struct Finder {
    solver: Solver,
    limits: PuzzleLimits,
    /// The counts so far; those of [`Check::New`] are the caller's.
    pub counts: CheckCounts,
}

impl Finder {
    /// A finder with a table of 64 MiB.
    pub fn new(limits: PuzzleLimits) -> Finder {
        Finder { solver: Solver::new(64 << 20), limits, counts: CheckCounts::default() }
    }

    /// The puzzle in a position, if it is one.
    pub fn find(&mut self, position: &Position) -> Option<Puzzle> {
        /// In the solver's estimate of size. Chosen: larger positions are hardly ever proved, and
        /// `TacticFinder` takes them.
        const LARGEST: u32 = 44;

        self.counts.add(Check::Looked, 1);
        let legal = position.counts().total() as usize;
        if position.is_over() || position.may_swap() || legal < self.limits.legal {
            return None;
        }
        self.counts.add(Check::Open, 1);
        if size_estimate(position) > LARGEST {
            return None;
        }
        self.counts.add(Check::Small, 1);
        self.solver.clear();
        let most = (legal as f64 * self.limits.share) as usize;
        let (goal, value, right) = match self.prove(position, most) {
            Ok(proof) => proof,
            // The value is known, and too many turns keep it.
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
        let kept = goal.value(value, position.side());
        let turns = self.count_turns(position, kept, &right, self.limits.turns);
        if turns < self.limits.turns.min(2) {
            return None;
        }
        self.counts.add(Check::Long, 1);
        // Several easy turns in a row are not easy: two are at least medium, three hard.
        let easiest = turns.min(3) as u8;
        Some(Puzzle {
            id: identity(position),
            theme: theme(position, &right)?,
            difficulty: difficulty(rank, is_beyond_greed, right.len()).max(easiest),
            goal,
            value,
            right: right.len(),
            legal,
            turns,
            position: *position,
        })
    }

    /// How many turns, at most `most`, have to be found from a position in which these
    /// turns are `right`: whichever is played, the answer leaves a position in which,
    /// again, few turns are right and neither greed nor the prior finds them.
    fn count_turns(
        &mut self,
        position: &Position,
        kept: Value,
        right: &[Move],
        most: usize,
    ) -> usize {
        if most <= 1 {
            return most;
        }
        let after = |&mv: &Move| {
            let next = self.next_position(position, kept, mv);
            next.map_or(0, |(next, right)| self.count_turns(&next, kept, &right, most - 1))
        };
        1 + right.iter().map(after).min().unwrap_or(0)
    }

    /// The position after a right turn and the longest resistance, and the right turns
    /// in it, if it passes the checks.
    fn next_position(
        &mut self,
        position: &Position,
        kept: Value,
        mv: Move,
    ) -> Option<(Position, Vec<Move>)> {
        /// Each turn closes cells, so later positions need only half as many legal turns.
        const LEGAL_DIVISOR: usize = 2;

        let mut next = *position;
        next.play(mv).ok()?;
        if next.is_over() {
            return None;
        }
        // The judge will begin with an empty table, too. Half of its budget leaves it a margin.
        self.solver.clear();
        let mut stop = || false;
        let budget = &mut Budget { nodes: NODES / 2, stop: &mut stop };
        let guess = Value::from(next.outcome());
        let value = self.solver.solve_exactly(&next, guess, &mut Bounds::UNKNOWN.clone(), budget);
        let reply = resistance(&mut self.solver, &next, value?.value, kept, budget)?;
        next.play(reply).ok()?;
        let legal = next.counts().total() as usize;
        if next.is_over() || legal * LEGAL_DIVISOR < self.limits.legal {
            return None;
        }
        let most = (legal as f64 * self.limits.share) as usize;
        let right = turns_that_keep(&mut self.solver, &next, kept, most, budget).ok()?;
        let is_hard = is_beyond_greed(&next, &right) || rank(&next, &right) > 0;
        is_hard.then_some((next, right))
    }

    /// The goal, the value, and the right turns, of which there are at most
    /// `most`. The goal is the margin if many turns keep the result.
    fn prove(
        &mut self,
        position: &Position,
        most: usize,
    ) -> Result<(Goal, Value, Vec<Move>), Unproved> {
        let mut stop = || false;
        // A value that takes more than a quarter leaves too little for the turns. Chosen.
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
            // A lost game: to lose by little is no goal for a puzzle.
            _ => return Err(Unproved::TooMany),
        };
        // The easier goal to state comes first. The margin is for won games that many turns win.
        for goal in [result, Goal::Most] {
            match turns_that_keep(solver, position, goal.value(value, side), most, budget) {
                Ok(right) => return Ok((goal, value, right)),
                Err(Unproved::TooMany) => {}
                Err(Unproved::Budget) => return Err(Unproved::Budget),
            }
        }
        Err(Unproved::TooMany)
    }
}

/// The most frequent theme of the turns.
pub(super) fn theme(position: &Position, turns: &[Move]) -> Option<Theme> {
    let themes: Vec<Theme> = turns.iter().map(|&mv| Theme::of(position, mv)).collect();
    let count = |theme: &Theme| themes.iter().filter(|other| *other == theme).count();
    themes.iter().copied().max_by_key(|theme| (count(theme), std::cmp::Reverse(*theme)))
}

/// How many turns the prior prefers to the best of the right ones.
pub(super) fn rank(position: &Position, right: &[Move]) -> usize {
    let priors = turn_priors(position);
    let best = |right: &Move| priors.iter().position(|(mv, _)| mv == right);
    right.iter().filter_map(best).min().unwrap_or(priors.len())
}

/// The legal turns by their prior probability, the most probable first.
fn turn_priors(position: &Position) -> Vec<(Move, f32)> {
    let mut firsts = Vec::new();
    refined_priors(position, &mut firsts);
    let mut turns: Vec<(Move, f32)> = Vec::new();
    let mut seconds = Vec::new();
    for (step, prior) in firsts {
        match step {
            Step::Tile(first) => {
                let mut half = *position;
                half.make(step);
                refined_priors(&half, &mut seconds);
                for &(step, second) in &seconds {
                    if let Step::Tile(cell) = step {
                        turns.push((Move::tiles(first, cell), prior * second));
                    }
                }
            }
            Step::Swap => {}
            step => turns.extend(step.as_move().map(|mv| (mv, prior))),
        }
    }
    // Each pair occurs in both orders, and either may be played.
    turns.sort_by_key(|&(mv, _)| mv);
    turns.dedup_by(|later, first| {
        let is_same = later.0 == first.0;
        if is_same {
            first.1 += later.1;
        }
        is_same
    });
    turns.sort_by(|a, b| b.1.total_cmp(&a.1));
    turns
}

/// From 1 to 3: harder if the prior ranks the right turns low, if greed fails,
/// and if only one turn is right.
pub(super) fn difficulty(rank: usize, is_beyond_greed: bool, right: usize) -> u8 {
    let by_rank = match rank {
        0 => 0,
        1..=4 => 1,
        _ => 2,
    };
    // Up to four marks for three grades. The borders were chosen.
    match by_rank + u8::from(is_beyond_greed) + u8::from(right == 1) {
        0 | 1 => 1,
        2 => 2,
        _ => 3,
    }
}
