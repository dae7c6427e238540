//! Weights and their text form.
//!
//! Weights are given at four phases of the game, the knots, and interpolated linearly between them.
//! The phase is how much room the board still has. It is a better clock than the number of the
//! turn: bridges take a turn but little room, and boards differ in size.
//!
//! The text is readable: one line for each feature, so that two fits can be compared with `diff`.
//!
//! ```text
//!   kind  feature      full board  ◄─ four phases ─►  empty   addend for half turns
//!   value own.points   0.0102  0.0338  0.0061  0.0001         0.0084    … the same for the lead
//! ```
//!
//! The line of a feature names it, so neither the order of the lines nor the order of the features
//! in the code matters. The smallest phase comes first: a board without room.

use std::fmt::Write as _;

use thiserror::Error;

use super::hidden::UNITS;
use super::position_features::INPUTS;
use super::position_features::names as value_names;
use super::step_features::names as step_names;
use super::step_features::{PARAMETERS, TILE};
use crate::game::{Color, Position};

/// The weights of every feature at a few phases of the game; between those they are interpolated.
///
/// The text form has one line for each feature and kind: `KIND NAME NUMBERS`. Phases go from the
/// fullest board to the emptiest. `#` begins a comment, and weights that are missing are zero.
///
/// | kind | numbers |
/// |---|---|
/// | `value` | logit of the result at 4 phases, addend for half turns; the same for the lead in points |
/// | `blend` | logit of the result in a leaf blend, 5 numbers for leaves and 5 for ends of rollouts; those of `value` if there is no such line |
/// | `step` | logit of a step at 4 phases, for a turn's first step and for its second tile |
/// | `unit` | by number: biases and output weights of a hidden unit, 4 phases each, for first steps and second tiles |
/// | `hidden` | weight of the feature for each of the 32 hidden units |
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// For the result: a weight at each knot, and an addend for half turns.
    pub win: Vec<[f32; KNOTS.len() + 1]>,
    /// For the lead in points.
    pub lead: Vec<[f32; KNOTS.len() + 1]>,
    /// For the result in a leaf blend: of leaves, and of ends of rollouts.
    pub blend: [Vec<[f32; KNOTS.len() + 1]>; 2],
    /// For a turn's first step and for its second tile.
    pub steps: [Vec<[f32; KNOTS.len()]>; 2],
    /// From each feature of tiles to each hidden unit.
    pub hidden: Vec<[f32; UNITS]>,
    /// The biases of the hidden units, for a turn's first step and for its second tile.
    pub biases: [[[f32; KNOTS.len()]; UNITS]; 2],
    /// From the hidden units to the logit, likewise.
    pub outputs: [[[f32; KNOTS.len()]; UNITS]; 2],
}

/// The error for a text that is not in the form of [`Weights`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ParseWeightsError {
    /// The line, counted from 1.
    line: usize,
    /// What is wrong with it.
    problem: LineProblem,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum LineProblem {
    #[error("'{kind}' is not one of {}", KINDS.join(", "))]
    Kind { kind: String },
    #[error("no feature is called '{0}'")]
    Feature(String),
    #[error("'{name}' is not a unit from 0 to {}", UNITS - 1)]
    Unit { name: String },
    #[error("'{0}' is not a number from -{LARGEST} to {LARGEST}")]
    Number(String),
    #[error("{found} numbers where {needed} are needed")]
    Count { found: usize, needed: usize },
}

/// The largest magnitude of a weight in the text. Fitted weights are a hundred times smaller.
const LARGEST: f32 = 1000.0;

/// The kinds of lines, in the order of the text.
const KINDS: [&str; 5] = [VALUE, BLEND, STEP, UNIT, HIDDEN];

const VALUE: &str = "value";

const BLEND: &str = "blend";

const STEP: &str = "step";

const HIDDEN: &str = "hidden";

const UNIT: &str = "unit";

