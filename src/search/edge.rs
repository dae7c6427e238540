//! An edge of the tree: an opened step with its statistics.

use std::sync::atomic::{AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

use super::bounds::Bounds;
use super::node_pool::Address;
use super::sums::{FIXED, Sums};
use crate::game::Value;

/// An opened step, in four words:
///
/// | word | content |
/// |---|---|
/// | 0 | visits (32 bits), those in progress included; address of the child node (32) |
/// | 1 | sum of the mover's utility over the visits |
/// | 2 | prior (32), bounds of the position after the step (32) |
/// | 3 | sum of the squared utilities |
///
/// A visit adds to word 0 when it begins and to the sums when it ends. Visits
/// must stay below 2³², or they would run into the address; every search ends
/// at 2³¹ visits of its root. The address is stored with release and loaded
/// with acquire ordering, so a thread that reads it sees the child's contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a>(pub(super) &'a [AtomicU64; EDGE]);

/// Words of an edge.
pub(super) const EDGE: usize = 4;

const VISITS_AND_CHILD: usize = 0;
const UTILITY: usize = 1;
const PRIOR_AND_BOUNDS: usize = 2;
const SQUARES: usize = 3;

/// Whether other threads write to the counters of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counting {
    /// None does, so locked instructions are not needed. They would cost an
    /// iteration seven per step of its path.
    Alone,
    /// Others may.
    Together,
}

impl Counting {
    /// Adds to a counter; returns what it was before.
    #[inline(always)]
    pub(super) fn add(self, word: &AtomicU64, amount: u64) -> u64 {
        match self {
            Counting::Alone => {
                let before = word.load(Relaxed);
                word.store(before.wrapping_add(amount), Relaxed);
                before
            }
            Counting::Together => word.fetch_add(amount, Relaxed),
        }
    }
}

impl Edge<'_> {
    /// Visits of the step, those in progress included.
    pub(super) fn visits(self) -> u32 {
        self.0[VISITS_AND_CHILD].load(Relaxed) as u32
    }

    /// Forgets the child, which no longer exists. No other thread may use the
    /// edge.
    pub(super) fn drop_child(self) {
        self.0[VISITS_AND_CHILD].store(u64::from(self.visits()), Relaxed);
    }

    /// Begins visits.
    pub(super) fn enter(self, visits: u32, counting: Counting) {
        counting.add(&self.0[VISITS_AND_CHILD], u64::from(visits));
    }

    /// Takes back visits that were begun and not ended.
    pub(super) fn leave(self, visits: u32) {
        self.0[VISITS_AND_CHILD].fetch_sub(u64::from(visits), Relaxed);
    }

    /// The child node, once it has been made.
    pub(super) fn child(self) -> Option<Address> {
        Address::from_bits((self.0[VISITS_AND_CHILD].load(Acquire) >> 32) as u32)
    }

    /// Replaces the child `before` by `child`, unless another thread already
    /// has.
    pub(super) fn set_child(self, before: Option<Address>, child: Address) {
        let before = before.map_or(0, Address::bits);
        let set = |word: u64| {
            ((word >> 32) as u32 == before)
                .then_some(word & 0xffff_ffff | u64::from(child.bits()) << 32)
        };
        let _ = self.0[VISITS_AND_CHILD].fetch_update(Release, Relaxed, set);
    }

    /// Ends visits with their results.
    pub(super) fn reward(self, sums: &Sums, counting: Counting) {
        counting.add(&self.0[UTILITY], sums.edge_utility);
        counting.add(&self.0[SQUARES], sums.edge_squares);
    }

    /// The mover's mean utility, 0 to 1; visits in progress count as losses
    /// (virtual loss). NaN while unvisited.
    pub(super) fn utility(self) -> f32 {
        self.0[UTILITY].load(Relaxed) as i64 as f32 / (FIXED * self.visits() as f32)
    }

    /// The variance of the utility over the visits.
    pub(super) fn variance(self) -> f32 {
        let mean = self.utility();
        (self.0[SQUARES].load(Relaxed) as f32 / FIXED / self.visits() as f32 - mean * mean).max(0.0)
    }

    /// Replaces the prior.
    pub(super) fn set_prior(self, prior: f32) {
        let set = |word: u64| Some(word & !0xffff_ffff | u64::from(prior.to_bits()));
        let _ = self.0[PRIOR_AND_BOUNDS].fetch_update(Relaxed, Relaxed, set);
    }

    /// Sets the prior unless another thread has set a refined one.
    pub(super) fn offer_prior(self, prior: f32) {
        let set = |word: u64| (word as u32 == 0).then_some(word | u64::from(prior.to_bits()));
        let _ = self.0[PRIOR_AND_BOUNDS].fetch_update(Relaxed, Relaxed, set);
    }

    /// The prior of the step, 0 to 1.
    pub(super) fn prior(self) -> f32 {
        f32::from_bits(self.0[PRIOR_AND_BOUNDS].load(Relaxed) as u32)
    }

    /// Proved bounds of the position after the step.
    pub(super) fn bounds(self) -> Bounds {
        unpack((self.0[PRIOR_AND_BOUNDS].load(Relaxed) >> 32) as u32)
    }

    /// Whether anything is proved about the position after the step.
    pub(super) fn has_bounds(self) -> bool {
        self.0[PRIOR_AND_BOUNDS].load(Relaxed) >> 32 != 0
    }

    /// Adds proved bounds; returns whether they were new.
    pub(super) fn tighten(self, bounds: Bounds) -> bool {
        let tightened = |word: u64| {
            let now = pack(unpack((word >> 32) as u32).and(bounds));
            let now = word & 0xffff_ffff | u64::from(now) << 32;
            (now != word).then_some(now)
        };
        self.0[PRIOR_AND_BOUNDS].fetch_update(Relaxed, Relaxed, tightened).is_ok()
    }
}

/// Packs bounds into 32 bits; [`Bounds::UNKNOWN`] becomes 0.
pub(super) fn pack(bounds: Bounds) -> u32 {
    let lower = bounds.lower.get().wrapping_sub(Value::MIN.get()) as u16;
    let upper = Value::MAX.get().wrapping_sub(bounds.upper.get()) as u16;
    u32::from(upper) << 16 | u32::from(lower)
}

/// The inverse of [`pack`].
pub(super) fn unpack(bits: u32) -> Bounds {
    Bounds {
        lower: Value::new(Value::MIN.get().wrapping_add(bits as u16 as i16)),
        upper: Value::new(Value::MAX.get().wrapping_sub((bits >> 16) as u16 as i16)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bounds_unpack_to_the_same_bounds() {
        assert_eq!(pack(Bounds::UNKNOWN), 0);
        for lower in [Value::MIN.get(), -300, -1, 0, 5, Value::MAX.get()] {
            for upper in [lower, Value::MAX.get()] {
                let bounds = Bounds { lower: Value::new(lower), upper: Value::new(upper) };
                assert_eq!(unpack(pack(bounds)), bounds);
            }
        }
    }
}
