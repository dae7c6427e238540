//! The features of all steps of a position, from which the prior is computed, and the names and the
//! order of their weights.
//!
//! A vector of weights has this layout, for one kind of step at one phase:
//!
//! ```text
//!   0        JOINED    EDGE_AT      KERNEL_AT          BRIDGE_AT      PASS
//!   │ joins    │ marks   │ edges      │ sources × OFFSETS  │ bridge       │ pass
//!   │ 20       │ 62      │ 21         │ 16 × 9             │ 40           │ 1
//!   ├──────── a tile's features, TILE = 247 ───────────────┤
//! ```
//!
//! - *joins*: how many own tiles a tile would join, and what a tile of the opponent would do on the
//!   same cell. Each legal tile has exactly one of these.
//! - *marks*: anything else that holds for the cell itself.
//! - *edges*: the distances to the nearest edges.
//! - *sources*: what lies around the cell, by its distance. Mirror images and rotations share a
//!   weight, because the rules know no direction.
//!
//! All these are binary; only a bridge has counts. `pontifex-train` builds the same features as
//! sparse lists (`choices`); a test of the hidden layer's fit compares the two.

use super::feature_table::feature_table;
use super::tile_features::{
    JOINED, JOINS, MARKS, OTHERS, PLANES, SOURCE_NAMES, SOURCES, Threats, joins, marks, sources,
};
use crate::board::{Cell, Cells, Site, SiteSet, Size};
use crate::eval::views::{BridgeGains, ColorView, Views};
use crate::game::Position;

/// The legal tiles and bridges of a position and their features.
pub struct StepFeatures {
    pub(super) own: ColorView,
    pub(super) other: ColorView,
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

/// The number of features of a bridge.
pub(super) const BRIDGE_FEATURES: usize = BRIDGE.len();

feature_table! {
    /// The names of a bridge's features.
    pub(super) const BRIDGE;
    /// The features of a bridge on `site`, which must be one of `step.bridges`.
    pub fn bridge_features(step: &StepFeatures, position: &Position, site: Site) -> [i16] {
        let geometry = position.geometry();
        let ends = site.ends();
        let [a, b] = ends.map(|end| position.network_root(end));
        let islands = |root| i16::from(position.network_islands(root));
        let gain = if a == b { 0 } else { islands(a) * islands(b) };
        let span = geometry.span(site);
        let crossed = geometry.crossed_by(site);
        let (own, other) = (&step.own, &step.other);
        // The opponent could stop it by a tile under it, or also by a bridge across it.
        let is_threatened = !(span & other.candidates).is_empty();
        let is_safe = !is_threatened && !crossed.meets(&other.buildable);
        let bridges_left = position.bridges_left().unwrap_or(u16::MAX);
        let ends_in = |cells: Cells| ends.iter().map(|&end| i16::from(cells.contains(end))).sum::<i16>();
        let n = |cells: Cells| cells.len() as i16;
        let is = i16::from;
        let island_ends = ends_in(own.islands);
        let columns = ends[0].column() != ends[1].column();
        let distance = ends[0].row().abs_diff(ends[1].row());
        let knight = span.len() == 2;
        // Whether it joins islands to a group of `size` that can grow.
        let readies = |size: Cells, growing: Cells| {
            let live = size & growing.sides();
            let [to_a, to_b] = ends.map(|end| live.contains(end));
            to_a && islands(b) > 0 || to_b && islands(a) > 0
        };
    }
    "bias" => 1,
    "same" => is(a == b),
    "gain.0" => is(a != b && gain == 0),
    "gain.1" => is(gain == 1),
    "gain.2" => is(gain == 2),
    "gain.3" => is(gain == 3),
    "gain.4" => is(gain >= 4),
    "gain" => gain.min(16),
    "gain.safe" => is(gain > 1 && is_safe),
    "gain.1.safe" => is(gain == 1 && is_safe),
    "gain.best" => is(gain > 0 && gain as u32 == step.own_gains.best),
    "gain.scarce" => is(gain > 0 && bridges_left <= 3),
    "gain.threatened" => is(gain > 0 && is_threatened),
    "ends.one" => ends_in(own.sizes[0]),
    "ends.two" => ends_in(own.sizes[1]),
    "ends.three" => ends_in(own.sizes[2]),
    "ends.island" => island_ends,
    "ends.both.islands" => is(island_ends == 2),
    "span.own" => n(span & own.candidates),
    "span.other" => n(span & other.candidates),
    "span.own.completing" => n(span & own.joining[3]),
    "span.other.completing" => n(span & other.joining[3]),
    "crosses.own" => crossed.in_common(&own.buildable).min(6) as i16,
    "crosses.other" => crossed.in_common(&other.buildable).min(6) as i16,
    "crosses.own.gain" => is(crossed.meets(&step.own_gains.sites) && gain == 0),
    "crosses.other.gain" => is(crossed.meets(&step.other_gains.sites)),
    "straight" => is(!knight && (!columns || distance == 0)),
    "diagonal" => is(!knight && columns && distance != 0),
    "left.1" => is(bridges_left <= 1),
    "left.3" => is(bridges_left <= 3),
    "no.tiles" => is(step.tiles.is_empty()),
    "few.tiles" => is(step.tiles.len() <= 8),
    "islands" => (islands(a) + islands(b)).min(8),
    "others" => step.bridges.len().min(12) as i16,
    "span.other.cut" => n(span & step.other_gains.common_span),
    "span.other.two.only" => n(span & step.threats.two_only),
    "span.other.complete.only" => n(span & step.threats.complete_only),
    "span.other.grows.joined" => n(span & step.threats.joined),
    "readies.three" => is(readies(own.sizes[2], own.joining[3])),
    "readies.two" => is(readies(own.sizes[1], own.joining[2])),
}

/// The largest distance, in columns and in rows, of a source that counts. Set by judgement: one
/// more than a bridge is long. A larger reach costs time (a source adds 2·REACH + 1 columns) and
/// windows of more than 128 bits in the hidden layer.
pub const REACH: usize = 3;

/// The offsets of a source from a tile, up to symmetry: the larger, then the smaller of the
/// distances in columns and rows.
pub const OFFSETS: [(usize, usize); 9] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3)];

