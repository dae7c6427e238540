//! What both sides could gain in one turn: before and after a move or one of its tiles, and whether
//! the other side can stop it.
//!
//! A [`Gain`] is the points that one turn could bring: by one of several bridges between the same
//! two networks, or by an island that a tile on one of several cells completes. The reasons of a
//! move follow from four lists of gains:
//!
//! ```text
//!               the player's next turn     the opponent's next turn
//!   before      own[0]                     others[0]
//!   after       own[1]                     others[1]
//!
//!   in own[1], not in own[0]      prepared            in others[0], not in others[1]   stopped
//!   in both, for more points      raised              there with fewer ways            hindered
//!   in both, cannot be stopped    waits               two in own[1], not both stopped  a fork
//! ```
//!
//! One of the two sides is not to move, so [`with_turn`] builds the position in which it is.
//!
//! # Whether a gain is certain
//! A gain is certain if it is still possible after every turn of the opponent. Trying all turns for
//! each gain would take too long for a hint. [`replies`] yields only those that can matter: every
//! bridge, a pass that ends the game, and pairs of tiles with at least one tile on the cells of the
//! gain. Other tiles cannot stop it, with one exception: if few cells are left, they can leave the
//! player no cell for the second tile of the turn ([`FEW_CELLS`]).
//!
//! # Whether it is the same gain
//! Bridges are compared by the networks they join, islands by their tiles: for a reader a gain
//! stays the same even if the list of bridges changes. If this comparison is too narrow, an old
//! bridge is called new; if it is too wide, a new one is not mentioned. `tests/suite/reasons.rs`
//! compares every claim with all turns of the opponent.

use super::aim::{Aim, Target};
use crate::board::{Cell, Cells, Site};
use crate::eval::{bridge_gain, bridge_gains, completable_groups};
use crate::game::{Color, Position, Setup, SetupStage, Stage, Step};

/// The maximum number of gains whose certainty is examined, the largest first. Set by judgement: at
/// most three purposes are shown, and each further gain takes a search through the opponent's
/// turns.
const MAX_EXAMINED: usize = 4;

/// With at most this number of cells open to a colour, any tile of the opponent may leave it no
/// cell for a second tile. The fourth tile of an island takes or closes at most 15 cells, its own
/// and the 14 around the island, and the opponent's turn covers at most three.
const FEW_CELLS: u32 = 18;

/// Two positions, of which the second has more tiles or bridges of one colour.
pub(super) struct Change<'a> {
    before: &'a Position,
    after: &'a Position,
    player: Color,
    /// What the player could gain in the next turn, before and after.
    own: [Vec<Gain>; 2],
    /// What the opponent could gain in the next turn, before and after.
    others: [Vec<Gain>; 2],
    /// The positions with the opponent to move.
    replies: [Option<Position>; 2],
}

