//! Values in the tree: the result of an iteration, and proved bounds on the value of a position.
//!
//! Bounds are about [`Value`], the exact result with best play. They are only ever tightened, never
//! taken back, so threads may combine them in any order. A proof of the winner is the special case
//! of a bound beyond the draw.
//!
//! Everything in the tree is White's or the mover's, and each field says whose; [`Bounds::seen_by`]
//! and [`SearchValue::seen_by`] are the only conversions.

use serde::{Deserialize, Serialize};

use crate::game::{Color, Value};

/// Proved bounds: with best play by both sides, the value of the position is at least `lower` and
/// at most `upper`, from White's point of view.
///
/// In JSON they are `solved`, the exact result as text (`"W+5"`, `"0"` for a draw), and `winner`
/// (`"white"`, `"red"`), each `null` without a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "ProofForm", into = "ProofForm")]
pub struct Bounds {
    /// White gets at least this.
    pub lower: Value,
    /// White gets at most this.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is proved.
    pub const UNKNOWN: Bounds = Bounds { lower: Value::MIN, upper: Value::MAX };

    /// The value is exactly `value`.
    pub const fn of(value: Value) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if both bounds agree.
    pub fn exact(self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether the winner is known, or that the game is a draw.
    pub fn is_decided(self) -> bool {
        self.lower > Value::DRAW || self.upper < Value::DRAW || self.exact() == Some(Value::DRAW)
    }

    /// The proved winner. `None` without a proof and for a proved draw.
    pub fn winner(self) -> Option<Color> {
        match (self.lower > Value::DRAW, self.upper < Value::DRAW) {
            (true, _) => Some(Color::White),
            (_, true) => Some(Color::Red),
            _ => None,
        }
    }

    /// The proof as text: the result, `W+5`, or only the winner, `W+`.
    pub fn proof(self) -> Option<String> {
        let winner = || Some(format!("{}+", self.winner()?.letter().to_ascii_uppercase()));
        self.exact().map(|value| value.to_string()).or_else(winner)
    }

    /// The intersection of two proofs about the same position.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Converts between White's and `color`'s point of view, in either direction: `lower` is then
    /// the least that `color` gets.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Bounds {
        match color {
            Color::White => self,
            Color::Red => Bounds { lower: -self.upper, upper: -self.lower },
        }
    }

    /// What the bounds of one move prove about the position before it, in which `mover` chooses:
    /// `mover` gets no less. They may get more by another move.
    pub(in crate::search) fn at_least(self, mover: Color) -> Bounds {
        Bounds { lower: self.seen_by(mover).lower, upper: Value::MAX }.seen_by(mover)
    }

    /// What the bounds of a position prove about each move `mover` can make in it: none gains
    /// `mover` more.
    pub(in crate::search) fn at_most(self, mover: Color) -> Bounds {
        Bounds { lower: Value::MIN, upper: self.seen_by(mover).upper }.seen_by(mover)
    }
}

/// [`Bounds`] in JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
struct ProofForm {
    /// The proved result with best play.
    solved: Option<Value>,
    /// The proved winner.
    winner: Option<Color>,
}

#[cfg(feature = "ts")]
impl ts_rs::TS for Bounds {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &ts_rs::Config) -> String {
        ProofForm::name(config)
    }

    fn inline(config: &ts_rs::Config) -> String {
        ProofForm::inline(config)
    }

    fn inline_flattened(config: &ts_rs::Config) -> String {
        ProofForm::inline_flattened(config)
    }

    fn visit_dependencies(visitor: &mut impl ts_rs::TypeVisitor) {
        ProofForm::visit_dependencies(visitor);
    }
}

impl From<Bounds> for ProofForm {
    fn from(bounds: Bounds) -> ProofForm {
        ProofForm { solved: bounds.exact(), winner: bounds.winner() }
    }
}

impl From<ProofForm> for Bounds {
    fn from(ProofForm { solved, winner }: ProofForm) -> Bounds {
        // The least win is one by bridges.
        let won = |winner| Bounds { lower: Value::new(1), upper: Value::MAX }.seen_by(winner);
        solved.map(Bounds::of).or(winner.map(won)).unwrap_or(Bounds::UNKNOWN)
    }
}

/// The result of an iteration, or a mean of such results, for one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::search) struct SearchValue {
    /// What the search maximises, 0 to 1: mostly the win rate, with a small share for the lead
    /// ([`super::Params::lead_share`]).
    pub(in crate::search) utility: f32,
    /// Win rate, 0 to 1.
    pub(in crate::search) win: f32,
    /// Lead in points.
    pub(in crate::search) lead: f32,
}

impl SearchValue {
    /// Converts between White's and `color`'s point of view, in either direction.
    pub(in crate::search) fn seen_by(self, color: Color) -> SearchValue {
        match color {
            Color::White => self,
            Color::Red => {
                SearchValue { utility: 1.0 - self.utility, win: 1.0 - self.win, lead: -self.lead }
            }
        }
    }
}

/// Win rate, 0 to 1, and lead in points of a proved result, for `mover`.
pub(in crate::search) fn exact_result(value: Value, mover: Color) -> (f64, f64) {
    let value = value.seen_by(mover);
    (f64::from(value.win_rate()), f64::from(value.points()))
}

/// White's lead from `mover`'s point of view.
pub(in crate::search) fn lead_for(white_lead: f32, mover: Color) -> f32 {
    if mover == Color::White { white_lead } else { -white_lead }
}
