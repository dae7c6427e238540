//! Weights and their text form.
//!
//! Weights are given at four phases of the game and interpolated linearly between
//! them. The phase is how much room the board still has.

use std::fmt::Write as _;

use thiserror::Error;

use super::hidden::UNITS;
use super::position_features::INPUTS;
use super::position_features::names as value_names;
use super::step_features::names as step_names;
use super::step_features::{PARAMETERS, TILE};
use crate::game::{Color, Position};

/// The weights of every feature at a few phases of the game; between those
/// they are interpolated.
///
/// The text form has one line for each feature and kind: `KIND NAME NUMBERS`.
/// Phases go from the fullest board to the emptiest. `#` begins a comment, and
/// weights that are missing are zero.
///
/// | kind | numbers |
/// |---|---|
/// | `value` | logit of the result at 4 phases, addend for half turns; the same for the lead in points |
/// | `blend` | logit of the result in a leaf blend, 5 numbers for leaves and 5 for ends of rollouts; without any line both are as in `value` |
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
    /// Of the hidden units, for a turn's first step and for its second tile.
    pub biases: [[[f32; KNOTS.len()]; UNITS]; 2],
    /// From the hidden units to the logit, likewise.
    pub outputs: [[[f32; KNOTS.len()]; UNITS]; 2],
}

/// A text is not in the form of [`Weights`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ParseWeightsError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The largest magnitude of a weight in the text. Fitted weights are a hundred
/// times smaller.
const LARGEST: f32 = 1000.0;

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
    pub fn parse(text: &str) -> Result<Weights, ParseWeightsError> {
        let mut weights = Weights::zero();
        let names = Names { values: value_names().collect(), steps: step_names().collect() };
        let mut has_blend = false;
        for (n, line) in text.lines().enumerate() {
            let error = |problem: String| ParseWeightsError { line: n + 1, problem };
            if let Some(line) = Line::parse(line).map_err(error)? {
                weights.set(&line, &names).map_err(error)?;
                has_blend |= line.kind == BLEND;
            }
        }
        if !has_blend {
            weights.blend = [weights.win.clone(), weights.win.clone()];
        }
        Ok(weights)
    }

    /// Sets the weights that `line` gives, or says what is wrong with it.
    fn set(&mut self, line: &Line<'_>, names: &Names) -> Result<(), String> {
        match line.kind {
            VALUE => {
                let at = line.index(&names.values)?;
                let (win, lead) = line.halves(KNOTS.len() + 1)?;
                self.win[at].copy_from_slice(win);
                self.lead[at].copy_from_slice(lead);
            }
            BLEND => {
                let at = line.index(&names.values)?;
                let (leaf, end) = line.halves(KNOTS.len() + 1)?;
                self.blend[0][at].copy_from_slice(leaf);
                self.blend[1][at].copy_from_slice(end);
            }
            STEP => {
                let at = line.index(&names.steps)?;
                let (first, second) = line.halves(KNOTS.len())?;
                self.steps[0][at].copy_from_slice(first);
                self.steps[1][at].copy_from_slice(second);
            }
            HIDDEN => {
                let at = line.index(&names.steps[..TILE])?;
                self.hidden[at].copy_from_slice(line.numbers(UNITS)?);
            }
            UNIT => {
                let unit = line.name.parse().ok().filter(|&unit: &usize| unit < UNITS);
                let problem =
                    || format!("'{}' is not a unit from 0 to {}", cut(line.name), UNITS - 1);
                let unit = unit.ok_or_else(problem)?;
                let numbers = line.numbers(4 * KNOTS.len())?;
                let all = self.biases.iter_mut().chain(&mut self.outputs);
                for (all, numbers) in all.zip(numbers.chunks(KNOTS.len())) {
                    all[unit].copy_from_slice(numbers);
                }
            }
            kind => {
                let kinds = [VALUE, BLEND, STEP, HIDDEN, UNIT].join(", ");
                return Err(format!("'{}' is not one of {kinds}", cut(kind)));
            }
        }
        Ok(())
    }

    /// The text form, with `comment` at the top.
    pub fn to_text(&self, comment: &str) -> String {
        let mut text = String::new();
        for line in comment.lines() {
            let _ = writeln!(text, "# {line}");
        }
        let mut line = |kind: &str, name: &str, numbers: &[&[f32]]| {
            let _ = write!(text, "{kind} {name}");
            for part in numbers {
                text.push(' ');
                for number in *part {
                    // Adding zero turns -0 into 0.
                    let _ = write!(text, " {:.4}", (number * 1e4).round() / 1e4 + 0.0);
                }
            }
            text.push('\n');
        };
        for (n, name) in value_names().enumerate() {
            line(VALUE, &name, &[&self.win[n], &self.lead[n]]);
        }
        for (n, name) in value_names().enumerate() {
            line(BLEND, &name, &[&self.blend[0][n], &self.blend[1][n]]);
        }
        for (n, name) in step_names().enumerate() {
            line(STEP, &name, &[&self.steps[0][n], &self.steps[1][n]]);
        }
        for unit in 0..UNITS {
            let parts = self.biases.iter().chain(&self.outputs).map(|all| &all[unit][..]);
            line(UNIT, &unit.to_string(), &parts.collect::<Vec<_>>());
        }
        for (name, weights) in step_names().zip(&self.hidden) {
            line(HIDDEN, &name, &[weights]);
        }
        text
    }
}

