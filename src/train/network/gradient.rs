//! One position through the network and back.

use super::model::{
    COUNTED, INPUT, INPUT_BIAS, OUTPUT, OUTPUT_BIAS, OWNER, OWNER_BIAS, PLY, PLY_BIAS, SECOND,
    SECOND_BIAS, SHARED,
};
use super::sample::{Images, Sample};
use crate::board::{Cell, Cells};
use crate::eval::network::inputs::{NUMBER_BITS, SETS_OF_BITS, offset};
use crate::eval::network::{HIDDEN, LAYER, LEAD_UNIT, OUTPUTS, PLIES};

/// How much each head counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shares {
    pub(crate) lead: f32,
    pub(crate) policy: f32,
    pub(crate) owner: f32,
}

/// Sums of losses over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Losses {
    pub(crate) positions: f64,
    /// Cross-entropy of the result in nats.
    pub(crate) result: f64,
    /// Positions whose decided result was foreseen, and decided ones.
    pub(crate) foreseen: f64,
    pub(crate) decided: f64,
    /// Squared error of the lead in points.
    pub(crate) lead: f64,
    /// Positions with a policy, its cross-entropy, and how often the most
    /// visited ply was the likeliest.
    pub(crate) policies: f64,
    pub(crate) policy: f64,
    pub(crate) first: f64,
    /// Squared error of the expected result.
    pub(crate) square: f64,
    /// Mean cross-entropy of the owners.
    pub(crate) owner: f64,
}

impl std::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.positions += other.positions;
        self.result += other.result;
        self.foreseen += other.foreseen;
        self.decided += other.decided;
        self.lead += other.lead;
        self.policies += other.policies;
        self.policy += other.policy;
        self.first += other.first;
        self.owner += other.owner;
        self.square += other.square;
    }
}

/// What one bit of a set adds to what they have in common.
pub(crate) const SHARED_UNIT: f32 = 0.1;

/// What is counted is taken times this.
pub(crate) const COUNT_UNIT: f32 = 0.08;

/// Numbers that are added up side by side.
const LANES: usize = 16;

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for n in 0..LANES {
            sums[n] += a[n] * b[n];
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for n in 0..width {
            sums[n] += sums[n + width];
        }
        width /= 2;
    }
    sums[0]
}

/// Adds `scale` times `from` to `to`.
#[inline(always)]
fn add(to: &mut [f32], from: &[f32], scale: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += scale * from;
    }
}

/// Room for one position's rows.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    rows: Vec<usize>,
    powers: Vec<f32>,
}

