//! What each colour has and could do in a position, as sets of cells: the raw material of all
//! features. Also which groups of tiles can still become islands, and what a bridge gains by
//! joining two networks.
//!
//! Every evaluation and every prior computes views, so they must be quick. Nearly everything is a
//! few operations on whole sets of cells. Loops run only over rare things: bridges that may score,
//! completing cells of linked groups, islands.
//!
//! # Groups as sets
//! The rules make groups small, at most four tiles. Three steps of growth therefore find the groups
//! around any seeds ([`groups`]), all at once and without a search. The sizes of sandbanks follow
//! from the neighbours of their tiles:
//!
//! ```text
//!   1    no tile beside it        2 2    the others        3 m 3    m 3    m has two beside it
//!                                                                   3
//! ```
//!
//! # Gains
//! A network of n islands has n(n+1)/2 points. Joining networks of a and b islands gains a·b
//! points; that is the *gain* of a bridge. A bridge within a network, or to a network without
//! islands, gains nothing yet.

use crate::board::{Cell, Cells, Site, SiteSet};
use crate::game::{Color, Position};

/// What one colour has and could do.
pub(super) struct ColorView {
    pub(super) tiles: Cells,
    pub(super) islands: Cells,
    /// Tiles without a bridge.
    pub(super) bare: Cells,
    /// Tiles of groups with a bridge.
    pub(super) linked: Cells,
    /// Tiles of groups of one, two and three.
    pub(super) sizes: [Cells; 3],
    pub(super) candidates: Cells,
    /// The candidates by how many tiles a tile there would join: 0 to 3.
    pub(super) joining: [Cells; 4],
    /// Where the colour could build now; empty when the supply has no bridge.
    pub(super) buildable: SiteSet,
    /// Cells that one, two, or at least three open sites join to the colour's islands; empty when
    /// the supply has no bridge.
    pub(super) to_islands: [Cells; 3],
    /// The same for sandbanks.
    pub(super) to_banks: [Cells; 3],
}

/// The views of both colours and the bridges that would score for them.
pub(super) struct Views {
    /// The view of the side to move.
    pub(super) own: ColorView,
    pub(super) other: ColorView,
    pub(super) own_gains: BridgeGains,
    pub(super) other_gains: BridgeGains,
}

impl Views {
    #[inline(always)]
    pub(super) fn new(position: &Position) -> Views {
        let color = position.side();
        let own = ColorView::new(position, color);
        let other = ColorView::new(position, !color);
        let own_gains = own.bridge_gains(position, &other);
        let other_gains = other.bridge_gains(position, &own);
        Views { own, other, own_gains, other_gains }
    }
}

/// The bridges that would score points for a colour now. The gain of a bridge is the product of the
/// islands of the two networks that it joins.
#[derive(Default)]
pub(super) struct BridgeGains {
    pub(super) count: u32,
    /// The sum of the gains, each as if built alone.
    pub(super) sum: u32,
    pub(super) best: u32,
    /// The best gain that no tile and no bridge of the opponent can prevent.
    pub(super) safe: u32,
    /// The gain of joining all these networks.
    pub(super) joined: u32,
    /// Bridges beyond those needed to join them.
    pub(super) spare: u32,
    /// The cells under bridges that gain 1, 2 to 3, and at least 4.
    pub(super) spans: [Cells; 3],
    pub(super) sites: SiteSet,
    /// The cells that lie under every bridge of the best gain: one tile there stops them all.
    pub(super) common_span: Cells,
}

/// A colour's networks with islands.
#[derive(Default)]
pub(super) struct IslandNetworks {
    pub(super) count: u32,
    /// Islands of the largest network.
    pub(super) largest: u32,
    /// Islands of the second largest.
    pub(super) second: u32,
    /// Networks of a single island.
    pub(super) alone: u32,
}

impl ColorView {
    #[inline(always)]
    pub(super) fn new(position: &Position, color: Color) -> ColorView {
        let tiles = position.tiles(color);
        let islands = position.islands(color);
        let bare = tiles - position.bridge_ends();
        let linked = linked(tiles, tiles - bare);
        let banks = tiles - islands;
        let ones = banks - banks.sides();
        // The middle of a group of three is next to its other two.
        let larger = banks - ones;
        let threes = (larger & larger.beside()[1]).grown(larger);
        let sizes = [ones, larger - threes, threes];
        let joining = position.open_cells_by_join_count(color);
        let candidates = position.open_cells(color);
        let (buildable, to_islands, to_banks) = if position.bridges_left() == Some(0) {
            (SiteSet::EMPTY, [Cells::EMPTY; 3], [Cells::EMPTY; 3])
        } else {
            let open = position.open_sites();
            (open.within(bare), open.reach_counts(bare & islands), open.reach_counts(bare & banks))
        };
        ColorView {
            tiles,
            islands,
            bare,
            linked,
            sizes,
            candidates,
            joining,
            buildable,
            to_islands,
            to_banks,
        }
    }

