//! The local effects of a tile or a bridge, without a gain in points yet.
//!
//! These reasons are minor: they concern neighbours and the next bridge, and no reply of the
//! opponent is tried. Their weights are low, so they are shown only where `gains` has little to
//! say.
//!
//! An aim belongs to the tile that has it. It belongs to the whole move if it needs both tiles, as
//! a bridge between them does.

use crate::board::{Cell, Cells, Site};
use crate::eval::bridge_gain;
use crate::game::{Color, Move, Position};

use super::SCARCE;
use super::aim::Aim;
use super::gains::{sandbanks, with_turn};

/// The maximum number of tiles on the board in the opening, while the middle is open. Set by
/// judgement: two turns of each side.
const OPENING_TILES: u32 = 8;

/// The aims of each of two tiles; `None` for those that they have together.
pub(super) fn tile_aims(
    position: &Position,
    after: &Position,
    tiles: [Cell; 2],
) -> Vec<(Option<Cell>, Aim)> {
    let player = position.side();
    let mut aims = Vec::new();
    let is_open = !after.is_over();
    for cell in tiles.into_iter().filter(|_| is_open) {
        let other = if cell == tiles[0] { tiles[1] } else { tiles[0] };
        let part = |together: bool| (!together).then_some(cell);
        // The tiles do it together if the other tile is in the group, or is the bridge's other end.
        aims.extend(
            growing_pair(after, player, cell)
                .map(|(group, aim)| (part(group.contains(other)), aim)),
        );
        aims.extend(reached_group(after, player, cell).map(|(end, aim)| (part(end == other), aim)));
        aims.extend(crowded_sandbank(position, after, cell).map(|aim| (Some(cell), aim)));
        let is_cut = |site: Site| site.span().contains(cell);
        aims.extend(cut_bridge(position, after, is_cut).map(|aim| (Some(cell), aim)));
        aims.extend(central_tile(position, cell).map(|aim| (Some(cell), aim)));
    }
    // A pair of the two tiles, or a bridge between them, was found from each tile.
    aims.dedup_by(|one, other| one.0.is_none() && one == other);
    let (lost, left) = count_closed(position, after, !player);
    if is_open && lost > 0 && left <= SCARCE {
        aims.push((None, Aim::Closes { count: lost, left }));
    }
    let open = open_cells(after, player);
    let free = |cell: Cell| (nearby_cells(cell) & open).len();
    let roomy = tiles.into_iter().max_by_key(|&cell| free(cell)).filter(|&cell| free(cell) > 0);
    aims.extend(roomy.map(|cell| (Some(cell), Aim::Space { free: free(cell) })));
    aims
}

pub(super) fn bridge_aims(position: &Position, after: &Position, mv: Move) -> Vec<Aim> {
    let (player, opponent) = (position.side(), !position.side());
    let Some(site) = after.bridges().iter().find(|&site| !position.bridges().contains(site)) else {
        return Vec::new();
    };
    debug_assert!(matches!(mv, Move::Bridge(..)));
    // All these aims are about later turns.
    if after.is_over() {
        return Vec::new();
    }
    let mut aims: Vec<Aim> = quiet_link(position, after, site).into_iter().collect();
    let (lost, left) = count_closed(position, after, opponent);
    if lost > 0 {
        aims.push(Aim::Closes { count: lost, left });
    }
    aims.extend(cut_bridge(position, after, |other| other.crosses(site)));
    let own = open_cells(after, player);
    // Many bridges take no cells. This is worth saying if nothing else is, or if cells are scarce:
    // the side that runs out of them first must build or pass.
    let keeps_cells = !own.is_empty() && open_cells(position, player) == own;
    if keeps_cells && (aims.is_empty() || left.min(own.len()) <= SCARCE) {
        aims.push(Aim::Tempo);
    }
    if let Some(left @ ..=2) = after.bridges_left() {
        aims.push(Aim::Supply { left });
    }
    aims
}

/// The cells on which a turn of `color` may place a tile.
fn open_cells(position: &Position, color: Color) -> Cells {
    with_turn(position, color).map_or(Cells::EMPTY, |turn| turn.tile_steps())
}

/// How many cells were open to `color` and no longer are, and how many are left.
fn count_closed(position: &Position, after: &Position, color: Color) -> (u32, u32) {
    let [before, left] = [position, after].map(|position| open_cells(position, color));
    ((before - left).len(), left.len())
}

/// A sandbank of two tiles that can become an island.
fn growing_pair(after: &Position, player: Color, cell: Cell) -> Option<(Cells, Aim)> {
    let group = after.group(player, cell);
    let is_hopeful = group.len() == 2 && sandbanks(after, player).contains(&group);
    let first = group.first().filter(|_| is_hopeful)?;
    Some((group, Aim::Grows { cell: first, tiles: 2, open: Vec::new(), sure: false }))
}