impl Weights {
    /// All weights zero.
    pub fn zero() -> Weights {
        let values = vec![[0.0; KNOTS.len() + 1]; INPUTS];
        let steps = vec![[0.0; KNOTS.len()]; PARAMETERS];
        let blend = [values.clone(), values.clone()];
        Weights {
            win: values.clone(),
            lead: values,
            blend,
            steps: [steps.clone(), steps],
            hidden: vec![[0.0; UNITS]; TILE],
            biases: [[[0.0; _]; _]; 2],
            outputs: [[[0.0; _]; _]; 2],
        }
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// The first line that is neither a comment nor weights of a known feature.
    pub fn parse(text: &str) -> Result<Weights, ParseWeightsError> {
        let mut weights = Weights::zero();
        let names = KINDS.map(|kind| (kind, names(kind)));
        let mut has_blend = false;
        for (line, text) in (1..).zip(text.lines()) {
            let kind = weights.read_line(text, &names);
            let kind = kind.map_err(|problem| ParseWeightsError { line, problem })?;
            has_blend |= kind == Some(BLEND);
        }
        if !has_blend {
            weights.blend = [weights.win.clone(), weights.win.clone()];
        }
        Ok(weights)
    }

    /// Reads a line and returns its kind; `None` if it is blank or a comment.
    fn read_line<'n>(
        &mut self,
        text: &str,
        names: &[(&'n str, Vec<String>)],
    ) -> Result<Option<&'n str>, LineProblem> {
        let mut words = text.split('#').next().unwrap_or_default().split_whitespace();
        let Some(kind) = words.next() else { return Ok(None) };
        let name = words.next().unwrap_or_default();
        let number = |word: &str| match word.parse::<f32>() {
            Ok(number) if number.abs() <= LARGEST => Ok(number),
            _ => Err(LineProblem::Number(shorten(word))),
        };
        let numbers = words.map(number).collect::<Result<Vec<f32>, _>>()?;
        let of_kind = names.iter().find(|(name, _)| *name == kind);
        let (kind, names) = of_kind.ok_or_else(|| LineProblem::Kind { kind: shorten(kind) })?;
        let index = names.iter().position(|listed| listed == name).ok_or_else(|| {
            if *kind == UNIT {
                LineProblem::Unit { name: shorten(name) }
            } else {
                LineProblem::Feature(shorten(name))
            }
        })?;
        let parts = self.line_weights(kind, index);
        let (found, needed) = (numbers.len(), parts.iter().map(|part| part.len()).sum());
        if found != needed {
            return Err(LineProblem::Count { found, needed });
        }
        let weights = parts.into_iter().flatten();
        weights.zip(numbers).for_each(|(weight, number)| *weight = number);
        Ok(Some(kind))
    }

    /// The weights that a line sets, in the order of its numbers.
    fn line_weights(&mut self, kind: &str, index: usize) -> Vec<&mut [f32]> {
        match kind {
            VALUE => vec![&mut self.win[index], &mut self.lead[index]],
            BLEND => self.blend.iter_mut().map(|all| &mut all[index][..]).collect(),
            STEP => self.steps.iter_mut().map(|all| &mut all[index][..]).collect(),
            HIDDEN => vec![&mut self.hidden[index]],
            // `UNIT`: `read_line` has checked the kind.
            _ => {
                let all = self.biases.iter_mut().chain(&mut self.outputs);
                all.map(|all| &mut all[index][..]).collect()
            }
        }
    }

    /// The text form, with `comment` at the top.
    pub fn to_text(&self, comment: &str) -> String {
        let mut text = String::new();
        for line in comment.lines() {
            let _ = writeln!(text, "# {line}");
        }
        // A copy only because `line_weights` borrows mutably, as reading needs it.
        let mut weights = self.clone();
        for kind in KINDS {
            for (index, name) in names(kind).iter().enumerate() {
                let _ = write!(text, "{kind} {name}");
                for part in weights.line_weights(kind, index) {
                    text.push(' ');
                    for number in part {
                        // Adding zero turns -0 into 0.
                        let _ = write!(text, " {:.4}", (*number * 1e4).round() / 1e4 + 0.0);
                    }
                }
                text.push('\n');
            }
        }
        text
    }
}

/// The names that the lines of a kind can have, in order.
fn names(kind: &str) -> Vec<String> {
    match kind {
        VALUE | BLEND => value_names().collect(),
        STEP => step_names().collect(),
        HIDDEN => step_names().take(TILE).collect(),
        _ => (0..UNITS).map(|unit| unit.to_string()).collect(),
    }
}

/// The first 40 characters of a word, for an error, with control characters escaped.
fn shorten(word: &str) -> String {
    word.chars().take(40).flat_map(char::escape_debug).collect()
}

/// The number of phases: the share of the board that is open, in 32nds, from 0 to 32.
pub(crate) const PHASES: usize = 33;

/// The phases for which there are weights. Set by judgement, closer together towards the end of the
/// game. Beyond the last, with three quarters of the board open, weights stay the same. More knots
/// need more games to fit; a change needs new weights.
pub const KNOTS: [usize; 4] = [0, 6, 14, 24];

/// The phase of `position`, from 0 when neither side can place a tile up to `PHASES` - 1 when every
/// cell is free.
#[inline(always)]
pub fn phase(position: &Position) -> usize {
    let candidates = Color::BOTH.map(|color| position.open_cells(color));
    let mut room = (candidates[0] | candidates[1]).len();
    // A limited supply can run out before the board is full.
    if let (Some(a), Some(b)) = (position.tiles_left(Color::White), position.tiles_left(Color::Red))
    {
        room = room.min(u32::from(a) + u32::from(b));
    }
    let size = u32::from(position.size().get());
    room as usize * (PHASES - 1) / (size * size) as usize
}

/// The weight at `phase`, given the weights at the knots.
pub(super) fn at_phase(knots: &[f32], phase: usize) -> f32 {
    let (low, share) = between(phase);
    knots[low] * (1.0 - share) + knots[low + 1] * share
}

/// The index of the knot below `phase`, and how far `phase` is from there to the next knot, 0 to 1.
pub fn between(phase: usize) -> (usize, f32) {
    let phase = phase.clamp(KNOTS[0], KNOTS[KNOTS.len() - 1]);
    let low = (1..KNOTS.len() - 1).filter(|&knot| KNOTS[knot] <= phase).count();
    let width = KNOTS[low + 1] - KNOTS[low];
    (low, (phase - KNOTS[low]) as f32 / width as f32)
}
