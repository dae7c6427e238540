//! Ownership of cells and bridge sites at the end of the game, estimated by
//! sampling, and the spread of the score.

use crate::board::{Cell, Geometry, Site};
use crate::eval::{Random, rollout};
use crate::game::{Color, Position, Value};

/// Probabilities that a cell ends up in an island, and that a bridge site is
/// built on.
#[derive(Clone, PartialEq, Debug)]
pub struct Ownership {
    /// By `Cell::index`: the probabilities for White and Red, 0 to 1.
    cells: Vec<[f32; 2]>,
    /// The sites built on in any sample, with the probabilities for White and
    /// Red.
    bridges: Vec<(Site, [f32; 2])>,
    /// Standard deviation of the final score in points.
    score_deviation: f32,
}

impl Ownership {
    /// The probability that `cell` ends up in an island of `color`, 0 to 1.
    pub fn of_cell(&self, cell: Cell, color: Color) -> f64 {
        f64::from(self.cells.get(cell.index()).map_or(0.0, |shares| shares[color.index()]))
    }

    /// The bridge sites built on in any sample, the most probable first, with
    /// the probabilities for White and Red.
    pub fn bridges(&self) -> impl Iterator<Item = (Site, [f64; 2])> {
        self.bridges.iter().map(|&(site, shares)| (site, shares.map(f64::from)))
    }

    /// The standard deviation of the final score, in points.
    pub fn score_deviation(&self) -> f64 {
        self.score_deviation.into()
    }

    /// Plays `samples` positions drawn by `draw` to the end and counts who owns
    /// what.
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
            score_deviation: (squares / samples as f32 - mean * mean).max(0.0).sqrt(),
            cells: cells.into_iter().map(share).collect(),
            bridges: built.into_iter().map(|(site, counts)| (site, share(counts))).collect(),
        }
    }
}
