use super::inputs::{BITS, Inputs, NUMBER_BITS, WORDS, offset};
use super::{HIDDEN, Network};
use crate::board::Size;
use crate::eval::Instructions;
use crate::eval::linear::value::FEATURES;
use crate::game::{Color, Position};

/// The sums of the first layer, or a row of its weights: whole lines of the
/// processor's cache.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Sums(pub(crate) [i16; HIDDEN]);

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

/// What two positions differ in. It is looked for without branches: what is
/// put behind the end of a list does not count, and which bits changed no
/// processor could foresee.
#[derive(Clone, Debug)]
struct Changes {
    /// Words with bits that changed, these bits.
    bits: [u64; WORDS + 1],
    /// Which words they are.
    words: [u8; WORDS + 1],
    /// Rows of bits that are new, and how many.
    added: Box<[u16]>,
    added_len: usize,
    /// Rows of bits that are no more.
    removed: Box<[u16]>,
    removed_len: usize,
    /// Rows of numbers that changed, and by how much.
    numbers: [(u16, i16); FEATURES],
    numbers_len: usize,
}

impl Changes {
    /// No change, and room for as many as there can be.
    fn none() -> Changes {
        Changes {
            bits: [0; WORDS + 1],
            words: [0; WORDS + 1],
            added: vec![0; BITS].into(),
            added_len: 0,
            removed: vec![0; BITS].into(),
            removed_len: 0,
            numbers: [(0, 0); FEATURES],
            numbers_len: 0,
        }
    }

    /// Finds what has to change for `old` to become `new` on a board whose
    /// rows stand `shift` further on, and makes it so.
    #[inline(always)]
    fn find(&mut self, old: &mut Inputs, new: &Inputs, shift: usize) {
        let mut len = 0;
        for (word, (old, &new)) in old.bits.iter_mut().zip(&new.bits).enumerate() {
            let changed = *old ^ new;
            self.bits[len] = changed;
            self.words[len] = word as u8;
            len += usize::from(changed != 0);
            *old = new;
        }
        self.bits[len] = 0;
        let (mut added, mut removed) = (0, 0);
        let mut at = 0;
        let mut bits = self.bits[0];
        while at < len {
            let word = usize::from(self.words[at]);
            let base = word * 64 + if word * 64 < NUMBER_BITS { shift } else { 0 };
            let bit = bits.trailing_zeros() as usize;
            let row = (base + bit) as u16;
            let is_new = new.bits[word] >> bit & 1;
            self.added[added] = row;
            self.removed[removed] = row;
            added += is_new as usize;
            removed += 1 - is_new as usize;
            // On to the next bit, in the next word if that was the last.
            bits &= bits - 1;
            let is_last = u64::from(bits == 0);
            at += is_last as usize;
            bits |= self.bits[at] & is_last.wrapping_neg();
        }
        let mut len = 0;
        for (n, (old, &new)) in old.counts.iter_mut().zip(&new.counts).enumerate() {
            let change = i16::from(new) - i16::from(*old);
            self.numbers[len] = (n as u16, change);
            len += usize::from(change != 0);
            *old = new;
        }
        (self.added_len, self.removed_len, self.numbers_len) = (added, removed, len);
    }
}

impl Accumulator {
    /// Brings the sums to those of `inputs` on a board of `size`.
    #[inline(always)]
    fn move_to(
        &mut self,
        network: &Network,
        inputs: &Inputs,
        size: Size,
        changes: &mut Changes,
    ) -> &Sums {
        if size != self.size {
            (self.inputs, self.size) = (Inputs::NONE, size);
            self.sums.0.copy_from_slice(&network.first_bias.0);
        }
        changes.find(&mut self.inputs, inputs, offset(size));
        // As many sums at a time as stay in the processor's registers.
        if network.instructions == Instructions::Portable {
            self.sums.add_up::<64>(network, changes);
        } else {
            self.sums.add_up::<HIDDEN>(network, changes);
        }
        &self.sums
    }
}

impl Sums {
    /// Adds the rows of bits that are new, subtracts those of bits that are no
    /// more, adds those of numbers as often as they grew, for `WIDTH` sums at
    /// a time.
    #[inline(always)]
    fn add_up<const WIDTH: usize>(&mut self, network: &Network, changes: &Changes) {
        let (blocks, _) = self.0.as_chunks_mut::<WIDTH>();
        for (at, block) in blocks.iter_mut().enumerate() {
            let mut sums = *block;
            for &row in &changes.added[..changes.added_len] {
                let weights = part::<WIDTH>(&network.first[usize::from(row)], at);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
            for &row in &changes.removed[..changes.removed_len] {
                let weights = part::<WIDTH>(&network.first[usize::from(row)], at);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_sub(*weight);
                }
            }
            for &(row, times) in &changes.numbers[..changes.numbers_len] {
                let weights = part::<WIDTH>(&network.counted[usize::from(row)], at);
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(weight.wrapping_mul(times));
                }
            }
            *block = sums;
        }
    }
}

/// The block of `WIDTH` weights that stands at place `at` of a row.
#[inline(always)]
fn part<const WIDTH: usize>(row: &Sums, at: usize) -> &[i16; WIDTH] {
    &row.0.as_chunks().0[at]
}

/// The accumulators of a thread: one for either colour to move, before and
/// after the first tile of a turn. What one sees differs from what another
/// does in nearly everything.
#[derive(Clone, Debug)]
pub struct Accumulators {
    all: Box<[Accumulator; 4]>,
    changes: Box<Changes>,
}

impl Accumulators {
    /// Sums of nothing.
    pub(crate) fn new(network: &Network) -> Accumulators {
        let empty = Accumulator {
            inputs: Inputs::NONE,
            size: Size::STANDARD,
            sums: network.first_bias.clone(),
        };
        let all = Box::new(std::array::from_fn(|_| empty.clone()));
        Accumulators { all, changes: Box::new(Changes::none()) }
    }

    /// The sums of `position`, whose inputs are `inputs`.
    #[inline(always)]
    pub(crate) fn of(&mut self, network: &Network, position: &Position, inputs: &Inputs) -> &Sums {
        let side = usize::from(position.side() == Color::Red);
        let accumulator = &mut self.all[2 * side + usize::from(position.is_half_turn())];
        accumulator.move_to(network, inputs, position.size(), &mut self.changes)
    }
}

const _: () = assert!(BITS < 1 << 16 && WORDS < 1 << 8 && HIDDEN.is_multiple_of(64));
