//! The features of tile steps, as sets of cells: a tile has the features whose set contains its
//! cell.
//!
//! Sets make features cheap. "Which of ninety cells lies beside a sandbank that an open site joins
//! to an island?" is a few operations on 192 bits for all cells together.
//!
//! Words in the names, each for `own`, the side to move, and for `other`:
//!
//! | word | cells |
//! |---|---|
//! | `completes`, `joins.n` | where a tile makes an island, or joins n tiles |
//! | `only` | the only cell that does it for its group |
//! | `hinder` | where the opponent would complete an island |
//! | `span.n` | under bridges that gain 1, 2 to 3, or at least 4 points; `span.0`: under any |
//! | `reach` | that an open site joins to the colour's tiles |
//! | `link` | under bridges from an island to a sandbank |
//! | `future` | under open sites from a tile to a cell that may still get one |
//! | `room` | with open cells beside them |
//! | `spoils` | that touch a completing cell by a corner: a tile there forbids the island |
//! | `cut` | under every bridge of the best gain |

use super::feature_table::feature_table;
use crate::board::Cells;
use crate::eval::views::{ColorView, Views, groups, only_completions};
use crate::game::Position;

/// The number of cases: a tile joins 0 to 3 tiles.
pub(super) const JOINS: usize = 4;

/// The planes of [`joins`], which come first. Each legal tile is in exactly one of them.
pub(super) const JOINED: usize = JOINS * OTHERS.len();

/// The number of sets that a tile's own cell can be in: [`joins`], then [`MARKS`].
pub(crate) const PLANES: usize = JOINED + MARKS.len();

/// The kinds of cells near a tile that count; each has a weight for every offset from the tile.
pub(crate) const SOURCES: usize = SOURCE_NAMES.len();

feature_table! {
    /// What a tile of the opponent on the cell would do.
    pub(super) const OTHERS;
    /// The cells of each of [`OTHERS`].
    fn others(other: &ColorView) -> [Cells] {}
    "closed" => !other.candidates,
    "joins.0" => other.joining[0],
    "joins.1" => other.joining[1],
    "joins.2" => other.joining[2],
    "completes" => other.joining[3],
}

feature_table! {
    /// What else may hold for a cell.
    pub(super) const MARKS;
    /// The cells of each of [`MARKS`]. Cells where no tile is legal may be among them:
    /// `StepFeatures::new` keeps the legal ones.
    pub(super) fn marks(position: &Position, views: &Views, threats: &Threats) -> [Cells] {
        let Views { own, other, own_gains, other_gains } = views;
        let (completing, growing) = (own.joining[3], own.joining[2]);
        let (own_points, _) = own.completion_gains(position);
        let (other_points, _) = other.completion_gains(position);
        let banks = own.tiles - own.islands;
        let (own_room, other_room) = (own.candidates.beside(), other.candidates.beside());
        let (own_spans, other_spans) = (own.buildable.covered(), other.buildable.covered());
        let (own_links, other_links) = (links(own), links(other));
        let (own_future, other_future) = (future(position, own), future(position, other));
    }
    "complete.only" => own.only_completions(),
    "complete.gain.2" => own_points[0],
    "complete.gain.4" => own_points[1],
    "hinder.only" => threats.complete_only,
    "hinder.gain.2" => other_points[0],
    "hinder.gain.4" => other_points[1],
    "own.span.1" => own_gains.spans[0],
    "own.span.2" => own_gains.spans[1],
    "own.span.4" => own_gains.spans[2],
    "other.span.1" => other_gains.spans[0],
    "other.span.2" => other_gains.spans[1],
    "other.span.4" => other_gains.spans[2],
    "own.reach.islands.1" => own.to_islands[0],
    "own.reach.islands.2" => own.to_islands[1],
    "own.reach.islands.3" => own.to_islands[2],
    "own.reach.banks.1" => own.to_banks[0],
    "own.reach.banks.2" => own.to_banks[1],
    "own.reach.banks.3" => own.to_banks[2],
    "other.reach.islands.1" => other.to_islands[0],
    "other.reach.islands.2" => other.to_islands[1],
    "other.reach.islands.3" => other.to_islands[2],
    "other.reach.banks.1" => other.to_banks[0],
    "other.reach.banks.2" => other.to_banks[1],
    "other.reach.banks.3" => other.to_banks[2],
    "own.square" => own.candidates.squares().square_cells(),
    "other.square" => other.candidates.squares().square_cells(),
    "own.spoils" => completing.halo() - completing - completing.sides(),
    "own.corner.bank" => banks.halo() - banks.sides(),
    "own.completes.reach" => completing & own.to_islands[0],
    "own.room.1" => own_room[0],
    "own.room.2" => own_room[1],
    "own.room.3" => own_room[2],
    "other.room.1" => other_room[0],
    "other.room.2" => other_room[1],
    "other.room.3" => other_room[2],
    "own.span.0" => own_spans[0],
    "own.span.0.twice" => own_spans[1],
    "other.span.0" => other_spans[0],
    "other.span.0.twice" => other_spans[1],
    "other.span.banks" => other_links[0] | other_links[1] | other_links[2],
    "own.grows.reached" => growing_reached(own),
    "other.grows.reached" => growing_reached(other),
    "own.spoilt.growth" => growing.halo() - growing - growing.sides(),
    "other.completes.reach" => other.joining[3] & other.to_islands[0],
    "own.link.ones" => own_links[0],
    "own.link.twos" => own_links[1],
    "own.link.threes" => own_links[2],
    "other.link.ones" => other_links[0],
    "other.link.twos" => other_links[1],
    "other.link.threes" => other_links[2],
    "own.future.islands" => own_future[0],
    "own.future.islands.twice" => own_future[1],
    "own.future.banks" => own_future[2],
    "other.future.islands" => other_future[0],
    "other.future.islands.twice" => other_future[1],
    "other.future.banks" => other_future[2],
    "own.cut" => own_gains.common_span,
    "other.cut" => other_gains.common_span,
    "own.two.only" => only_completions(own.tiles, own.joining[2]),
    "other.two.only" => threats.two_only,
    "own.grows.joined" => joined_banks(position, own).sides(),
    "other.grows.joined" => threats.joined,
}

