//! An evaluation and a prior without rollouts: sums of weights over features
//! of the position and of the steps, fitted to games by `pontifex fit`.
//!
//! The value is a logistic function of weighted counts of what either side
//! has and could do, the prior the exponential of what is true of a cell or a
//! bridge and of what lies around it; where it is worth the time, a small
//! hidden layer adds what all that means together for a cell. Weights depend
//! on the phase of the game. The sums of a step's weights are of integers,
//! those of a position's are of single floats in a fixed order and nothing
//! else is used than the four arithmetic operations: results are the same on
//! every machine.

mod hidden;
mod logits;
pub(super) mod math;
pub(crate) mod policy;
pub(crate) mod value;

pub(crate) mod weights;

use std::sync::OnceLock;

use super::Instructions;
use super::dispatch::compiled_for;
use super::view::Sight;
use crate::board::{Cell, Cells, Size};
use crate::game::{Color, Position, Step};
pub(crate) use hidden::UNITS;
use hidden::{Hidden, Units};
use logits::{Kernel, Logits};
use policy::Sketch;
pub use weights::{ParseWeightsError, Weights};

/// Phases of the game that are told apart.
pub(crate) const PHASES: usize = 33;

/// The phases for which there are weights.
pub(crate) const KNOTS: [usize; 4] = [0, 6, 14, 24];

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The expected result, 0 for a loss to 1 for a win.
    pub win: f32,
    /// The expected lead in points at the end of the game.
    pub lead: f32,
}

/// What an evaluation is for: its odds to win have weights accordingly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To stand alone.
    Alone,
    /// To be blend with what a rollout from the position finds.
    Leaf,
    /// To be what a rollout found that ended in the position.
    End,
}

/// Weights made ready for use.
#[derive(Clone)]
pub struct Linear {
    /// For whole and half turns, by phase.
    values: [Vec<ValueTable>; 2],
    /// For a turn's first and second step, by phase.
    steps: [Vec<StepTable>; 2],
    /// `None` when the units add nothing.
    hidden: Option<Box<Hidden>>,
    /// By board size, the edge class of each cell.
    edges: Vec<[u8; Cell::TABLE]>,
}

/// [`value::INPUTS`] made up to whole vectors.
const WIDTH: usize = value::INPUTS.next_multiple_of(LANES);

/// Sums that are added up side by side.
const LANES: usize = 8;

#[derive(Clone)]
struct ValueTable {
    /// By [`Purpose`].
    win: [[f32; WIDTH]; 3],
    lead: [f32; WIDTH],
}

/// The weights of steps in units of 1/[`UNIT`].
#[derive(Clone)]
struct StepTable {
    planes: [i16; policy::PLANES],
    edges: [i16; policy::EDGES],
    /// One for each of [`policy::SOURCES`].
    kernels: Vec<Kernel>,
    bridge: [i32; policy::BRIDGE_FEATURES],
    pass: i32,
    units: Units,
}

/// Weights of steps are kept as multiples of one part in so many.
pub(crate) const UNIT: f32 = 256.0;

/// The weights the engine comes with, for boards to 10×10 and for larger ones.
const BUILT_IN: [&str; 2] = [include_str!("weights.txt"), include_str!("weights-large.txt")];

/// Which of the weights built in are for boards of that size.
fn index(size: Size) -> usize {
    usize::from(size > Size::STANDARD)
}

/// The weights the engine comes with for boards of that size, as text.
pub(crate) fn built_in_text(size: Size) -> &'static str {
    BUILT_IN[index(size)]
}

/// A checksum of them, CRC-32 (IEEE).
pub(crate) fn built_in_checksum(size: Size) -> u32 {
    crc32fast::hash(built_in_text(size).as_bytes())
}

/// What `position` is worth by the weights the engine comes with.
pub fn evaluate(position: &Position) -> Evaluation {
    Linear::built_in(position.size()).evaluate(position)
}

/// The same for that purpose.
pub fn evaluate_for(position: &Position, purpose: Purpose) -> Evaluation {
    Linear::built_in(position.size()).evaluate_for(position, purpose)
}

/// Fills `steps` with the legal steps and how likely each looks by the
/// weights the engine comes with; the likelihoods add up to 1. No swap is
/// among them.
pub fn priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(position.size()).priors(position, steps);
}

/// The same with what the hidden layer adds.
pub fn refined_priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(position.size()).refined_priors(position, steps);
}

