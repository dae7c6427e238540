//! A small network that says what a position is worth and which plies look
//! good, trained on games of the engine against itself.
//!
//! It starts from what the linear evaluation and prior say, and learns what
//! these do not see. In the manner of NNUE (Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions for Computer Shogi", 2018) most
//! of its work is a sum of a row of weights for every bit of a sparse input
//! (`inputs`), which is not made anew for a position but from that of another
//! by what they differ in (`accumulator`). What follows is small: a layer of
//! [`LAYER`] units for the value, and a row of weights for each ply. All of it
//! is arithmetic of integers: results are the same on every machine.

mod accumulator;
pub(crate) mod format;
pub(crate) mod inputs;

pub use self::accumulator::Accumulators;
use self::accumulator::Sums;
pub use self::format::NetworkError;
use self::inputs::{BITS, Inputs};
use super::Instructions;
use super::dispatch::compiled_for;
use super::linear::value::FEATURES;
use super::linear::{self, Evaluation, Linear, math, normalize};
use super::view::Sight;
use crate::board::{Cell, Site, Size};
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

/// A network ready for use.
#[derive(Clone)]
pub struct Network {
    linear: Linear,
    /// A row for each bit of the input.
    first: Vec<Sums>,
    first_bias: Sums,
    /// A row for each number of the input.
    counted: Vec<Sums>,
    second: [[i8; HIDDEN]; LAYER],
    second_bias: [i32; LAYER],
    output: [[i8; LAYER]; OUTPUTS],
    output_bias: [i32; OUTPUTS],
    ply: Vec<[i8; HIDDEN]>,
    ply_bias: Vec<i32>,
    owner: Vec<[i8; HIDDEN]>,
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

    /// The same, using no more than `instructions`, which this processor
    /// must have.
    #[must_use]
    pub fn limited_to(&self, instructions: Instructions) -> Network {
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
}

/// What the units of a layer put out for these sums.
#[inline(always)]
fn units(sums: &Sums) -> [u8; HIDDEN] {
    let mut units = [0; HIDDEN];
    for (unit, &sum) in units.iter_mut().zip(sums) {
        let half = 1 << (FIRST_SHIFT - 1);
        *unit = (sum.saturating_add(half) >> FIRST_SHIFT).clamp(0, ONE as i16) as u8;
    }
    units
}

/// The sum of products.
#[inline(always)]
fn dot<const N: usize>(units: &[u8; N], weights: &[i8; N]) -> i32 {
    let products = units.iter().zip(weights).map(|(&u, &w)| i32::from(u) * i32::from(w));
    products.sum()
}

#[inline(always)]
fn evaluate(network: &Network, position: &Position, accumulators: &mut Accumulators) -> Evaluation {
    if position.is_over() {
        return linear::result(position);
    }
    let inputs = Inputs::of(position, &Sight::new(position));
    let units = units(accumulators.of(network, position, &inputs));
    let mut layer = [0; LAYER];
    for (n, unit) in layer.iter_mut().enumerate() {
        let sum = network.second_bias[n] + dot(&units, &network.second[n]);
        *unit = ((sum + (1 << (SHIFT - 1))) >> SHIFT).clamp(0, ONE) as u8;
    }
    let one = (ONE << SHIFT) as f32;
    let mut outputs = [0.0; OUTPUTS];
    for (n, output) in outputs.iter_mut().enumerate() {
        *output = (network.output_bias[n] + dot(&layer, &network.output[n])) as f32 / one;
    }
    let mut counts = [0.0; FEATURES];
    for (to, &count) in counts.iter_mut().zip(&inputs.counts) {
        *to = f32::from(count);
    }
    let (logit, lead) = network.linear.logit(position, &counts);
    let half = logit * 0.5;
    let [win, draw, loss] = [outputs[0] + half, outputs[1], outputs[2] - half];
    let highest = win.max(draw).max(loss);
    let [win, draw, loss] = [win, draw, loss].map(|logit| math::exp(logit - highest));
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
    linear::logits_with(&network.linear, position, sight, plies);
    let units = units(accumulators.of(network, position, &inputs));
    let size = position.size();
    let mut highest = f32::MIN;
    for (ply, logit) in plies.iter_mut() {
        let row = ply_row(*ply, size);
        let sum = network.ply_bias[row] + dot(&units, &network.ply[row]);
        *logit += sum as f32 * (linear::UNIT / (ONE << SHIFT) as f32);
        highest = highest.max(*logit);
    }
    normalize(plies, highest);
}

const _: () = assert!(BITS.is_multiple_of(64) && FEATURES > 0);