impl<'a> Change<'a> {
    pub(super) fn new(before: &'a Position, after: &'a Position, player: Color) -> Change<'a> {
        let turns = |color: Color| [before, after].map(|position| with_turn(position, color));
        let gains_of = |turns: &[Option<Position>; 2]| {
            [0, 1].map(|index: usize| {
                let mut gains = turns[index].as_ref().map_or(Vec::new(), possible_gains);
                gains.sort_by_key(|gain| std::cmp::Reverse(gain.points));
                gains
            })
        };
        let replies = turns(!player);
        let (own, others) = (gains_of(&turns(player)), gains_of(&replies));
        Change { before, after, player, own, others, replies }
    }

    /// The aims of the change.
    pub(super) fn aims(&self) -> Vec<Aim> {
        let mut aims = self.gained_points();
        if !self.after.is_over() {
            aims.extend(self.stopped_gains());
            aims.extend(self.burned_sandbanks());
            aims.extend(self.prepared_gains());
            aims.extend(self.fork());
            aims.extend(self.waiting_gains());
        }
        aims
    }

    /// Islands completed and networks joined at once.
    fn gained_points(&self) -> Vec<Aim> {
        let (before, after, player) = (self.before, self.after, self.player);
        let mut aims = Vec::new();
        let islands = after.islands(player) - before.islands(player);
        if !islands.is_empty() {
            let cells: Vec<Cell> = islands.into_iter().collect();
            let (count, urgent) = (cells.len() / 4, self.could_prevent_island(islands));
            aims.push(Aim::Completes { count, cells, urgent });
        }
        let new_ends = after.bridge_ends() - before.bridge_ends();
        let changed = (after.tiles(player) - before.tiles(player)) | new_ends;
        let mut visited = Cells::EMPTY;
        for cell in changed {
            let network = after.network_root(cell);
            // Several of the new tiles and ends may belong to one network.
            if visited.contains(network) {
                continue;
            }
            visited.insert(network);
            let points = self.points_of_joining(network);
            if points > 0 {
                let urgent = self.could_prevent_joining(network);
                let islands = after.network_islands(cell).into();
                aims.push(Aim::Joins { points, islands, urgent });
            }
        }
        aims
    }

    /// The points gained in `network`, a network of the position after the change, beyond those of
    /// its new islands alone.
    fn points_of_joining(&self, network: Cell) -> u32 {
        let (before, after) = (self.before, self.after);
        let worth = |islands: u32| islands * (islands + 1) / 2;
        let tiles = before.tiles(self.player).into_iter();
        let mut parts: Vec<Cell> = tiles
            .filter(|&tile| after.network_root(tile) == network)
            .map(|tile| before.network_root(tile))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let parts = parts.iter().map(|&part| u32::from(before.network_islands(part)));
        let (islands, old) =
            (u32::from(after.network_islands(network)), parts.clone().sum::<u32>());
        // New islands alone have a point each, which `Completes` already tells.
        worth(islands) - parts.map(worth).sum::<u32>() - (islands - old)
    }

    /// Whether the opponent could have prevented one of these new islands: some turn of the
    /// opponent leaves the player no turn that completes the tiles already there.
    fn could_prevent_island(&self, islands: Cells) -> bool {
        let Some(reply) = &self.replies[0] else { return false };
        let (player, mut remaining) = (self.player, islands);
        let mut is_preventable = false;
        while let Some(cell) = remaining.first() {
            let island = self.after.group(player, cell);
            remaining -= island;
            let tiles = island & self.before.tiles(player);
            is_preventable |= !tiles.is_empty() && can_stop_island(reply, tiles);
        }
        is_preventable
    }

    /// Whether the opponent could have prevented the bridge that joins this network: some turn of
    /// the opponent leaves the player no turn that joins its parts, by another bridge or by tiles.
    fn could_prevent_joining(&self, network: Cell) -> bool {
        let (before, after) = (self.before, self.after);
        let Some(reply) = &self.replies[0] else { return false };
        let is_built = |&site: &Site| {
            after.bridges().contains(site) && after.network_root(site.ends()[0]) == network
        };
        let built_site = |gain: &Gain| match &gain.way {
            Way::Bridges(sites) => sites.iter().copied().find(is_built),
            Way::Island { .. } => None,
        };
        self.own[0].iter().any(|gain| {
            let Some(site) = built_site(gain) else { return false };
            let networks = site.ends().map(|end| before.network_root(end));
            let gain = std::slice::from_ref(gain);
            replies(reply, gain)
                .any(|reply| is_stopped(&reply, gain) && !can_join_by_tiles(&reply, networks))
        })
    }

    /// Whether the opponent could have stopped one of the player's gains.
    fn was_in_danger(&self, is_meant: impl Fn(&Gain) -> bool) -> bool {
        let Some(reply) = &self.replies[0] else { return false };
        let mut meant = self.own[0].iter().filter(|gain| is_meant(gain));
        meant.any(|gain| can_stop(reply, std::slice::from_ref(gain)))
    }

    /// The opponent's gains that are no longer possible, or in fewer ways.
    fn stopped_gains(&self) -> Vec<Aim> {
        let aim = |gain: &Gain| match (gain.find_in(&self.others[1], self.after), &gain.way) {
            (None, Way::Bridges(_)) => {
                gain.bridge().map(|bridge| Aim::Stops { bridge, points: gain.points })
            }
            // The sentence names one sandbank, so an island that would join two is left out.
            (None, Way::Island { tiles, .. }) if is_connected(*tiles) => {
                tiles.first().map(|cell| Aim::Denies { cell, points: gain.points })
            }
            (Some(later), _) if later.ways() < gain.ways() => {
                let target = lost_way(gain, later)?;
                let (lost, left) = (gain.ways() - later.ways(), later.ways());
                Some(Aim::Hinders { target, lost, left })
            }
            _ => None,
        };
        self.others[0].iter().filter_map(aim).collect()
    }

    /// The opponent's sandbanks of one and two tiles that can no longer become islands.
    fn burned_sandbanks(&self) -> Vec<Aim> {
        if self.replies[1].is_none() {
            return Vec::new();
        }
        let hopeful = completable_groups(self.after, !self.player);
        let before = sandbanks(self.before, !self.player).into_iter();
        let burned = before.filter(|group| group.len() < 3 && !hopeful.contains(group));
        burned
            .filter_map(|group| Some(Aim::Burns { cell: group.first()?, tiles: group.len() }))
            .collect()
    }

    /// The player's gains that are new, or that can no longer be stopped.
    fn prepared_gains(&self) -> Vec<Aim> {
        let Some(reply) = &self.replies[1] else { return Vec::new() };
        let aim = |gain: &Gain| {
            let (points, ways) = (gain.points, gain.ways());
            let mut same = self.own[0].iter().filter(|old| old.is_same(gain, self.after));
            let is_sure = || !can_stop(reply, std::slice::from_ref(gain));
            match same.next() {
                // Possible before, for fewer points.
                Some(old) if old.points < points => {
                    let was_worth = self.earlier_forms(gain).iter().any(|old| old.points >= points);
                    let target = target_of(gain).filter(|_| !was_worth)?;
                    Some(Aim::Raises { target, points, sure: is_sure() })
                }
                // Possible before for as many points: only certainty by more ways is new.
                Some(old) if old.ways() >= ways || !is_sure() => None,
                Some(old) if !self.was_in_danger(|each| each == old) => None,
                Some(_) => new_gain(gain, true),
                // Certain, but a reader may confuse it with a gain that was certain before.
                None if is_sure() => {
                    new_gain(gain, true).filter(|_| !self.was_sure(&self.earlier_forms(gain)))
                }
                // A bridge that was possible before, though without a gain, is not made possible.
                None => match self.earlier_bridge(gain) {
                    Some(target) => Some(Aim::Raises { target, points, sure: false }),
                    None => new_gain(gain, false),
                },
            }
        };
        self.own[1].iter().take(MAX_EXAMINED).filter_map(aim).collect()
    }

    /// The gains before the change that a reader would take for this one: bridges between the same
    /// networks, or islands with the tile that names this one.
    fn earlier_forms(&self, gain: &Gain) -> Vec<Gain> {
        let has_name = |old: &Gain| match (&gain.way, &old.way) {
            (Way::Island { tiles, .. }, Way::Island { tiles: old, .. }) => {
                tiles.first().is_some_and(|cell| old.contains(cell))
            }
            _ => old.is_same(gain, self.after),
        };
        self.own[0].iter().filter(|old| has_name(old)).cloned().collect()
    }

    /// Whether one of `gains` could not be stopped before.
    fn was_sure(&self, gains: &[Gain]) -> bool {
        let reply = self.replies[0].as_ref();
        !gains.is_empty() && reply.is_some_and(|reply| !can_stop(reply, gains))
    }

    /// A bridge of the gain that could be built before the change, without a gain.
    fn earlier_bridge(&self, gain: &Gain) -> Option<Target> {
        let Way::Bridges(sites) = &gain.way else { return None };
        let before = self.before.buildable_sites(self.player);
        let mut earlier = sites.iter().copied().filter(|&site| before.contains(site));
        let ways = sites.len();
        earlier.next().map(|bridge| Target::Bridge { bridge, ways })
    }

    /// Two gains that the opponent can stop one at a time, but not both in one turn. Before, one of
    /// them was not possible, or a turn stopped both.
    fn fork(&self) -> Option<Aim> {
        let reply = self.replies[1].as_ref()?;
        let own = &self.own[1];
        let stops = |gains: &[Gain]| can_stop(reply, gains);
        let examined = own.iter().take(MAX_EXAMINED);
        let stoppable: Vec<&Gain> =
            examined.filter(|gain| stops(std::slice::from_ref(gain))).collect();
        let is_new = |gain: &Gain| gain.find_in(&self.own[0], self.after).is_none();
        let was_fork = |one: &Gain, other: &Gain| {
            let old = [self.earlier_forms(one), self.earlier_forms(other)];
            old.iter().all(|gains| !gains.is_empty()) && self.was_sure(&old.concat())
        };
        let next = with_turn(self.after, self.player)?;
        // The gains are sorted by points, so the first fork is worth most.
        for (index, &one) in stoppable.iter().enumerate() {
            for &other in &stoppable[index + 1..] {
                let is_fork = (is_new(one) || is_new(other))
                    && can_take_both(&next, one, other)
                    && !stops(&[one.clone(), other.clone()])
                    && !was_fork(one, other);
                if is_fork {
                    return Some(Aim::Forks { targets: [target_of(one)?, target_of(other)?] });
                }
            }
        }
        None
    }

    /// Gains that were possible before, still are as they were, and cannot be stopped.
    fn waiting_gains(&self) -> Vec<Aim> {
        let Some(reply) = &self.replies[1] else { return Vec::new() };
        let aim = |gain: &Gain| {
            let later = gain.find_in(&self.own[1], self.after)?;
            if later.points > gain.points || later.ways() > gain.ways() {
                return None;
            }
            let is_safe = !can_stop(reply, std::slice::from_ref(later));
            let target = target_of(later).filter(|_| is_safe)?;
            Some(Aim::Waits { target, points: later.points })
        };
        self.own[0].iter().take(MAX_EXAMINED).filter_map(aim).collect()
    }
}

