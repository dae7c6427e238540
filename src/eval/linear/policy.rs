//! The features of steps.

use crate::board::{Cell, Cells, Site, SiteSet, Size};
use crate::eval::view::{Gains, Sight, View, groups, only_completions};
use crate::game::Position;

/// Sets of cells; a tile has the weights of those that its cell is in.
pub(crate) const PLANES: usize = JOINED + MARKS.len();

/// The first of them, of which each legal tile is in one: by what a tile there
/// would join, and one of the opponent.
pub(crate) const JOINED: usize = JOINS * OTHERS.len();

/// A tile joins none to three others.
const JOINS: usize = 4;

/// What a tile of the opponent on the cell would be.
const OTHERS: [&str; 5] = ["closed", "joins.0", "joins.1", "joins.2", "completes"];

/// What else may be true of a cell, in the order of [`marks`].
const MARKS: [&str; 62] = [
    "complete.only",
    "complete.gain.2",
    "complete.gain.4",
    "hinder.only",
    "hinder.gain.2",
    "hinder.gain.4",
    "own.span.1",
    "own.span.2",
    "own.span.4",
    "other.span.1",
    "other.span.2",
    "other.span.4",
    "own.reach.islands.1",
    "own.reach.islands.2",
    "own.reach.islands.3",
    "own.reach.banks.1",
    "own.reach.banks.2",
    "own.reach.banks.3",
    "other.reach.islands.1",
    "other.reach.islands.2",
    "other.reach.islands.3",
    "other.reach.banks.1",
    "other.reach.banks.2",
    "other.reach.banks.3",
    "own.square",
    "other.square",
    "own.spoils",
    "own.corner.bank",
    "own.completes.reach",
    "own.room.1",
    "own.room.2",
    "own.room.3",
    "other.room.1",
    "other.room.2",
    "other.room.3",
    "own.span.0",
    "own.span.0.twice",
    "other.span.0",
    "other.span.0.twice",
    "other.span.banks",
    "own.grows.reached",
    "other.grows.reached",
    "own.spoilt.growth",
    "other.completes.reach",
    "own.link.ones",
    "own.link.twos",
    "own.link.threes",
    "other.link.ones",
    "other.link.twos",
    "other.link.threes",
    "own.future.islands",
    "own.future.islands.twice",
    "own.future.banks",
    "other.future.islands",
    "other.future.islands.twice",
    "other.future.banks",
    "own.cut",
    "other.cut",
    "own.two.only",
    "other.two.only",
    "own.grows.joined",
    "other.grows.joined",
];

/// Kinds of cells whose place relative to a tile has a weight.
pub(crate) const SOURCES: usize = SOURCE_NAMES.len();

const SOURCE_NAMES: [&str; 16] = [
    "own.one",
    "own.two",
    "own.three",
    "own.island",
    "own.bank.bridged",
    "own.island.bridged",
    "other.one",
    "other.two",
    "other.three",
    "other.island",
    "other.bank.bridged",
    "other.island.bridged",
    "blocked",
    "first",
    "own.completing",
    "other.completing",
];

/// How far such a cell can be, in columns and in rows.
pub(crate) const REACH: usize = 3;

/// Places relative to a tile that no symmetry makes equal, itself left out:
/// the larger and the smaller of columns and rows.
pub(crate) const OFFSETS: [(usize, usize); 9] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3)];

/// How a cell can lie to the edges: the distances to the nearest two, at most
/// [`EDGE`], the nearer first.
pub(crate) const EDGES: usize = (EDGE + 1) * (EDGE + 2) / 2;

const EDGE: usize = 5;

/// What counts for a bridge, in the order of [`Sketch::bridge`].
const BRIDGE: [&str; 40] = [
    "bias",
    "same",
    "gain.0",
    "gain.1",
    "gain.2",
    "gain.3",
    "gain.4",
    "gain",
    "gain.safe",
    "gain.1.safe",
    "gain.best",
    "gain.scarce",
    "gain.threatened",
    "ends.one",
    "ends.two",
    "ends.three",
    "ends.island",
    "ends.both.islands",
    "span.own",
    "span.other",
    "span.own.completing",
    "span.other.completing",
    "crosses.own",
    "crosses.other",
    "crosses.own.gain",
    "crosses.other.gain",
    "straight",
    "diagonal",
    "left.1",
    "left.3",
    "no.tiles",
    "few.tiles",
    "islands",
    "others",
    "span.other.cut",
    "span.other.two.only",
    "span.other.complete.only",
    "span.other.grows.joined",
    "readies.three",
    "readies.two",
];

