//! What a node of the search knows before it tries any turn.

use std::ops::Range;

use super::score_bounds::{ceiling, reachable, sites};
use super::shapes::{Shape, keep_possible};
use crate::board::{Cells, SiteSet};
use crate::game::{Color, Position, Stage, Value, compare};

/// Where a node's possible islands of each colour stand in the list of shapes.
pub(super) type Ranges = [Range<usize>; 2];

/// What both colours can still do in a position.
pub(super) struct Outlook {
    /// The cells where each may still place tiles.
    pub(super) candidates: [Cells; 2],
    /// The sites where each may still build.
    pub(super) sites: [SiteSet; 2],
    /// Their possible islands.
    pub(super) shapes: Ranges,
}

impl Outlook {
    /// The outlook of `position`. Its possible islands are appended to
    /// `shapes`; `parent` are the ranges of a position before it.
    pub(super) fn new(position: &Position, parent: &Ranges, shapes: &mut Vec<Shape>) -> Outlook {
        let candidates = Color::BOTH.map(|color| reachable(position, color));
        let sites = Color::BOTH.map(|color| sites(position, color, candidates[color.index()]));
        let shapes = Color::BOTH.map(|color| {
            let start = shapes.len();
            let candidates = candidates[color.index()];
            if !candidates.is_empty() {
                let range = parent[color.index()].clone();
                keep_possible(shapes, range, position, color, candidates);
            }
            start..shapes.len()
        });
        Outlook { candidates, sites, shapes }
    }

    /// Bounds on the value for the side to move, from what each colour has and
    /// what it can still achieve.
    pub(super) fn bounds(&self, position: &Position, shapes: &[Shape]) -> (i16, i16) {
        let now = Color::BOTH.map(|color| position.score(color));
        let mut most = Color::BOTH.map(|color| {
            let n = color.index();
            let shapes = &shapes[self.shapes[n].clone()];
            ceiling(position, color, self.candidates[n], &self.sites[n], shapes)
        });
        if position.stage() == Stage::Last {
            most[Color::White.index()] = now[0];
        }
        let lower = Value::from(compare(now[0], most[1]));
        let upper = Value::from(compare(most[0], now[1]));
        match position.side() {
            Color::White => (lower.get(), upper.get()),
            Color::Red => (-upper.get(), -lower.get()),
        }
    }
}
