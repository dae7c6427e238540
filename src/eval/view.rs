use crate::board::{Cell, Cells, SiteSet};
use crate::game::{Color, Position};

/// What one colour has and could do, as sets of cells: what the features of
/// positions and of plies are made from.
pub(super) struct View {
    pub(super) tiles: Cells,
    pub(super) islands: Cells,
    /// Tiles without a bridge.
    pub(super) bare: Cells,
    /// Tiles of groups of one, two and three.
    pub(super) sizes: [Cells; 3],
    pub(super) candidates: Cells,
    /// The candidates by how many tiles a tile there would join.
    pub(super) joining: [Cells; 4],
    /// Where the colour could build now; empty when no bridge is left.
    pub(super) buildable: SiteSet,
    /// The cells that one, two, three open sites or more join to islands of
    /// the colour; none when no bridge is left.
    pub(super) to_islands: [Cells; 3],
    /// The same for sandbanks.
    pub(super) to_banks: [Cells; 3],
}

/// Both colours' views, the mover's and the other's, and what bridges would
/// bring them.
pub(super) struct Sight {
    pub(super) own: View,
    pub(super) other: View,
    pub(super) own_gains: Gains,
    pub(super) other_gains: Gains,
}

impl Sight {
    #[inline(always)]
    pub(super) fn new(position: &Position) -> Sight {
        let color = position.side();
        let own = View::new(position, color);
        let other = View::new(position, !color);
        let own_gains = own.gains(position, &other);
        let other_gains = other.gains(position, &own);
        Sight { own, other, own_gains, other_gains }
    }
}

/// The bridges that would bring a colour points now.
#[derive(Default)]
pub(super) struct Gains {
    pub(super) count: u32,
    pub(super) sum: u32,
    pub(super) best: u32,
    /// The best of those that no tile and no bridge of the opponent can stop.
    pub(super) safe: u32,
    /// The points they bring all together, as far as they do not undo each
    /// other.
    pub(super) joined: u32,
    /// How many joins could be made by a second bridge, too.
    pub(super) spare: u32,
    /// The cells under those that bring one, two or three, and more points.
    pub(super) spans: [Cells; 3],
    pub(super) sites: SiteSet,
    /// The cells under all of the best.
    pub(super) cut: Cells,
}

/// The networks of a colour that have islands.
#[derive(Default)]
pub(super) struct Islands {
    pub(super) largest: u32,
    pub(super) second: u32,
    /// Islands in a network of their own.
    pub(super) alone: u32,
    pub(super) networks: u32,
}

impl View {
    #[inline(always)]
    pub(super) fn new(position: &Position, color: Color) -> View {
        let tiles = position.tiles(color);
        let islands = position.islands(color);
        let bare = tiles - position.bridge_ends();
        let banks = tiles - islands;
        let ones = banks - banks.sides();
        // The middle of a group of three is next to its other two.
        let more = banks - ones;
        let threes = (more & more.beside()[1]).grown(more);
        let sizes = [ones, more - threes, threes];
        let joining = position.joining(color);
        let candidates = position.candidates(color);
        let (buildable, to_islands, to_banks) = if position.bridges_left() == Some(0) {
            (SiteSet::EMPTY, [Cells::EMPTY; 3], [Cells::EMPTY; 3])
        } else {
            let open = position.open_sites();
            (open.within(bare), open.reach(bare & islands), open.reach(bare & banks))
        };
        View { tiles, islands, bare, sizes, candidates, joining, buildable, to_islands, to_banks }
    }

    /// The bridges that bring points; `other` is the opponent's view.
    #[inline(always)]
    pub(super) fn gains(&self, position: &Position, other: &View) -> Gains {
        let mut gains = Gains::default();
        // Roots of networks that are joined to others.
        let mut joined = Cells::EMPTY;
        // Tiles of networks with islands: islands, and sandbanks that a
        // bridge may have joined to some.
        let ends = self.tiles & position.bridge_ends();
        let bridged = if ends.is_empty() { ends } else { groups(self.tiles, ends) };
        let sites = self.buildable.within(self.islands | bridged);
        for site in sites.iter() {
            let [a, b] = site.ends();
            let (a, b) = (position.network(a), position.network(b));
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
                (gains.best, gains.cut) = (gain, span);
            } else if gain == gains.best {
                gains.cut &= span;
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
        // All together as if they were one network, which they mostly are.
        let (mut sum, mut squares) = (0, 0);
        for root in joined {
            let islands = u32::from(position.network_islands(root));
            sum += islands;
            squares += islands * islands;
        }
        gains.joined = (sum * sum - squares) / 2;
        gains.spare = (gains.count + 1).saturating_sub(joined.len());
        gains
    }

    /// The networks with islands.
    #[inline(always)]
    pub(super) fn networks(&self, position: &Position) -> Islands {
        let mut roots = Cells::EMPTY;
        for cell in self.islands.lower_left() {
            roots.insert(position.network(cell));
        }
        let mut found = Islands::default();
        for root in roots {
            let islands = u32::from(position.network_islands(root));
            found.networks += 1;
            found.alone += u32::from(islands == 1);
            if islands > found.largest {
                found.second = found.largest;
                found.largest = islands;
            } else {
                found.second = found.second.max(islands);
            }
        }
        found
    }

    /// The tiles of islands that no open site joins to a bare tile or a
    /// candidate of the colour: they will never be bridged to more.
    #[inline(always)]
    pub(super) fn dead_islands(&self, position: &Position) -> Cells {
        let targets = self.bare | self.candidates;
        let reached = position.open_sites().reached(targets);
        let live = self.islands & self.bare & reached;
        self.islands - groups(self.islands, live)
    }

    /// The candidates that complete a group no other candidate completes.
    #[inline(always)]
    pub(super) fn only_completions(&self) -> Cells {
        only_completions(self.tiles, self.joining[3])
    }

    /// The completing candidates by the points they bring: two or more, four
    /// or more; and the most points one brings.
    #[inline(always)]
    pub(super) fn completion_gains(&self, position: &Position) -> ([Cells; 2], u32) {
        let mut cells = [Cells::EMPTY; 2];
        let mut best = 0;
        for cell in self.joining[3] {
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

/// Those of `completing`, cells where a tile completes a group of `tiles` or
/// grows one, that are the only such cell of their group.
#[inline(always)]
pub(super) fn only_completions(tiles: Cells, completing: Cells) -> Cells {
    let mut only = Cells::EMPTY;
    for cell in completing {
        let rim = groups(tiles, cell.into()).sides() & completing;
        if (rim - Cells::from(cell)).is_empty() {
            only.insert(cell);
        }
    }
    only
}

/// The groups of `tiles`, four at most, that `seeds` are in or touch.
#[inline(always)]
pub(super) fn groups(tiles: Cells, seeds: Cells) -> Cells {
    seeds.grown(tiles).grown(tiles).grown(tiles)
}

/// The points a tile on `cell` brings that completes an island.
#[inline(always)]
fn completion_gain(position: &Position, tiles: Cells, cell: Cell) -> u32 {
    let mut roots = Cells::EMPTY;
    for tile in position.geometry().sides(cell) & tiles {
        roots.insert(position.network(tile));
    }
    let (mut sum, mut squares) = (0, 0);
    for root in roots {
        let islands = u32::from(position.network_islands(root));
        sum += islands;
        squares += islands * islands;
    }
    // Of n(n+1)/2 for all together and one more, less what they bring now.
    let after = (sum + 1) * (sum + 2);
    (after - squares - sum) / 2
}
