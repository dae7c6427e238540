//! Ends games early: by the evaluations of the engines, or by a proof.
//!
//! The rules of evaluations are those of cutechess and fastchess; they save time, and a game
//! may end with the wrong result. A proof cannot: the referee's own solver finds out who wins
//! with perfect play. All are off unless asked for.

use std::fmt;
use std::str::FromStr;

use pontifex::game::{Position, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver, size_estimate};

use crate::settings::{Settings, SettingsError};

/// What an engine says of the position before its move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The result it expects, from 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The lead it expects, in points.
    pub score_lead: f64,
}

/// When games end early. By default, never.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Adjudication {
    /// A loss for the engine whose win rate stays low.
    pub resign: Option<ResignRule>,
    /// A draw if the win rates of both engines stay near 0.5.
    pub draw: Option<DrawRule>,
    /// The solver's limit of nodes after each move. The game ends once it proves the result.
    pub proof: Option<u64>,
}

impl Adjudication {
    /// Whether the engines' evaluations are needed.
    pub fn needs_evaluations(&self) -> bool {
        self.resign.is_some() || self.draw.is_some()
    }
}

/// An engine loses after moves in a row with a low win rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResignRule {
    /// The number of its moves.
    pub movecount: usize,
    /// The highest win rate, below 0.5.
    pub winrate: f64,
    /// Whether the opponent must be as sure of winning for as many moves.
    pub twosided: bool,
}

/// A game is drawn after moves of both engines in a row with a win rate near 0.5.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawRule {
    /// The number of the first turn that counts, from 1 with those of the opening.
    pub movenumber: usize,
    /// The number of each engine's moves.
    pub movecount: usize,
    /// The greatest distance of the win rate from 0.5.
    pub winrate: f64,
}

const COUNT: &str = "a number from 1 to 1000";

fn is_count(count: usize) -> bool {
    (1..=1000).contains(&count)
}

const DISTANCE: &str = "a number from 0 to below 0.5";

fn is_distance(rate: f64) -> bool {
    (0.0..0.5).contains(&rate)
}

impl FromStr for ResignRule {
    type Err = SettingsError;

    /// Reads `movecount=3,winrate=0.02,twosided=false`; these are the defaults.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let settings = Settings::read(text, "movecount=3,winrate=0.02,twosided=false")?;
        Ok(ResignRule {
            movecount: settings.get("movecount", COUNT, is_count)?,
            winrate: settings.get("winrate", DISTANCE, is_distance)?,
            twosided: settings.get("twosided", "true or false", |_| true)?,
        })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { movecount, winrate, twosided } = self;
        write!(f, "movecount={movecount},winrate={winrate},twosided={twosided}")
    }
}

impl FromStr for DrawRule {
    type Err = SettingsError;

    /// Reads `movenumber=30,movecount=4,winrate=0.02`; these are the defaults.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let settings = Settings::read(text, "movenumber=30,movecount=4,winrate=0.02")?;
        Ok(DrawRule {
            movenumber: settings.get("movenumber", COUNT, is_count)?,
            movecount: settings.get("movecount", COUNT, is_count)?,
            winrate: settings.get("winrate", DISTANCE, is_distance)?,
        })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { movenumber, movecount, winrate } = self;
        write!(f, "movenumber={movenumber},movecount={movecount},winrate={winrate}")
    }
}

/// By what a game was ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdjudicatedBy {
    /// The rule of resigning.
    Resign,
    /// The rule of draws.
    Draw,
    /// A proof.
    Proof,
}

/// The memory of the solver's table, in bytes.
const MEMORY: usize = 16 << 20;

/// Positions with a greater [`size_estimate`] are not tried: a million nodes hardly solve any.
const TRIED: u32 = 49;

/// The judge of one game.
#[derive(Debug)]
pub(crate) struct Judge {
    rules: Adjudication,
    /// For each seat, how many of its last moves in a row had a low win rate, a high one, and
    /// one near 0.5 late enough.
    low: [usize; 2],
    high: [usize; 2],
    even: [usize; 2],
    solver: Option<Solver>,
}

impl Judge {
    pub(crate) fn new(rules: Adjudication) -> Judge {
        let solver = rules.proof.map(|_| Solver::new(MEMORY));
        Judge { rules, low: [0; 2], high: [0; 2], even: [0; 2], solver }
    }

    /// Counts the evaluation of a seat's move, the `turn`th of the game from 1. Returns the
    /// seat that wins, `None` in a draw, if the game ends now.
    pub(crate) fn count(
        &mut self,
        seat: usize,
        turn: usize,
        evaluation: Option<Evaluation>,
    ) -> Option<(Option<usize>, AdjudicatedBy)> {
        let rate = evaluation.map(|evaluation| evaluation.winrate);
        let streak = |counts: &mut [usize; 2], fits: &dyn Fn(f64) -> bool| {
            counts[seat] = if rate.is_some_and(fits) { counts[seat] + 1 } else { 0 };
        };
        if let Some(rule) = self.rules.resign {
            streak(&mut self.low, &|rate| rate <= rule.winrate);
            streak(&mut self.high, &|rate| rate >= 1.0 - rule.winrate);
            for loser in [seat, 1 - seat] {
                let agrees = !rule.twosided || self.high[1 - loser] >= rule.movecount;
                if self.low[loser] >= rule.movecount && agrees {
                    return Some((Some(1 - loser), AdjudicatedBy::Resign));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            streak(&mut self.even, &|rate| {
                turn >= rule.movenumber && (rate - 0.5).abs() <= rule.winrate
            });
            if self.even.iter().all(|&count| count >= rule.movecount) {
                return Some((None, AdjudicatedBy::Draw));
            }
        }
        None
    }

    /// The bounds of a position's value if they prove its result.
    pub(crate) fn proved(&mut self, position: &Position) -> Option<Bounds> {
        let (solver, nodes) = (self.solver.as_mut()?, self.rules.proof?);
        if position.is_over() || size_estimate(position) > TRIED {
            return None;
        }
        let budget = &mut Budget { nodes, stop: &mut || false };
        let bounds = solver.solve(position, Value::new(-1), Value::new(1), budget)?;
        bounds.is_decided().then_some(bounds)
    }
}