/// How many things count for a bridge.
pub(crate) const BRIDGE_FEATURES: usize = BRIDGE.len();

/// Weights of one kind of step in one phase: planes, edges, kernels, bridge,
/// pass.
pub(crate) const PARAMETERS: usize = PASS + 1;
pub(crate) const EDGE_AT: usize = PLANES;
pub(crate) const KERNEL_AT: usize = EDGE_AT + EDGES;
pub(crate) const BRIDGE_AT: usize = KERNEL_AT + SOURCES * OFFSETS.len();
pub(crate) const PASS: usize = BRIDGE_AT + BRIDGE_FEATURES;

/// Those of tiles come first.
pub(crate) const TILE: usize = BRIDGE_AT;

/// What the weights are called, in their order.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let joins = (0..JOINS)
        .flat_map(|own| OTHERS.iter().map(move |other| format!("tile.joins.{own}.other.{other}")));
    let marks = MARKS.iter().map(|mark| format!("tile.{mark}"));
    let edges = (0..=EDGE).flat_map(|a| (a..=EDGE).map(move |b| format!("tile.edge.{a}.{b}")));
    let kernels = SOURCE_NAMES
        .iter()
        .flat_map(|source| OFFSETS.iter().map(move |(a, b)| format!("near.{source}.{a}.{b}")));
    let bridges = BRIDGE.iter().map(|name| format!("bridge.{name}"));
    let all = joins.chain(marks).chain(edges).chain(kernels).chain(bridges);
    all.chain(std::iter::once("pass".to_owned()))
}

/// Which of the [`EDGES`] a cell has.
pub(crate) fn edge(cell: Cell, size: Size) -> usize {
    let last = size.get() - 1;
    let distance = |x: u8| usize::from(x.min(last - x)).min(EDGE);
    let (a, b) = (distance(cell.column()), distance(cell.row()));
    let (a, b) = (a.min(b), a.max(b));
    // Rows of EDGE + 1, EDGE, ... before row a.
    a * (EDGE + 1) - a * a.saturating_sub(1) / 2 + (b - a)
}

/// What a position's tile steps and bridges are judged by.
pub(crate) struct Sketch {
    own: View,
    other: View,
    own_gains: Gains,
    other_gains: Gains,
    /// The legal tiles.
    pub(crate) tiles: Cells,
    pub(crate) planes: [Cells; PLANES],
    pub(crate) sources: [Cells; SOURCES],
    /// The legal bridges.
    pub(crate) bridges: SiteSet,
    hinders: Hinders,
}

/// Cells that the opponent would not like to lose.
struct Hinders {
    /// Where he completes a group and no other cell does.
    complete_only: Cells,
    /// Where he makes a group of three, and no other cell makes one of the
    /// same tiles.
    two_only: Cells,
    /// Where he grows a group that bridges join to islands.
    joined: Cells,
}

impl Hinders {
    #[inline(always)]
    fn new(position: &Position, other: &View) -> Hinders {
        Hinders {
            complete_only: other.only_completions(),
            two_only: only_completions(other.tiles, other.joining[2]),
            joined: joined_banks(position, other).sides() & other.candidates,
        }
    }
}

impl Sketch {
    #[inline(always)]
    pub(crate) fn new(position: &Position) -> Sketch {
        Sketch::of(position, Sight::new(position))
    }

    /// The same from what is seen of the position.
    #[inline(always)]
    pub(in crate::eval) fn of(position: &Position, sight: Sight) -> Sketch {
        let tiles = position.tile_steps();
        let bridges = position.bridge_steps();
        let hinders = Hinders::new(position, &sight.other);
        let marks = marks(position, &sight, &hinders);
        let Sight { own, other, own_gains, other_gains } = sight;

        let closed = !other.candidates;
        let others =
            [closed, other.joining[0], other.joining[1], other.joining[2], other.joining[3]];
        let mut planes = [Cells::EMPTY; PLANES];
        for (n, own) in own.joining.into_iter().enumerate() {
            for (m, other) in others.into_iter().enumerate() {
                planes[n * OTHERS.len() + m] = own & other & tiles;
            }
        }
        for (plane, mark) in planes[JOINED..].iter_mut().zip(marks) {
            *plane = mark & tiles;
        }
        let sources = sources(position, &own, &other);
        Sketch { own, other, own_gains, other_gains, tiles, planes, sources, bridges, hinders }
    }

