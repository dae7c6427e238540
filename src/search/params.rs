//! Tunable constants of the search: what each means, where its value comes from, and what happens
//! if it is changed.
//!
//! Most values were found one at a time, by matches against the version before
//! (docs/experiments.tsv); the others were chosen. Tuning them together by SPSA, over 815 pairs of
//! games, found nothing better: the two best values of each run lost 23 Elo [-63, +16] and 15
//! [-58, +27]. Elo below is for 10×10 unless another board is named, with 95 % intervals.
//!
//! Some constants belong together. The weights were fitted for `rollout_turns` and `static_share`,
//! so changing either needs a new fit. `exploration` depends on how sharp the prior is, so a new
//! prior is a reason to tune it again.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use super::tree::bounds::{Bounds, SearchValue};
use crate::board::Size;
use crate::game::Value;
use crate::messages::excerpt;

/// Tunable constants of the search. The text form is `NAME=VALUE,...`, with 0 and 1 for flags;
/// names left out have their defaults.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Weight of the prior against the value (c in PUCT), in units of utility. Larger values search
    /// more widely. 0.8 by matches: 1.1 lost 62 Elo [-125, -1], 0.6 lost nothing that could be
    /// measured (-5 [-61, +49]).
    pub exploration: f64,
    /// First-play urgency: an unopened step has the mean utility of its node less this times √(sum
    /// of the priors of the opened steps), in units of utility. Larger values search more deeply.
    /// 0.1 was chosen; SPSA leaned towards 0.14 without a gain.
    pub first_play_reduction: f64,
    /// Progressive widening: a node opens at most 4 + `widening`·√visits steps. 0 means no limit. 2
    /// brought +48 Elo [-20, +116] against no limit. It frees a node of 90 steps at 1,850 visits, 4
    /// would at 460.
    pub widening: f64,
    /// Whether positions reached by different move orders share a node: +37 Elo [+11, +62]. Without
    /// it the tree has no shared nodes, which helps tests and comparisons.
    pub transpositions: bool,
    /// Visits after which the priors of a node are refined by the hidden layer. Larger values are
    /// faster and less accurate. The root's priors are always refined, and those of nodes that the
    /// history learns from. 4 is the best of three settings, with +113 Elo [+32, +198] against no
    /// hidden layer; 6 gained nothing.
    pub refine_after: f64,
    /// Whether visits of a step correct its priors in other nodes, by the square root of the ratio
    /// of actual to predicted visits: +67 Elo [+3, +133].
    pub history: bool,
    /// Pseudo-count in square-root visits, added to actual and predicted visits. Larger values
    /// trust small samples less. 2 was chosen; SPSA stayed at 1.9.
    pub history_doubt: f64,
    /// Visits after which the history learns from a node, whenever they are a power of two. Larger
    /// values make it learn less often, from better samples. 16 was chosen; an earlier form of the
    /// history also ran with 8 and 32.
    pub history_after: f64,
    /// Turns of the rollout before a leaf's second evaluation, on boards of up to 100 cells. The
    /// evaluator `rollout` always plays to the end. 10 by matches, and the blend is fitted for it:
    /// 20 turns with weights of their own lost 57 Elo [-96, -20] on 8×8. A rollout takes a quarter
    /// of the time, so 20 turns also cost iterations.
    pub rollout_turns: f64,
    /// Growth of `rollout_turns`, as a fraction of it per cell beyond 100: 21 turns on 12×12. 18
    /// and 28 turns there measured the same.
    pub rollout_growth: f64,
    /// Weight of the evaluation before the rollout in a leaf's value, 0 to 1; the rest is the
    /// evaluation after it. The weights are fitted for 0.25: +20 Elo [-5, +45] against 0.4 with
    /// weights of its own. Another value needs another fit.
    pub static_share: f64,
    /// The same for the evaluator `rollout`, whose static evaluation was not fitted for a blend:
    /// 0.25 lost 40 Elo [-89, +9] against 0.4.
    pub rollout_share: f64,
    /// The largest size of a leaf that is solved before it is searched, as estimated by the solver:
    /// cells and bridge sites still in play. 20 lies between 16 and 24, of which 24 won. Much
    /// larger leaves are seldom solved within `leaf_nodes`.
    pub leaf_size: f64,
    /// Solver nodes per solved leaf. Larger values prove more and cost time. 50 was chosen; SPSA
    /// leaned towards 68 without a gain. 0 keeps the bounds from the board alone.
    pub leaf_nodes: f64,
    /// Weight of the lead in the utility, 0 to 1; the rest is the win rate. Larger values care more
    /// about the margin. 0.1 was chosen; with 0 the engine would play aimlessly once a game is
    /// decided.
    pub lead_share: f64,
    /// Lead in points at which the lead's part of the utility is half-way between even and its
    /// limit. Larger values tell large leads apart better, small ones worse. 10 was chosen; SPSA
    /// ended at 11 without a gain.
    pub lead_scale: f64,
    /// Share of a turn's time and iterations spent on its first step, 0.1 to 1. The first step's
    /// tree contains the second, so most of the work serves both. 0.85 beat 0.7 by 49 Elo
    /// [+5, +94], 0.95 beat 0.85 by 46 [-9, +102]; 0.9 lies between them.
    pub first_step_share: f64,
    /// A turn on the clock ends once the favourite leads by more than this times the visits left.
    /// At 1, the natural value, it ends when it can no longer be overtaken; larger values end it
    /// later, smaller ones bet on the favourite.
    pub decide: f64,
    /// How strongly the time of a turn on the clock follows its difficulty. 0 gives every turn the
    /// usual time; 2 doubles the deviation from it. 1, the plain deviation, was chosen.
    pub doubt: f64,
    /// Standard errors below the mean at which the final choice ranks steps (lower confidence
    /// bound). Larger values prefer well visited steps; 0 ranks by visits. 1.5 brought +15 Elo
    /// [-11, +41] against visits; 2.1 gained nothing.
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

