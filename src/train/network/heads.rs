//! What the first layer's units are for: the value, the policy, the owners of
//! the cells. Each head adds its losses, and on the way back its gradients.

use super::gradient::{Back, Seen, add, dot};
use super::losses::Losses;
use super::model::{OUTPUT, OUTPUT_BIAS, OWNER, OWNER_BIAS, PLY, PLY_BIAS, SECOND, SECOND_BIAS};
use super::sample::Sample;
use crate::board::{Cell, Cells};
use crate::eval::network::{LAYER, LEAD_UNIT, OUTPUTS, PLIES};

/// How much each head's loss counts; the result's counts 1.
pub(super) const LEAD_SHARE: f32 = 0.5;
pub(super) const POLICY_SHARE: f32 = 1.0;
pub(super) const OWNER_SHARE: f32 = 1.5;

/// Smaller errors of a ply are not worth the way back.
const LEAST_ERROR: f32 = 1e-4;

/// Result and lead.
#[inline(always)]
pub(super) fn value(seen: &Seen<'_>, losses: &mut Losses, back: Option<&mut Back<'_>>) {
    let weights = seen.weights;
    let mut layer = [0.0f32; LAYER];
    for (n, unit) in layer.iter_mut().enumerate() {
        *unit = weights[SECOND_BIAS.all()][n] + dot(&seen.units, &weights[SECOND.row(n)]);
    }
    let layer_units = layer.map(|sum| sum.clamp(0.0, 1.0));
    let mut outputs = [0.0f32; OUTPUTS];
    for (n, output) in outputs.iter_mut().enumerate() {
        *output = weights[OUTPUT_BIAS.all()][n] + dot(&layer_units, &weights[OUTPUT.row(n)]);
    }
    // What is learnt is added to what the linear evaluation says.
    let (logit, lead) = seen.sample.linear;
    outputs[0] += logit * 0.5;
    outputs[2] -= logit * 0.5;
    outputs[3] += lead / LEAD_UNIT;
    let errors = output_errors(seen.sample, &outputs, losses);
    let Some(back) = back else { return };
    let mut layer_errors = [0.0f32; LAYER];
    for (n, &error) in errors.iter().enumerate() {
        back.gradient[OUTPUT_BIAS.all()][n] += error;
        add(&mut back.gradient[OUTPUT.row(n)], &layer_units, error);
        add(&mut layer_errors, &weights[OUTPUT.row(n)], error);
    }
    for n in 0..LAYER {
        if layer[n] > 0.0 && layer[n] < 1.0 {
            back.row(seen, SECOND, SECOND_BIAS, n, layer_errors[n]);
        }
    }
}

/// The losses of win, draw, loss and lead, and what each output is off. A
/// lead that is off by more than [`LEAD_UNIT`] weighs no more than that.
#[inline(always)]
fn output_errors(sample: &Sample, outputs: &[f32; OUTPUTS], losses: &mut Losses) -> [f32; OUTPUTS] {
    let highest = outputs[0].max(outputs[1]).max(outputs[2]);
    let powers = [0, 1, 2].map(|n: usize| (outputs[n] - highest).exp());
    let sum: f32 = powers.iter().sum();
    let mut errors = [0.0f32; OUTPUTS];
    for n in 0..3 {
        let chance = powers[n] / sum;
        losses.result -= f64::from(sample.result[n] * chance.max(1e-9).ln());
        errors[n] = sample.weight * (chance - sample.result[n]);
    }
    let expected = (powers[0] + 0.5 * powers[1]) / sum;
    losses.square += f64::from(expected - sample.result[0] - 0.5 * sample.result[1]).powi(2);
    if (sample.result[0] - sample.result[2]).abs() > 0.5 {
        losses.decided += 1.0;
        let right = (outputs[0] > outputs[2]) == (sample.result[0] > sample.result[2]);
        losses.foreseen += f64::from(u8::from(right));
    }
    let error = outputs[3] - sample.lead;
    losses.lead += f64::from(error * error) * f64::from(LEAD_UNIT * LEAD_UNIT);
    errors[3] = sample.weight * LEAD_SHARE * error.clamp(-1.0, 1.0);
    errors
}

/// The plies, where it is known how often each was visited.
#[inline(always)]
pub(super) fn policy(
    seen: &Seen<'_>,
    powers: &mut Vec<f32>,
    losses: &mut Losses,
    mut back: Option<&mut Back<'_>>,
) {
    let (weights, sample) = (seen.weights, seen.sample);
    if sample.plies.is_empty() {
        return;
    }
    let place = |row: u16| {
        let row = usize::from(seen.images.plies[usize::from(row)]);
        if row < PLIES - 1 { row + seen.shift } else { row }
    };
    powers.clear();
    let mut highest = f32::MIN;
    for ply in &sample.plies {
        let row = place(ply.row);
        let learnt = weights[PLY_BIAS.all()][row] + dot(&seen.units, &weights[PLY.row(row)]);
        powers.push(ply.logit + learnt);
        highest = highest.max(ply.logit + learnt);
    }
    losses.policies += 1.0;
    losses.first += f64::from(u8::from(sample.is_first(powers.iter().copied())));
    let mut sum = 0.0;
    for power in powers.iter_mut() {
        *power = (*power - highest).exp();
        sum += *power;
    }
    for (ply, power) in sample.plies.iter().zip(powers.iter()) {
        let chance = power / sum;
        if ply.share > 0.0 {
            losses.policy -= f64::from(ply.share * chance.max(1e-9).ln());
        }
        let error = POLICY_SHARE * (chance - ply.share);
        if let Some(back) = back.as_deref_mut()
            && error.abs() > LEAST_ERROR
        {
            back.row(seen, PLY, PLY_BIAS, place(ply.row), error);
        }
    }
}

/// Whether each cell will belong to an island of the mover, and of the other.
#[inline(always)]
pub(super) fn owners(seen: &Seen<'_>, losses: &mut Losses, mut back: Option<&mut Back<'_>>) {
    let (weights, sample) = (seen.weights, seen.sample);
    let Some(owners) = &sample.owners else { return };
    losses.owned += 1.0;
    let cells = Cells::board(sample.size);
    let each = 1.0 / (2 * cells.len()) as f32;
    for (owner, islands) in owners.iter().enumerate() {
        for cell in cells {
            let image = usize::from(seen.images.plies[cell.index()]) + seen.shift;
            let row = owner * Cell::TABLE + image;
            let target = f32::from(u8::from(islands.contains(cell)));
            let logit = weights[OWNER_BIAS.all()][row] + dot(&seen.units, &weights[OWNER.row(row)]);
            let chance = 1.0 / (1.0 + (-logit).exp());
            let hit = if target > 0.5 { chance } else { 1.0 - chance };
            losses.owner -= f64::from(each * hit.max(1e-9).ln());
            if let Some(back) = back.as_deref_mut() {
                back.row(seen, OWNER, OWNER_BIAS, row, OWNER_SHARE * each * (chance - target));
            }
        }
    }
}
