//! Ends games early: by the evaluations of the engines, or by a proof.
//!
//! Most games are decided long before they end. Three rules skip the remaining moves. All are off
//! by default, because each has a price:
//!
//! ```text
//! rule     ends a game when                              price
//! resign   an engine sees itself lost, several times     a lost engine might have been saved
//! draw     both see an even game, late and repeatedly    somebody might have won
//! proof    the solver proves the result                  some milliseconds after each move
//! ```
//!
//! The first two are the rules of cutechess and fastchess (`-resign`, `-draw`), with win rates
//! instead of centipawns. They trust the engines' evaluations. A single evaluation is noisy, so the
//! rules require several moves in a row.
//!
//! A proof trusts no engine: the referee's own solver computes the result of perfect play. It is
//! never wrong, but it still changes what is measured. An engine that would have made a mistake in
//! the won position never gets the chance.
//!
//! A game that ended early has no final margin, so it does not count in the point statistics.

use std::fmt;
use std::str::FromStr;

use pontifex::game::{Position, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver, size_estimate};

use crate::settings::{ParsedSettings, SettingsError};

/// An engine's evaluation of the position before its move, from its own point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The result that the engine expects for itself, from 0 (loss) to 1 (win). A draw is 0.5.
    pub winrate: f64,
    /// The final margin that the engine expects, in points; negative if it is behind.
    pub score_lead: f64,
}

/// When games end early. By default, never.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Adjudication {
    /// Ends the game as a loss of an engine whose win rate stays low.
    pub resign: Option<ResignRule>,
    /// Ends the game as a draw if the win rates of both engines stay near 0.5.
    pub draw: Option<DrawRule>,
    /// Ends the game as soon as the solver proves its result. The number limits the solver's nodes
    /// after each move.
    pub proof: Option<u64>,
}

impl Adjudication {
    /// Whether a rule needs the engines' evaluations.
    pub fn needs_evaluations(&self) -> bool {
        self.resign.is_some() || self.draw.is_some()
    }
}

/// An engine loses after several moves in a row with a low win rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResignRule {
    /// The number of its own moves in a row, 1 to 1000. By default 3.
    pub movecount: usize,
    /// The highest win rate that counts as low, from 0 to below 0.5. By default 0.02.
    pub winrate: f64,
    /// Whether the opponent must also have had a win rate of at least 1 - `winrate` in as many
    /// moves. By default not.
    pub twosided: bool,
}

/// A game is drawn after several moves in a row of both engines with a win rate near 0.5.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawRule {
    /// The first turn that counts, 1 to 1000, with turns of the opening included. By default 30,
    /// because nearly every game is even at its beginning.
    pub movenumber: usize,
    /// The number of moves in a row of each engine, 1 to 1000. By default 4.
    pub movecount: usize,
    /// The greatest distance of the win rate from 0.5 that counts as even, from 0 to below 0.5. By
    /// default 0.02.
    pub winrate: f64,
}

/// The values that [`is_count`] accepts, for error messages.
const COUNT: &str = "a number from 1 to 1000";

fn is_count(count: usize) -> bool {
    (1..=1000).contains(&count)
}

/// The values that [`is_distance`] accepts, for error messages.
const DISTANCE: &str = "a number from 0 to below 0.5";

fn is_distance(rate: f64) -> bool {
    (0.0..0.5).contains(&rate)
}

impl FromStr for ResignRule {
    type Err = SettingsError;

    /// Reads `movecount=3,winrate=0.02,twosided=false`; these are the defaults.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let settings = ParsedSettings::read(text, "movecount=3,winrate=0.02,twosided=false")?;
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
        let settings = ParsedSettings::read(text, "movenumber=30,movecount=4,winrate=0.02")?;
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

/// The rule by which a game ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AdjudicatedBy {
    /// [`ResignRule`]: an engine saw itself lost.
    Resign,
    /// [`DrawRule`]: both engines saw an even game.
    Draw,
    /// [`Adjudication::proof`]: the solver proved the result.
    Proof,
}

