use super::inputs::{BITS, Inputs, NUMBER_BITS, Ones, offset};
use super::{HIDDEN, Network};
use crate::board::Size;
use crate::eval::linear::value::FEATURES;
use crate::game::{Color, Position};

/// The sums of the first layer.
pub(crate) type Sums = [i16; HIDDEN];

/// Sums of the first layer and what they are of. They are integers, and
/// additions of integers can be taken back: from one position to another only
/// what differs is added and subtracted, in whatever order, and the sums are
/// those one would get from nothing.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator {
    inputs: Inputs,
    size: Size,
    sums: Sums,
}

impl Accumulator {
    /// Brings the sums to those of `inputs` on a board of `size`.
    #[inline(always)]
    fn move_to(&mut self, network: &Network, inputs: &Inputs, size: Size) -> &Sums {
        if size != self.size {
            (self.inputs, self.size, self.sums) = (Inputs::NONE, size, network.first_bias);
        }
        let shift = offset(size);
        let sums = &mut self.sums;
        for (word, (old, &new)) in self.inputs.bits.iter_mut().zip(&inputs.bits).enumerate() {
            let changed = *old ^ new;
            if changed == 0 {
                continue;
            }
            let base = word * 64;
            let base = if base < NUMBER_BITS { base + shift } else { base };
            for bit in Ones(changed & new) {
                add(sums, &network.first[base + bit]);
            }
            for bit in Ones(changed & *old) {
                subtract(sums, &network.first[base + bit]);
            }
            *old = new;
        }
        for (n, (old, &new)) in self.inputs.counts.iter_mut().zip(&inputs.counts).enumerate() {
            if *old != new {
                add_times(sums, &network.counted[n], new.wrapping_sub(*old).into());
                *old = new;
            }
        }
        sums
    }
}

#[inline(always)]
fn add(sums: &mut Sums, row: &Sums) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(sums: &mut Sums, row: &Sums) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(*weight);
    }
}

#[inline(always)]
fn add_times(sums: &mut Sums, row: &Sums, times: i16) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(weight.wrapping_mul(times));
    }
}

/// The accumulators of a thread, for positions with either colour to move:
/// what one sees differs from what the other does in nearly everything.
#[derive(Clone, Debug)]
pub struct Accumulators {
    all: Box<[Accumulator; 8]>,
}

impl Accumulators {
    /// Sums of nothing.
    pub(crate) fn new(network: &Network) -> Accumulators {
        let empty =
            Accumulator { inputs: Inputs::NONE, size: Size::STANDARD, sums: network.first_bias };
        Accumulators { all: Box::new(std::array::from_fn(|_| empty.clone())) }
    }

    /// The sums of `position`, whose inputs are `inputs`.
    #[inline(always)]
    pub(crate) fn of(&mut self, network: &Network, position: &Position, inputs: &Inputs) -> &Sums {
        let side = usize::from(position.side() == Color::Red);
        let accumulator = &mut self.all[2 * side + usize::from(position.is_half_turn())];
        accumulator.move_to(network, inputs, position.size())
    }
}

const _: () = assert!(BITS < 1 << 16 && FEATURES < 256);
