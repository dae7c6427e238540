//! What becomes of cells and bridge sites: a search's most visited lines,
//! played out to the end.

use super::analysis::View;
use super::edge::Edge;
use crate::board::{Cell, Site};
use crate::eval::{Random, rollout};
use crate::game::{Color, Position};

/// How likely each cell is part of an island in the end and each bridge site
/// is built on.
#[derive(Clone, PartialEq, Debug)]
pub struct Ownership {
    /// For cell `Cell::index`: the chances of White and Red, 0 to 1.
    cells: Vec<[f32; 2]>,
    /// Sites that somebody may build on: White's chance and Red's.
    bridges: Vec<(Site, [f32; 2])>,
}

/// Lines that are followed and played out.
const SAMPLES: usize = 400;

impl Ownership {
    /// The chance that `cell` is part of an island of `color` in the end.
    pub fn of_cell(&self, cell: Cell, color: Color) -> f64 {
        f64::from(self.cells.get(cell.index()).map_or(0.0, |chances| chances[color.index()]))
    }

    /// The bridges that were built in any of the lines, the likeliest first,
    /// with the chance of White's and of Red's.
    pub fn bridges(&self) -> impl Iterator<Item = (Site, [f64; 2])> {
        self.bridges.iter().map(|&(site, chances)| (site, chances.map(f64::from)))
    }

    /// Follows lines of the tree at random, a step the more often the more
    /// visits it has, and plays their ends out as leaves are played out.
    pub(super) fn of(view: &View<'_>, seed: u64) -> Ownership {
        let mut random = Random::new(seed ^ view.position.hash());
        let geometry = view.position.geometry();
        let mut cells = vec![[0u32; 2]; Cell::TABLE];
        let mut built: Vec<(Site, [u32; 2])> =
            geometry.sites().iter().map(|site| (site, [0; 2])).collect();
        for _ in 0..SAMPLES {
            let mut end = view.sample(&mut random);
            rollout(&mut end, u32::MAX, &mut random);
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
        let share = |counts: [u32; 2]| counts.map(|count| count as f32 / SAMPLES as f32);
        built.retain(|(_, counts)| counts.iter().sum::<u32>() > 0);
        built.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u32>()));
        Ownership {
            cells: cells.into_iter().map(share).collect(),
            bridges: built.into_iter().map(|(site, counts)| (site, share(counts))).collect(),
        }
    }
}

impl View<'_> {
    /// A position at the end of a line of the tree.
    fn sample(&self, random: &mut Random) -> Position {
        let mut position = *self.position;
        let mut node = self.tree.find(position.hash());
        while let Some(at) = node
            && !position.is_over()
        {
            let pool = self.tree.pool();
            let total: u32 = at.edges(pool).map(Edge::visits).sum();
            let mut rest = random.below(total);
            let drawn = at.edges(pool).enumerate().find(|(_, edge)| {
                let is_drawn = rest < edge.visits();
                rest = rest.saturating_sub(edge.visits());
                is_drawn
            });
            let Some((index, edge)) = drawn else { break };
            position.make(at.step(index).0);
            node = at.child(pool, edge);
        }
        position
    }
}