impl Linear {
    /// The weights the engine comes with for boards of that size.
    ///
    /// # Panics
    /// When they cannot be read, which a test rules out.
    pub fn built_in(size: Size) -> &'static Linear {
        static BUILT: [OnceLock<Linear>; BUILT_IN.len()] = [const { OnceLock::new() }; _];
        BUILT[index(size)].get_or_init(|| match Weights::parse(built_in_text(size)) {
            Ok(weights) => Linear::new(&weights),
            Err(error) => panic!("the weights for {size}x{size}: {error}"),
        })
    }

    /// Makes `weights` ready for use.
    pub fn new(weights: &Weights) -> Linear {
        let values = [0.0, 1.0]
            .map(|half| (0..PHASES).map(|phase| ValueTable::new(weights, phase, half)).collect());
        let steps = [0, 1].map(|second| {
            (0..PHASES).map(|phase| StepTable::new(weights, second, phase)).collect()
        });
        let mut edges = vec![[0; Cell::TABLE]; usize::from(Size::MAX.get()) + 1];
        for size in Size::all() {
            for cell in Cells::board(size) {
                edges[usize::from(size.get())][cell.index()] = policy::edge(cell, size) as u8;
            }
        }
        let has_units = weights.outputs.as_flattened().as_flattened().iter().any(|&w| w != 0.0);
        let hidden = has_units.then(|| Box::new(Hidden::new(&weights.hidden)));
        Linear { values, steps, hidden, edges }
    }

    /// What `position` is worth.
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        self.evaluate_for(position, Purpose::Alone)
    }

    /// The same for that purpose.
    pub fn evaluate_for(&self, position: &Position, purpose: Purpose) -> Evaluation {
        self.evaluate_on(Instructions::detect(), position, purpose)
    }

    /// The same with instructions that this processor has.
    fn evaluate_on(
        &self,
        instructions: Instructions,
        position: &Position,
        purpose: Purpose,
    ) -> Evaluation {
        let linear = self;
        compiled_for!(
            instructions,
            evaluate_with(linear: &Linear, position: &Position, purpose: Purpose) -> Evaluation
        )
    }

    /// Fills `steps` with the legal steps and how likely each looks; the
    /// likelihoods add up to 1. No swap is among them.
    pub fn priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.priors_on(Instructions::detect(), None, position, steps);
    }

    /// The same with what the hidden layer adds, which takes as long again.
    pub fn refined_priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.priors_on(Instructions::detect(), self.layer(), position, steps);
    }

    /// The same with instructions that this processor has.
    fn priors_on(
        &self,
        instructions: Instructions,
        hidden: Option<&Hidden>,
        position: &Position,
        steps: &mut Vec<(Step, f32)>,
    ) {
        let linear = self;
        compiled_for!(
            instructions,
            priors_with(
                linear: &Linear,
                hidden: Option<&Hidden>,
                instructions: Instructions,
                position: &Position,
                steps: &mut Vec<(Step, f32)>,
            ) -> ()
        );
    }
}

impl ValueTable {
    fn new(weights: &Weights, phase: usize, half: f32) -> ValueTable {
        let row = |weights: &[[f32; KNOTS.len() + 1]]| {
            let mut row = [0.0; WIDTH];
            for (to, from) in row.iter_mut().zip(weights) {
                *to = weights::at_phase(from, phase) + half * from[KNOTS.len()];
            }
            row
        };
        let [leaf, end] = &weights.blend;
        ValueTable { win: [row(&weights.win), row(leaf), row(end)], lead: row(&weights.lead) }
    }
}

impl StepTable {
    fn new(weights: &Weights, second: usize, phase: usize) -> StepTable {
        let at = |n: usize| {
            let weight = weights::at_phase(&weights.steps[second][n], phase) * UNIT;
            weight.round().clamp(-8192.0, 8192.0) as i32
        };
        let mut kernels: Vec<Kernel> = vec![[[[0; 16]; 12]; policy::REACH + 1]; policy::SOURCES];
        for (source, kernel) in kernels.iter_mut().enumerate() {
            for (class, &(far, near)) in policy::OFFSETS.iter().enumerate() {
                let weight = at(policy::KERNEL_AT + source * policy::OFFSETS.len() + class) as i16;
                for (columns, rows) in [(far, near), (near, far)] {
                    for (row, lanes) in kernel[columns].iter_mut().enumerate() {
                        for (lane, sum) in lanes.iter_mut().enumerate().take(12) {
                            if lane.abs_diff(row) == rows {
                                *sum = weight;
                            }
                        }
                    }
                }
            }
        }
        StepTable {
            planes: std::array::from_fn(|n| at(n) as i16),
            edges: std::array::from_fn(|n| at(policy::EDGE_AT + n) as i16),
            kernels,
            bridge: std::array::from_fn(|n| at(policy::BRIDGE_AT + n)),
            pass: at(policy::PASS),
            units: Units::new(
                |unit| weights::at_phase(&weights.biases[second][unit], phase),
                |unit| weights::at_phase(&weights.outputs[second][unit], phase),
            ),
        }
    }
}

#[inline(always)]
fn evaluate_with(linear: &Linear, position: &Position, purpose: Purpose) -> Evaluation {
    if position.is_over() {
        return result(position);
    }
    let (logit, lead) = logit_with(linear, position, &value::features(position), purpose);
    Evaluation { win: math::sigmoid(logit), lead }
}

