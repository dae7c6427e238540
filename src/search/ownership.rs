//! Who owns what at the end of the game: the probability that each cell ends up in an island and
//! that each bridge site is built on, estimated by playing positions to the end.
//!
//! The positions come from the tree ([`TreeView::ownership`](super::view::TreeView::ownership)), in
//! proportion to its visits, so the estimate follows the search as far as the search has looked and
//! rollouts from there.

use std::collections::BTreeMap;

use serde::Serialize;

use super::analysis::{DECIMALS, rounded};
use crate::board::{Cell, Cells, Geometry, Site, Size};
use crate::eval::{Random, rollout};
use crate::game::{Color, Position, Value};

/// The probabilities that a cell ends up in an island and that a bridge site is built on.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Chances"))]
#[serde(into = "Chances")]
pub struct Ownership {
    /// By `Cell::index`: the probabilities for White and Red, 0 to 1.
    cells: Vec<[f32; 2]>,
    /// The sites built on in any sample, with the probabilities for White and Red.
    bridges: Vec<(Site, [f32; 2])>,
    /// Standard deviation of the final score in points.
    score_deviation: f32,
}

/// Bridge sites listed in JSON, the most probable ones. Set by judgement, to keep the text short: a
/// board has hundreds of sites.
const MAX_LISTED_BRIDGES: usize = 100;

/// [`Ownership`] in JSON: the cells with a probability above 0, and the bridges.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
struct Chances {
    white: BTreeMap<Cell, f64>,
    red: BTreeMap<Cell, f64>,
    bridges: Vec<BridgeChances>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
struct BridgeChances {
    bridge: Site,
    white: f64,
    red: f64,
}

impl From<Ownership> for Chances {
    fn from(ownership: Ownership) -> Chances {
        let chance = |probability: f64| rounded(probability, DECIMALS);
        let [white, red] = Color::BOTH.map(|color| {
            let cells = Cells::board(Size::MAX).into_iter();
            let chances = cells.map(|cell| (cell, chance(ownership.probability(cell, color))));
            chances.filter(|&(_, chance)| chance > 0.0).collect()
        });
        let bridges = ownership.bridges().take(MAX_LISTED_BRIDGES).map(|(bridge, [white, red])| {
            BridgeChances { bridge, white: chance(white), red: chance(red) }
        });
        Chances { white, red, bridges: bridges.collect() }
    }
}

impl Ownership {
    /// The probability that `cell` ends up in an island of `color`, 0 to 1.
    pub fn probability(&self, cell: Cell, color: Color) -> f64 {
        f64::from(self.cells.get(cell.index()).map_or(0.0, |shares| shares[color.index()]))
    }

    /// The bridge sites built on in any sample, the most probable first, with the probabilities for
    /// White and Red.
    pub fn bridges(&self) -> impl Iterator<Item = (Site, [f64; 2])> {
        self.bridges.iter().map(|&(site, shares)| (site, shares.map(f64::from)))
    }

    /// The standard deviation of the final score, in points.
    pub fn score_deviation(&self) -> f64 {
        self.score_deviation.into()
    }

    /// The probability of `color` minus that of its opponent for a cell, -1 to 1.
    pub fn cell_margin(&self, cell: Cell, color: Color) -> f64 {
        self.probability(cell, color) - self.probability(cell, !color)
    }

    /// The same difference for every bridge site, the most probable sites first.
    pub fn bridge_margins(&self, color: Color) -> impl Iterator<Item = (Site, f64)> {
        let margin = move |chances: [f64; 2]| chances[color.index()] - chances[(!color).index()];
        self.bridges().map(move |(site, chances)| (site, margin(chances)))
    }

    /// Draws `samples` positions, plays each to the end by a rollout, and counts who owns what.
    pub(super) fn estimate(
        geometry: &Geometry,
        samples: u32,
        random: &mut Random,
        draw: impl Fn(&mut Random) -> Position,
    ) -> Ownership {
        let mut cells = vec![[0u32; 2]; Cell::TABLE];
        let mut built: Vec<(Site, [u32; 2])> =
            geometry.sites().iter().map(|site| (site, [0; 2])).collect();
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..samples {
            let mut end = draw(random);
            rollout(&mut end, u32::MAX, random);
            let points = Value::from(end.outcome()).points();
            (sum, squares) = (sum + points, squares + points * points);
            for color in Color::BOTH {
                for cell in end.islands(color) {
                    cells[cell.index()][color.index()] += 1;
                }
            }
            for (site, counts) in &mut built {
                if end.bridges().contains(*site)
                    && let Some(color) = end.tile_at(site.ends()[0])
                {
                    counts[color.index()] += 1;
                }
            }
        }
        let share = |counts: [u32; 2]| counts.map(|count| count as f32 / samples as f32);
        built.retain(|(_, counts)| counts.iter().sum::<u32>() > 0);
        built.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u32>()));
        let mean = sum / samples as f32;
        Ownership {
            // Rounding may make the variance slightly negative.
            score_deviation: (squares / samples as f32 - mean * mean).max(0.0).sqrt(),
            cells: cells.into_iter().map(share).collect(),
            bridges: built.into_iter().map(|(site, counts)| (site, share(counts))).collect(),
        }
    }
}
