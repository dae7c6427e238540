//! A small network that says what a position is worth and which plies look
//! good, trained on games of the engine against itself.
//!
//! It starts from what the linear evaluation and refined prior say, and learns
//! what these do not see. In the manner of NNUE (Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi", 2018) most
//! of its work is a sum of a row of weights for every bit of a sparse input
//! (`inputs`), which is not made anew for a position but from that of another
//! by what they differ in (`accumulator`). What follows is small: a layer of
//! 32 units for the value, and a row of weights for each ply. All of it
//! is arithmetic of integers: results are the same on every machine.

mod accumulator;
mod dot;
pub(crate) mod format;
pub(crate) mod inputs;

pub use self::accumulator::Accumulators;
use self::accumulator::Sums;
use self::dot::{Lanes, dot};
pub use self::format::NetworkError;
use self::inputs::{BITS, Inputs};
use super::Instructions;
use super::dispatch::compiled_for;
use super::linear::value::FEATURES;
use super::linear::{self, Evaluation, Linear, math, normalize};
use super::view::Sight;
use crate::board::{Cell, Cells, Site, Size};
use crate::game::{Ply, Position};

/// Units of the first layer.
pub(crate) const HIDDEN: usize = 128;

/// Units of the value's second layer.
pub(crate) const LAYER: usize = 32;

/// Win, draw and loss for the mover, and his lead.
pub(crate) const OUTPUTS: usize = 4;

/// Rows of weights for plies: cells, sites, pass.
pub(crate) const PLIES: usize = Cell::TABLE + Site::TABLE + 1;

/// Rows of weights for who will own a cell: the mover, the other.
pub(crate) const OWNERS: usize = 2 * Cell::TABLE;

/// Leads are expected in this many points.
pub(crate) const LEAD_UNIT: f32 = 10.0;

/// What stands for 1 in a unit's output.
pub(crate) const ONE: i32 = 127;

/// Sums of the first layer are in units of 1/([`ONE`] · 2 to the power of
/// this).
pub(crate) const FIRST_SHIFT: u32 = 4;

/// Weights of all other layers are in units of 1/2 to the power of this.
pub(crate) const SHIFT: u32 = 6;

/// What sums of all other layers are in units of 1 over.
const UNIT: f32 = (ONE << SHIFT) as f32;

/// The chance of each cell, at [`Cell::index`], to belong to an island of the
/// mover at the end of the game, and of the other.
pub type Owners = [[f32; Cell::TABLE]; 2];

/// A network ready for use.
#[derive(Clone)]
pub struct Network {
    linear: Linear,
    /// A row for each bit of the input.
    first: Vec<Sums>,
    first_bias: Sums,
    /// A row for each number of the input.
    counted: Vec<Sums>,
    second: [Lanes<i8, HIDDEN>; LAYER],
    second_bias: [i32; LAYER],
    output: [Lanes<i8, LAYER>; OUTPUTS],
    output_bias: [i32; OUTPUTS],
    /// A row for each ply, at [`ply_row`].
    ply: Vec<Lanes<i8, HIDDEN>>,
    ply_bias: Vec<i32>,
    /// A row for each cell that the mover may own in the end, then one for
    /// each that the other may.
    owner: Vec<Lanes<i8, HIDDEN>>,
    owner_bias: Vec<i32>,
    instructions: Instructions,
    checksum: u32,
}

/// The row of a ply on a board of `size`.
#[inline(always)]
pub(crate) fn ply_row(ply: Ply, size: Size) -> usize {
    match ply {
        Ply::Tile(cell) => cell.index() + inputs::offset(size),
        Ply::Bridge(site) => Cell::TABLE + site.index() + inputs::offset(size),
        Ply::Pass | Ply::Swap => PLIES - 1,
    }
}

impl Network {
    /// The network the engine comes with.
    ///
    /// # Panics
    /// When it cannot be read, which a test rules out.
    pub fn built_in() -> Network {
        match Network::from_bytes(include_bytes!("network.bin")) {
            Ok(network) => network,
            Err(error) => panic!("network.bin: {error}"),
        }
    }

