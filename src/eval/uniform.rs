//! Uniformly random games.

use super::dispatch::{Instructions, compiled_for};
use super::random::Random;
use crate::game::{Position, Step};

/// The chance of building a bridge when one is legal, in 256ths.
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

/// Plays `position` to the end with uniformly random choices. Measures the
/// speed of the rules.
///
/// If a bridge is legal, builds one with probability 77/256. Otherwise places
/// two tiles if possible, else builds a bridge if one is legal, else passes.
pub fn uniform_rollout(position: &mut Position, random: &mut Random) -> UniformGame {
    compiled_for!(
        Instructions::detect(),
        play(position: &mut Position, random: &mut Random) -> UniformGame
    )
}

#[inline(always)]
fn play(position: &mut Position, random: &mut Random) -> UniformGame {
    let mut game = UniformGame::default();
    while !position.is_over() {
        game.turns += 1;
        if random.chance(BRIDGE_CHANCE) && build(position, random) {
            game.bridges += 1;
        } else if place(position, random) {
            game.tiles += 2;
        } else if build(position, random) {
            game.bridges += 1;
        } else {
            position.make(Step::Pass);
        }
    }
    game
}

#[inline(always)]
fn build(position: &mut Position, random: &mut Random) -> bool {
    match random.site(&position.bridge_steps()) {
        Some(site) => {
            position.make(Step::Bridge(site));
            true
        }
        None => false,
    }
}

/// Places two tiles. A first cell that no second can follow is drawn again,
/// which keeps the others equally likely.
#[inline(always)]
fn place(position: &mut Position, random: &mut Random) -> bool {
    if !position.has_tiles() {
        return false;
    }
    let mut cells = position.candidates(position.side());
    while let Some(first) = random.cell(cells) {
        if position.leaves_another(first) {
            position.make(Step::Tile(first));
            if let Some(second) = random.cell(position.candidates(position.side())) {
                position.make(Step::Tile(second));
            }
            return true;
        }
        cells.remove(first);
    }
    false
}
