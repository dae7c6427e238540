//! The prior: how likely each step looks.
//!
//! Each legal step gets a logit, and the softmax of the logits is the prior. The prior says where
//! the search looks first; visits correct it later, so an error costs time. A good step with a tiny
//! prior is different: it may never be opened.
//!
//! The prior is of steps, not of moves. A first tile has the probability of all pairs that contain
//! it, and the second tile has weights of its own. A swap has no prior, since it is judged by
//! values alone (`search::opening`).
//!
//! Last in the file are choices by first impression, as people make them: the prior at a
//! temperature, with or without regard for the opponent ([`Instinct`]). The weaker levels use them.

use std::sync::OnceLock;

use super::evaluation::exp;
use super::hidden::Hidden;
use super::logits::{Logits, WEIGHT_SCALE};
use super::model::{BUILT_IN, Linear, built_in_index};
use super::step_features::{BRIDGE, StepFeatures, bridge_features};
use super::tile_features::{JOINED, MARKS, OTHERS, SOURCE_NAMES};
use super::weights::phase;
use crate::eval::bridge_gain;
use crate::eval::dispatch::{Instructions, compiled_for};
use crate::game::{Position, Rules, Step};

impl Linear {
    /// Fills `steps` with the legal steps and their probabilities, which add up to 1. A swap is
    /// never among them.
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

    /// Fills `steps` with the legal steps and their logits in units of 1/[`WEIGHT_SCALE`], without
    /// the hidden layer.
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

/// Fills `steps` with the legal steps and their logits in units of 1/[`WEIGHT_SCALE`], and returns
/// the highest.
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
    // All cells get a sum, legal or not: the loops are over features, see `logits`.
    let mut logits = Logits::ZERO;
    for (cells, kernel) in features.sources.into_iter().zip(&table.kernels) {
        logits.add_around(cells, kernel);
    }
    logits.add_planes(&features.planes, &table.planes, instructions);
    let edge_classes = &linear.edge_classes[usize::from(position.size().get())];
    // Not a closure: it would not be compiled for the caller's instructions.
    let mut layer = None;
    if let Some(hidden) = hidden {
        layer = Some(hidden.layer(&features, edge_classes, &table.units));
    }
    for cell in features.tiles {
        let edge = table.edges[usize::from(edge_classes[cell.index()])];
        let mut logit = i32::from(logits.at(cell)) + i32::from(edge);
        if let Some(layer) = &layer {
            logit += layer.logit(cell, instructions);
        }
        highest = highest.max(logit);
        steps.push((Step::Tile(cell), logit as f32));
    }
    // The hidden layer is for tiles only.
    for site in features.bridges.iter() {
        let counts = bridge_features(&features, position, site);
        let products = counts.iter().zip(&table.bridge).map(|(&n, weight)| i32::from(n) * weight);
        let logit = products.sum();
        highest = highest.max(logit);
        steps.push((Step::Bridge(site), logit as f32));
    }
    // A pass is legal only if two tiles cannot be placed.
    if features.tiles.is_empty() && !position.is_half_turn() {
        highest = highest.max(table.pass);
        steps.push((Step::Pass, table.pass as f32));
    }
    highest
}

/// Steps whose exponentials are computed side by side: the floats of an AVX2 vector.
const LANES: usize = 8;

