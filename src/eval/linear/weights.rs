//! Weights as text: a line for each, name first.

use std::fmt::Write as _;

use thiserror::Error;

use super::{KNOTS, UNITS, policy, value};

/// What [`Linear`](super::Linear) is made from: a weight for every feature at
/// a few phases of the game, between which it changes linearly.
///
/// As text a weight is a line of its name and its numbers. Of the features of
/// positions (`value`) these are those for the logarithm of the odds to win
/// and what is added to it between the two tiles of a turn, then the same
/// for the lead in points; or (`blend`) two sets for the odds to win alone,
/// for what is blend with a rollout: of the leaf it begins at, and of where it
/// ends. Without any of these both are as for the position alone. Of the
/// features of steps (`step`) they are those for the first step of a turn and
/// for its second. Tiles have a layer between besides: a feature of theirs adds
/// its numbers to the units (`hidden`), and a unit has (`unit`) what it is
/// without any, then what it adds to the logit when it is above 0, each for
/// the first step and for the second. A name that is missing weighs nothing.
/// `#` begins a comment.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// For the result: the phases' weights, emptiest board last, and what is
    /// added in the middle of a turn.
    pub(crate) win: Vec<[f32; KNOTS.len() + 1]>,
    /// For the lead in points.
    pub(crate) lead: Vec<[f32; KNOTS.len() + 1]>,
    /// For the result, of leaves and of where rollouts end.
    pub(crate) blend: [Vec<[f32; KNOTS.len() + 1]>; 2],
    /// For a turn's first step and for its second tile.
    pub(crate) steps: [Vec<[f32; KNOTS.len()]>; 2],
    /// What the features of tiles add to the units between.
    pub(crate) hidden: Vec<[f32; UNITS]>,
    /// The units without features, for a turn's first step and for its second
    /// tile.
    pub(crate) biases: [[[f32; KNOTS.len()]; UNITS]; 2],
    /// What they add to the logit.
    pub(crate) outputs: [[[f32; KNOTS.len()]; UNITS]; 2],
}

/// The text is no list of weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct ParseWeightsError {
    /// Which line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The largest a weight can be: those of a fit are a hundred times smaller.
const LARGEST: f32 = 1000.0;

const VALUE: &str = "value";
const BLEND: &str = "blend";
const STEP: &str = "step";
const HIDDEN: &str = "hidden";
const OF_UNIT: &str = "unit";

/// As much of a word as an error shows.
fn cut(word: &str) -> String {
    word.chars().take(40).flat_map(char::escape_debug).collect()
}

impl Weights {
    /// Weights of zero.
    pub fn zero() -> Weights {
        let values = vec![[0.0; KNOTS.len() + 1]; value::INPUTS];
        let steps = vec![[0.0; KNOTS.len()]; policy::PARAMETERS];
        let blend = [values.clone(), values.clone()];
        Weights {
            win: values.clone(),
            lead: values,
            blend,
            steps: [steps.clone(), steps],
            hidden: vec![[0.0; UNITS]; policy::TILE],
            biases: [[[0.0; _]; _]; 2],
            outputs: [[[0.0; _]; _]; 2],
        }
    }