/// Puts `sample`, seen as `images` have it, through the network; its losses
/// are counted and, when there is a `gradient`, added to that.
#[inline(always)]
pub(crate) fn learn(
    weights: &[f32],
    sample: &Sample,
    images: &Images,
    shares: &Shares,
    scratch: &mut Scratch,
    mut gradient: Option<&mut [f32]>,
) -> Losses {
    let shift = offset(sample.size);
    scratch.rows.clear();
    scratch.rows.extend(sample.bits.iter().map(|&bit| {
        let bit = usize::from(images.bits[usize::from(bit)]);
        if bit < NUMBER_BITS { bit + shift } else { bit }
    }));
    let mut sums = [0.0f32; HIDDEN];
    sums.copy_from_slice(&weights[INPUT_BIAS.all()]);
    for &row in &scratch.rows {
        add(&mut sums, &weights[INPUT.row(row)], 1.0);
    }
    let mut counts = [0.0f32; SETS_OF_BITS];
    for &row in &scratch.rows {
        if row < NUMBER_BITS {
            counts[row / Cell::TABLE] += SHARED_UNIT;
        }
    }
    for (n, &count) in counts.iter().enumerate() {
        if count > 0.0 {
            add(&mut sums, &weights[SHARED.row(n)], count);
        }
    }
    for (n, &count) in sample.counts.iter().enumerate() {
        if count != 0 {
            add(&mut sums, &weights[COUNTED.row(n)], f32::from(count) * COUNT_UNIT);
        }
    }
    let units = sums.map(|sum| sum.clamp(0.0, 1.0));
    let mut layer = [0.0f32; LAYER];
    for (n, unit) in layer.iter_mut().enumerate() {
        *unit = weights[SECOND_BIAS.row(0)][n] + dot(&units, &weights[SECOND.row(n)]);
    }
    let layer_units = layer.map(|sum| sum.clamp(0.0, 1.0));
    let mut outputs = [0.0f32; OUTPUTS];
    for (n, output) in outputs.iter_mut().enumerate() {
        *output = weights[OUTPUT_BIAS.row(0)][n] + dot(&layer_units, &weights[OUTPUT.row(n)]);
    }

    let (logit, lead) = sample.linear;
    outputs[0] += logit * 0.5;
    outputs[2] -= logit * 0.5;
    outputs[3] += lead / LEAD_UNIT;
    let mut losses = Losses { positions: 1.0, ..Losses::default() };
    let mut unit_errors = [0.0f32; HIDDEN];

    // Result and lead.
    let highest = outputs[0].max(outputs[1]).max(outputs[2]);
    let powers = [0, 1, 2].map(|n: usize| (outputs[n] - highest).exp());
    let sum: f32 = powers.iter().sum();
    let mut output_errors = [0.0f32; OUTPUTS];
    for n in 0..3 {
        let chance = powers[n] / sum;
        losses.result -= f64::from(sample.result[n] * chance.max(1e-9).ln());
        output_errors[n] = sample.weight * (chance - sample.result[n]);
    }
    let expected = (powers[0] + 0.5 * powers[1]) / sum;
    losses.square += f64::from(expected - sample.result[0] - 0.5 * sample.result[1]).powi(2);
    if (sample.result[0] - sample.result[2]).abs() > 0.5 {
        losses.decided += 1.0;
        let right = (outputs[0] > outputs[2]) == (sample.result[0] > sample.result[2]);
        losses.foreseen += f64::from(u8::from(right));
    }
    let error = outputs[3] - sample.lead;
    losses.lead += f64::from(error * error) * 100.0;
    output_errors[3] = sample.weight * shares.lead * error.clamp(-1.0, 1.0);
    if let Some(gradient) = gradient.as_deref_mut() {
        let mut layer_errors = [0.0f32; LAYER];
        for (n, &error) in output_errors.iter().enumerate() {
            gradient[OUTPUT_BIAS.row(0)][n] += error;
            add(&mut gradient[OUTPUT.row(n)], &layer_units, error);
            add(&mut layer_errors, &weights[OUTPUT.row(n)], error);
        }
        for n in 0..LAYER {
            if layer[n] > 0.0 && layer[n] < 1.0 {
                let error = layer_errors[n];
                gradient[SECOND_BIAS.row(0)][n] += error;
                add(&mut gradient[SECOND.row(n)], &units, error);
                add(&mut unit_errors, &weights[SECOND.row(n)], error);
            }
        }
    }

    // Policy.
    if !sample.plies.is_empty() {
        let place = |row: u16| {
            let row = usize::from(images.plies[usize::from(row)]);
            if row < PLIES - 1 { row + shift } else { row }
        };
        let powers = &mut scratch.powers;
        powers.clear();
        let mut highest = f32::MIN;
        for ply in &sample.plies {
            let row = place(ply.row);
            let logit =
                ply.logit + weights[PLY_BIAS.all()][row] + dot(&units, &weights[PLY.row(row)]);
            highest = highest.max(logit);
            powers.push(logit);
        }
        let (mut likeliest, mut most) = (0, 0);
        for n in 0..powers.len() {
            if powers[n] > powers[likeliest] {
                likeliest = n;
            }
            if sample.plies[n].share > sample.plies[most].share {
                most = n;
            }
        }
        let mut sum = 0.0;
        for power in powers.iter_mut() {
            *power = (*power - highest).exp();
            sum += *power;
        }
        losses.policies += 1.0;
        losses.first += f64::from(u8::from(likeliest == most));
        for (ply, power) in sample.plies.iter().zip(powers.iter()) {
            let chance = power / sum;
            if ply.share > 0.0 {
                losses.policy -= f64::from(ply.share * chance.max(1e-9).ln());
            }
            let error = shares.policy * (chance - ply.share);
            if let Some(gradient) = gradient.as_deref_mut()
                && error.abs() > 1e-4
            {
                let row = place(ply.row);
                gradient[PLY_BIAS.all()][row] += error;
                add(&mut gradient[PLY.row(row)], &units, error);
                add(&mut unit_errors, &weights[PLY.row(row)], error);
            }
        }
    }

    // Owners.
    if shares.owner > 0.0 && sample.has_owners {
        let cells = Cells::board(sample.size);
        let each = 1.0 / (2 * cells.len()) as f32;
        for (owner, islands) in sample.owners.iter().enumerate() {
            for cell in cells {
                let image = usize::from(images.plies[cell.index()]) + shift;
                let row = owner * Cell::TABLE + image;
                let target = f32::from(u8::from(islands.contains(cell)));
                let logit = weights[OWNER_BIAS.all()][row] + dot(&units, &weights[OWNER.row(row)]);
                let chance = 1.0 / (1.0 + (-logit).exp());
                let hit = if target > 0.5 { chance } else { 1.0 - chance };
                losses.owner -= f64::from(each * hit.max(1e-9).ln());
                let error = shares.owner * each * (chance - target);
                if let Some(gradient) = gradient.as_deref_mut() {
                    gradient[OWNER_BIAS.all()][row] += error;
                    add(&mut gradient[OWNER.row(row)], &units, error);
                    add(&mut unit_errors, &weights[OWNER.row(row)], error);
                }
            }
        }
    }

    if let Some(gradient) = gradient {
        for n in 0..HIDDEN {
            if sums[n] <= 0.0 || sums[n] >= 1.0 {
                unit_errors[n] = 0.0;
            }
        }
        add(&mut gradient[INPUT_BIAS.all()], &unit_errors, 1.0);
        for (n, &count) in counts.iter().enumerate() {
            if count > 0.0 {
                add(&mut gradient[SHARED.row(n)], &unit_errors, count);
            }
        }
        for (n, &count) in sample.counts.iter().enumerate() {
            if count != 0 {
                add(&mut gradient[COUNTED.row(n)], &unit_errors, f32::from(count) * COUNT_UNIT);
            }
        }
        for &row in &scratch.rows {
            add(&mut gradient[INPUT.row(row)], &unit_errors, 1.0);
        }
    }
    losses
}
