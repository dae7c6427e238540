//! An edge of the tree: an opened step with its statistics, and sums of results on their way to it.
//!
//! Selection reads nothing but the edges of a node, so an edge has all that selection needs, in 32
//! bytes, half a cache line. Sums are in fixed point, because there is no atomic addition of
//! floating-point numbers.
//!
//! # Memory ordering
//!
//! The child's address is stored with *release* and loaded with *acquire*, so that whoever reads it
//! sees the contents of the child. Visits share its word: additions to them are atomic
//! read-modify-writes, which continue the release sequence. The plain stores of
//! [`CounterAccess::Exclusive`] would break it, but there no other thread reads.
//!
//! Everything else is relaxed. Sums and visits are counters that may be read at slightly different
//! moments; bounds and prior are complete in themselves.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::bounds::{Bounds, SearchValue};
use super::pool::Address;
use crate::game::{Color, Value};

/// An opened step, in four words:
///
/// | word | content |
/// |---|---|
/// | 0 | visits (32 bits), those in progress included; address of the child node (32) |
/// | 1 | sum of the mover's utility over the visits |
/// | 2 | prior (32), bounds of the position after the step (32) |
/// | 3 | sum of the squared utilities |
///
/// A visit adds to word 0 when it begins and to the sums when it ends. Visits must stay below 2³²,
/// or they would run into the address; every search ends at 2³¹ visits of its root.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Edge<'a>(pub(in crate::search) &'a [AtomicU64; EDGE_WORDS]);

/// Words of an edge.
pub(in crate::search) const EDGE_WORDS: usize = 4;

// Indices of the words in the table above.
const VISITS_AND_CHILD: usize = 0;
const UTILITY: usize = 1;
const PRIOR_AND_BOUNDS: usize = 2;
const SQUARES: usize = 3;

/// Whether other threads write to the counters of the tree.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum CounterAccess {
    /// Not shared: plain loads and stores. Atomic additions, seven for each step of an iteration's
    /// path, would slow a search on one thread by 3 %.
    Exclusive,
    /// Shared: atomic additions, which lose no visit.
    Shared,
}

impl CounterAccess {
    /// Adds to a counter; returns its previous value.
    #[inline(always)]
    pub(in crate::search) fn add(self, word: &AtomicU64, amount: u64) -> u64 {
        match self {
            CounterAccess::Exclusive => {
                let before = word.load(Relaxed);
                word.store(before.wrapping_add(amount), Relaxed);
                before
            }
            CounterAccess::Shared => word.fetch_add(amount, Relaxed),
        }
    }
}

impl Edge<'_> {
    /// Visits of the step, those in progress included.
    pub(in crate::search) fn visits(self) -> u32 {
        self.0[VISITS_AND_CHILD].load(Relaxed) as u32
    }

    /// Forgets the child, which no longer exists. No other thread may use the edge.
    pub(in crate::search) fn drop_child(self) {
        self.0[VISITS_AND_CHILD].store(u64::from(self.visits()), Relaxed);
    }

    pub(in crate::search) fn begin_visits(self, visits: u32, counting: CounterAccess) {
        counting.add(&self.0[VISITS_AND_CHILD], u64::from(visits));
    }

    /// Cancels visits that were begun and not ended.
    pub(in crate::search) fn cancel_visits(self, visits: u32) {
        // Always locked: only searches on several threads cancel visits.
        self.0[VISITS_AND_CHILD].fetch_sub(u64::from(visits), Relaxed);
    }

    /// The child node, once it has been made.
    pub(in crate::search) fn child(self) -> Option<Address> {
        Address::from_bits((self.0[VISITS_AND_CHILD].load(Acquire) >> 32) as u32)
    }

    /// Replaces the child `before` with `child`, unless another thread already has. `before` is the
    /// child's address in the old half, or `None`.
    pub(in crate::search) fn set_child(self, before: Option<Address>, child: Address) {
        let before = before.map_or(0, Address::bits);
        let set = |word: u64| {
            ((word >> 32) as u32 == before)
                .then_some(word & 0xffff_ffff | u64::from(child.bits()) << 32)
        };
        let _ = self.0[VISITS_AND_CHILD].fetch_update(Release, Relaxed, set);
    }

    /// Ends visits with their results.
    pub(in crate::search) fn add_results(self, sums: &Sums, counting: CounterAccess) {
        counting.add(&self.0[UTILITY], sums.edge_utility);
        counting.add(&self.0[SQUARES], sums.edge_squares);
    }

    /// The mover's mean utility, 0 to 1; visits in progress count as losses (virtual loss). NaN
    /// while unvisited.
    pub(in crate::search) fn utility(self) -> f32 {
        // At most 2³¹ visits of 2²⁴ each, so the sum fits; a signed number is converted by one
        // instruction on x86-64.
        self.0[UTILITY].load(Relaxed) as i64 as f32 / (FIXED * self.visits() as f32)
    }

    /// The variance of the utility over the visits.
    pub(in crate::search) fn variance(self) -> f32 {
        let mean = self.utility();
        // Rounding, and words read at different moments, may make it slightly negative.
        (self.0[SQUARES].load(Relaxed) as f32 / FIXED / self.visits() as f32 - mean * mean).max(0.0)
    }

    /// Replaces the prior.
    pub(in crate::search) fn set_prior(self, prior: f32) {
        let set = |word: u64| Some(word & !0xffff_ffff | u64::from(prior.to_bits()));
        let _ = self.0[PRIOR_AND_BOUNDS].fetch_update(Relaxed, Relaxed, set);
    }

    /// Sets the prior unless another thread, which refined the node since the step was opened, has
    /// set a better one. A prior is never 0.
    pub(in crate::search) fn offer_prior(self, prior: f32) {
        let set = |word: u64| (word as u32 == 0).then_some(word | u64::from(prior.to_bits()));
        let _ = self.0[PRIOR_AND_BOUNDS].fetch_update(Relaxed, Relaxed, set);
    }

    /// The prior of the step, 0 to 1.
    pub(in crate::search) fn prior(self) -> f32 {
        f32::from_bits(self.0[PRIOR_AND_BOUNDS].load(Relaxed) as u32)
    }

    /// Proved bounds of the position after the step.
    pub(in crate::search) fn bounds(self) -> Bounds {
        unpack((self.0[PRIOR_AND_BOUNDS].load(Relaxed) >> 32) as u32)
    }

    /// Whether anything is proved about the position after the step.
    pub(in crate::search) fn has_bounds(self) -> bool {
        self.0[PRIOR_AND_BOUNDS].load(Relaxed) >> 32 != 0
    }

    /// Adds proved bounds; returns whether they were new.
    pub(in crate::search) fn tighten(self, bounds: Bounds) -> bool {
        let tightened = |word: u64| {
            let bits = pack(unpack((word >> 32) as u32).and(bounds));
            let new_word = word & 0xffff_ffff | u64::from(bits) << 32;
            (new_word != word).then_some(new_word)
        };
        self.0[PRIOR_AND_BOUNDS].fetch_update(Relaxed, Relaxed, tightened).is_ok()
    }
}