    /// The bridges that score; `other` is the opponent's view.
    #[inline(always)]
    fn bridge_gains(&self, position: &Position, other: &ColorView) -> BridgeGains {
        let mut gains = BridgeGains::default();
        // The roots of the networks that these bridges join.
        let mut joined = Cells::EMPTY;
        // A network has islands only if the tile belongs to one or its group has a bridge.
        let sites = self.buildable.within(self.islands | self.linked);
        for site in sites.iter() {
            let [a, b] = site.ends();
            let (a, b) = (position.network_root(a), position.network_root(b));
            let islands = |root| u32::from(position.network_islands(root));
            let gain = islands(a) * islands(b);
            if a == b || gain == 0 {
                continue;
            }
            joined.insert(a);
            joined.insert(b);
            let span = position.geometry().span(site);
            gains.count += 1;
            gains.sum += gain;
            if gain > gains.best {
                (gains.best, gains.common_span) = (gain, span);
            } else if gain == gains.best {
                gains.common_span &= span;
            }
            let class = match gain {
                1 => 0,
                2 | 3 => 1,
                _ => 2,
            };
            gains.spans[class] |= span;
            gains.sites.insert(site);
            let is_safe = (span & other.candidates).is_empty()
                && !position.geometry().crossed_by(site).meets(&other.buildable);
            if is_safe {
                gains.safe = gains.safe.max(gain);
            }
        }
        // As if all of them became one network, which is usually possible. (sum² - squares)/2 adds
        // up the products of all pairs, and these are the points gained.
        let (mut sum, mut squares) = (0, 0);
        for root in joined {
            let islands = u32::from(position.network_islands(root));
            sum += islands;
            squares += islands * islands;
        }
        gains.joined = (sum * sum - squares) / 2;
        // A tree over n networks has n - 1 bridges.
        gains.spare = (gains.count + 1).saturating_sub(joined.len());
        gains
    }

    /// Counts the networks with islands.
    #[inline(always)]
    pub(super) fn island_networks(&self, position: &Position) -> IslandNetworks {
        // A few cells of each island are enough to find its root.
        let mut roots = Cells::EMPTY;
        for cell in self.islands.lower_left() {
            roots.insert(position.network_root(cell));
        }
        let mut networks = IslandNetworks::default();
        for root in roots {
            let islands = u32::from(position.network_islands(root));
            networks.count += 1;
            networks.alone += u32::from(islands == 1);
            if islands > networks.largest {
                networks.second = networks.largest;
                networks.largest = islands;
            } else {
                networks.second = networks.second.max(islands);
            }
        }
        networks
    }

    /// The tiles of islands that can never get another bridge: no open site joins them to a bare
    /// tile or a candidate of the colour.
    #[inline(always)]
    pub(super) fn dead_islands(&self, position: &Position) -> Cells {
        let targets = self.bare | self.candidates;
        let reached = position.open_sites().reachable_from(targets);
        // One live tile keeps its whole island alive.
        let live = self.islands & self.bare & reached;
        self.islands - groups(self.islands, live)
    }

    /// The candidates that are the only way to complete their group.
    #[inline(always)]
    pub(super) fn only_completions(&self) -> Cells {
        only_completions(self.tiles, self.joining[3])
    }

    /// The completing candidates that gain at least two points and at least four, and the best gain
    /// of any.
    #[inline(always)]
    pub(super) fn completion_gains(&self, position: &Position) -> ([Cells; 2], u32) {
        let mut cells = [Cells::EMPTY; 2];
        let completing = self.joining[3];
        // An unlinked island gains one point; only bridges make it more.
        let mut best = u32::from(!completing.is_empty());
        for cell in completing & self.linked.sides() {
            let gain = completion_gain(position, self.tiles, cell);
            best = best.max(gain);
            if gain >= 2 {
                cells[0].insert(cell);
            }
            if gain >= 4 {
                cells[1].insert(cell);
            }
        }
        (cells, best)
    }
}

/// The points that completing an island on `cell` gains.
#[inline(always)]
fn completion_gain(position: &Position, tiles: Cells, cell: Cell) -> u32 {
    let mut roots = Cells::EMPTY;
    for tile in position.geometry().sides(cell) & tiles {
        roots.insert(position.network_root(tile));
    }
    let (mut sum, mut squares) = (0, 0);
    for root in roots {
        let islands = u32::from(position.network_islands(root));
        sum += islands;
        squares += islands * islands;
    }
    // The network has n(n+1)/2 points, where n is `sum + 1`; its parts already have (squares +
    // sum)/2.
    let after = (sum + 1) * (sum + 2);
    (after - squares - sum) / 2
}

/// Those of `completing` that are the only way to complete their group: no other cell of
/// `completing` is beside them or beside their group.
///
/// `completing` are the cells where a tile brings groups of `tiles` to one size, at most four.
#[inline(always)]
pub(super) fn only_completions(tiles: Cells, completing: Cells) -> Cells {
    let beside = completing.sides();
    let mut others = beside;
    let mut grown = beside & tiles;
    while let Some(tile) = grown.first() {
        let group = groups(tiles, tile.into());
        grown -= group;
        let rim = group.sides() & completing;
        if rim.len() > 1 {
            others |= rim;
        }
    }
    completing - others
}