    /// The same, using no more than `instructions` and no more than this
    /// processor has.
    #[must_use]
    pub fn limited_to(&self, instructions: Instructions) -> Network {
        // Safety elsewhere rests on this: never more than the processor has.
        let instructions = if Instructions::available().any(|it| it == instructions) {
            instructions
        } else {
            Instructions::detect()
        };
        Network { instructions, ..self.clone() }
    }

    /// What stands for the network: two of the same checksum are the same.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What `position` is worth.
    pub fn evaluate(&self, position: &Position, accumulators: &mut Accumulators) -> Evaluation {
        let network = self;
        compiled_for!(
            self.instructions,
            evaluate(
                network: &Network,
                position: &Position,
                accumulators: &mut Accumulators,
            ) -> Evaluation
        )
    }

    /// Fills `plies` with the legal plies and how likely each looks; the
    /// likelihoods add up to 1. No swap is among them.
    pub fn priors(
        &self,
        position: &Position,
        accumulators: &mut Accumulators,
        plies: &mut Vec<(Ply, f32)>,
    ) {
        let network = self;
        compiled_for!(
            self.instructions,
            priors(
                network: &Network,
                position: &Position,
                accumulators: &mut Accumulators,
                plies: &mut Vec<(Ply, f32)>,
            ) -> ()
        );
    }

    /// What [`evaluate`](Network::evaluate) says, and in `plies`, which must be
    /// the legal ones, what the network adds to the logit of the refined prior
    /// of each; that prior itself is not made. Nothing is added when the game
    /// is over.
    pub fn value_and_policy(
        &self,
        position: &Position,
        accumulators: &mut Accumulators,
        plies: &mut [(Ply, f32)],
    ) -> Evaluation {
        let network = self;
        compiled_for!(
            self.instructions,
            value_and_policy(
                network: &Network,
                position: &Position,
                accumulators: &mut Accumulators,
                plies: &mut [(Ply, f32)],
            ) -> Evaluation
        )
    }

    /// Whose islands the cells will belong to: 0 to 1 for each cell of the
    /// board, 0 for all others. When the game is over, it is known.
    pub fn owners(&self, position: &Position, accumulators: &mut Accumulators) -> Owners {
        let network = self;
        compiled_for!(
            self.instructions,
            owners(
                network: &Network,
                position: &Position,
                accumulators: &mut Accumulators,
            ) -> Owners
        )
    }
}

/// What the units of the first layer put out for these sums.
#[inline(always)]
fn units(sums: &Sums) -> Lanes<u8, HIDDEN> {
    let mut units = Lanes([0; HIDDEN]);
    for (unit, &sum) in units.0.iter_mut().zip(&sums.0) {
        let half = 1 << (FIRST_SHIFT - 1);
        *unit = (sum.saturating_add(half) >> FIRST_SHIFT).clamp(0, ONE as i16) as u8;
    }
    units
}

#[inline(always)]
fn evaluate(network: &Network, position: &Position, accumulators: &mut Accumulators) -> Evaluation {
    if position.is_over() {
        return linear::result(position);
    }
    let inputs = Inputs::of(position, &Sight::new(position));
    let units = units(accumulators.of(network, position, &inputs));
    value(network, position, &inputs, &units)
}