/// Packs bounds into 32 bits; [`Bounds::UNKNOWN`] becomes 0, because both are stored as their
/// distance from the extreme. Zeroed memory thus proves nothing.
pub(in crate::search) fn pack(bounds: Bounds) -> u32 {
    let lower = bounds.lower.get().wrapping_sub(Value::MIN.get()) as u16;
    let upper = Value::MAX.get().wrapping_sub(bounds.upper.get()) as u16;
    u32::from(upper) << 16 | u32::from(lower)
}

/// The inverse of [`pack`].
pub(in crate::search) fn unpack(bits: u32) -> Bounds {
    Bounds {
        lower: Value::new(Value::MIN.get().wrapping_add(bits as u16 as i16)),
        upper: Value::new(Value::MAX.get().wrapping_sub((bits >> 16) as u16 as i16)),
    }
}

/// Scale of the fixed-point sums of utilities and win rates: as fine as a 32-bit float is near 1,
/// and 2³¹ visits stay far below 2⁶⁴.
pub(in crate::search) const FIXED: f32 = (1 << 24) as f32;
/// Scale of fixed-point sums of leads, which are up to a hundred times as large. Negative leads are
/// added as their two's complement.
pub(in crate::search) const LEAD_FIXED: f32 = (1 << 16) as f32;

/// Results of visits to a node and one of its edges, as sums in fixed point that are still to be
/// added to the tree.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::search) struct Sums {
    /// The number of results.
    pub(in crate::search) visits: u64,
    /// The edge's sums: the mover's utility, and its square, before the node's bounds clamp it.
    pub(in crate::search) edge_utility: u64,
    pub(in crate::search) edge_squares: u64,
    /// The node's sums: the mover's utility and win rate, White's lead.
    pub(in crate::search) utility: u64,
    pub(in crate::search) win: u64,
    pub(in crate::search) lead: u64,
}

impl Sums {
    /// Counts one visit: White's result for the edge, and for the node, whose bounds may have
    /// clamped it.
    pub(in crate::search) fn add(&mut self, edge: SearchValue, node: SearchValue, mover: Color) {
        let utility = edge.seen_by(mover).utility;
        let node_result = node.seen_by(mover);
        self.visits += 1;
        self.edge_utility += fixed(utility);
        self.edge_squares += fixed(utility * utility);
        self.utility += fixed(node_result.utility);
        self.win += fixed(node_result.win);
        self.lead = self.lead.wrapping_add((node.lead * LEAD_FIXED) as i64 as u64);
    }
}

/// Converts a utility or win rate, 0 to 1, to fixed point, with an error of at most 2⁻²⁴.
fn fixed(value: f32) -> u64 {
    (value * FIXED) as u64
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
