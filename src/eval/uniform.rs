//! Games of uniformly random choices, which measure the speed of the rules.

use super::dispatch::{Instructions, compiled_for};
use super::random::Random;
use crate::game::{Position, Step};

/// The chance of building a bridge when one is legal, in 256ths. An arbitrary value, but a fixed
/// one: the speeds that `pontifex bench rollouts` reports depend on it.
const BRIDGE_CHANCE: u8 = 77;

/// What happened in a uniformly random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformGame {
    /// Turns, including passes.
    pub turns: u32,
    /// Tiles placed.
    pub tiles: u32,
    /// Bridges built.
    pub bridges: u32,
}

/// Plays `position` to the end with uniformly random choices. Measures the speed of the rules.
///
/// If a bridge is legal, builds one with probability 77/256. Otherwise places two tiles if
/// possible, else builds a bridge if one is legal, else passes.
pub fn uniform_rollout(position: &mut Position, random: &mut Random) -> UniformGame {
    compiled_for!(
        Instructions::detect(),
        play_uniformly(position: &mut Position, random: &mut Random) -> UniformGame
    )
}

#[inline(always)]
fn play_uniformly(position: &mut Position, random: &mut Random) -> UniformGame {
    let mut game = UniformGame::default();
    while !position.is_over() {
        game.turns += 1;
        if random.chance(BRIDGE_CHANCE) && build_uniformly(position, random) {
            game.bridges += 1;
        } else if place_uniformly(position, random) {
            game.tiles += 2;
        } else if build_uniformly(position, random) {
            game.bridges += 1;
        } else {
            position.make(Step::Pass);
        }
    }
    game
}

#[inline(always)]
fn build_uniformly(position: &mut Position, random: &mut Random) -> bool {
    match random.site(&position.bridge_steps()) {
        Some(site) => {
            position.make(Step::Bridge(site));
            true
        }
        None => false,
    }
}

/// Places two tiles. A first cell that no second can follow is drawn again, which keeps the others
/// equally likely.
#[inline(always)]
fn place_uniformly(position: &mut Position, random: &mut Random) -> bool {
    if !position.has_tiles_for_turn() {
        return false;
    }
    let mut cells = position.open_cells(position.side());
    while let Some(first) = random.cell(cells) {
        if position.leaves_another(first) {
            position.make(Step::Tile(first));
            if let Some(second) = random.cell(position.open_cells(position.side())) {
                position.make(Step::Tile(second));
            }
            return true;
        }
        cells.remove(first);
    }
    false
}
