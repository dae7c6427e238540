//! Tunable constants of the search.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::tree::bounds::{Bounds, SearchValue};
use crate::board::Size;
use crate::game::Value;

/// Tunable constants of the search. The text form is `NAME=VALUE,...`, with 0
/// and 1 for flags; names left out have their defaults.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Weight of the prior against the value (c in PUCT). Larger values search
    /// more widely.
    pub exploration: f64,
    /// First-play urgency: an unopened step has the mean utility of its node
    /// less this times √(sum of the priors of the opened steps). Larger values
    /// search more deeply.
    pub first_play_reduction: f64,
    /// Progressive widening: a node opens at most 4 + `widening`·√visits steps.
    /// 0 means no limit.
    pub widening: f64,
    /// Whether positions reached by different move orders share a node.
    pub transpositions: bool,
    /// Visits after which the priors of a node are refined by the hidden layer.
    /// Larger values are faster and less accurate. The root's priors are
    /// always refined, and those of nodes that the history learns from.
    pub refine_after: f64,
    /// Whether visits of a step correct its priors in other nodes: by the
    /// square root of the ratio of actual to predicted visits.
    pub history: bool,
    /// Pseudo-count in square-root visits, added to actual and predicted
    /// visits. Larger values trust small samples less.
    pub history_doubt: f64,
    /// Visits after which the history learns from a node, whenever they are a
    /// power of two. Larger values make it learn less often, from better
    /// samples.
    pub history_after: f64,
    /// Turns of the rollout before a leaf's second evaluation, on boards of up
    /// to 100 cells. The evaluator `rollout` always plays to the end.
    pub rollout_turns: f64,
    /// Growth of `rollout_turns`, as a fraction of it per cell beyond 100.
    pub rollout_growth: f64,
    /// Weight of the evaluation before the rollout in a leaf's value, 0 to 1;
    /// the rest is the evaluation after it.
    pub static_share: f64,
    /// The same for the evaluator `rollout`, whose static evaluation was not
    /// fitted for a blend.
    pub rollout_share: f64,
    /// Largest leaf, in the solver's size estimate (cells and bridge sites
    /// still in play), that is solved before it is searched.
    pub leaf_size: f64,
    /// Solver nodes per solved leaf. Larger values prove more and cost time.
    pub leaf_nodes: f64,
    /// Weight of the lead in the utility, 0 to 1; the rest is the win rate.
    /// Larger values care more about the margin.
    pub lead_share: f64,
    /// Lead in points at which the lead's part of the utility is half-way
    /// between even and its limit. Larger values tell large leads apart better.
    pub lead_scale: f64,
    /// Share of a turn's time and iterations spent on its first step, 0.1 to 1.
    pub first_step_share: f64,
    /// A turn on the clock ends once the favourite leads by more than this
    /// times the visits left. At 1 it ends when it can no longer be overtaken;
    /// larger values end it later.
    pub decide: f64,
    /// How strongly the time of a turn follows its difficulty. 0 gives every
    /// turn the usual time.
    pub doubt: f64,
    /// Standard errors below the mean at which the final choice ranks steps
    /// (lower confidence bound). Larger values prefer well visited steps; 0
    /// ranks by visits.
    pub confidence: f64,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            exploration: 0.8,
            first_play_reduction: 0.1,
            widening: 2.0,
            transpositions: true,
            refine_after: 4.0,
            history: true,
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

/// A field of [`Params`].
enum Field {
    /// A number within a range.
    Number(RangeInclusive<f64>, fn(&mut Params) -> &mut f64),
    /// A flag, written 0 or 1.
    Flag(fn(&mut Params) -> &mut bool),
}

macro_rules! number {
    ($name:ident, $range:expr) => {
        (stringify!($name), Field::Number($range, |params| &mut params.$name))
    };
}

macro_rules! flag {
    ($name:ident) => {
        (stringify!($name), Field::Flag(|params| &mut params.$name))
    };
}

