//! Random games for property tests, as lists of numbers that proptest can shrink.
//!
//! A list of moves could not be shrunk: without its third move, the fourth may be illegal. Here
//! each number selects one of the steps that are legal at its turn, so every list is a legal game:
//!
//! ```text
//! 17, 4, 900     third number removed      17, 4     still a legal game, one step shorter
//! 17, 4, 900     third number made less    17, 4, 8  still a legal game, a plainer last step
//! ```
//!
//! Smaller numbers select plainer steps, so proptest reports a short and plain game that fails.
//! `PROPTEST_CASES=10000` runs more cases than the default.

use pontifex::board::{Cell, Cells, Site, Size};
use pontifex::game::{Move, Position, Rules, Stage, Step, Supply};
use proptest::prelude::*;
use proptest::sample::select;

/// A game as numbers, each of which selects a legal step.
#[derive(Clone, Debug)]
pub struct Script {
    /// Any size and supply, with and without the pie rule.
    pub rules: Rules,
    choices: Vec<u16>,
}

impl Script {
    /// The positions before and after each step.
    pub fn positions(&self) -> Vec<Position> {
        let mut position = Position::new(self.rules);
        let mut positions = vec![position];
        for &choice in &self.choices {
            let Some(step) = select_step(&position, u32::from(choice)) else { break };
            position.make(step);
            positions.push(position);
        }
        positions
    }

    /// The moves played, without an unfinished last turn.
    pub fn moves(&self) -> Vec<Move> {
        let between_turns = |p: &Position| !p.is_half_turn();
        let positions: Vec<Position> = self.positions().into_iter().filter(between_turns).collect();
        positions.windows(2).map(|pair| move_between(&pair[0], &pair[1])).collect()
    }

    /// The position after the last whole turn.
    pub fn end(&self) -> Position {
        let positions = self.positions();
        *positions.iter().rfind(|p| !p.is_half_turn()).expect("the start is between turns")
    }
}

/// The legal step that `choice` selects; `None` after the end.
///
/// The remainder by 8 selects the kind of step, and the quotient a step of that kind. Failing games
/// shrink towards 0, a tile on the first cell:
///
/// ```text
/// 0, 1      any tile
/// 2 to 4    a tile that joins a group, if there is one
/// 5 to 7    a swap or a bridge, if there is one; otherwise as 2 to 4
/// ```
///
/// Without a legal tile, 0 and 1 pass, and 2 to 7 build a bridge if one is legal.
fn select_step(position: &Position, choice: u32) -> Option<Step> {
    if position.is_over() {
        return None;
    }
    let (kind, choice) = (choice % 8, choice / 8);
    if position.may_swap() && kind >= 5 {
        return Some(Step::Swap);
    }
    let (tiles, sites) = (position.tile_steps(), position.bridge_steps());
    if !sites.is_empty() && (kind >= 5 || tiles.is_empty() && kind >= 2) {
        return sites.nth(choice % sites.len()).map(Step::Bridge);
    }
    if tiles.is_empty() {
        return Some(Step::Pass);
    }
    let joins = |&cell: &Cell| position.join_count(position.side(), cell) > 0;
    let joining: Cells = tiles.into_iter().filter(joins).collect();
    let tiles = if kind >= 2 && !joining.is_empty() { joining } else { tiles };
    tiles.nth(choice % tiles.len()).map(Step::Tile)
}

/// The move that leads from one position between turns to the next.
fn move_between(before: &Position, after: &Position) -> Move {
    let mover = before.side();
    let tiles: Vec<Cell> = (after.tiles(mover) - before.tiles(mover)).into_iter().collect();
    if let [a, b] = tiles[..] {
        return Move::tiles(a, b);
    }
    let new = after.bridges().iter().find(|&site| !before.bridges().contains(site));
    match new.map(Site::ends) {
        Some([a, b]) => Move::bridge(a, b),
        None if before.stage() == Stage::Pie => Move::Swap,
        None => Move::Pass,
    }
}

/// Any rules; one in five has a limited supply.
fn rules() -> impl Strategy<Value = Rules> {
    let size = select(Size::all().collect::<Vec<_>>());
    let supply = prop_oneof![
        2 => Just(Supply::Unlimited),
        2 => Just(Supply::Standard),
        1 => (0..30u16, 0..8u16).prop_map(|(tiles, bridges)| Supply::Limited { tiles, bridges }),
    ];
    (size, supply, any::<bool>()).prop_map(|(size, supply, pie)| Rules { size, supply, pie })
}

/// Games with fewer steps than the board has cells. Few of them reach the end of the game.
pub fn script() -> impl Strategy<Value = Script> {
    rules().prop_flat_map(|rules| {
        let area = usize::from(rules.size.get()).pow(2);
        let choices = prop::collection::vec(any::<u16>(), 0..area);
        choices.prop_map(move |choices| Script { rules, choices })
    })
}

/// The configuration of all property tests.
pub fn config() -> ProptestConfig {
    // Failing cases are not saved to files. They should become named regression tests.
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}