/// The memory of the solver's table in bytes, for each game in progress. Set by judgement: ample
/// for the 20,000 nodes a move that `docs/match.md` suggests.
const SOLVER_BYTES: usize = 16 << 20;

/// Positions with a greater [`size_estimate`] are not tried. Its documentation has the measurement:
/// a million nodes solve half of the positions from 40 to 49 and hardly any above. A greater limit
/// would only take time from the match.
const MAX_SOLVED_SIZE: u32 = 49;

/// Applies the rules to one game: counts evaluations and searches for proofs.
#[derive(Debug)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    /// For each seat, how many of its last moves in a row had a low win rate.
    low: [usize; 2],
    /// For each seat, how many of its last moves in a row had a high win rate.
    high: [usize; 2],
    /// For each seat, how many of its last moves in a row had a win rate near 0.5, late enough in
    /// the game.
    even: [usize; 2],
    /// `None` if the rule `proof` is off. Kept for the whole game, because its table holds what
    /// earlier searches have proved.
    solver: Option<Solver>,
}

impl Adjudicator {
    pub(crate) fn new(rules: Adjudication) -> Adjudicator {
        let solver = rules.proof.map(|_| Solver::new(SOLVER_BYTES));
        Adjudicator { rules, low: [0; 2], high: [0; 2], even: [0; 2], solver }
    }

    /// Counts the evaluation of a seat's move, which is turn `turn` of the game (from 1). If it
    /// ends the game, returns the seat that wins (`None` in a draw) and the rule.
    ///
    /// If both rules apply, the game ends by resignation.
    pub(crate) fn count_evaluation(
        &mut self,
        seat: usize,
        turn: usize,
        evaluation: Option<Evaluation>,
    ) -> Option<(Option<usize>, AdjudicatedBy)> {
        let rate = evaluation.map(|evaluation| evaluation.winrate);
        // A move without an evaluation ends every streak, since it supports no rule.
        let count_streak = |counts: &mut [usize; 2], is_in_range: &dyn Fn(f64) -> bool| {
            counts[seat] = if rate.is_some_and(is_in_range) { counts[seat] + 1 } else { 0 };
        };
        if let Some(rule) = self.rules.resign {
            count_streak(&mut self.low, &|rate| rate <= rule.winrate);
            count_streak(&mut self.high, &|rate| rate >= 1.0 - rule.winrate);
            // Both seats are checked: with `twosided` this move may complete the winner's streak
            // after the loser's.
            for loser in [seat, 1 - seat] {
                let agrees = !rule.twosided || self.high[1 - loser] >= rule.movecount;
                if self.low[loser] >= rule.movecount && agrees {
                    return Some((Some(1 - loser), AdjudicatedBy::Resign));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            count_streak(&mut self.even, &|rate| {
                turn >= rule.movenumber && (rate - 0.5).abs() <= rule.winrate
            });
            if self.even.iter().all(|&count| count >= rule.movecount) {
                return Some((None, AdjudicatedBy::Draw));
            }
        }
        None
    }

    /// Searches for a proof of the position's result and returns the bounds that prove it. `None`
    /// without the rule, if the position is over or too large, or if the nodes do not suffice.
    pub(crate) fn prove_result(&mut self, position: &Position) -> Option<Bounds> {
        let (solver, nodes) = (self.solver.as_mut()?, self.rules.proof?);
        if position.is_over() || size_estimate(position) > MAX_SOLVED_SIZE {
            return None;
        }
        let budget = &mut Budget { nodes, stop: &mut || false };
        // The window from -1 to 1 asks only who wins. The exact margin would take many more nodes.
        let bounds = solver.solve(position, Value::new(-1), Value::new(1), budget)?;
        bounds.is_decided().then_some(bounds)
    }
}
