//! The features of all steps of a position: what the prior is computed from.

use super::tile_features::{
    JOINED, JOINS, OTHERS, PLANES, SOURCES, Threats, joins, marks, sources,
};
use crate::board::{Cells, SiteSet};
use crate::eval::views::{BridgeGains, View, Views};
use crate::game::Position;

/// The legal tiles and bridges of a position and their features.
pub struct StepFeatures {
    pub(super) own: View,
    pub(super) other: View,
    pub(super) own_gains: BridgeGains,
    pub(super) other_gains: BridgeGains,
    pub(super) threats: Threats,
    /// The legal tiles.
    pub tiles: Cells,
    /// For each feature of a cell, the legal tiles that have it.
    pub planes: [Cells; PLANES],
    /// For each kind of cells near tiles, those cells.
    pub sources: [Cells; SOURCES],
    /// The legal bridges; `bridge_features` has their features.
    pub bridges: SiteSet,
}

impl StepFeatures {
    /// The features of the steps of the side to move.
    #[inline(always)]
    pub fn new(position: &Position) -> StepFeatures {
        let views = Views::new(position);
        let tiles = position.tile_steps();
        let bridges = position.bridge_steps();
        let threats = Threats::new(position, &views.other);
        let marks = marks(position, &views, &threats);
        let Views { own, other, own_gains, other_gains } = views;

        let mut planes = [Cells::EMPTY; PLANES];
        let joins: [[Cells; OTHERS.len()]; JOINS] = joins(&own, &other);
        for (plane, cells) in planes[..JOINED].iter_mut().zip(joins.as_flattened()) {
            *plane = *cells & tiles;
        }
        for (plane, cells) in planes[JOINED..].iter_mut().zip(marks) {
            *plane = cells & tiles;
        }
        let sources = sources(position, &own, &other);
        StepFeatures {
            own,
            other,
            own_gains,
            other_gains,
            threats,
            tiles,
            planes,
            sources,
            bridges,
        }
    }
}
