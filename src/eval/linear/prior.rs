//! The prior: how likely each step looks.

use super::bridge_features::bridge_features;
use super::hidden::Hidden;
use super::logits::{Logits, UNIT};
use super::math;
use super::model::Linear;
use super::phase::phase;
use super::step_features::StepFeatures;
use crate::eval::dispatch::{Instructions, compiled_for};
use crate::game::{Position, Step};

impl Linear {
    /// Fills `steps` with the legal steps and their probabilities, which add up
    /// to 1. A swap is never among them.
    pub fn priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.priors_on(Instructions::detect(), None, position, steps);
    }

    /// [`Linear::priors`] with the hidden layer, which takes twice the time.
    pub fn refined_priors(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        self.priors_on(Instructions::detect(), self.hidden.as_deref(), position, steps);
    }

    pub(super) fn priors_on(
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

    /// Fills `steps` with the legal steps and their logits in units of
    /// 1/[`UNIT`], without the hidden layer.
    pub fn logits(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        logits_with(self, None, Instructions::detect(), position, steps);
    }
}

#[inline(always)]
fn priors_with(
    linear: &Linear,
    hidden: Option<&Hidden>,
    instructions: Instructions,
    position: &Position,
    steps: &mut Vec<(Step, f32)>,
) {
    let highest = logits_with(linear, hidden, instructions, position, steps);
    softmax(steps, highest as f32);
}

/// Fills `steps` with the legal steps and their logits in units of 1/[`UNIT`],
/// and returns the highest.
#[inline(always)]
fn logits_with(
    linear: &Linear,
    hidden: Option<&Hidden>,
    instructions: Instructions,
    position: &Position,
    steps: &mut Vec<(Step, f32)>,
) -> i32 {
    steps.clear();
    let mut highest = i32::MIN;
    if position.is_over() {
        return highest;
    }
    let features = StepFeatures::new(position);
    let table = &linear.steps[usize::from(position.is_half_turn())][phase(position)];
    let mut logits = Logits::ZERO;
    for (cells, kernel) in features.sources.into_iter().zip(&table.kernels) {
        logits.add_around(cells, kernel);
    }
    logits.add_planes(&features.planes, &table.planes, instructions);
    let edges = &linear.edges[usize::from(position.size().get())];
    // Not a closure: it would not be compiled for the caller's instructions.
    let mut layer = None;
    if let Some(hidden) = hidden {
        layer = Some(hidden.layer(&features, edges, &table.units));
    }
    for cell in features.tiles {
        let edge = table.edges[usize::from(edges[cell.index()])];
        let mut logit = i32::from(logits.at(cell)) + i32::from(edge);
        if let Some(layer) = &layer {
            logit += layer.logit(cell, instructions);
        }
        highest = highest.max(logit);
        steps.push((Step::Tile(cell), logit as f32));
    }
    for site in features.bridges.iter() {
        let counts = bridge_features(&features, position, site);
        let products = counts.iter().zip(&table.bridge).map(|(&n, weight)| i32::from(n) * weight);
        let logit = products.sum();
        highest = highest.max(logit);
        steps.push((Step::Bridge(site), logit as f32));
    }
    if features.tiles.is_empty() && !position.is_half_turn() {
        highest = highest.max(table.pass);
        steps.push((Step::Pass, table.pass as f32));
    }
    highest
}

/// Steps whose exponentials are computed side by side.
const LANES: usize = 8;

/// Turns logits in units of 1/[`UNIT`] into probabilities.
#[inline(always)]
fn softmax(steps: &mut [(Step, f32)], highest: f32) {
    let mut sum = 0.0;
    for steps in steps.chunks_mut(LANES) {
        let mut powers = [0.0; LANES];
        for (power, (_, logit)) in powers.iter_mut().zip(steps.iter()) {
            *power = (logit - highest) / UNIT;
        }
        for power in &mut powers {
            *power = math::exp(*power);
        }
        for ((_, probability), power) in steps.iter_mut().zip(powers) {
            *probability = power;
            sum += power;
        }
    }
    for (_, probability) in steps {
        *probability /= sum;
    }
}
