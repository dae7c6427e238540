use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::bounds::Bounds;
use super::node::SearchValue;
use crate::board::Size;
use crate::game::{Color, Value};

/// The numbers that shape the search, to be changed for tuning only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Weight of the prior against the value (c in PUCT).
    pub exploration: f64,
    /// How much lower than its node's value an unopened step is taken to be
    /// when all others are opened; by the square root of their priors' sum.
    pub first_play_reduction: f64,
    /// A node opens at most 4 steps and this times the square root of its
    /// visits (progressive widening); 0 is no limit.
    pub widening: f64,
    /// 1 when positions that are reached in several ways share a node, 0 when
    /// they do not.
    pub transpositions: f64,
    /// Visits of a node before its priors are refined, unless it is learnt from
    /// before (see `history`); the root's are from the start.
    pub refine_after: f64,
    /// 1 when what the search finds of a step in its tree bends the step's prior
    /// in other nodes, and later in the same, by the root of the ratio of what
    /// was found to what was foreseen; 0 when it does not.
    pub history: f64,
    /// What is added to both, in roots of visits: the more, the less is made of
    /// little.
    pub history_doubt: f64,
    /// Visits from which on a node is learnt from, each time they are a power
    /// of two.
    pub history_after: f64,
    /// Turns played out before a leaf is evaluated; with the evaluator
    /// `rollout`, all.
    pub rollout_turns: f64,
    /// By what part of `rollout_turns` rollouts are longer for each cell that
    /// the board has beyond 100.
    pub rollout_growth: f64,
    /// Share of the static evaluation in what a leaf is taken for, the rest is
    /// what its rollout finds.
    pub static_share: f64,
    /// The same with the evaluator `rollout`, whose evaluation was not fitted
    /// to be mixed.
    pub rollout_share: f64,
    /// Up to this size (of the solver's estimate) leaves are solved.
    pub leaf_size: f64,
    /// Positions that the solver may look at for a leaf.
    pub leaf_nodes: f64,
    /// Share of the lead in the utility, the rest is the winning chance.
    pub lead_share: f64,
    /// The lead in points that counts half of the largest.
    pub lead_scale: f64,
    /// Share of a turn's time and iterations for its first step.
    pub first_step_share: f64,
    /// How much of what is left a lead in visits must exceed to end a turn
    /// early, where a clock's time can be saved: 1 when it can no longer be
    /// made up for, more for later.
    pub decide: f64,
    /// How far a turn's time follows how much it is in doubt, where time can
    /// be saved: 0 gives every turn the usual time.
    pub doubt: f64,
    /// Standard errors below its mean at which a step of the root is taken in
    /// the final choice; 0 goes by visits.
    pub confidence: f64,
}

/// A field of [`Params`] by name, what it may be, and where it is.
type Tunable = (&'static str, RangeInclusive<f64>, fn(&mut Params) -> &mut f64);

macro_rules! tunables {
    ($($name:ident: $range:expr,)*) => {
        &[$((stringify!($name), $range, |params| &mut params.$name)),*]
    };
}

static TUNABLES: &[Tunable] = tunables! {
    exploration: 0.0..=10.0,
    first_play_reduction: -1.0..=1.0,
    widening: 0.0..=1000.0,
    transpositions: 0.0..=1.0,
    refine_after: 0.0..=1_000_000.0,
    history: 0.0..=1.0,
    history_doubt: 0.01..=1000.0,
    history_after: 1.0..=1_000_000.0,
    rollout_turns: 0.0..=1000.0,
    rollout_growth: 0.0..=10.0,
    static_share: 0.0..=1.0,
    rollout_share: 0.0..=1.0,
    leaf_size: 0.0..=1000.0,
    leaf_nodes: 0.0..=1_000_000.0,
    lead_share: 0.0..=1.0,
    lead_scale: 0.1..=100.0,
    first_step_share: 0.1..=1.0,
    decide: 0.0..=1_000_000.0,
    doubt: 0.0..=2.0,
    confidence: 0.0..=10.0,
};

impl Default for Params {
    fn default() -> Self {
        Params {
            exploration: 0.8,
            first_play_reduction: 0.1,
            widening: 2.0,
            transpositions: 1.0,
            refine_after: 4.0,
            history: 1.0,
            history_doubt: 2.0,
            history_after: 16.0,
            rollout_turns: 10.0,
            rollout_growth: 0.025,
            static_share: 0.25,
            rollout_share: 0.4,
            leaf_size: 20.0,
            leaf_nodes: 50.0,
            lead_share: 0.1,
            lead_scale: 10.0,
            first_step_share: 0.9,
            decide: 1.0,
            doubt: 1.0,
            confidence: 1.5,
        }
    }
}

impl fmt::Display for Params {
    /// `NAME=VALUE,NAME=VALUE,...`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut params = *self;
        for (number, (name, _, field)) in TUNABLES.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{name}={}", field(&mut params))?;
        }
        Ok(())
    }
}