    /// What counts for a bridge on `site`.
    #[inline(always)]
    pub(crate) fn bridge(&self, position: &Position, site: Site) -> [i16; BRIDGE_FEATURES] {
        let geometry = position.geometry();
        let ends = site.ends();
        let [a, b] = ends.map(|end| position.network(end));
        let islands = |root| i16::from(position.network_islands(root));
        let gain = if a == b { 0 } else { islands(a) * islands(b) };
        let span = geometry.span(site);
        let crossed = geometry.crossed_by(site);
        let (own, other) = (&self.own, &self.other);
        let is_safe = (span & other.candidates).is_empty() && !crossed.meets(&other.buildable);
        let left = position.bridges_left().unwrap_or(u16::MAX);
        let of = |size: Cells| ends.iter().map(|&end| i16::from(size.contains(end))).sum::<i16>();
        let n = |cells: Cells| cells.len() as i16;
        let is = i16::from;
        let island_ends = of(own.islands);
        let columns = ends[0].column() != ends[1].column();
        let distance = ends[0].row().abs_diff(ends[1].row());
        let knight = span.len() == 2;
        // From a network with islands, on a tile beside a cell that makes the
        // group three, or four.
        let readies = |size: Cells, growing: Cells| {
            let live = size & growing.sides();
            let [to_a, to_b] = ends.map(|end| live.contains(end));
            to_a && islands(b) > 0 || to_b && islands(a) > 0
        };
        [
            1,
            is(a == b),
            is(a != b && gain == 0),
            is(gain == 1),
            is(gain == 2),
            is(gain == 3),
            is(gain >= 4),
            gain.min(16),
            is(gain > 1 && is_safe),
            is(gain == 1 && is_safe),
            is(gain > 0 && gain as u32 == self.own_gains.best),
            is(gain > 0 && left <= 3),
            is(gain > 0 && !(span & other.candidates).is_empty()),
            of(own.sizes[0]),
            of(own.sizes[1]),
            of(own.sizes[2]),
            island_ends,
            is(island_ends == 2),
            n(span & own.candidates),
            n(span & other.candidates),
            n(span & own.joining[3]),
            n(span & other.joining[3]),
            crossed.in_common(&own.buildable).min(6) as i16,
            crossed.in_common(&other.buildable).min(6) as i16,
            is(crossed.meets(&self.own_gains.sites) && gain == 0),
            is(crossed.meets(&self.other_gains.sites)),
            is(!knight && (!columns || distance == 0)),
            is(!knight && columns && distance != 0),
            is(left <= 1),
            is(left <= 3),
            is(self.tiles.is_empty()),
            is(self.tiles.len() <= 8),
            (islands(a) + islands(b)).min(8),
            self.bridges.len().min(12) as i16,
            n(span & self.other_gains.cut),
            n(span & self.hinders.two_only),
            n(span & self.hinders.complete_only),
            n(span & self.hinders.joined),
            is(readies(own.sizes[2], own.joining[3])),
            is(readies(own.sizes[1], own.joining[2])),
        ]
    }
}

