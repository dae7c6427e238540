//! What a colour could gain in one turn, and whether the other one can stop it.

use crate::board::{Cell, Cells, Site};
use crate::eval::bridge_gains;
use crate::game::{Color, Position, Setup, SetupStage, Stage, Step};

/// With so few cells open to a colour, any tile of the other one may take away
/// its second tile.
const FEW_CELLS: u32 = 8;

/// Points that a colour could gain in one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Gain {
    /// The points.
    pub(super) points: u32,
    /// How they are gained.
    pub(super) by: Way,
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
        /// The cells.
        cells: Cells,
    },
}

/// The position as it would be with `color` to move; `None` if it has no
/// further turn.
pub(super) fn with_turn(position: &Position, color: Color) -> Option<Position> {
    match position.stage() {
        Stage::Over => return None,
        Stage::Last if color == Color::White => return None,
        _ => {}
    }
    if position.side() == color && !position.is_half_turn() {
        return Some(*position);
    }
    let mut setup = Setup::from(position);
    setup.side = color;
    if setup.stage == SetupStage::Pie {
        setup.stage = SetupStage::Plain;
    }
    setup.validate().ok()
}

/// All gains of the side to move.
pub(super) fn gains(position: &Position) -> Vec<Gain> {
    let color = position.side();
    let mut found: Vec<Gain> = Vec::new();
    if position.is_over() {
        return found;
    }
    for (site, points) in bridge_gains(position, color) {
        let same = found.iter_mut().find_map(|gain| match &mut gain.by {
            Way::Bridges(sites) if joins_the_same(position, sites[0], site) => Some(sites),
            _ => None,
        });
        match same {
            Some(sites) => sites.push(site),
            None => found.push(Gain { points: points.into(), by: Way::Bridges(vec![site]) }),
        }
    }
    for cell in position.tile_steps() & position.completing(color) {
        let tiles = position.group(color, cell) & position.tiles(color);
        let same = found.iter_mut().find_map(|gain| match &mut gain.by {
            Way::Island { tiles: others, cells } if *others == tiles => Some(cells),
            _ => None,
        });
        match same {
            Some(cells) => cells.insert(cell),
            None => found.push(Gain {
                points: island_points(position, tiles),
                by: Way::Island { tiles, cells: cell.into() },
            }),
        }
    }
    found
}

/// Whether two bridges would join the same two networks.
fn joins_the_same(position: &Position, one: Site, other: Site) -> bool {
    let ends = |site: Site| {
        let mut ends = site.ends().map(|end| position.network(end));
        ends.sort_unstable();
        ends
    };
    ends(one) == ends(other)
}

/// The points that an island gains which a tile makes of `tiles`.
fn island_points(position: &Position, tiles: Cells) -> u32 {
    let mut networks: Vec<Cell> = tiles.into_iter().map(|tile| position.network(tile)).collect();
    networks.sort_unstable();
    networks.dedup();
    let worth = |islands: u32| islands * (islands + 1) / 2;
    let islands = networks.iter().map(|&cell| u32::from(position.network_islands(cell)));
    worth(islands.clone().sum::<u32>() + 1) - islands.map(worth).sum::<u32>()
}

impl Gain {
    /// The first bridge, if it is one.
    pub(super) fn bridge(&self) -> Option<Site> {
        match &self.by {
            Way::Bridges(sites) => sites.iter().copied().min_by_key(|site| site.ends()),
            Way::Island { .. } => None,
        }
    }

    /// The number of bridges or cells that gain it.
    pub(super) fn ways(&self) -> usize {
        match &self.by {
            Way::Bridges(sites) => sites.len(),
            Way::Island { cells, .. } => cells.len() as usize,
        }
    }

    /// The same gain among `others`, possible in `position`, for no fewer points.
    pub(super) fn find_in<'a>(&self, others: &'a [Gain], position: &Position) -> Option<&'a Gain> {
        let is_as_good = |other: &&Gain| other.points >= self.points;
        others.iter().filter(is_as_good).find(|other| self.is_same(other, position))
    }

    /// Whether the other one is a bridge between the same networks of `position`,
    /// or an island of these tiles and perhaps more.
    pub(super) fn is_same(&self, other: &Gain, position: &Position) -> bool {
        match (&self.by, &other.by) {
            (Way::Bridges(own), Way::Bridges(sites)) => joins_the_same(position, own[0], sites[0]),
            (Way::Island { tiles: own, .. }, Way::Island { tiles, .. }) => {
                (*own - *tiles).is_empty()
            }
            _ => false,
        }
    }

    /// The cells where a tile of the opponent may stop it.
    fn cells(&self) -> Cells {
        match &self.by {
            Way::Bridges(sites) => {
                sites.iter().fold(Cells::EMPTY, |cells, site| cells | site.span())
            }
            Way::Island { cells, .. } => *cells,
        }
    }
}

/// Whether the side to move has a turn after which the opponent can no longer
/// gain any of `gains`: two tiles, a bridge, or a pass that ends the game. Tries
/// all turns that may matter.
pub(super) fn can_stop(position: &Position, gains: &[Gain]) -> bool {
    let color = !position.side();
    let mut cells = gains.iter().fold(Cells::EMPTY, |cells, gain| cells | gain.cells());
    if position.candidates(color).len() <= FEW_CELLS {
        cells = position.candidates(position.side());
    }
    let stops = |reply: &Position| is_stopped(reply, gains);
    let bridges = position.bridge_steps();
    let by_bridge = bridges.iter().any(|site| stops(&made(position, Step::Bridge(site))));
    let by_pass = position.may_pass() && stops(&made(position, Step::Pass));
    by_bridge || by_pass || tile_replies(position, cells).iter().any(stops)
}

/// The positions after two tiles of the side to move, at least one of them on
/// `cells`, and the other one there too if possible.
fn tile_replies(position: &Position, cells: Cells) -> Vec<Position> {
    let mut replies = Vec::new();
    for first in position.tile_steps() & cells {
        let half = made(position, Step::Tile(first));
        let (near, all) = (half.tile_steps() & cells, half.tile_steps());
        let seconds = near.after(first).into_iter().chain((all - cells).first());
        replies.extend(seconds.map(|second| made(&half, Step::Tile(second))));
    }
    replies
}

fn made(position: &Position, step: Step) -> Position {
    let mut after = *position;
    after.make(step);
    after
}

/// Whether the side to move has none of the gains.
fn is_stopped(position: &Position, wanted: &[Gain]) -> bool {
    let open = gains(position);
    position.is_over() || wanted.iter().all(|gain| gain.find_in(&open, position).is_none())
}