#[inline(always)]
fn logit_with(
    linear: &Linear,
    position: &Position,
    counted: &value::Features,
    purpose: Purpose,
) -> (f32, f32) {
    let mut features = [0.0; WIDTH];
    features[..value::FEATURES].copy_from_slice(counted);
    let tables = &linear.values[usize::from(position.is_half_turn())];
    let table = &tables[value::phase(position)];
    let lead = dot(&features, &table.lead);
    features[value::FEATURES..value::INPUTS].copy_from_slice(&value::guesses(lead));
    (dot(&features, &table.win[purpose as usize]), lead)
}

/// What the finished game is worth to the side whose turn it would be.
pub(super) fn result(position: &Position) -> Evaluation {
    let side = position.side();
    let points = |color: Color| f32::from(position.score(color).points);
    let win = match position.outcome().winner() {
        None => 0.5,
        Some(winner) => f32::from(u8::from(winner == side)),
    };
    Evaluation { win, lead: points(side) - points(!side) }
}

/// The sum of products, added up in an order that no compiler changes.
#[inline(always)]
fn dot(a: &[f32; WIDTH], b: &[f32; WIDTH]) -> f32 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn priors_with(
    linear: &Linear,
    hidden: Option<&Hidden>,
    instructions: Instructions,
    position: &Position,
    steps: &mut Vec<(Step, f32)>,
) {
    let sight = Sight::new(position);
    let highest = logits_with(linear, position, sight, hidden, instructions, steps);
    normalize(steps, highest as f32);
}

impl Linear {
    /// Fills `steps` with the legal steps and their logits in units of
    /// 1/[`UNIT`], and returns the highest.
    #[inline(always)]
    pub(crate) fn logits(&self, position: &Position, steps: &mut Vec<(Step, f32)>) -> i32 {
        let (sight, instructions) = (Sight::new(position), Instructions::detect());
        logits_with(self, position, sight, None, instructions, steps)
    }

    /// The hidden layer, if the weights have one.
    pub(super) fn layer(&self) -> Option<&Hidden> {
        self.hidden.as_deref()
    }
}

/// The same from what is seen of the position, with what `hidden` adds. The
/// processor must have `instructions`.
#[inline(always)]
pub(super) fn logits_with(
    linear: &Linear,
    position: &Position,
    sight: Sight,
    hidden: Option<&Hidden>,
    instructions: Instructions,
    steps: &mut Vec<(Step, f32)>,
) -> i32 {
    steps.clear();
    let mut highest = i32::MIN;
    if position.is_over() {
        return highest;
    }
    let sketch = Sketch::of(position, sight);
    let table = &linear.steps[usize::from(position.is_half_turn())][value::phase(position)];
    let mut logits = Logits::ZERO;
    for (cells, kernel) in sketch.sources.into_iter().zip(&table.kernels) {
        logits.add_around(cells, kernel);
    }
    logits.add_planes(&sketch.planes, &table.planes, instructions);
    let edges = &linear.edges[usize::from(position.size().get())];
    // No closure: it would not be compiled for the caller's instructions.
    let mut layer = None;
    if let Some(hidden) = hidden {
        layer = Some(hidden.layer(&sketch, edges, &table.units));
    }
    for cell in sketch.tiles {
        let edge = table.edges[usize::from(edges[cell.index()])];
        let mut logit = i32::from(logits.at(cell)) + i32::from(edge);
        if let Some(layer) = &layer {
            logit += layer.logit(cell, instructions);
        }
        highest = highest.max(logit);
        steps.push((Step::Tile(cell), logit as f32));
    }
    for site in sketch.bridges.iter() {
        let features = sketch.bridge(position, site);
        let products = features.iter().zip(&table.bridge).map(|(&n, weight)| i32::from(n) * weight);
        let logit = products.sum();
        highest = highest.max(logit);
        steps.push((Step::Bridge(site), logit as f32));
    }
    if sketch.tiles.is_empty() && !position.is_half_turn() {
        highest = highest.max(table.pass);
        steps.push((Step::Pass, table.pass as f32));
    }
    highest
}

/// Turns logits in units of 1/[`UNIT`] into likelihoods.
#[inline(always)]
pub(super) fn normalize(steps: &mut [(Step, f32)], highest: f32) {
    let mut sum = 0.0;
    for steps in steps.chunks_mut(LANES) {
        let mut powers = [0.0; LANES];
        for (power, (_, logit)) in powers.iter_mut().zip(steps.iter()) {
            *power = (logit - highest) / UNIT;
        }
        for power in &mut powers {
            *power = math::exp(*power);
        }
        for ((_, likelihood), power) in steps.iter_mut().zip(powers) {
            *likelihood = power;
            sum += power;
        }
    }
    for (_, likelihood) in steps {
        *likelihood /= sum;
    }
}

#[cfg(test)]
mod tests;
