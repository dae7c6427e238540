use crate::board::{Cells, Site};
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

/// Fills `plies` with the legal plies and how likely each looks, from a few
/// features with weights set by hand; the likelihoods add up to 1.
pub fn priors(position: &Position, plies: &mut Vec<(Ply, f32)>) {
    plies.clear();
    let side = position.side();
    let cells = position.tile_plies();
    let theirs = position.candidates(!side);
    let their_completing = position.completing(!side);
    let their_bridges = spans_that_matter(position);
    for cell in cells {
        let mut score = match position.joins(side, cell) {
            0 => 0.0,
            1 => 0.5,
            2 => 0.8,
            _ => 1.6,
        };
        if their_completing.contains(cell) {
            score += 1.2;
        } else if theirs.contains(cell) && position.joins(!side, cell) > 0 {
            score += 0.4;
        }
        if their_bridges.contains(cell) {
            score += 1.0;
        }
        score += centrality(position, cell) + reach(position, cell);
        plies.push((Ply::Tile(cell), score));
    }
    let can_place = !cells.is_empty();
    for site in position.bridge_plies().iter() {
        let [a, b] = site.ends();
        let gain = bridge_gain(position, site);
        let connected = position.network(a) == position.network(b);
        let score = match gain {
            0 if connected => -2.0,
            0 => 0.0,
            _ => 2.5 + f32::from(gain) * 0.4,
        };
        plies.push((Ply::Bridge(site), score));
    }
    if !can_place && !position.is_half_turn() {
        plies.push((Ply::Pass, 0.0));
    }
    softmax(plies);
}

/// The water under bridges the opponent could build now to join islands.
fn spans_that_matter(position: &Position) -> Cells {
    if position.bridges_left() == Some(0) {
        return Cells::EMPTY;
    }
    let sites = position.buildable(!position.side());
    let mattering = sites.iter().filter(|&site| bridge_gain(position, site) > 0);
    mattering.fold(Cells::EMPTY, |cells, site| cells | position.geometry().span(site))
}

/// 0 in the corners to 0.6 in the middle.
fn centrality(position: &Position, cell: crate::board::Cell) -> f32 {
    let last = position.size().get() - 1;
    let edge = |x: u8| f32::from(x.min(last - x)) / f32::from(last);
    0.6 * (edge(cell.column()) + edge(cell.row()))
}

/// How many of the mover's tiles could be bridged from `cell`, up to 0.6.
fn reach(position: &Position, cell: crate::board::Cell) -> f32 {
    let free_tiles = position.tiles(position.side()) - position.bridge_ends();
    let reached = position.open_sites().within_reach(cell, free_tiles);
    0.2 * reached.min(3) as f32
}

fn softmax(plies: &mut [(Ply, f32)]) {
    let mut sum = 0.0;
    for (_, score) in &mut *plies {
        *score = score.exp();
        sum += *score;
    }
    for (_, score) in plies {
        *score /= sum;
    }
}