/// What the first layer's `units` say that the position is worth.
#[inline(always)]
fn value(
    network: &Network,
    position: &Position,
    inputs: &Inputs,
    units: &Lanes<u8, HIDDEN>,
) -> Evaluation {
    let mut layer = Lanes([0; LAYER]);
    for (n, unit) in layer.0.iter_mut().enumerate() {
        let sum = network.second_bias[n] + dot(units, &network.second[n], network.instructions);
        *unit = ((sum + (1 << (SHIFT - 1))) >> SHIFT).clamp(0, ONE) as u8;
    }
    let mut outputs = [0.0; OUTPUTS];
    for (n, output) in outputs.iter_mut().enumerate() {
        let sum = network.output_bias[n] + dot(&layer, &network.output[n], network.instructions);
        *output = sum as f32 / UNIT;
    }
    let mut counts = [0.0; FEATURES];
    for (to, &count) in counts.iter_mut().zip(&inputs.counts) {
        *to = f32::from(count);
    }
    let (logit, lead) = network.linear.logit(position, &counts);
    let half = logit * 0.5;
    let [win, draw, loss] = [outputs[0] + half, outputs[1], outputs[2] - half];
    let highest = win.max(draw).max(loss);
    let [win, draw, loss] =
        [math::exp(win - highest), math::exp(draw - highest), math::exp(loss - highest)];
    Evaluation {
        win: (win + 0.5 * draw) / (win + draw + loss),
        lead: lead + outputs[3] * LEAD_UNIT,
    }
}

#[inline(always)]
fn priors(
    network: &Network,
    position: &Position,
    accumulators: &mut Accumulators,
    plies: &mut Vec<(Ply, f32)>,
) {
    plies.clear();
    if position.is_over() {
        return;
    }
    let sight = Sight::new(position);
    let inputs = Inputs::of(position, &sight);
    let layer = network.linear.layer();
    linear::logits_with(&network.linear, position, sight, layer, network.instructions, plies);
    let units = units(accumulators.of(network, position, &inputs));
    add_policy(network, position.size(), &units, plies);
    let highest = plies.iter().fold(f32::MIN, |highest, &(_, logit)| highest.max(logit));
    normalize(plies, highest);
}

#[inline(always)]
fn value_and_policy(
    network: &Network,
    position: &Position,
    accumulators: &mut Accumulators,
    plies: &mut [(Ply, f32)],
) -> Evaluation {
    for (_, logit) in plies.iter_mut() {
        *logit = 0.0;
    }
    if position.is_over() {
        return linear::result(position);
    }
    let inputs = Inputs::of(position, &Sight::new(position));
    let units = units(accumulators.of(network, position, &inputs));
    add_policy(network, position.size(), &units, plies);
    for (_, logit) in plies.iter_mut() {
        *logit /= linear::UNIT;
    }
    value(network, position, &inputs, &units)
}

/// Adds what the first layer's `units` say to the logits of `plies`, which are
/// in units of 1/[`linear::UNIT`].
#[inline(always)]
fn add_policy(network: &Network, size: Size, units: &Lanes<u8, HIDDEN>, plies: &mut [(Ply, f32)]) {
    for (ply, logit) in plies {
        let row = ply_row(*ply, size);
        let sum = network.ply_bias[row] + dot(units, &network.ply[row], network.instructions);
        *logit += sum as f32 * (linear::UNIT / UNIT);
    }
}

#[inline(always)]
fn owners(network: &Network, position: &Position, accumulators: &mut Accumulators) -> Owners {
    let mut owners = [[0.0; Cell::TABLE]; 2];
    let sides = [position.side(), !position.side()];
    if position.is_over() {
        for (chances, color) in owners.iter_mut().zip(sides) {
            for cell in position.islands(color) {
                chances[cell.index()] = 1.0;
            }
        }
        return owners;
    }
    let inputs = Inputs::of(position, &Sight::new(position));
    let units = units(accumulators.of(network, position, &inputs));
    for (whose, chances) in owners.iter_mut().enumerate() {
        for cell in Cells::board(position.size()) {
            let row = whose * Cell::TABLE + cell.index() + inputs::offset(position.size());
            let sum =
                network.owner_bias[row] + dot(&units, &network.owner[row], network.instructions);
            chances[cell.index()] = math::sigmoid(sum as f32 / UNIT);
        }
    }
    owners
}

const _: () = assert!(BITS.is_multiple_of(64) && FEATURES > 0);

#[cfg(test)]
mod tests;