/// A bridge from the new tile to another network, worth nothing yet: to the one with most islands,
/// or to a sandbank that can become one.
fn reached_group(after: &Position, player: Color, cell: Cell) -> Option<(Cell, Aim)> {
    if after.bridges_left() == Some(0) || with_turn(after, player).is_none() {
        return None;
    }
    let hopeful: Cells = sandbanks(after, player).into_iter().flatten().collect();
    let other_end = |site: Site| {
        let [a, b] = site.ends();
        let is_linked = after.network_root(a) == after.network_root(b);
        match (a == cell, b == cell) {
            (true, _) => Some((site, b)).filter(|_| !is_linked),
            (_, true) => Some((site, a)).filter(|_| !is_linked),
            _ => None,
        }
    };
    let sites = after.buildable_sites(player);
    let quiet = |site: &Site| bridge_gain(after, *site) == 0;
    let ends = sites.iter().filter(quiet).filter_map(other_end);
    let worth = |end: Cell| (after.network_islands(end), hopeful.contains(end));
    let (bridge, end) =
        ends.max_by_key(|&(site, end)| (worth(end), std::cmp::Reverse(site.ends())))?;
    // A link between two tiles that will never be islands leads nowhere.
    let leads = worth(end) > (0, false) || hopeful.contains(cell);
    let islands = after.network_islands(end).into();
    leads.then_some((end, Aim::Reaches { bridge, cell: end, islands }))
}

/// The opponent's sandbank beside the tile, if the tile takes a cell where it could grow.
fn crowded_sandbank(position: &Position, after: &Position, cell: Cell) -> Option<Aim> {
    let opponent = !position.side();
    if !position.open_cells(opponent).contains(cell) {
        return None;
    }
    let room = |group: &Cells| (group.sides() & after.open_cells(opponent)).len();
    let groups = sandbanks(after, opponent).into_iter();
    let beside = groups.filter(|group| group.sides().contains(cell));
    // A single tile with room around it is not crowded by one neighbour.
    let tight = beside.filter(|group| group.len() > 1 || room(group) <= 2);
    let group = tight.max_by_key(|group| group.len())?;
    let left = room(&group);
    group.first().filter(|_| left > 0).map(|first| Aim::Crowds { cell: first, left })
}

/// A bridge of the opponent between two networks, worth nothing yet, that is no longer possible.
fn cut_bridge(
    position: &Position,
    after: &Position,
    is_meant: impl Fn(Site) -> bool,
) -> Option<Aim> {
    let opponent = !position.side();
    if after.bridges_left() == Some(0) {
        return None;
    }
    let [before, later] = [position, after].map(|position| position.buildable_sites(opponent));
    let islands = |site: &Site| {
        let [a, b] = site.ends().map(|end| position.network_islands(end));
        a.max(b)
    };
    let is_useful = |site: &Site| {
        let [a, b] = site.ends().map(|end| position.network_root(end));
        a != b && bridge_gain(position, *site) == 0
    };
    let lost = before.iter().filter(|site| !later.contains(*site) && is_meant(*site));
    let best =
        lost.filter(is_useful).max_by_key(|site| (islands(site), std::cmp::Reverse(site.ends())));
    best.map(|bridge| Aim::Cuts { bridge })
}

/// A tile on one of the sixteen cells in the middle, at the beginning.
fn central_tile(position: &Position, cell: Cell) -> Option<Aim> {
    let tiles: u32 = Color::BOTH.into_iter().map(|color| position.tiles(color).len()).sum();
    let size = i32::from(position.size().get());
    let is_central = |index: u8| (2 * i32::from(index) - (size - 1)).abs() <= 3;
    let is_opening = size > 6 && tiles <= OPENING_TILES;
    (is_opening && is_central(cell.column()) && is_central(cell.row())).then_some(Aim::Centre)
}

/// The link that a bridge makes without a gain.
fn quiet_link(position: &Position, after: &Position, site: Site) -> Option<Aim> {
    let player = position.side();
    let ends = site.ends();
    let networks = ends.map(|end| position.network_root(end));
    let has_turn = with_turn(after, player).is_some();
    if !has_turn || networks[0] == networks[1] || bridge_gain(position, site) > 0 {
        return None;
    }
    let islands = u32::from(after.network_islands(ends[0]));
    let joined = after.network_root(ends[0]);
    let can_grow = sandbanks(after, player)
        .into_iter()
        .any(|group| group.first().is_some_and(|cell| after.network_root(cell) == joined));
    let points = (islands > 0 && can_grow).then_some(islands + 1);
    Some(Aim::Links { ends, islands, points })
}

/// The cells at a distance of one and two.
fn nearby_cells(cell: Cell) -> Cells {
    let cells = Cells::from(cell);
    cells.halo().halo() - cells
}
