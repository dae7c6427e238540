//! Weights in the form that evaluations use, interpolated for every phase of the game, and the
//! built-in weights. Those are two sets each for an unlimited supply (boards up to 8×8, and larger)
//! and for a limited one (up to 10×10, and larger).

use std::sync::OnceLock;

use super::hidden::{Hidden, HiddenUnits};
use super::logits::{COLUMNS, Kernel, LANES, WEIGHT_SCALE};
use super::position_features::INPUTS;
use super::step_features::{
    BRIDGE_AT, BRIDGE_FEATURES, EDGE_AT, EDGES, KERNEL_AT, OFFSETS, PASS, REACH, edge,
};
use super::tile_features::{PLANES, SOURCES};
use super::weights::{KNOTS, PHASES, Weights, at_phase};
use crate::board::{Cell, Cells, Size};
use crate::game::Rules;

/// [`Weights`] made ready for use.
#[derive(Clone)]
pub struct Linear {
    /// For whole and half turns, by phase: 33 tables, so that no search interpolates.
    pub(super) values: [Vec<ValueTable>; 2],
    /// For a turn's first and second step, by phase.
    pub(super) steps: [Vec<StepTable>; 2],
    /// `None` if all its output weights are zero: weights without a layer cost no time.
    pub(super) hidden: Option<Box<Hidden>>,
    /// By board size, the edge class of each cell.
    pub(super) edge_classes: Vec<[u8; Cell::TABLE]>,
}

/// [`INPUTS`] rounded up to whole vectors of eight.
pub(super) const WIDTH: usize = INPUTS.next_multiple_of(8);

/// The weights of positions at one phase.
#[derive(Clone)]
pub(super) struct ValueTable {
    /// Indexed by [`EvaluationUse`](super::evaluation::EvaluationUse), in its order.
    pub(super) win: [[f32; WIDTH]; 3],
    pub(super) lead: [f32; WIDTH],
}

/// The weights of steps at one phase, in units of 1/[`WEIGHT_SCALE`].
#[derive(Clone)]
pub(super) struct StepTable {
    pub(super) planes: [i16; PLANES],
    /// By edge class.
    pub(super) edges: [i16; EDGES],
    /// One for each source.
    pub(super) kernels: Vec<Kernel>,
    pub(super) bridge: [i32; BRIDGE_FEATURES],
    pub(super) pass: i32,
    pub(super) units: HiddenUnits,
}

impl Linear {
    /// Prepares `weights`.
    pub fn new(weights: &Weights) -> Linear {
        let values = [0.0, 1.0]
            .map(|half| (0..PHASES).map(|phase| ValueTable::new(weights, phase, half)).collect());
        let steps = [0, 1].map(|second| {
            (0..PHASES).map(|phase| StepTable::new(weights, second, phase)).collect()
        });
        let mut edge_classes = vec![[0; Cell::TABLE]; usize::from(Size::MAX.get()) + 1];
        for size in Size::all() {
            for cell in Cells::board(size) {
                edge_classes[usize::from(size.get())][cell.index()] = edge(cell, size) as u8;
            }
        }
        let has_units = weights.outputs.as_flattened().as_flattened().iter().any(|&w| w != 0.0);
        let hidden = has_units.then(|| Box::new(Hidden::new(&weights.hidden)));
        Linear { values, steps, hidden, edge_classes }
    }
}

impl ValueTable {
    /// `half` is 1 between the two tiles of a turn, else 0.
    fn new(weights: &Weights, phase: usize, half: f32) -> ValueTable {
        let row = |weights: &[[f32; KNOTS.len() + 1]]| {
            let mut row = [0.0; WIDTH];
            for (value, knots) in row.iter_mut().zip(weights) {
                *value = at_phase(knots, phase) + half * knots[KNOTS.len()];
            }
            row
        };
        let [leaf, end] = &weights.blend;
        ValueTable { win: [row(&weights.win), row(leaf), row(end)], lead: row(&weights.lead) }
    }
}