/// The names of features.
struct Names {
    values: Vec<String>,
    steps: Vec<String>,
}

/// A line that gives weights.
struct Line<'a> {
    kind: &'a str,
    name: &'a str,
    numbers: Vec<f32>,
}

impl<'a> Line<'a> {
    /// The line in `text`; `None` if that is blank or a comment.
    fn parse(text: &'a str) -> Result<Option<Line<'a>>, String> {
        let mut words = text.split('#').next().unwrap_or_default().split_whitespace();
        let Some(kind) = words.next() else { return Ok(None) };
        let name = words.next().unwrap_or_default();
        let number = |word: &str| match word.parse::<f32>() {
            Ok(number) if number.abs() <= LARGEST => Ok(number),
            _ => Err(format!("'{}' is not a number from -{LARGEST} to {LARGEST}", cut(word))),
        };
        let numbers = words.map(number).collect::<Result<_, _>>()?;
        Ok(Some(Line { kind, name, numbers }))
    }

    /// The index of the line's feature in `names`.
    fn index(&self, names: &[String]) -> Result<usize, String> {
        let index = names.iter().position(|known| known == self.name);
        index.ok_or_else(|| format!("no feature is called '{}'", cut(self.name)))
    }

    /// The line's numbers, which must be `count`.
    fn numbers(&self, count: usize) -> Result<&[f32], String> {
        if self.numbers.len() == count {
            return Ok(&self.numbers);
        }
        Err(format!("{} numbers where {count} are needed", self.numbers.len()))
    }

    /// The line's numbers in two halves of `length` each.
    fn halves(&self, length: usize) -> Result<(&[f32], &[f32]), String> {
        Ok(self.numbers(2 * length)?.split_at(length))
    }
}

/// As much of a word as an error shows, with control characters escaped.
fn cut(word: &str) -> String {
    word.chars().take(40).flat_map(char::escape_debug).collect()
}

/// The number of phases.
pub(crate) const PHASES: usize = 33;

/// The phases for which there are weights.
pub const KNOTS: [usize; 4] = [0, 6, 14, 24];

/// The phase of `position`, from 0 when neither side can place a tile up to
/// `PHASES` - 1 when every cell is free.
#[inline(always)]
pub fn phase(position: &Position) -> usize {
    let candidates = Color::BOTH.map(|color| position.candidates(color));
    let mut room = (candidates[0] | candidates[1]).len();
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

/// The index of the knot below `phase`, and how far `phase` is from there to
/// the next knot, 0 to 1.
pub fn between(phase: usize) -> (usize, f32) {
    let phase = phase.clamp(KNOTS[0], KNOTS[KNOTS.len() - 1]);
    let low = (1..KNOTS.len() - 1).filter(|&knot| KNOTS[knot] <= phase).count();
    let width = KNOTS[low + 1] - KNOTS[low];
    (low, (phase - KNOTS[low]) as f32 / width as f32)
}