/// A gain that was not possible, or not certain, before.
fn new_gain(gain: &Gain, sure: bool) -> Option<Aim> {
    match &gain.way {
        Way::Bridges(_) => {
            let (points, ways) = (gain.points, gain.ways());
            gain.bridge().map(|bridge| Aim::Prepares { bridge, points, ways, sure })
        }
        Way::Island { tiles, cells } => {
            let open = cells.into_iter().collect();
            tiles.first().map(|cell| Aim::Grows { cell, tiles: 3, open, sure })
        }
    }
}

/// Whether the tiles are one group.
fn is_connected(tiles: Cells) -> bool {
    tiles.first().is_some_and(|cell| tiles.flood(cell.into()) == tiles)
}

/// The bridge, or the island by one of its tiles.
fn target_of(gain: &Gain) -> Option<Target> {
    match &gain.way {
        Way::Bridges(sites) => {
            gain.bridge().map(|bridge| Target::Bridge { bridge, ways: sites.len() })
        }
        Way::Island { tiles, .. } => tiles.first().map(|cell| Target::Island { cell }),
    }
}

/// Whether the side to move could have both gains, one after the other: two islands, and no bridge
/// that is in the other's way.
fn can_take_both(position: &Position, one: &Gain, other: &Gain) -> bool {
    match (&one.way, &other.way) {
        (Way::Island { tiles, .. }, Way::Island { tiles: others, .. }) => {
            (*tiles & *others).is_empty() && islands_fit(position, one, other)
        }
        (Way::Bridges(sites), _) => {
            sites.iter().any(|&site| is_possible_after(position, site, other))
        }
        (_, Way::Bridges(sites)) => {
            sites.iter().any(|&site| is_possible_after(position, site, one))
        }
    }
}

