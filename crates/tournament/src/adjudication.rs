//! Ends games early: by the evaluations of the engines, or by a proof.
//!
//! Most games are decided long before they end. Three rules save the rest of the time; all are
//! off unless asked for, because each has a price:
//!
//! ```text
//! rule     ends a game when                              price
//! resign   an engine sees itself lost, several times     a lost engine might have been saved
//! draw     both see an even game, late and repeatedly    somebody might have won
//! proof    the solver proves the result                  some milliseconds after each move
//! ```
//!
//! The first two are the rules of cutechess and fastchess (`-resign`, `-draw`), with win rates
//! instead of centipawns. They believe the engines. Several moves in a row are asked for because
//! a single evaluation is noisy.
//!
//! A proof believes nobody: the referee's own solver searches for the result of perfect play.
//! Yet it changes what is measured, for an engine that would have thrown the game away is
//! spared it.

use std::fmt;
use std::str::FromStr;

use pontifex::game::{Position, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver, size_estimate};

use crate::settings::{Settings, SettingsError};

/// What an engine says of the position before its move, as it sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The result that the engine expects for itself, from 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The margin that the engine expects, in points; negative if it is behind.
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
    /// How many of its moves in a row, 1 to 1000. By default 3.
    pub movecount: usize,
    /// The highest win rate that counts as low, from 0 to below 0.5. By default 0.02.
    pub winrate: f64,
    /// Whether the opponent must be as sure of winning for as many moves. By default not.
    pub twosided: bool,
}

/// A game is drawn after moves of both engines in a row with a win rate near 0.5.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawRule {
    /// The number of the first turn that counts, from 1 with those of the opening. By default
    /// 30: every game begins even.
    pub movenumber: usize,
    /// How many moves in a row of each engine, 1 to 1000. By default 4.
    pub movecount: usize,
    /// The greatest distance of the win rate from 0.5 that counts as even. By default 0.02.
    pub winrate: f64,
}

/// What [`is_count`] accepts, for error messages.
const COUNT: &str = "a number from 1 to 1000";

fn is_count(count: usize) -> bool {
    (1..=1000).contains(&count)
}

/// What [`is_distance`] accepts, for error messages.
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

/// The rule that ended a game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdjudicatedBy {
    /// [`ResignRule`]: an engine saw itself lost.
    Resign,
    /// [`DrawRule`]: both engines saw an even game.
    Draw,
    /// [`Adjudication::proof`]: the solver proved the result.
    Proof,
}

/// The memory of the solver's table, in bytes, for each game in progress. Chosen: ample for
/// the 20,000 nodes that `docs/match.md` suggests.
const SOLVER_BYTES: usize = 16 << 20;

/// Positions with a greater [`size_estimate`] are not tried. A million nodes solve half of
/// those from 40 to 49 and hardly any above, as measured there, so trying more would only take
/// time from the match.
const MAX_SOLVED_SIZE: u32 = 49;

/// The judge of one game: counts evaluations and searches for proofs.
#[derive(Debug)]
pub(crate) struct Judge {
    rules: Adjudication,
    /// For each seat, how many of its last moves in a row had a low win rate.
    low: [usize; 2],
    /// Likewise with a high win rate.
    high: [usize; 2],
    /// Likewise with a win rate near 0.5, late enough in the game.
    even: [usize; 2],
    /// `None` without the rule of proofs. Kept for the game: its table knows what the last
    /// searches have proved.
    solver: Option<Solver>,
}

impl Judge {
    pub(crate) fn new(rules: Adjudication) -> Judge {
        let solver = rules.proof.map(|_| Solver::new(SOLVER_BYTES));
        Judge { rules, low: [0; 2], high: [0; 2], even: [0; 2], solver }
    }

    /// Counts the evaluation of a seat's move, the `turn`th of the game from 1. If the game ends
    /// by it, returns the seat that wins (`None` in a draw) and the rule.
    ///
    /// Of two rules that apply at once, the one of resigning comes first.
    pub(crate) fn by_evaluation(
        &mut self,
        seat: usize,
        turn: usize,
        evaluation: Option<Evaluation>,
    ) -> Option<(Option<usize>, AdjudicatedBy)> {
        let rate = evaluation.map(|evaluation| evaluation.winrate);
        // A move without an evaluation ends every streak: nothing is known of it.
        let streak = |counts: &mut [usize; 2], fits: &dyn Fn(f64) -> bool| {
            counts[seat] = if rate.is_some_and(fits) { counts[seat] + 1 } else { 0 };
        };
        if let Some(rule) = self.rules.resign {
            streak(&mut self.low, &|rate| rate <= rule.winrate);
            streak(&mut self.high, &|rate| rate >= 1.0 - rule.winrate);
            // The opponent's streak can be complete before this move confirms it.
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

    /// The bounds of a position's value if they prove its result; `None` without the rule, and
    /// if the position is too large or the nodes do not suffice.
    pub(crate) fn by_proof(&mut self, position: &Position) -> Option<Bounds> {
        let (solver, nodes) = (self.solver.as_mut()?, self.rules.proof?);
        if position.is_over() || size_estimate(position) > MAX_SOLVED_SIZE {
            return None;
        }
        let budget = &mut Budget { nodes, stop: &mut || false };
        // The window asks only who wins. By how much would take many more nodes.
        let bounds = solver.solve(position, Value::new(-1), Value::new(1), budget)?;
        bounds.is_decided().then_some(bounds)
    }
}
