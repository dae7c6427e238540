//! Makes puzzles from positions of games.

use std::fmt;

use super::proof::{Unproved, is_beyond_greed, turns_that_keep};
use super::puzzle::{Goal, Puzzle, Theme, identity};
use crate::eval::linear::refined_priors;
use crate::game::{Move, Position, Step, Value};
use crate::search::Bounds;
use crate::search::solver::{Budget, Solver, size_estimate};

/// What a puzzle must fulfil.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The solver's limit of nodes for all proofs of a position together; a
    /// million take about a second.
    pub nodes: u64,
    /// The largest share of right turns among all.
    pub share: f64,
    /// The fewest legal turns.
    pub legal: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: 200_000, share: 0.1, legal: 20 }
    }
}

/// How many positions survived each check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions looked at.
    pub positions: u64,
    /// Those with enough legal turns.
    pub open: u64,
    /// Those small enough to try a proof.
    pub small: u64,
    /// Those whose value was proved.
    pub proved: u64,
    /// Those in which few turns are right.
    pub few: u64,
    /// Those that neither greed nor the prior solves.
    pub hard: u64,
    /// Those unlike all others.
    pub new: u64,
}

impl Counts {
    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            positions: self.positions + other.positions,
            open: self.open + other.open,
            small: self.small + other.small,
            proved: self.proved + other.proved,
            few: self.few + other.few,
            hard: self.hard + other.hard,
            new: self.new + other.new,
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { positions, open, small, proved, few, hard, new } = self;
        writeln!(f, "positions                  {positions:>7}")?;
        writeln!(f, "with enough legal turns    {open:>7}")?;
        writeln!(f, "small enough for a proof   {small:>7}")?;
        writeln!(f, "proved within the limit    {proved:>7}")?;
        writeln!(f, "with few right turns       {few:>7}")?;
        writeln!(f, "not solved by greed        {hard:>7}")?;
        write!(f, "unlike all others          {new:>7}")
    }
}

/// Finds puzzles. Keeps a solver's table from position to position.
#[derive(Debug)]
pub struct Finder {
    solver: Solver,
    limits: Limits,
    /// The counts so far; `new` is the caller's.
    pub counts: Counts,
}

impl Finder {
    /// A finder with a table of 64 MiB.
    pub fn new(limits: Limits) -> Finder {
        Finder { solver: Solver::new(64 << 20), limits, counts: Counts::default() }
    }

    /// The puzzle in a position, if it is one.
    pub fn look(&mut self, position: &Position) -> Option<Puzzle> {
        /// Larger positions are hardly ever proved.
        const LARGEST: u32 = 44;

        self.counts.positions += 1;
        let legal = position.counts().total() as usize;
        if position.is_over() || position.may_swap() || legal < self.limits.legal {
            return None;
        }
        self.counts.open += 1;
        if size_estimate(position) > LARGEST {
            return None;
        }
        self.counts.small += 1;
        self.solver.clear();
        let most = (legal as f64 * self.limits.share) as usize;
        let (goal, value, right) = match self.prove(position, most) {
            Ok(proof) => proof,
            Err(Unproved::TooMany) => {
                self.counts.proved += 1;
                return None;
            }
            Err(Unproved::Budget) => return None,
        };
        self.counts.proved += 1;
        self.counts.few += 1;
        let is_beyond_greed = is_beyond_greed(position, &right);
        let rank = rank(position, &right);
        if !is_beyond_greed && rank == 0 {
            return None;
        }
        self.counts.hard += 1;
        Some(Puzzle {
            id: identity(position),
            theme: theme(position, &right)?,
            difficulty: difficulty(rank, is_beyond_greed, right.len()),
            goal,
            value,
            right: right.len(),
            legal,
            position: *position,
        })
    }

    /// The goal, the value, and the right turns, of which there are at most
    /// `most`. The goal is the margin if many turns keep the result.
    fn prove(
        &mut self,
        position: &Position,
        most: usize,
    ) -> Result<(Goal, Value, Vec<Move>), Unproved> {
        let mut stop = || false;
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
            // To lose by little is no goal for a puzzle.
            _ => return Err(Unproved::TooMany),
        };
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
fn theme(position: &Position, turns: &[Move]) -> Option<Theme> {
    let themes: Vec<Theme> = turns.iter().map(|&mv| Theme::of(position, mv)).collect();
    let count = |theme: &Theme| themes.iter().filter(|other| *other == theme).count();
    themes.iter().copied().max_by_key(|theme| (count(theme), std::cmp::Reverse(*theme)))
}

/// How many turns the prior prefers to the best of the right ones.
fn rank(position: &Position, right: &[Move]) -> usize {
    let priors = priors(position);
    let best = |right: &Move| priors.iter().position(|(mv, _)| mv == right);
    right.iter().filter_map(best).min().unwrap_or(priors.len())
}

/// The legal turns by their prior probability, the most probable first.
fn priors(position: &Position) -> Vec<(Move, f32)> {
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
            step => turns.extend(step.whole_turn().map(|mv| (mv, prior))),
        }
    }
    // Each pair occurs in both orders.
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
fn difficulty(rank: usize, is_beyond_greed: bool, right: usize) -> u8 {
    let by_rank = match rank {
        0 => 0,
        1..=4 => 1,
        _ => 2,
    };
    match by_rank + u8::from(is_beyond_greed) + u8::from(right == 1) {
        0 | 1 => 1,
        2 => 2,
        _ => 3,
    }
}