/// Whether a gain is still possible after this bridge.
fn is_possible_after(position: &Position, site: Site, gain: &Gain) -> bool {
    let after = after_step(position, Step::Bridge(site));
    let Some(later) = with_turn(&after, position.side()) else { return false };
    match &gain.way {
        // Only the gain's own bridges count, not every bridge between networks merged by now.
        Way::Bridges(sites) => {
            let buildable = later.bridge_steps();
            sites.iter().any(|&site| buildable.contains(site) && bridge_gain(&later, site) > 0)
        }
        Way::Island { .. } => !is_stopped(&later, std::slice::from_ref(gain)),
    }
}

/// Whether one turn can complete both islands, or the second one is possible after the first.
fn islands_fit(position: &Position, one: &Gain, other: &Gain) -> bool {
    tile_replies(position, one.cells()).iter().any(|after| {
        let has_first = is_island_made(position, after, one);
        let later = with_turn(after, position.side());
        has_first
            && (is_island_made(position, after, other)
                || later.is_some_and(|later| !is_stopped(&later, std::slice::from_ref(other))))
    })
}

/// Whether the tiles of a gain are part of an island that was not there before.
fn is_island_made(before: &Position, after: &Position, gain: &Gain) -> bool {
    let new = after.islands(before.side()) - before.islands(before.side());
    matches!(&gain.way, Way::Island { tiles, .. } if (*tiles - new).is_empty())
}

