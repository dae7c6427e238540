//! Choices by first impression, as people make them: the prior at a temperature,
//! with or without an eye for the opponent.

use std::sync::OnceLock;

use super::bridge_features::BRIDGE;
use super::built_in::{BUILT_IN, index};
use super::logits::UNIT;
use super::math;
use super::model::Linear;
use super::tile_features::{JOINED, MARKS, OTHERS, SOURCE_NAMES};
use crate::eval::bridge_gain;
use crate::game::{Position, Rules, Step};

/// The steps worth a thought: the likeliest ones, up to this share of the
/// prior's probability.
const NATURAL: f32 = 0.95;

/// How steps are weighed by first impression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Instinct {
    /// Divides the prior's logits. 1 draws steps as likely as the prior says,
    /// larger values draw more evenly.
    pub temperature: f32,
    /// Logit of a tile that completes an island; growing a group has its share
    /// of it. Larger values complete islands earlier.
    pub haste: f32,
}

impl Linear {
    /// The built-in weights for games by `rules` without the features that
    /// concern the opponent.
    pub fn blind(rules: Rules) -> &'static Linear {
        static BLIND: [OnceLock<Linear>; BUILT_IN.len()] = [const { OnceLock::new() }; _];
        BLIND[index(rules)].get_or_init(|| Linear::built_in(rules).clone().blinded())
    }

    /// These weights without the features of steps that concern the opponent.
    fn blinded(mut self) -> Linear {
        let concerns = |name: &str| name.split('.').any(|part| matches!(part, "other" | "hinder"));
        // What a tile of the opponent would do on a cell: nothing, anywhere.
        let nothing = OTHERS.iter().position(|&name| name == "joins.0").unwrap_or(0);
        for table in self.steps.iter_mut().flatten() {
            for joins in table.planes[..JOINED].chunks_mut(OTHERS.len()) {
                joins.fill(joins[nothing]);
            }
            let marks = table.planes[JOINED..].iter_mut().zip(MARKS);
            marks.filter(|(_, name)| concerns(name)).for_each(|(weight, _)| *weight = 0);
            let kernels = table.kernels.iter_mut().zip(SOURCE_NAMES);
            let kernels = kernels.filter(|(_, name)| concerns(name));
            kernels.for_each(|(kernel, _)| kernel.as_flattened_mut().fill([0; 16]));
            let bridge = table.bridge.iter_mut().zip(BRIDGE);
            bridge.filter(|(_, name)| concerns(name)).for_each(|(weight, _)| *weight = 0);
        }
        self
    }

    /// Fills `steps` with the natural steps and the weights to draw them with.
    /// Senseless steps are left out: passing instead of a bridge that scores,
    /// and a bridge within a network while tiles can be placed.
    pub fn natural_steps(
        &self,
        position: &Position,
        instinct: Instinct,
        steps: &mut Vec<(Step, f32)>,
    ) {
        self.logits(position, steps);
        let can_place = !position.tile_steps().is_empty();
        let scores = position.bridge_steps().iter().any(|site| bridge_gain(position, site) > 0);
        steps.retain(|(step, _)| match step {
            Step::Bridge(site) => {
                let [a, b] = site.ends().map(|end| position.network(end));
                a != b || !can_place
            }
            Step::Pass => !scores,
            _ => true,
        });
        steps.sort_by(|a, b| b.1.total_cmp(&a.1));
        let highest = steps.first().map_or(0.0, |step| step.1);
        let likelihood = |logit: f32| math::exp((logit - highest) / UNIT);
        let all: f32 = steps.iter().map(|step| likelihood(step.1)).sum();
        let mut sum = 0.0;
        steps.retain(|step| {
            let is_natural = sum < NATURAL * all;
            sum += likelihood(step.1);
            is_natural
        });
        for (step, weight) in steps {
            let joined = match *step {
                Step::Tile(cell) => position.joins(position.side(), cell),
                _ => 0,
            };
            let hurry = instinct.haste * f32::from(joined) / 3.0;
            *weight = math::exp((*weight - highest) / UNIT / instinct.temperature + hurry);
        }
    }
}