    /// Reads weights.
    pub fn parse(text: &str) -> Result<Weights, ParseWeightsError> {
        let mut weights = Weights::zero();
        let value_names: Vec<String> = value::names().collect();
        let step_names: Vec<String> = policy::names().collect();
        let mut is_blend = false;
        for (n, line) in text.lines().enumerate() {
            let refuse = |problem: String| ParseWeightsError { line: n + 1, problem };
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(kind) = words.next() else { continue };
            let name = words.next().unwrap_or_default();
            let numbers = words
                .map(|word| match word.parse::<f32>() {
                    Ok(number) if number.abs() <= LARGEST => Ok(number),
                    _ => {
                        let word = cut(word);
                        Err(refuse(format!("'{word}' is no number from -{LARGEST} to {LARGEST}")))
                    }
                })
                .collect::<Result<Vec<f32>, _>>()?;
            let place = |names: &[String]| {
                let place = names.iter().position(|known| known == name);
                place.ok_or_else(|| refuse(format!("no feature is called '{}'", cut(name))))
            };
            let count = |count: usize| {
                let expected = || format!("{} numbers where {count} are needed", numbers.len());
                if numbers.len() == count { Ok(()) } else { Err(refuse(expected())) }
            };
            let halves = |length: usize| {
                count(2 * length)?;
                Ok(numbers.split_at(length))
            };
            match kind {
                VALUE => {
                    let at = place(&value_names)?;
                    let (win, lead) = halves(KNOTS.len() + 1)?;
                    weights.win[at].copy_from_slice(win);
                    weights.lead[at].copy_from_slice(lead);
                }
                BLEND => {
                    is_blend = true;
                    let at = place(&value_names)?;
                    let (leaf, end) = halves(KNOTS.len() + 1)?;
                    weights.blend[0][at].copy_from_slice(leaf);
                    weights.blend[1][at].copy_from_slice(end);
                }
                STEP => {
                    let at = place(&step_names)?;
                    let (first, second) = halves(KNOTS.len())?;
                    weights.steps[0][at].copy_from_slice(first);
                    weights.steps[1][at].copy_from_slice(second);
                }
                HIDDEN => {
                    let at = place(&step_names[..policy::TILE])?;
                    count(UNITS)?;
                    weights.hidden[at].copy_from_slice(&numbers);
                }
                OF_UNIT => {
                    let unit = name.parse().ok().filter(|&unit: &usize| unit < UNITS);
                    let refusal =
                        || refuse(format!("'{}' is no unit from 0 to {}", cut(name), UNITS - 1));
                    let unit = unit.ok_or_else(refusal)?;
                    count(4 * KNOTS.len())?;
                    let all = weights.biases.iter_mut().chain(&mut weights.outputs);
                    for (all, numbers) in all.zip(numbers.chunks(KNOTS.len())) {
                        all[unit].copy_from_slice(numbers);
                    }
                }
                _ => {
                    let kinds = [VALUE, BLEND, STEP, HIDDEN, OF_UNIT].join(", ");
                    return Err(refuse(format!("'{}' is none of {kinds}", cut(kind))));
                }
            }
        }
        if !is_blend {
            weights.blend = [weights.win.clone(), weights.win.clone()];
        }
        Ok(weights)
    }

    /// The weights as text, with `comment` above them.
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
                    // Adding zero leaves no minus zero.
                    let _ = write!(text, " {:.4}", (number * 1e4).round() / 1e4 + 0.0);
                }
            }
            text.push('\n');
        };
        for (n, name) in value::names().enumerate() {
            line(VALUE, &name, &[&self.win[n], &self.lead[n]]);
        }
        for (n, name) in value::names().enumerate() {
            line(BLEND, &name, &[&self.blend[0][n], &self.blend[1][n]]);
        }
        for (n, name) in policy::names().enumerate() {
            line(STEP, &name, &[&self.steps[0][n], &self.steps[1][n]]);
        }
        for unit in 0..UNITS {
            let parts = self.biases.iter().chain(&self.outputs).map(|all| &all[unit][..]);
            line(OF_UNIT, &unit.to_string(), &parts.collect::<Vec<_>>());
        }
        for (name, weights) in policy::names().zip(&self.hidden) {
            line(HIDDEN, &name, &[weights]);
        }
        text
    }
}

/// The weights at `phase`, of those at the knots.
pub(crate) fn at_phase(knots: &[f32], phase: usize) -> f32 {
    let (low, share) = between(phase);
    knots[low] * (1.0 - share) + knots[low + 1] * share
}

/// The knot below `phase` and how far it is from there to the next, 0 to 1.
pub(crate) fn between(phase: usize) -> (usize, f32) {
    let phase = phase.clamp(KNOTS[0], KNOTS[KNOTS.len() - 1]);
    let low = (1..KNOTS.len() - 1).filter(|&knot| KNOTS[knot] <= phase).count();
    let width = KNOTS[low + 1] - KNOTS[low];
    (low, (phase - KNOTS[low]) as f32 / width as f32)
}