/// Turns logits in units of 1/[`WEIGHT_SCALE`] into probabilities.
#[inline(always)]
fn softmax(steps: &mut [(Step, f32)], highest: f32) {
    let mut sum = 0.0;
    for steps in steps.chunks_mut(LANES) {
        // Less the highest logit, which changes no ratio and keeps the powers at most 1.
        let mut powers = [0.0; LANES];
        for (power, (_, logit)) in powers.iter_mut().zip(steps.iter()) {
            *power = (logit - highest) / WEIGHT_SCALE;
        }
        for power in &mut powers {
            *power = exp(*power);
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

/// Natural steps are the likeliest ones that together have this share of the prior's probability.
/// Set by judgement: the others are unlikely one by one, but there are many. At a high temperature
/// they would be drawn often, and a level would place tiles where no person would.
const NATURAL_SHARE: f32 = 0.95;

/// How steps are weighed by first impression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Instinct {
    /// Divides the prior's logits. 1 draws steps as likely as the prior says, larger values draw
    /// more evenly.
    pub temperature: f32,
    /// Logit of a tile that completes an island; growing a group has its share of it. Larger values
    /// complete islands earlier.
    pub haste: f32,
}

impl Linear {
    /// The built-in weights for games by `rules` without the features that concern the opponent.
    pub fn blind(rules: Rules) -> &'static Linear {
        static BLIND: [OnceLock<Linear>; BUILT_IN.len()] = [const { OnceLock::new() }; _];
        BLIND[built_in_index(rules)].get_or_init(|| Linear::built_in(rules).clone().blinded())
    }

    /// These weights without the features of steps that concern the opponent.
    fn blinded(mut self) -> Linear {
        // By the parts of the names: a new feature of the opponent is covered if it is named alike.
        let concerns_opponent =
            |name: &str| name.split('.').any(|part| matches!(part, "other" | "hinder"));
        // Every cell counts as one where a tile of the opponent would join nothing.
        let joins_nothing = OTHERS.iter().position(|&name| name == "joins.0").unwrap_or(0);
        for table in self.steps.iter_mut().flatten() {
            for joins in table.planes[..JOINED].chunks_mut(OTHERS.len()) {
                joins.fill(joins[joins_nothing]);
            }
            let marks = table.planes[JOINED..].iter_mut().zip(MARKS);
            marks.filter(|(_, name)| concerns_opponent(name)).for_each(|(weight, _)| *weight = 0);
            let kernels = table.kernels.iter_mut().zip(SOURCE_NAMES);
            let kernels = kernels.filter(|(_, name)| concerns_opponent(name));
            kernels.for_each(|(kernel, _)| kernel.as_flattened_mut().fill([0; 16]));
            let bridge = table.bridge.iter_mut().zip(BRIDGE);
            bridge.filter(|(_, name)| concerns_opponent(name)).for_each(|(weight, _)| *weight = 0);
        }
        self
    }

    /// Fills `steps` with the natural steps and the weights to draw them with. Senseless steps are
    /// left out: passing instead of a bridge that scores, and a bridge within a network while tiles
    /// can be placed.
    pub fn natural_steps(
        &self,
        position: &Position,
        instinct: Instinct,
        steps: &mut Vec<(Step, f32)>,
    ) {
        self.logits(position, steps);
        let can_place = !position.tile_steps().is_empty();
        let can_score = position.bridge_steps().iter().any(|site| bridge_gain(position, site) > 0);
        steps.retain(|(step, _)| match step {
            Step::Bridge(site) => {
                let [a, b] = site.ends().map(|end| position.network_root(end));
                a != b || !can_place
            }
            Step::Pass => !can_score,
            _ => true,
        });
        steps.sort_by(|a, b| b.1.total_cmp(&a.1));
        let highest = steps.first().map_or(0.0, |step| step.1);
        let likelihood = |logit: f32| exp((logit - highest) / WEIGHT_SCALE);
        let total: f32 = steps.iter().map(|step| likelihood(step.1)).sum();
        let mut sum = 0.0;
        // Before its own likelihood is added: the step that crosses the share is still natural.
        steps.retain(|step| {
            let is_natural = sum < NATURAL_SHARE * total;
            sum += likelihood(step.1);
            is_natural
        });
        for (step, weight) in steps {
            let joined = match *step {
                Step::Tile(cell) => position.join_count(position.side(), cell),
                _ => 0,
            };
            // Completing joins three tiles, which is the whole haste; growing a pair two thirds.
            let hurry = instinct.haste * f32::from(joined) / 3.0;
            *weight = exp((*weight - highest) / WEIGHT_SCALE / instinct.temperature + hurry);
        }
    }
}

/// [`Linear::priors`] with the built-in weights.
pub fn priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(*position.rules()).priors(position, steps);
}

/// [`Linear::refined_priors`] with the built-in weights.
pub fn refined_priors(position: &Position, steps: &mut Vec<(Step, f32)>) {
    Linear::built_in(*position.rules()).refined_priors(position, steps);
}
