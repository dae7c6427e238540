//! The Zobrist keys of positions (Zobrist 1970).
//!
//! The hash of a position is the exclusive or of the keys of its tiles, bridges, stage, side to
//! move and rules, so that a step changes it by a few keys. Open cells, supplies and scores follow
//! from the board and need none. The keys are constants, so hashes are the same in every run and on
//! every machine, and so are searches on one thread.

use super::position::UNLIMITED;
use super::{Color, Rules, Stage};
use crate::board::{Cell, Site};

static TILE_KEYS: [[u64; Cell::TABLE]; 2] = [keys(1), keys(2)];
static BRIDGE_KEYS: [u64; Site::TABLE] = keys(3);
static STAGE_KEYS: [u64; 5] = keys(4);
static FLAG_KEYS: [u64; 2] = keys(5);

#[inline]
pub(super) fn tile_key(color: Color, cell: Cell) -> u64 {
    TILE_KEYS[color.index()][cell.index()]
}

#[inline]
pub(super) fn bridge_key(site: Site) -> u64 {
    BRIDGE_KEYS[site.index()]
}

#[inline]
pub(super) fn stage_key(stage: Stage) -> u64 {
    STAGE_KEYS[stage as usize]
}

/// The key that toggles when the side to move changes.
#[inline]
pub(super) fn side_key() -> u64 {
    FLAG_KEYS[0]
}

/// The key of positions between the two tiles of a turn.
#[inline]
pub(super) fn half_turn_key() -> u64 {
    FLAG_KEYS[1]
}

/// The initial hash of a game with these rules.
pub(super) fn rules_key(rules: Rules) -> u64 {
    let (tiles, bridges) = rules.supply.limits(rules.size).unwrap_or((UNLIMITED, UNLIMITED));
    // Packed into fields that cannot overlap: 16 bits, 16 bits, 1 bit, the rest.
    let packed = u64::from(rules.size.get()) << 33
        | u64::from(rules.pie) << 32
        | u64::from(tiles) << 16
        | u64::from(bridges);
    splitmix(splitmix(6, 0), packed)
}

/// The `n`-th output of SplitMix64 from `seed` (Steele, Lea, Flood, "Fast splittable pseudorandom
/// number generators", 2014). The constants are theirs.
const fn splitmix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// `N` keys. Each table of keys has a seed of its own.
const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut n = 0;
    while n < N {
        keys[n] = splitmix(splitmix(seed, 0), n as u64);
        n += 1;
    }
    keys
}
