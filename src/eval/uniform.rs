use super::dispatch::compiled_for;
use super::{Instructions, Random};
use crate::game::{Position, Step};

/// How often, in 256, a bridge is built when one is legal.
const BRIDGE_CHANCE: u8 = 77;

/// What happened in a uniformly random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniformGame {
    /// Turns, passes among them.
    pub turns: u32,
    /// Tiles laid.
    pub tiles: u32,
    /// Bridges built.
    pub bridges: u32,
}

/// Plays `position` to the end, by the full rules but without any judgement:
/// the measure of how fast the rules are.
///
/// Each turn, when a bridge is legal, builds one with probability 77/256;
/// otherwise lays a legal first tile and a legal second one; when no two can
/// be laid, builds a bridge if one is legal, else passes. All choices are
/// uniform.
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

/// Lays two tiles. A first cell that no second can follow is drawn again,
/// which leaves the others equally likely.
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