/// All fields by name, with their ranges.
static FIELDS: &[(&str, Field)] = &[
    number!(exploration, 0.0..=10.0),
    number!(first_play_reduction, -1.0..=1.0),
    number!(widening, 0.0..=1000.0),
    flag!(transpositions),
    number!(refine_after, 0.0..=1_000_000.0),
    flag!(history),
    number!(history_doubt, 0.01..=1000.0),
    number!(history_after, 1.0..=1_000_000.0),
    number!(rollout_turns, 0.0..=1000.0),
    number!(rollout_growth, 0.0..=10.0),
    number!(static_share, 0.0..=1.0),
    number!(rollout_share, 0.0..=1.0),
    number!(leaf_size, 0.0..=1000.0),
    number!(leaf_nodes, 0.0..=1_000_000.0),
    number!(lead_share, 0.0..=1.0),
    number!(lead_scale, 0.1..=100.0),
    number!(first_step_share, 0.1..=1.0),
    number!(decide, 0.0..=1_000_000.0),
    number!(doubt, 0.0..=2.0),
    number!(confidence, 0.0..=10.0),
];

impl fmt::Display for Params {
    /// `NAME=VALUE,NAME=VALUE,...`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut params = *self;
        for (number, (name, field)) in FIELDS.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{name}=")?;
            match field {
                Field::Number(_, get) => write!(f, "{}", get(&mut params))?,
                Field::Flag(get) => write!(f, "{}", u8::from(*get(&mut params)))?,
            }
        }
        Ok(())
    }
}

/// A part of a text that names no parameter, or a value out of range.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{part}' is not NAME=VALUE with a value in its range: {}", ranges())]
pub struct ParseParamsError {
    part: String,
}

/// All names and ranges, for the error text.
fn ranges() -> String {
    let range = |(name, field): &(&str, Field)| match field {
        Field::Number(range, _) => format!("{name}={}..{}", range.start(), range.end()),
        Field::Flag(_) => format!("{name}=0|1"),
    };
    FIELDS.iter().map(range).collect::<Vec<_>>().join(" ")
}

impl FromStr for Params {
    type Err = ParseParamsError;

    /// Reads `NAME=VALUE,...`; names left out have their defaults.
    fn from_str(text: &str) -> Result<Params, ParseParamsError> {
        let mut params = Params::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            params.set(part).ok_or_else(|| ParseParamsError { part: part.to_owned() })?;
        }
        Ok(params)
    }
}

impl Params {
    /// Sets one parameter from `NAME=VALUE`; `None` if that is not possible.
    fn set(&mut self, part: &str) -> Option<()> {
        let (name, value) = part.split_once('=')?;
        let (_, field) = FIELDS.iter().find(|field| field.0 == name)?;
        match field {
            Field::Number(range, get) => {
                *get(self) = value.parse().ok().filter(|value| range.contains(value))?;
            }
            Field::Flag(get) => {
                *get(self) = match value {
                    "0" => false,
                    "1" => true,
                    _ => return None,
                };
            }
        }
        Some(())
    }

    /// Turns of a rollout on a board of this size.
    pub fn rollout_turns_on(&self, size: Size) -> u32 {
        let more = (u32::from(size.get()) * u32::from(size.get())).saturating_sub(100);
        (self.rollout_turns * (1.0 + self.rollout_growth * f64::from(more)) + 0.5) as u32
    }

    /// The utility, 0 to 1, of a win rate and a lead of the same player. The
    /// lead's small share makes the search extend leads and limit defeats.
    pub(super) fn utility(&self, win: f32, lead: f32) -> f32 {
        let lead = lead / self.lead_scale as f32;
        win + self.lead_share as f32 * (0.5 + 0.5 * lead / (1.0 + lead.abs()) - win)
    }

    /// White's result, limited to proved bounds.
    pub(super) fn clamp(&self, result: SearchValue, bounds: Bounds) -> SearchValue {
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
