use crate::board::{Cell, Cells, Site};
use crate::game::{Ply, Position};

/// How many points a bridge on `site`, buildable for one colour, brings now.
#[inline]
pub fn bridge_gain(position: &Position, site: Site) -> u16 {
    let [a, b] = site.ends();
    let (n, m) = (position.network_islands(a), position.network_islands(b));
    if n == 0 || m == 0 || position.network(a) == position.network(b) {
        return 0;
    }
    u16::from(n) * u16::from(m)
}

/// Fills `plies` with the legal plies and how likely each looks; the
/// likelihoods add up to 1.
///
/// A ply's weight is the product of a factor for each of a few features, set
/// by hand. Products of constants are the same on every machine, which
/// exponentials are not.
pub fn priors(position: &Position, plies: &mut Vec<(Ply, f32)>) {
    plies.clear();
    let side = position.side();
    let cells = position.tile_plies();
    let their_joining = position.joining(!side);
    let their_growth = their_joining[1] | their_joining[2];
    let their_bridges = spans_that_matter(position);
    for cell in cells {
        let mut weight = JOINS[usize::from(position.joins(side, cell))];
        if their_joining[3].contains(cell) {
            weight *= 3.3;
        } else if their_growth.contains(cell) {
            weight *= 1.5;
        }
        if their_bridges.contains(cell) {
            weight *= 2.7;
        }
        weight *= centrality(position, cell) * reach(position, cell);
        plies.push((Ply::Tile(cell), weight));
    }
    for site in position.bridge_plies().iter() {
        let [a, b] = site.ends();
        let weight = match bridge_gain(position, site) {
            0 if position.network(a) == position.network(b) => 0.15,
            0 => 1.0,
            gain => 12.0 + 6.0 * f32::from(gain),
        };
        plies.push((Ply::Bridge(site), weight));
    }
    if cells.is_empty() && !position.is_half_turn() {
        plies.push((Ply::Pass, 1.0));
    }
    let sum: f32 = plies.iter().map(|&(_, weight)| weight).sum();
    for (_, weight) in plies {
        *weight /= sum;
    }
}

/// For a tile that joins none to three others.
const JOINS: [f32; 4] = [1.0, 1.65, 2.2, 5.0];

/// The water under bridges the opponent could build now to join islands.
fn spans_that_matter(position: &Position) -> Cells {
    if position.bridges_left() == Some(0) {
        return Cells::EMPTY;
    }
    let sites = position.buildable(!position.side());
    let mattering = sites.iter().filter(|&site| bridge_gain(position, site) > 0);
    mattering.fold(Cells::EMPTY, |cells, site| cells | position.geometry().span(site))
}

/// 1 in the corners to 1.8 in the middle.
fn centrality(position: &Position, cell: Cell) -> f32 {
    let last = position.size().get() - 1;
    let edge = |x: u8| f32::from(x.min(last - x)) / f32::from(last);
    1.0 + 0.8 * (edge(cell.column()) + edge(cell.row()))
}

/// More for each of the mover's tiles that could be bridged from `cell`, up
/// to three.
fn reach(position: &Position, cell: Cell) -> f32 {
    let free_tiles = position.tiles(position.side()) - position.bridge_ends();
    let reached = position.open_sites().within_reach(cell, free_tiles);
    1.0 + 0.25 * reached.min(3) as f32
}