/// A way of `gain` that `later` lacks: the bridge, or the island by its tiles.
fn lost_way(gain: &Gain, later: &Gain) -> Option<Target> {
    match (&gain.way, &later.way) {
        (Way::Bridges(before), Way::Bridges(after)) => {
            let lost = before.iter().copied().filter(|site: &Site| !after.contains(site));
            let lost = lost.min_by_key(|site| site.ends());
            lost.map(|bridge| Target::Bridge { bridge, ways: after.len() })
        }
        (Way::Island { tiles, .. }, _) => tiles.first().map(|cell| Target::Island { cell }),
        (Way::Bridges(_), Way::Island { .. }) => None,
    }
}

/// Points that a colour could gain in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Gain {
    pub(super) points: u32,
    pub(super) way: Way,
}

/// A way to gain points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// One of these bridges, which join the same two networks.
    Bridges(Vec<Site>),
    /// A tile on one of the cells completes an island with the tiles.
    Island {
        /// The tiles that are there already.
        tiles: Cells,
        /// Any of these completes it.
        cells: Cells,
    },
}

/// The position as it would be with `color` to move; `None` if that side has no further turn.
pub(super) fn with_turn(position: &Position, color: Color) -> Option<Position> {
    match position.stage() {
        Stage::Over => return None,
        // White has passed, and only Red has a turn left.
        Stage::Last if color == Color::White => return None,
        _ => {}
    }
    if position.side() == color && !position.is_half_turn() {
        return Some(*position);
    }
    let mut setup = Setup::from(position);
    setup.side = color;
    // A setup before the swap must have Red to move. The gains do not depend on the pie rule.
    if setup.stage == SetupStage::Pie {
        setup.stage = SetupStage::Plain;
    }
    setup.validate().ok()
}

/// The sandbanks of `color` that can still become islands, by room, supply and turns.
pub(super) fn sandbanks(position: &Position, color: Color) -> Vec<Cells> {
    if !with_turn(position, color).is_some_and(|turn| turn.can_place_two_tiles()) {
        return Vec::new();
    }
    let supply = position.tiles_left(color);
    let mut groups = completable_groups(position, color);
    groups.retain(|group| supply.is_none_or(|tiles| u32::from(tiles) + group.len() >= 4));
    groups
}

/// All gains of the side to move.
pub(super) fn possible_gains(position: &Position) -> Vec<Gain> {
    let color = position.side();
    let mut gains: Vec<Gain> = Vec::new();
    if position.is_over() {
        return gains;
    }
    for (site, points) in bridge_gains(position, color) {
        let same = gains.iter_mut().find_map(|gain| match &mut gain.way {
            Way::Bridges(sites) if joins_the_same(position, sites[0], site) => Some(sites),
            _ => None,
        });
        match same {
            Some(sites) => sites.push(site),
            None => gains.push(Gain { points: points.into(), way: Way::Bridges(vec![site]) }),
        }
    }
    for cell in position.tile_steps() & position.completing_cells(color) {
        let tiles = position.group(color, cell) & position.tiles(color);
        let same = gains.iter_mut().find_map(|gain| match &mut gain.way {
            Way::Island { tiles: others, cells } if *others == tiles => Some(cells),
            _ => None,
        });
        match same {
            Some(cells) => cells.insert(cell),
            None => gains.push(Gain {
                points: island_points(position, tiles),
                way: Way::Island { tiles, cells: cell.into() },
            }),
        }
    }
    gains
}

/// Whether two bridges would join the same two networks.
fn joins_the_same(position: &Position, one: Site, other: Site) -> bool {
    let ends = |site: Site| {
        let mut ends = site.ends().map(|end| position.network_root(end));
        ends.sort_unstable();
        ends
    };
    ends(one) == ends(other)
}