/// The tiles of the groups of `ends`, the tiles with bridges.
#[inline(always)]
pub(super) fn linked(tiles: Cells, ends: Cells) -> Cells {
    if ends.is_empty() { ends } else { groups(tiles, ends) }
}

/// The groups of `tiles`, of at most four each, that contain or touch `seeds`. Three steps reach
/// every tile of such a group from any other.
#[inline(always)]
pub(super) fn groups(tiles: Cells, seeds: Cells) -> Cells {
    seeds.grown(tiles).grown(tiles).grown(tiles)
}

/// The sandbanks of `color` that can still become islands by the cells that are open to it,
/// whatever else is placed.
pub fn completable_groups(position: &Position, color: Color) -> Vec<Cells> {
    let mut rest = position.tiles(color) - position.islands(color);
    let mut groups = Vec::new();
    while let Some(cell) = rest.first() {
        let group = rest.flood(Cells::from(cell));
        rest -= group;
        if may_be_island(position, color, group) {
            groups.push(group);
        }
    }
    groups
}

/// Whether `shape` can be extended to an island by tiles and candidates of `color`, with no other
/// tile of that colour around.
fn may_be_island(position: &Position, color: Color, shape: Cells) -> bool {
    let tiles = position.tiles(color);
    if shape.len() == 4 {
        return ((shape.halo() - shape) & tiles).is_empty();
    }
    let usable = tiles | position.open_cells(color);
    // At most three tiles are added, so the recursion ends quickly.
    let next = (shape.sides() & usable) - shape;
    next.into_iter().any(|cell: Cell| may_be_island(position, color, shape.with(cell)))
}

/// The points that a bridge on `site` would gain now. A colour must be able to build there.
#[inline(always)]
pub fn bridge_gain(position: &Position, site: Site) -> u16 {
    let [a, b] = site.ends();
    let (a, b) = (position.network_root(a), position.network_root(b));
    if a == b {
        return 0;
    }
    u16::from(position.network_islands(a)) * u16::from(position.network_islands(b))
}

/// The bridges that `color` could build in a turn now and that would gain points, with these
/// points. Empty when the supply has no bridge.
pub fn bridge_gains(position: &Position, color: Color) -> Vec<(Site, u16)> {
    if position.bridges_left() == Some(0) {
        return Vec::new();
    }
    let gain = |site: Site| (site, bridge_gain(position, site));
    position.buildable_sites(color).iter().map(gain).filter(|(_, points)| *points > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Random, rollout};
    use crate::game::{Rules, Step};

    /// The positions after each turn of 200 rollouts.
    fn positions() -> impl Iterator<Item = Position> {
        (0..200).flat_map(|seed| {
            let mut random = Random::new(seed);
            let mut position = Position::new(Rules::default());
            let mut positions = Vec::new();
            while !position.is_over() {
                rollout(&mut position, 1, &mut random);
                positions.push(position);
            }
            positions
        })
    }

    #[test]
    fn completion_gains_are_the_points_scored() {
        let mut large_gains = 0;
        for position in positions() {
            let color = position.side();
            let view = ColorView::new(&position, color);
            let ([two, four], best) = view.completion_gains(&position);
            let mut best_gain = 0;
            for cell in view.joining[3] & position.tile_steps() {
                let mut after = position;
                after.make(Step::Tile(cell));
                let gain = after.score(color).points - position.score(color).points;
                assert_eq!(two.contains(cell), gain >= 2, "{cell} gains {gain}");
                assert_eq!(four.contains(cell), gain >= 4, "{cell} gains {gain}");
                large_gains += u32::from(gain >= 2);
                best_gain = best_gain.max(u32::from(gain));
            }
            if (view.joining[3] - position.tile_steps()).is_empty() {
                assert_eq!(best, best_gain);
            }
        }
        assert!(large_gains > 50, "only {large_gains} completions gain more than a point");
    }

    #[test]
    fn only_completions_have_no_alternative() {
        let mut counts = [0; 2];
        for position in positions() {
            for (color, size) in Color::BOTH.into_iter().flat_map(|color| [(color, 2), (color, 3)])
            {
                let (tiles, growing) =
                    (position.tiles(color), position.open_cells_by_join_count(color)[size]);
                let is_only = |&cell: &Cell| {
                    let group = position.group(color, cell) | cell.into();
                    (group.sides() & (growing - cell.into())).is_empty()
                };
                let only: Cells = growing.into_iter().filter(is_only).collect();
                assert_eq!(only_completions(tiles, growing), only);
                counts[size - 2] += only.len();
            }
        }
        assert!(counts.iter().all(|&n| n > 50), "{counts:?}");
    }
}