/// The cells of each of [`MARKS`].
#[inline(always)]
fn marks(position: &Position, sight: &Sight, hinders: &Hinders) -> [Cells; MARKS.len()] {
    let Sight { own, other, own_gains, other_gains } = sight;
    let (completing, hindering) = (own.joining[3], other.joining[3]);
    let growing = own.joining[2];
    let (own_points, _) = own.completion_gains(position);
    let (other_points, _) = other.completion_gains(position);
    let banks = own.tiles - own.islands;
    let (own_room, other_room) = (own.candidates.beside(), other.candidates.beside());
    let (own_spans, other_spans) = (own.buildable.covered(), other.buildable.covered());
    let (own_links, other_links) = (links(own), links(other));
    let (own_future, other_future) = (future(position, own), future(position, other));
    [
        own.only_completions(),
        own_points[0],
        own_points[1],
        hinders.complete_only,
        other_points[0],
        other_points[1],
        own_gains.spans[0],
        own_gains.spans[1],
        own_gains.spans[2],
        other_gains.spans[0],
        other_gains.spans[1],
        other_gains.spans[2],
        own.to_islands[0],
        own.to_islands[1],
        own.to_islands[2],
        own.to_banks[0],
        own.to_banks[1],
        own.to_banks[2],
        other.to_islands[0],
        other.to_islands[1],
        other.to_islands[2],
        other.to_banks[0],
        other.to_banks[1],
        other.to_banks[2],
        own.candidates.squares().square_cells(),
        other.candidates.squares().square_cells(),
        completing.halo() - completing - completing.sides(),
        banks.halo() - banks.sides(),
        completing & own.to_islands[0],
        own_room[0],
        own_room[1],
        own_room[2],
        other_room[0],
        other_room[1],
        other_room[2],
        own_spans[0],
        own_spans[1],
        other_spans[0],
        other_spans[1],
        other_links[0] | other_links[1] | other_links[2],
        grows(own),
        grows(other),
        growing.halo() - growing - growing.sides(),
        hindering & other.to_islands[0],
        own_links[0],
        own_links[1],
        own_links[2],
        other_links[0],
        other_links[1],
        other_links[2],
        own_future[0],
        own_future[1],
        own_future[2],
        other_future[0],
        other_future[1],
        other_future[2],
        own_gains.cut,
        other_gains.cut,
        only_completions(own.tiles, own.joining[2]),
        hinders.two_only,
        joined_banks(position, own).sides(),
        hinders.joined,
    ]
}

/// The cells of each of [`SOURCE_NAMES`].
#[inline(always)]
fn sources(position: &Position, own: &View, other: &View) -> [Cells; SOURCES] {
    let bridged = position.bridge_ends();
    let of = |view: &View| {
        let [ones, twos, threes] = view.sizes.map(|size| size & view.bare);
        let banks = view.tiles - view.islands;
        [ones, twos, threes, view.islands & view.bare, banks & bridged, view.islands & bridged]
    };
    let first = position.first_tile().map_or(Cells::EMPTY, Cells::from);
    let both = [position.blocked(), first, own.joining[3], other.joining[3]];
    let mut sources = [Cells::EMPTY; SOURCES];
    for (to, from) in sources.iter_mut().zip(of(own).into_iter().chain(of(other)).chain(both)) {
        *to = from;
    }
    sources
}

/// The cells under bridges a colour could build from an island to a group of
/// one, two and three.
#[inline(always)]
fn links(own: &View) -> [Cells; 3] {
    let [ones, twos, threes] = own.sizes;
    [
        own.buildable.between(own.islands, ones).covered()[0],
        own.buildable.between(own.islands, twos).covered()[0],
        own.buildable.between(own.islands, threes).covered()[0],
    ]
}

/// The cells under open sites from a tile of an island of a colour, one that
/// carries no bridge, to its candidates, under two or more of them, and under
/// one from such a tile of a sandbank.
#[inline(always)]
fn future(position: &Position, own: &View) -> [Cells; 3] {
    if position.bridges_left() == Some(0) {
        return [Cells::EMPTY; 3];
    }
    let sites = position.open_sites();
    let [one, two] = sites.between(own.bare & own.islands, own.candidates).covered();
    [one, two, sites.between(own.bare - own.islands, own.candidates).covered()[0]]
}

/// The sandbanks that bridges join to islands.
#[inline(always)]
fn joined_banks(position: &Position, own: &View) -> Cells {
    let banks = own.tiles - own.islands;
    let mut joined = Cells::EMPTY;
    for end in banks & position.bridge_ends() {
        if position.network_islands(end) > 0 {
            joined.insert(end);
        }
    }
    if joined.is_empty() { joined } else { groups(banks, joined) }
}

/// The candidates beside a sandbank with a tile that an open site joins to an
/// island.
#[inline(always)]
fn grows(own: &View) -> Cells {
    let banks = own.tiles - own.islands;
    groups(banks, banks & own.bare & own.to_islands[0]).sides()
}
