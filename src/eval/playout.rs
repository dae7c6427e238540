use super::Random;
use crate::board::{Cell, Cells, Site};
use crate::game::{Ply, Position};

/// Chances in 256 of the choices a playout makes when it has them.
mod chance {
    /// Join two networks with islands by a bridge.
    pub(super) const JOIN: u8 = 250;
    /// Build any other bridge.
    pub(super) const BRIDGE: u8 = 12;
    /// Complete an island.
    pub(super) const COMPLETE: u8 = 190;
    /// Take a cell where the opponent would complete an island.
    pub(super) const HINDER: u8 = 40;
    /// Grow a group of two to three.
    pub(super) const GROW_TWO: u8 = 128;
    /// Grow a single tile to two.
    pub(super) const GROW_ONE: u8 = 96;
}

/// How many points a bridge on `site`, buildable for one colour, brings now.
#[inline]
pub fn bridge_gain(position: &Position, site: Site) -> u16 {
    let [a, b] = site.ends();
    let (n, m) = (position.network_islands(a), position.network_islands(b));
    if n == 0 || m == 0 || position.network(a) == position.network(b) {
        return 0;
    }
    u16::from(n) * u16::from(m)
}

/// Plays `position` to the end: completes islands and joins networks more
/// often than not when that is possible, else moves at random.
///
/// Uniformly random games end with hardly a point on the board and tell
/// nothing about the position they started from; these end like games.
pub fn playout(position: &mut Position, turns: u32, random: &mut Random) {
    let mut turns = turns;
    while !position.is_over() && (turns > 0 || position.is_half_turn()) {
        turns -= u32::from(!position.is_half_turn());
        if position.is_half_turn() {
            if let Some(cell) = choose_cell(position, position.candidates(position.side()), random)
            {
                position.make(Ply::Tile(cell));
            }
        } else if let Some(ply) = choose_bridge(position, random).map(Ply::Bridge) {
            position.make(ply);
        } else if !place(position, random) {
            let sites = position.bridge_plies();
            position.make(random.site(&sites).map_or(Ply::Pass, Ply::Bridge));
        }
    }
}

/// A bridge that is built before tiles are thought of.
#[inline]
fn choose_bridge(position: &Position, random: &mut Random) -> Option<Site> {
    let sites = position.bridge_plies();
    if sites.is_empty() {
        return None;
    }
    // Points come from islands, or from sandbanks that bridges join to some.
    let side = position.side();
    let bridged = position.tiles(side) & position.bridge_ends();
    let banks = if bridged.is_empty() { bridged } else { position.tiles(side).flood(bridged) };
    let gaining = sites.within(position.islands(side) | banks);
    let best = gaining.iter().map(|site| (bridge_gain(position, site), site)).max();
    if let Some((gain, best)) = best
        && gain > 0
    {
        random.chance(chance::JOIN).then_some(best)
    } else if random.chance(chance::BRIDGE) {
        random.site(&sites)
    } else {
        None
    }
}

/// Lays two tiles, if that is possible.
#[inline]
fn place(position: &mut Position, random: &mut Random) -> bool {
    if !position.has_tiles() {
        return false;
    }
    let mut cells = position.candidates(position.side());
    while let Some(first) = choose_cell(position, cells, random) {
        if position.leaves_another(first) {
            position.make(Ply::Tile(first));
            return true;
        }
        cells.remove(first);
    }
    false
}

/// One of `cells`, candidates of the mover.
#[inline]
fn choose_cell(position: &Position, cells: Cells, random: &mut Random) -> Option<Cell> {
    let side = position.side();
    let dice = random.bits().to_le_bytes();
    let growing = position.joining(side);
    let choices = [
        (chance::COMPLETE, growing[3]),
        (chance::HINDER, position.completing(!side)),
        (chance::GROW_TWO, growing[2]),
        (chance::GROW_ONE, growing[1]),
    ];
    for (die, (chance, wanted)) in dice.into_iter().zip(choices) {
        if die < chance
            && let Some(cell) = random.cell(wanted & cells)
        {
            return Some(cell);
        }
    }
    random.cell(cells)
}
