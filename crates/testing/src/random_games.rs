//! Random games of all sizes, supplies and playing styles, repeatable by a seed.

use pontifex::board::{Cells, Size};
use pontifex::game::{Position, Rules, Step, Supply};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The board size of game `number`: every size in turn.
pub fn size_of_game(number: u64) -> Size {
    let n = number % Size::all().count() as u64;
    Size::new(u64::from(Size::MIN.get()) + n).expect("a remainder of the number of sizes")
}

/// Plays random legal steps for both sides.
///
/// Uniformly random play hardly ever makes islands or long networks, so the rules about them would
/// stay untested. Therefore every gambler has a preference for bridges, and one for tiles that join
/// a group.
pub struct Gambler {
    rng: Xoshiro256PlusPlus,
    /// The probability of a bridge where one is legal, 0 to 0.9.
    bridge_rate: f64,
    /// The probability of a tile that joins a group where one is legal, 0 to 0.9.
    join_rate: f64,
}

impl Gambler {
    /// A gambler whose style and steps follow from `seed`.
    pub fn new(seed: u64) -> Gambler {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        // Below 1, so that every gambler sometimes plays the other kind of step.
        let bridge_rate = rng.random_range(0.0..0.9);
        let join_rate = rng.random_range(0.0..0.9);
        Gambler { rng, bridge_rate, join_rate }
    }

    /// A random number below `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        self.rng.random_range(0..end)
    }

    /// True with probability `1 / n`.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Random rules: any supply, most often the standard one, with or without the pie rule. Limited
    /// supplies are small, so that they run out within a game.
    pub fn rules(&mut self, size: Size) -> Rules {
        let supply = match self.below(8) {
            0..=2 => Supply::Standard,
            3 | 4 => Supply::Unlimited,
            5 => Supply::Limited { tiles: 7, bridges: 2 },
            _ => {
                let area = u32::from(size.get()).pow(2);
                let (tiles, bridges) = (self.below(area / 2), self.below(area / 4));
                Supply::Limited { tiles: tiles as u16, bridges: bridges as u16 }
            }
        };
        Rules { size, supply, pie: !self.one_in(3) }
    }

    /// A legal step, or `None` if the game is over.
    pub fn step(&mut self, position: &Position) -> Option<Step> {
        if position.is_over() {
            return None;
        }
        if position.may_swap() && self.one_in(2) {
            return Some(Step::Swap);
        }
        let (tiles, sites) = (position.tile_steps(), position.bridge_steps());
        // Without a legal tile the choice is between a bridge and a pass, and both must occur
        // whatever the style.
        let bridge_rate = if tiles.is_empty() { 0.7 } else { self.bridge_rate };
        if !sites.is_empty() && self.rng.random_bool(bridge_rate) {
            return sites.nth(self.below(sites.len())).map(Step::Bridge);
        }
        if tiles.is_empty() {
            return Some(Step::Pass);
        }
        let joins = |&cell: &_| position.join_count(position.side(), cell) > 0;
        let joining: Cells = tiles.into_iter().filter(joins).collect();
        let is_joining = self.rng.random_bool(self.join_rate);
        let tiles = if is_joining && !joining.is_empty() { joining } else { tiles };
        tiles.nth(self.below(tiles.len())).map(Step::Tile)
    }
}