/// The points gained when one more tile makes `tiles` an island: networks may merge, and the merged
/// network has one more island.
fn island_points(position: &Position, tiles: Cells) -> u32 {
    let mut networks: Vec<Cell> =
        tiles.into_iter().map(|tile| position.network_root(tile)).collect();
    networks.sort_unstable();
    networks.dedup();
    let worth = |islands: u32| islands * (islands + 1) / 2;
    let islands = networks.iter().map(|&cell| u32::from(position.network_islands(cell)));
    worth(islands.clone().sum::<u32>() + 1) - islands.map(worth).sum::<u32>()
}

impl Gain {
    /// The first of the bridges; `None` for an island.
    pub(super) fn bridge(&self) -> Option<Site> {
        match &self.way {
            Way::Bridges(sites) => sites.iter().copied().min_by_key(|site| site.ends()),
            Way::Island { .. } => None,
        }
    }

    /// The number of bridges or cells by which it can be gained.
    pub(super) fn ways(&self) -> usize {
        match &self.way {
            Way::Bridges(sites) => sites.len(),
            Way::Island { cells, .. } => cells.len() as usize,
        }
    }

    /// The gain among `others` that is the same as this one, possible in `position`, for no fewer
    /// points.
    fn find_in<'a>(&self, others: &'a [Gain], position: &Position) -> Option<&'a Gain> {
        let is_as_good = |other: &&Gain| other.points >= self.points;
        others.iter().filter(is_as_good).find(|other| self.is_same(other, position))
    }

    /// Whether `other` is a bridge between the same networks of `position`, or an island of these
    /// tiles and perhaps more.
    fn is_same(&self, other: &Gain, position: &Position) -> bool {
        match (&self.way, &other.way) {
            (Way::Bridges(own), Way::Bridges(sites)) => joins_the_same(position, own[0], sites[0]),
            (Way::Island { tiles: own, .. }, Way::Island { tiles, .. }) => {
                (*own - *tiles).is_empty()
            }
            _ => false,
        }
    }

    /// The cells where a tile of the opponent may stop it.
    fn cells(&self) -> Cells {
        match &self.way {
            Way::Bridges(sites) => {
                sites.iter().fold(Cells::EMPTY, |cells, site| cells | site.span())
            }
            Way::Island { cells, .. } => *cells,
        }
    }
}

/// Whether the side to move has a turn after which the opponent can no longer gain any of `gains`.
fn can_stop(position: &Position, gains: &[Gain]) -> bool {
    replies(position, gains).any(|reply| is_stopped(&reply, gains))
}

/// The positions after all turns of the side to move that may matter for the opponent's `gains`: a
/// bridge, a pass that ends the game, or two tiles.
fn replies(position: &Position, gains: &[Gain]) -> impl Iterator<Item = Position> {
    let color = !position.side();
    let mut cells = gains.iter().fold(Cells::EMPTY, |cells, gain| cells | gain.cells());
    let has_island = gains.iter().any(|gain| matches!(gain.way, Way::Island { .. }));
    if has_island && position.open_cells(color).len() <= FEW_CELLS {
        cells = position.open_cells(position.side());
    }
    let bridges: Vec<Site> = position.bridge_steps().iter().collect();
    let steps = bridges.into_iter().map(Step::Bridge);
    let steps = steps.chain(position.may_pass().then_some(Step::Pass));
    let whole = steps.map(|step| after_step(position, step));
    // Pairs of tiles are many, so they come last: `any` often ends before them.
    whole.chain(std::iter::once_with(move || tile_replies(position, cells)).flatten())
}

/// Whether two tiles of the side to move make these networks one.
fn can_join_by_tiles(position: &Position, [a, b]: [Cell; 2]) -> bool {
    // A tile that helps lies within two steps of a tile: two new tiles make a chain of two at most.
    let tiles = position.tiles(position.side());
    let near = tiles.sides() | tiles.sides().sides();
    let is_joined = |position: &Position| position.network_root(a) == position.network_root(b);
    (position.tile_steps() & near).into_iter().any(|first| {
        let half = after_step(position, Step::Tile(first));
        let mut seconds = (half.tile_steps() & near).into_iter();
        is_joined(&half) || seconds.any(|second| is_joined(&after_step(&half, Step::Tile(second))))
    })
}