/// A field of [`Params`], with a function that reaches it.
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

/// All fields by name, with the ranges that a text may set. The ranges exclude only senseless
/// values, so that they do not limit experiments.
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

/// Why a text could not be read as [`Params`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseParamsError {
    /// A part has no equals sign.
    #[error("'{0}' is not NAME=VALUE")]
    NoValue(String),
    /// There is no constant of this name.
    #[error("there is no constant '{0}'; there are {names}", names = names())]
    Unknown(String),
    /// The value is not in the constant's range.
    #[error("{name} must be {expected}, not '{value}'")]
    Value {
        /// The constant.
        name: &'static str,
        /// What its value may be.
        expected: String,
        /// The text that was given.
        value: String,
    },
}

/// The names of all constants, for the error text.
fn names() -> String {
    FIELDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

impl FromStr for Params {
    type Err = ParseParamsError;

    /// Reads `NAME=VALUE,...`; names left out have their defaults.
    fn from_str(text: &str) -> Result<Params, ParseParamsError> {
        let mut params = Params::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            params.set(part)?;
        }
        Ok(params)
    }
}

impl Params {
    /// Sets one constant from `NAME=VALUE`.
    fn set(&mut self, part: &str) -> Result<(), ParseParamsError> {
        let (name, value) =
            part.split_once('=').ok_or_else(|| ParseParamsError::NoValue(excerpt(part)))?;
        let (name, field) = FIELDS
            .iter()
            .find(|field| field.0 == name)
            .ok_or_else(|| ParseParamsError::Unknown(excerpt(name)))?;
        let refuse = |expected| ParseParamsError::Value { name, expected, value: excerpt(value) };
        match field {
            Field::Number(range, get) => {
                let number = value.parse().ok().filter(|number| range.contains(number));
                *get(self) = number
                    .ok_or_else(|| refuse(format!("from {} to {}", range.start(), range.end())))?;
            }
            Field::Flag(get) => {
                *get(self) = match value {
                    "0" => false,
                    "1" => true,
                    _ => return Err(refuse("0 or 1".to_owned())),
                };
            }
        }
        Ok(())
    }

    /// Turns of a rollout on a board of this size.
    pub fn rollout_turns_on(&self, size: Size) -> u32 {
        let more_cells = (u32::from(size.get()) * u32::from(size.get())).saturating_sub(100);
        (self.rollout_turns * (1.0 + self.rollout_growth * f64::from(more_cells)) + 0.5) as u32
    }

    /// The utility, 0 to 1, of a win rate and a lead of the same player. The lead's small share
    /// makes the search extend leads and limit defeats.
    pub(super) fn utility(&self, win: f32, lead: f32) -> f32 {
        // x / (1 + |x|) saturates as `tanh` does, and is cheap enough for every evaluation.
        let lead = lead / self.lead_scale as f32;
        win + self.lead_share as f32 * (0.5 + 0.5 * lead / (1.0 + lead.abs()) - win)
    }

    /// White's result, clamped to proved bounds.
    pub(super) fn clamp(&self, result: SearchValue, bounds: Bounds) -> SearchValue {
        // The usual case: most nodes have no bounds.
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
        let (win, lead) = (value.win_rate(), value.points());
        SearchValue { utility: self.utility(win, lead), win, lead }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollouts_are_longer_on_larger_boards() {
        let turns = |params: &Params, size| params.rollout_turns_on(Size::new(size).unwrap());
        assert_eq!([4, 10, 11, 12].map(|size| turns(&Params::default(), size)), [10, 10, 15, 21]);
        let without = Params { rollout_turns: 0.0, ..Params::default() };
        assert_eq!(turns(&without, 12), 0);
    }
}