feature_table! {
    /// The kinds of cells near a tile.
    pub(super) const SOURCE_NAMES;
    /// The cells of each of [`SOURCE_NAMES`].
    pub(super) fn sources(position: &Position, own: &ColorView, other: &ColorView) -> [Cells] {
        // Groups by size only where they are bare: a bridged tile takes no second bridge.
        let bridged = position.bridge_ends();
        let [own_ones, own_twos, own_threes] = own.sizes.map(|size| size & own.bare);
        let [other_ones, other_twos, other_threes] = other.sizes.map(|size| size & other.bare);
    }
    "own.one" => own_ones,
    "own.two" => own_twos,
    "own.three" => own_threes,
    "own.island" => own.islands & own.bare,
    "own.bank.bridged" => (own.tiles - own.islands) & bridged,
    "own.island.bridged" => own.islands & bridged,
    "other.one" => other_ones,
    "other.two" => other_twos,
    "other.three" => other_threes,
    "other.island" => other.islands & other.bare,
    "other.bank.bridged" => (other.tiles - other.islands) & bridged,
    "other.island.bridged" => other.islands & bridged,
    "blocked" => position.spanned_cells(),
    "first" => position.first_tile().map_or(Cells::EMPTY, Cells::from),
    "own.completing" => own.joining[3],
    "other.completing" => other.joining[3],
}

/// For each number of own tiles that a tile would join, the cells of each of [`OTHERS`].
#[inline(always)]
pub(super) fn joins(own: &ColorView, other: &ColorView) -> [[Cells; OTHERS.len()]; JOINS] {
    let others = others(other);
    own.joining.map(|own| others.map(|other| own & other))
}

/// Cells that the opponent would not like to lose. Computed once, because both tiles and bridges
/// have features of them.
pub(super) struct Threats {
    /// Where they complete a group and no other cell does.
    pub(super) complete_only: Cells,
    /// Where they grow a group to three, and no other cell does.
    pub(super) two_only: Cells,
    /// Where they grow a group that bridges join to islands.
    pub(super) joined: Cells,
}

impl Threats {
    /// The threats of the opponent, whose view is `other`.
    #[inline(always)]
    pub(super) fn new(position: &Position, other: &ColorView) -> Threats {
        Threats {
            complete_only: other.only_completions(),
            two_only: only_completions(other.tiles, other.joining[2]),
            joined: joined_banks(position, other).sides() & other.candidates,
        }
    }
}

/// The cells under bridges that the colour could build now from an island to a group of one, two
/// and three.
#[inline(always)]
fn links(own: &ColorView) -> [Cells; 3] {
    let [ones, twos, threes] = own.sizes;
    [
        own.buildable.between(own.islands, ones).covered()[0],
        own.buildable.between(own.islands, twos).covered()[0],
        own.buildable.between(own.islands, threes).covered()[0],
    ]
}

/// The cells under open sites from a bare tile to a candidate of the colour: under one or more from
/// an island, two or more from an island, one or more from a sandbank.
#[inline(always)]
fn future(position: &Position, own: &ColorView) -> [Cells; 3] {
    if position.bridges_left() == Some(0) {
        return [Cells::EMPTY; 3];
    }
    let sites = position.open_sites();
    let [one, two] = sites.between(own.bare & own.islands, own.candidates).covered();
    [one, two, sites.between(own.bare - own.islands, own.candidates).covered()[0]]
}

/// The sandbanks that bridges join to islands.
#[inline(always)]
fn joined_banks(position: &Position, own: &ColorView) -> Cells {
    let banks = own.tiles - own.islands;
    // All tiles of a group are in one network, so its bridged tiles suffice.
    let mut joined = Cells::EMPTY;
    for end in banks & position.bridge_ends() {
        if position.network_islands(end) > 0 {
            joined.insert(end);
        }
    }
    if joined.is_empty() { joined } else { groups(banks, joined) }
}

/// The cells beside sandbanks that an open site joins to an island.
#[inline(always)]
fn growing_reached(own: &ColorView) -> Cells {
    let banks = own.tiles - own.islands;
    groups(banks, banks & own.bare & own.to_islands[0]).sides()
}