/// Whether the bridge is built, or another way joins its networks already, or the side to move
/// cannot keep the opponent from joining them.
pub(super) fn is_safe_bridge(position: &Position, bridge: Site) -> bool {
    let [a, b] = bridge.ends().map(|end| position.network_root(end));
    let is_meant = |gain: &Gain| match &gain.way {
        Way::Bridges(sites) => joins_the_same(position, sites[0], bridge),
        Way::Island { .. } => false,
    };
    a == b || is_safe(position, is_meant)
}

/// Whether the tile on `cell` is part of an island, or the side to move cannot keep the opponent
/// from making one with it.
pub(super) fn is_safe_island(position: &Position, cell: Cell) -> bool {
    let is_meant =
        |gain: &Gain| matches!(gain.way, Way::Island { tiles, .. } if tiles.contains(cell));
    position.islands(!position.side()).contains(cell) || is_safe(position, is_meant)
}

/// Whether the opponent of the side to move has a gain of this kind that cannot be stopped.
fn is_safe(position: &Position, is_meant: impl Fn(&Gain) -> bool) -> bool {
    let next = with_turn(position, !position.side());
    let gains = next.as_ref().map_or(Vec::new(), possible_gains);
    gains.iter().any(|gain| is_meant(gain) && !can_stop(position, std::slice::from_ref(gain)))
}

/// Whether some turn of the side to move keeps the opponent from making an island with `tiles` in
/// the next turn. The tiles are one or two short of an island.
fn can_stop_island(position: &Position, tiles: Cells) -> bool {
    let opponent = !position.side();
    let Some(next) = with_turn(position, opponent) else { return false };
    let mut cells = completions(&next, tiles);
    // See "Whether a gain is certain" above.
    if position.open_cells(opponent).len() <= FEW_CELLS {
        cells = position.open_cells(position.side());
    }
    let stops = |reply: &Position| completions(reply, tiles).is_empty();
    let bridges = position.bridge_steps();
    let by_bridge = bridges.iter().any(|site| stops(&after_step(position, Step::Bridge(site))));
    let by_pass = position.may_pass() && stops(&after_step(position, Step::Pass));
    by_bridge || by_pass || tile_replies(position, cells).iter().any(stops)
}

/// The cells of all turns of the side to move that make an island with `tiles`.
fn completions(position: &Position, tiles: Cells) -> Cells {
    let color = position.side();
    let mut cells = Cells::EMPTY;
    if position.is_over() {
        return cells;
    }
    // A tile that the island needs lies within two steps of its tiles.
    let near = tiles.sides() | tiles.sides().sides();
    for first in position.tile_steps() & near {
        let half = after_step(position, Step::Tile(first));
        if (tiles - half.islands(color)).is_empty() {
            cells.insert(first);
            continue;
        }
        for second in half.tile_steps() & near {
            let after = after_step(&half, Step::Tile(second));
            if (tiles - after.islands(color)).is_empty() {
                cells = cells.with(first).with(second);
            }
        }
    }
    cells
}

/// The positions after two tiles of the side to move: pairs on `cells`, and each tile on `cells`
/// with one tile elsewhere. That tile represents all others elsewhere, since none of them changes
/// anything that matters.
fn tile_replies(position: &Position, cells: Cells) -> Vec<Position> {
    let mut replies = Vec::new();
    for first in position.tile_steps() & cells {
        let half = after_step(position, Step::Tile(first));
        let (near, all) = (half.tile_steps() & cells, half.tile_steps());
        // Each pair within `cells` only once.
        let seconds = near.after(first).into_iter().chain((all - cells).first());
        replies.extend(seconds.map(|second| after_step(&half, Step::Tile(second))));
    }
    replies
}

fn after_step(position: &Position, step: Step) -> Position {
    let mut after = *position;
    after.make(step);
    after
}

/// Whether the side to move can have none of the `wanted` gains.
fn is_stopped(position: &Position, wanted: &[Gain]) -> bool {
    let gains = possible_gains(position);
    position.is_over() || wanted.iter().all(|gain| gain.find_in(&gains, position).is_none())
}
