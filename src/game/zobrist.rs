//! Zobrist keys. The hash of a position is the exclusive or of the keys of its
//! tiles, bridges, stage, side to move and rules.

use super::{Color, Rules, Stage};
use crate::board::{Cell, Site};

static TILES: [[u64; Cell::TABLE]; 2] = [keys(1), keys(2)];
static BRIDGES: [u64; Site::TABLE] = keys(3);
static STAGES: [u64; 5] = keys(4);
static FLAGS: [u64; 2] = keys(5);

/// The `n`-th output of `SplitMix64` (Steele, Lea, Flood 2014) from `seed`.
const fn splitmix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut n = 0;
    while n < N {
        keys[n] = splitmix(splitmix(seed, 0), n as u64);
        n += 1;
    }
    keys
}

#[inline]
pub(super) fn tile(color: Color, cell: Cell) -> u64 {
    TILES[color.index()][cell.index()]
}

#[inline]
pub(super) fn bridge(site: Site) -> u64 {
    BRIDGES[site.index()]
}

#[inline]
pub(super) fn stage(stage: Stage) -> u64 {
    STAGES[stage as usize]
}

/// The key that toggles when the side to move changes.
#[inline]
pub(super) fn side() -> u64 {
    FLAGS[0]
}

/// The key of positions between the two tiles of a turn.
#[inline]
pub(super) fn half_turn() -> u64 {
    FLAGS[1]
}

/// The initial hash of a game with these rules.
pub(super) fn rules(rules: Rules) -> u64 {
    let (tiles, bridges) = rules.supply.limits(rules.size).unwrap_or((u16::MAX, u16::MAX));
    let packed = u64::from(rules.size.get()) << 33
        | u64::from(rules.pie) << 32
        | u64::from(tiles) << 16
        | u64::from(bridges);
    splitmix(splitmix(6, 0), packed)
}