/// The number of edge classes.
pub(super) const EDGES: usize = (MAX_DISTANCE + 1) * (MAX_DISTANCE + 2) / 2;

/// Larger distances to an edge count as this one: the middle of 12×12 is five away.
const MAX_DISTANCE: usize = 5;

/// The first weight of the edge classes.
pub const EDGE_AT: usize = PLANES;
/// The first weight of the sources.
pub const KERNEL_AT: usize = EDGE_AT + EDGES;
/// The first weight of bridges.
pub const BRIDGE_AT: usize = KERNEL_AT + SOURCES * OFFSETS.len();
/// The weight of passing.
pub const PASS: usize = BRIDGE_AT + BRIDGE.len();

/// The number of weights of tiles, which come first.
pub const TILE: usize = BRIDGE_AT;
/// The number of weights of one kind of step at one phase.
pub const PARAMETERS: usize = PASS + 1;

/// The names of the weights, in order.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let joins = (0..JOINS)
        .flat_map(|own| OTHERS.iter().map(move |other| format!("tile.joins.{own}.other.{other}")));
    let marks = MARKS.iter().map(|mark| format!("tile.{mark}"));
    let edges = (0..=MAX_DISTANCE)
        .flat_map(|a| (a..=MAX_DISTANCE).map(move |b| format!("tile.edge.{a}.{b}")));
    let kernels = SOURCE_NAMES
        .iter()
        .flat_map(|source| OFFSETS.iter().map(move |(a, b)| format!("near.{source}.{a}.{b}")));
    let bridges = BRIDGE.iter().map(|name| format!("bridge.{name}"));
    let all = joins.chain(marks).chain(edges).chain(kernels).chain(bridges);
    all.chain(std::iter::once("pass".to_owned()))
}

/// The edge class of `cell`, below `EDGES`: its distances to the nearest vertical and horizontal
/// edge, at most `MAX_DISTANCE` each, up to symmetry.
pub fn edge(cell: Cell, size: Size) -> usize {
    let last = size.get() - 1;
    let distance = |x: u8| usize::from(x.min(last - x)).min(MAX_DISTANCE);
    let (a, b) = (distance(cell.column()), distance(cell.row()));
    let (a, b) = (a.min(b), a.max(b));
    // Rows of MAX_DISTANCE + 1, MAX_DISTANCE, ... classes come before row a.
    a * (MAX_DISTANCE + 1) - a * a.saturating_sub(1) / 2 + (b - a)
}
