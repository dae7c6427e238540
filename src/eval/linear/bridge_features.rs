//! The features of bridge steps.

use super::feature_table::feature_table;
use super::step_features::StepFeatures;
use crate::board::{Cells, Site};
use crate::game::Position;

/// The number of features of a bridge.
pub(super) const BRIDGE_FEATURES: usize = BRIDGE.len();

feature_table! {
    /// What counts for a bridge.
    pub(super) const BRIDGE;
    /// The features of a bridge on `site`, which must be one of `step.bridges`.
    pub fn bridge_features(step: &StepFeatures, position: &Position, site: Site) -> [i16] {
        let geometry = position.geometry();
        let ends = site.ends();
        let [a, b] = ends.map(|end| position.network(end));
        let islands = |root| i16::from(position.network_islands(root));
        let gain = if a == b { 0 } else { islands(a) * islands(b) };
        let span = geometry.span(site);
        let crossed = geometry.crossed_by(site);
        let (own, other) = (&step.own, &step.other);
        let is_threatened = !(span & other.candidates).is_empty();
        let is_safe = !is_threatened && !crossed.meets(&other.buildable);
        let left = position.bridges_left().unwrap_or(u16::MAX);
        let of = |size: Cells| ends.iter().map(|&end| i16::from(size.contains(end))).sum::<i16>();
        let n = |cells: Cells| cells.len() as i16;
        let is = i16::from;
        let island_ends = of(own.islands);
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
    "gain.scarce" => is(gain > 0 && left <= 3),
    "gain.threatened" => is(gain > 0 && is_threatened),
    "ends.one" => of(own.sizes[0]),
    "ends.two" => of(own.sizes[1]),
    "ends.three" => of(own.sizes[2]),
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
    "left.1" => is(left <= 1),
    "left.3" => is(left <= 3),
    "no.tiles" => is(step.tiles.is_empty()),
    "few.tiles" => is(step.tiles.len() <= 8),
    "islands" => (islands(a) + islands(b)).min(8),
    "others" => step.bridges.len().min(12) as i16,
    "span.other.cut" => n(span & step.other_gains.cut),
    "span.other.two.only" => n(span & step.threats.two_only),
    "span.other.complete.only" => n(span & step.threats.complete_only),
    "span.other.grows.joined" => n(span & step.threats.joined),
    "readies.three" => is(readies(own.sizes[2], own.joining[3])),
    "readies.two" => is(readies(own.sizes[1], own.joining[2])),
}