impl StepTable {
    /// `second` is 1 for a turn's second tile, else 0.
    fn new(weights: &Weights, second: usize, phase: usize) -> StepTable {
        // 8192 is 32 as a logit; fitted weights stay below 5. Three such weights still fit in the
        // 16 bits of a sum.
        let rounded = |n: usize| {
            let weight = at_phase(&weights.steps[second][n], phase) * WEIGHT_SCALE;
            weight.round().clamp(-8192.0, 8192.0) as i32
        };
        let source_kernel = |source: usize| {
            kernel(|class| rounded(KERNEL_AT + source * OFFSETS.len() + class) as i16)
        };
        StepTable {
            planes: std::array::from_fn(|n| rounded(n) as i16),
            edges: std::array::from_fn(|n| rounded(EDGE_AT + n) as i16),
            kernels: (0..SOURCES).map(source_kernel).collect(),
            bridge: std::array::from_fn(|n| rounded(BRIDGE_AT + n)),
            pass: rounded(PASS),
            units: HiddenUnits::new(
                |unit| at_phase(&weights.biases[second][unit], phase),
                |unit| at_phase(&weights.outputs[second][unit], phase),
            ),
        }
    }
}

/// The kernel of a source that has `weight` for each of [`OFFSETS`]. Lanes 12 to 15 stay zero: no
/// board has such rows.
fn kernel(weight: impl Fn(usize) -> i16) -> Kernel {
    let mut kernel: Kernel = [[[0; LANES]; COLUMNS]; REACH + 1];
    for (class, &(far, near)) in OFFSETS.iter().enumerate() {
        let weight = weight(class);
        for (columns, rows) in [(far, near), (near, far)] {
            for (row, lanes) in kernel[columns].iter_mut().enumerate() {
                for (lane, sum) in lanes.iter_mut().enumerate().take(COLUMNS) {
                    if lane.abs_diff(row) == rows {
                        *sum = weight;
                    }
                }
            }
        }
    }
    kernel
}

/// The texts of the built-in weights, in the order of [`built_in_index`].
pub(super) const BUILT_IN: [&str; 4] = [
    include_str!("weights-unlimited.txt"),
    include_str!("weights-unlimited-large.txt"),
    include_str!("weights.txt"),
    include_str!("weights-large.txt"),
];

/// The index in [`BUILT_IN`] of the weights for games by `rules`.
#[inline]
pub(super) fn built_in_index(rules: Rules) -> usize {
    // The supply matters more than the size: weights of 11×11 without limits lost on 12×12 with
    // limits by 397 Elo. But size matters, too: weights that gained 110 Elo on 10×10 without limits
    // lost 28 on 8×8 (docs/experiments.tsv).
    let (first, largest) = match rules.supply.limits(rules.size) {
        None => (0, 8),
        Some(_) => (2, Size::STANDARD.get()),
    };
    first + usize::from(rules.size.get() > largest)
}

/// The built-in weights for games by `rules`, as text.
pub fn built_in_text(rules: Rules) -> &'static str {
    BUILT_IN[built_in_index(rules)]
}

/// The CRC-32 (IEEE) of [`built_in_text`].
pub fn built_in_checksum(rules: Rules) -> u32 {
    crc32fast::hash(built_in_text(rules).as_bytes())
}

impl Linear {
    /// The built-in weights for games by `rules`.
    ///
    /// # Panics
    /// If they cannot be parsed, which a test rules out.
    pub fn built_in(rules: Rules) -> &'static Linear {
        static BUILT: [OnceLock<Linear>; BUILT_IN.len()] = [const { OnceLock::new() }; _];
        BUILT[built_in_index(rules)].get_or_init(|| match Weights::parse(built_in_text(rules)) {
            Ok(weights) => Linear::new(&weights),
            Err(error) => panic!("the weights for {rules:?}: {error}"),
        })
    }
}
