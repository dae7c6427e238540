//! Random numbers for rollouts and every other choice of the engine, reproducible from a seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::board::{Cell, Cells, Site, SiteSet};

/// A random number generator, xoshiro256++. A seed gives the same numbers on every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator itself, for the distributions of other crates.
    pub fn generator(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.0
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, or 0 if `n` is 0. The bias is below n/2³² (Lemire's multiplication
    /// without the rejection step).
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// True with probability `chance`/256.
    #[inline]
    pub fn chance(&mut self, chance: u8) -> bool {
        (self.bits() >> 56) < u64::from(chance)
    }

    /// A uniformly random cell; `None` if there is none.
    #[inline(always)]
    pub fn cell(&mut self, cells: Cells) -> Option<Cell> {
        let n = cells.len();
        if n == 0 { None } else { cells.nth(self.below(n)) }
    }

    /// A uniformly random site; `None` if there is none.
    #[inline(always)]
    pub fn site(&mut self, sites: &SiteSet) -> Option<Site> {
        let n = sites.len();
        if n == 0 { None } else { sites.nth(self.below(n)) }
    }
}