/// A text is not a list of numbers of the search.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{part}' is no NAME=VALUE within its range; there are {}", ranges())]
pub struct ParseParamsError {
    part: String,
}

fn ranges() -> String {
    let range = |(name, range, _): &Tunable| format!("{name}={}..{}", range.start(), range.end());
    TUNABLES.iter().map(range).collect::<Vec<_>>().join(" ")
}

impl FromStr for Params {
    type Err = ParseParamsError;

    /// Reads `NAME=VALUE,...`; what is not named has its default.
    fn from_str(text: &str) -> Result<Params, ParseParamsError> {
        let mut params = Params::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let value = part.split_once('=').and_then(|(name, value)| {
                let (_, range, field) = TUNABLES.iter().find(|tunable| tunable.0 == name)?;
                let value = value.parse().ok().filter(|value| range.contains(value))?;
                *field(&mut params) = value;
                Some(())
            });
            value.ok_or_else(|| ParseParamsError { part: part.to_owned() })?;
        }
        Ok(params)
    }
}

impl Params {
    /// Turns played out before a leaf on a board of this size is evaluated.
    pub(crate) fn rollout_turns_on(&self, size: Size) -> u32 {
        let more = (u32::from(size.get()) * u32::from(size.get())).saturating_sub(100);
        (self.rollout_turns * (1.0 + self.rollout_growth * f64::from(more)) + 0.5) as u32
    }

    /// A winning chance and a lead, both of one player, as what the search
    /// maximises: a small share for the lead, so that leads grow and defeats
    /// are kept close.
    pub(super) fn utility(&self, win: f32, lead: f32) -> f32 {
        let lead = lead / self.lead_scale as f32;
        win + self.lead_share as f32 * (0.5 + 0.5 * lead / (1.0 + lead.abs()) - win)
    }

    /// White's result, as far as `bounds` allow it.
    pub(super) fn within(&self, bounds: Bounds, result: SearchValue) -> SearchValue {
        if bounds == Bounds::UNKNOWN {
            return result;
        }
        let (lo, hi) = (self.exact(bounds.lower), self.exact(bounds.upper));
        SearchValue {
            utility: result.utility.max(lo.utility).min(hi.utility),
            win: result.win.max(lo.win).min(hi.win),
            lead: result.lead.max(lo.lead).min(hi.lead),
        }
    }

    /// An exact result, for White.
    pub(super) fn exact(&self, value: Value) -> SearchValue {
        let (win, lead) = (value.white_share(), value.points());
        SearchValue { utility: self.utility(win, lead), win, lead }
    }
}

impl SearchValue {
    /// White's result for `color`, or the other way round.
    pub(super) fn seen_by(self, color: Color) -> SearchValue {
        match color {
            Color::White => self,
            Color::Red => {
                SearchValue { utility: 1.0 - self.utility, win: 1.0 - self.win, lead: -self.lead }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollouts_are_longer_on_larger_boards() {
        let on = |params: &Params, size| params.rollout_turns_on(Size::new(size).unwrap());
        assert_eq!([4, 10, 11, 12].map(|size| on(&Params::default(), size)), [10, 10, 15, 21]);
        let none = Params { rollout_turns: 0.0, ..Params::default() };
        assert_eq!(on(&none, 12), 0);
    }
}
