//! Rollouts: games played to the end, or for a few turns, by a fast policy.
//!
//! A static evaluation counts what is there. It cannot see which of two open threats comes first,
//! or that both sides need the same cell. A few turns of plausible play resolve most of that, so
//! the search values a leaf by a blend of the evaluation before and after a short rollout
//! (`search::Params::static_share`).
//!
//! The policy knows four things, asked in this order: join networks, stop the opponent's best join,
//! complete or block an island, grow a sandbank. Each is done with a fixed chance, not always,
//! because a rollout that always answers a threat says that no threat is worth anything. Everything
//! else is uniformly random over the legal steps. No weights are looked up: a rollout must cost
//! less than the evaluations it improves.
//!
//! Rollouts are deterministic: the same position and random state give the same game on every
//! machine and with every set of instructions.

use super::dispatch::{Instructions, compiled_for};
use super::random::Random;
use super::views::{bridge_gain, linked, only_completions};
use crate::board::{Cell, Cells, Site, SiteSet};
use crate::game::{Color, Position, Step};

/// Chances, in 256ths, of taking each kind of step when it is possible.
///
/// `JOIN`, `STOP`, `BLOCK` and the two of growth were selected by how well mean results of rollouts
/// predict results of games. The loss fell from 0.5125 nats to 0.5045, which brought +61 Elo
/// [+22, +101]. `BRIDGE` and `COMPLETE` are older and were chosen. Larger chances make rollouts
/// more alike and hide what the other side could have done (docs/experiments.tsv, topic
/// `rollouts`). A change needs a new fit of the blend.
mod chance {
    /// Join two networks with islands.
    pub(super) const JOIN: u8 = 154;
    /// Build any other bridge.
    pub(super) const BRIDGE: u8 = 12;
    /// Place a turn's first tile under the opponent's best bridge.
    pub(super) const STOP: u8 = 64;
    /// Complete an island.
    pub(super) const COMPLETE: u8 = 190;
    /// Take the only cell where the opponent can complete a group.
    pub(super) const BLOCK: u8 = 240;
    /// Grow a group of two to three.
    pub(super) const GROW_TWO: u8 = 170;
    /// Grow a single tile to two.
    pub(super) const GROW_ONE: u8 = 190;
}

/// Plays `position` for `turns` turns or to the end, by the policy described at the top of this
/// file. Uniformly random games hardly score; games by this policy score about as much as real
/// ones.
pub fn rollout(position: &mut Position, turns: u32, random: &mut Random) {
    rollout_on(Instructions::detect(), position, turns, random);
}

fn rollout_on(
    instructions: Instructions,
    position: &mut Position,
    turns: u32,
    random: &mut Random,
) {
    compiled_for!(
        instructions,
        play_out(position: &mut Position, turns: u32, random: &mut Random) -> ()
    );
}

#[inline(always)]
fn play_out(position: &mut Position, mut turns: u32, random: &mut Random) {
    // The limit counts whole turns: a rollout never ends between two tiles.
    while !position.is_over() && (turns > 0 || position.is_half_turn()) {
        turns -= u32::from(!position.is_half_turn());
        if position.is_half_turn() {
            if let Some(cell) = choose_cell(position, position.open_cells(position.side()), random)
            {
                position.make(Step::Tile(cell));
            }
        } else if let Some(step) = choose_bridge(position, random).map(Step::Bridge) {
            position.make(step);
        } else if !place_first_tile(position, random) {
            // Tiles cannot be placed: any bridge, or a pass.
            let sites = position.bridge_steps();
            position.make(random.site(&sites).map_or(Step::Pass, Step::Bridge));
        }
    }
}

/// A bridge to build, or `None` to place tiles.
#[inline(always)]
fn choose_bridge(position: &Position, random: &mut Random) -> Option<Site> {
    let sites = position.bridge_steps();
    if sites.is_empty() {
        return None;
    }
    let mut best = None;
    for site in scoring_sites(position, position.side()).iter() {
        best = best.max(Some((bridge_gain(position, site), site)));
    }
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

/// Sites where a bridge of `color` may score: it must join islands, or sandbanks that bridges join
/// to islands.
#[inline(always)]
fn scoring_sites(position: &Position, color: Color) -> SiteSet {
    let islands = position.islands(color);
    if islands.is_empty() {
        return SiteSet::EMPTY;
    }
    let (tiles, ends) = (position.tiles(color), position.bridge_ends());
    position.open_sites().within((islands | linked(tiles, tiles & ends)) - ends)
}

/// The cells under the bridges that would gain the opponent the most.
#[inline(always)]
fn stopping_cells(position: &Position) -> Cells {
    let other = !position.side();
    let mut cells = Cells::EMPTY;
    if position.bridges_left() == Some(0) {
        return cells;
    }
    // A bridge without a gain is no reason to place a tile under it.
    let mut best = 1;
    for site in scoring_sites(position, other).iter() {
        let gain = bridge_gain(position, site);
        if gain > best {
            (cells, best) = (Cells::EMPTY, gain);
        }
        if gain == best {
            cells |= position.geometry().span(site);
        }
    }
    cells
}

/// Places the first of two tiles if two can be placed; returns whether it did.
#[inline(always)]
fn place_first_tile(position: &mut Position, random: &mut Random) -> bool {
    if !position.has_tiles_for_turn() {
        return false;
    }
    let mut cells = position.open_cells(position.side());
    if random.chance(chance::STOP)
        && let Some(first) = random.cell(stopping_cells(position) & cells)
        && position.leaves_another(first)
    {
        position.make(Step::Tile(first));
        return true;
    }
    // A first tile is legal only if a second one can follow. That nearly always holds, so trying is
    // cheaper than computing all legal first tiles.
    while let Some(first) = choose_cell(position, cells, random) {
        if position.leaves_another(first) {
            position.make(Step::Tile(first));
            return true;
        }
        cells.remove(first);
    }
    false
}

/// One of `cells`, candidates of the side to move.
#[inline(always)]
fn choose_cell(position: &Position, cells: Cells, random: &mut Random) -> Option<Cell> {
    let side = position.side();
    // One random number has a die of eight bits for each chance.
    let dice = random.bits().to_le_bytes();
    let growing = position.open_cells_by_join_count(side);
    if dice[0] < chance::COMPLETE
        && let Some(cell) = random.cell(growing[3] & cells)
    {
        return Some(cell);
    }
    let completing = position.completing_cells(!side);
    if dice[1] < chance::BLOCK
        && let Some(cell) = random.cell(only_completions(position.tiles(!side), completing) & cells)
    {
        return Some(cell);
    }
    let choices = [(chance::GROW_TWO, growing[2]), (chance::GROW_ONE, growing[1])];
    for (die, (chance, wanted)) in dice[2..].iter().zip(choices) {
        if *die < chance
            && let Some(cell) = random.cell(wanted & cells)
        {
            return Some(cell);
        }
    }
    random.cell(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn all_instructions_give_the_same_results() {
        for seed in 0..100 {
            let games = Instructions::available().map(|instructions| {
                let mut position = Position::new(Rules::default());
                rollout_on(instructions, &mut position, u32::MAX, &mut Random::new(seed));
                assert!(position.is_over());
                (position.tiles(Color::White), position.tiles(Color::Red), *position.bridges())
            });
            let games: Vec<_> = games.collect();
            assert!(games.iter().all(|game| *game == games[0]), "seed {seed}");
        }
    }
}
