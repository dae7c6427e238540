use crate::board::{Cell, Cells, SiteSet};
use crate::game::{Color, Position};

/// What one colour has and could do, as sets of cells: what the features of
/// positions and of steps are made from.
pub(super) struct View {
    pub(super) tiles: Cells,
    pub(super) islands: Cells,
    /// Tiles without a bridge.
    pub(super) bare: Cells,
    /// Tiles of groups with a bridge.
    pub(super) linked: Cells,
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
        let linked = linked(tiles, tiles - bare);
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
        View {
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

    /// The bridges that bring points; `other` is the opponent's view.
    #[inline(always)]
    pub(super) fn gains(&self, position: &Position, other: &View) -> Gains {
        let mut gains = Gains::default();
        // Roots of networks that are joined to others.
        let mut joined = Cells::EMPTY;
        // Tiles of networks with islands: islands, and sandbanks that a
        // bridge may have joined to some.
        let sites = self.buildable.within(self.islands | self.linked);
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
        let completing = self.joining[3];
        // An island by itself is worth a point: only bridges make it more.
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

/// Those of `completing`, cells where a tile completes a group of `tiles` or
/// grows one, all to the same size of four at most, that have no other such
/// cell at their group or beside them.
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

/// The tiles of groups that `ends`, tiles with bridges, are in.
#[inline(always)]
pub(super) fn linked(tiles: Cells, ends: Cells) -> Cells {
    if ends.is_empty() { ends } else { groups(tiles, ends) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Random, rollout};
    use crate::game::{Rules, Step};

    /// The positions of games as rollouts play them.
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
    fn completions_bring_what_their_tiles_do() {
        let mut rich = 0;
        for position in positions() {
            let color = position.side();
            let view = View::new(&position, color);
            let ([two, four], best) = view.completion_gains(&position);
            let mut most = 0;
            for cell in view.joining[3] & position.tile_steps() {
                let mut after = position;
                after.make(Step::Tile(cell));
                let gain = after.score(color).points - position.score(color).points;
                assert_eq!(two.contains(cell), gain >= 2, "{cell} brings {gain}");
                assert_eq!(four.contains(cell), gain >= 4, "{cell} brings {gain}");
                rich += u32::from(gain >= 2);
                most = most.max(u32::from(gain));
            }
            if (view.joining[3] - position.tile_steps()).is_empty() {
                assert_eq!(best, most);
            }
        }
        assert!(rich > 50, "only {rich} completions bring more than a point");
    }

    #[test]
    fn only_completions_have_no_other_beside_them_or_their_group() {
        let mut found = [0; 2];
        for position in positions() {
            for (color, size) in Color::BOTH.into_iter().flat_map(|color| [(color, 2), (color, 3)])
            {
                let (tiles, growing) = (position.tiles(color), position.joining(color)[size]);
                let is_only = |&cell: &Cell| {
                    let group = position.group(color, cell) | cell.into();
                    (group.sides() & (growing - cell.into())).is_empty()
                };
                let only: Cells = growing.into_iter().filter(is_only).collect();
                assert_eq!(only_completions(tiles, growing), only);
                found[size - 2] += only.len();
            }
        }
        assert!(found.iter().all(|&n| n > 50), "{found:?}");
    }
}
