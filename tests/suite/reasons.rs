//! What the reasons for moves claim, checked against every turn of the opponent. Shares no code
//! with `src/analysis/purpose`: only the rules.
//!
//! Each check is of what [`Aim`] says there that the sentence claims.

use std::collections::BTreeMap;
use std::env;

use pontifex::analysis::{Aim, Part, Purpose, Target, purposes, reasons};
use pontifex::board::{Cell, Cells, Site};
use pontifex::engine::{Answer, Engine, Options, StopSignal};
use pontifex::game::{Color, Move, Position, Rules, Setup, SetupStage, Stage, Step, Supply};
use pontifex_testing::random_games::{Gambler, size_of_game};

/// The position with `color` to move, if it has a further turn.
fn turn_of(position: &Position, color: Color) -> Option<Position> {
    let is_last = position.stage() == Stage::Last;
    if position.is_over() || (is_last && color == Color::White) {
        return None;
    }
    if position.side() == color {
        return Some(*position);
    }
    let mut setup = Setup::from(position);
    setup.side = color;
    if setup.stage == SetupStage::Pie {
        setup.stage = SetupStage::Plain;
    }
    Some(setup.validate().expect("the same board"))
}

/// The position with a further tile, and the same side to move.
fn with_tile(position: &Position, cell: Cell) -> Option<Position> {
    let mut setup = Setup::from(position);
    setup.tiles[position.side().index()].insert(cell);
    if setup.stage == SetupStage::Pie {
        setup.stage = SetupStage::Plain;
    }
    setup.validate().ok()
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    after.play(mv).expect("a legal move");
    after
}

/// The positions after each turn of `color`, swaps left out; none without a turn.
fn turns(position: &Position, color: Color) -> Vec<Position> {
    let Some(position) = turn_of(position, color) else { return Vec::new() };
    let moves = position.moves().into_iter().filter(|mv| *mv != Move::Swap);
    moves.map(|mv| after(&position, mv)).collect()
}

/// The cells on which a turn of `color` may place a tile.
fn open_cells(position: &Position, color: Color) -> Cells {
    let moves = turn_of(position, color).map_or(Vec::new(), |position| position.moves());
    let mut cells = Cells::EMPTY;
    for mv in moves {
        if let Move::Tiles(a, b) = mv {
            cells = cells.with(a).with(b);
        }
    }
    cells
}

/// The bridges that `color` could build in its turn, with the points they gain.
fn bridges(position: &Position, color: Color) -> Vec<(Site, u32)> {
    let Some(position) = turn_of(position, color) else { return Vec::new() };
    let points = |site: Site| {
        let [a, b] = site.ends();
        let after = after(&position, Move::bridge(a, b));
        u32::from(after.score(color).points - position.score(color).points)
    };
    position.bridge_steps().iter().map(|site| (site, points(site))).collect()
}

/// The networks that a bridge joins, in a position with its ends.
fn joined(position: &Position, site: Site) -> [Cell; 2] {
    let mut ends = site.ends().map(|end| position.network_root(end));
    ends.sort_unstable();
    ends
}

/// The bridges of `color` that join these networks of `base` and gain `least` points or more.
fn joining(
    base: &Position,
    position: &Position,
    color: Color,
    ends: [Cell; 2],
    least: u32,
) -> Vec<Site> {
    let all = bridges(position, color).into_iter();
    all.filter(|&(site, points)| points >= least && joined(base, site) == ends)
        .map(|(site, _)| site)
        .collect()
}

/// The cells of single tiles of `color` that complete an island with the tiles of `base` on `cell`,
/// and the points of each.
fn completing(position: &Position, color: Color, cell: Cell) -> Vec<(Cell, u32)> {
    let Some(position) = turn_of(position, color) else { return Vec::new() };
    let mut found = Vec::new();
    for tile in position.tile_steps() {
        let mut after = position;
        after.make(Step::Tile(tile));
        if after.islands(color).contains(cell) && !position.islands(color).contains(cell) {
            found.push((tile, u32::from(after.score(color).points - position.score(color).points)));
        }
    }
    found
}

/// Whether a turn of `color` makes an island of which all these tiles are part.
fn can_complete(position: &Position, color: Color, tiles: Cells) -> bool {
    let Some(position) = turn_of(position, color) else { return false };
    // Other cells are too far away to belong to the island.
    let near = tiles.halo().halo().halo();
    let is_made = |position: &Position| (tiles - position.islands(color)).is_empty();
    (position.tile_steps() & near).into_iter().any(|first| {
        let mut half = position;
        half.make(Step::Tile(first));
        let is_made_by = |second: Cell| {
            let mut whole = half;
            whole.make(Step::Tile(second));
            is_made(&whole)
        };
        is_made(&half) || (half.tile_steps() & near).into_iter().any(is_made_by)
    })
}

/// Whether tiles of `color` alone could make the group an island, whatever is placed elsewhere.
fn can_ever(position: &Position, color: Color, group: Cells) -> bool {
    let Some(cell) = group.first() else { return false };
    if position.islands(color).contains(cell) {
        return true;
    }
    if position.tiles_left(color).is_some_and(|left| u32::from(left) + group.len() < 4) {
        return false;
    }
    let Some(turn) = turn_of(position, color) else { return false };
    let next = turn.open_cells(color) & group.sides();
    next.into_iter().any(|tile| {
        with_tile(&turn, tile)
            .is_some_and(|after| can_ever(&after, color, after.group(color, cell)))
    })
}

/// A claim is wrong: why.
type Wrong = &'static str;

fn hold(holds: bool, wrong: Wrong) -> Result<(), Wrong> {
    if holds { Ok(()) } else { Err(wrong) }
}

/// A move, and one thing that is said of it.
struct Claim<'a> {
    /// The position of the move.
    position: &'a Position,
    /// The position without the part that does it: with the other tile, if a tile does it.
    before: Position,
    after: Position,
    purpose: &'a Purpose,
    /// The side that moves, and the other.
    own: Color,
    other: Color,
}

impl<'a> Claim<'a> {
    fn new(position: &'a Position, mv: Move, purpose: &'a Purpose) -> Option<Claim<'a>> {
        let own = position.side();
        let before = match (purpose.part, mv) {
            (Part::Tile(tile), Move::Tiles(a, b)) => {
                with_tile(position, if tile == a { b } else { a })?
            }
            _ => *position,
        };
        Some(Claim { position, before, after: after(position, mv), purpose, own, other: !own })
    }

    /// Whether a turn of the player gains the target after every turn of the opponent.
    fn is_certain(&self, position: &Position, target: Target, points: u32) -> bool {
        let is_left = |reply: &Position| self.is_possible(reply, target, points);
        turns(position, self.other).iter().all(is_left)
    }

    /// Whether a turn of the player gains the target, worth `points` or more.
    fn is_possible(&self, position: &Position, target: Target, points: u32) -> bool {
        match target {
            Target::Bridge { bridge: site, ways: 1 } => bridges(position, self.own)
                .iter()
                .any(|&(other, worth)| other == site && worth >= points),
            Target::Bridge { bridge: site, .. } => {
                !joining(&self.after, position, self.own, joined(&self.after, site), points)
                    .is_empty()
            }
            Target::Island { cell } => {
                completing(position, self.own, cell).iter().any(|&(_, worth)| worth >= points)
            }
        }
    }

    fn check(&self) -> Result<(), Wrong> {
        match &self.purpose.aim {
            Aim::Completes { .. } | Aim::Joins { .. } => self.gained(),
            Aim::Stops { .. } | Aim::Denies { .. } | Aim::Hinders { .. } | Aim::Burns { .. } => {
                self.taken()
            }
            Aim::Cuts { .. } | Aim::Crowds { .. } | Aim::Closes { .. } => self.narrowed(),
            Aim::Prepares { .. } | Aim::Raises { .. } | Aim::Waits { .. } => self.prepared(),
            Aim::Forks { .. } => self.forked(),
            Aim::Grows { .. } | Aim::Reaches { .. } => self.grown(),
            Aim::Links { .. } => self.linked(),
            _ => self.said(),
        }
    }

    /// What it gains at once.
    fn gained(&self) -> Result<(), Wrong> {
        let (before, after, own, other) = (&self.before, &self.after, self.own, self.other);
        match &self.purpose.aim {
            Aim::Completes { count, cells, urgent } => {
                let cells: Cells = cells.iter().copied().collect();
                hold(4 * count == cells.len() as usize, "another number")?;
                hold((cells - after.islands(own)).is_empty(), "no islands")?;
                hold((cells & before.islands(own)).is_empty(), "islands before")?;
                hold(*urgent == self.could_prevent(cells), "wrong about the danger")
            }
            Aim::Joins { points, islands, urgent } => {
                let tiles: Vec<Cell> = after.tiles(own).into_iter().collect();
                let mut networks: Vec<Cell> =
                    tiles.iter().map(|&cell| after.network_root(cell)).collect();
                networks.sort_unstable();
                networks.dedup();
                let is_meant = |&network: &Cell| {
                    u32::from(after.network_islands(network)) == *islands
                        && self.points_of_joining(network) == *points
                };
                let meant: Vec<Cell> = networks.into_iter().filter(is_meant).collect();
                hold(!meant.is_empty(), "no such network")?;
                let is_in_danger = |&network: &Cell| {
                    let parts: Vec<Cell> = tiles
                        .iter()
                        .copied()
                        .filter(|&cell| after.network_root(cell) == network)
                        .collect();
                    let joins = |position: &Position| {
                        let old =
                            parts.iter().filter(|&&cell| self.position.tiles(own).contains(cell));
                        let mut roots: Vec<Cell> =
                            old.map(|&cell| position.network_root(cell)).collect();
                        roots.dedup();
                        roots.len() == 1
                    };
                    let mut replies = turns(self.position, other);
                    // Most often it is a tile under the bridge.
                    let spans = after.spanned_cells() - self.position.spanned_cells();
                    replies.sort_by_key(|reply| (reply.tiles(other) & spans).is_empty());
                    replies.iter().any(|reply| !turns(reply, own).iter().any(joins))
                };
                hold(!urgent || meant.iter().any(is_in_danger), "nobody could prevent it")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// What it takes from the opponent.
    fn taken(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let other = self.other;
        match &self.purpose.aim {
            Aim::Stops { bridge, points } => {
                let ends = joined(before, *bridge);
                let was = bridges(before, other);
                hold(was.contains(&(*bridge, *points)), "no such bridge before")?;
                hold(joining(before, after, other, ends, 0).is_empty(), "a bridge is left")
            }
            Aim::Denies { cell, points } => {
                let was = completing(before, other, *cell);
                hold(was.iter().any(|(_, worth)| worth == points), "no such island before")?;
                hold(!can_complete(after, other, Cells::from(*cell)), "it can be completed")
            }
            Aim::Hinders { target, lost, left } => {
                let [was, is] = [before, after].map(|position| match target {
                    Target::Bridge { bridge: site, .. } => {
                        joining(before, position, other, joined(before, *site), 1).len()
                    }
                    Target::Island { cell } => completing(position, other, *cell).len(),
                });
                if let Target::Bridge { bridge: site, ways } = target {
                    hold(ways == left, "another number of ways")?;
                    let [was, is] = [before, after].map(|position| {
                        bridges(position, other).iter().any(|(each, _)| each == site)
                    });
                    hold(was && !is, "the bridge is not stopped")?;
                }
                hold(*left > 0 && was == lost + left && is == *left, "wrong numbers")
            }
            Aim::Burns { cell, tiles } => {
                let group = before.group(other, *cell);
                hold(group.len() == *tiles, "another size")?;
                hold(can_ever(before, other, group), "it never could")?;
                hold(!can_ever(after, other, group), "it still can")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// What it leaves less room for.
    fn narrowed(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let other = self.other;
        match &self.purpose.aim {
            Aim::Cuts { bridge } => {
                // Both tiles may lie in the way, each alone.
                let [was, is] = [self.position, after].map(|position| {
                    bridges(position, other).into_iter().find(|(site, _)| site == bridge)
                });
                hold(was.is_some_and(|(_, points)| points == 0), "no such bridge for nothing")?;
                if let Part::Tile(tile) = self.purpose.part {
                    hold(bridge.span().contains(tile), "it lies elsewhere")?;
                }
                let [a, b] = joined(self.position, *bridge);
                hold(is.is_none() && a != b, "still possible")
            }
            Aim::Crowds { cell, left } => {
                let room = |position: &Position| {
                    (position.group(other, *cell).sides() & position.open_cells(other)).len()
                };
                hold(room(after) == *left && room(before) > *left && *left > 0, "other numbers")?;
                hold(can_ever(before, other, before.group(other, *cell)), "no island anyway")
            }
            Aim::Closes { count, left } => {
                let [was, is] = [before, after].map(|position| open_cells(position, other));
                hold(is.len() == *left && (was - is).len() == *count && *count > 0, "other numbers")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// What it makes possible or certain.
    fn prepared(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let own = self.own;
        let player = turn_of(after, own);
        match &self.purpose.aim {
            Aim::Prepares { bridge, points, ways, sure } => {
                let ends = joined(after, *bridge);
                let now = joining(after, after, own, ends, *points);
                hold(now.contains(bridge) && now.len() == *ways, "not possible so")?;
                hold(*points > 0, "worth nothing")?;
                let old = bridges(before, own);
                if *sure {
                    let target = Target::Bridge { bridge: *bridge, ways: 2 };
                    hold(self.is_certain(after, target, *points), "not certain")?;
                    return hold(
                        !self.is_possible(before, target, *points)
                            || !self.is_certain(before, target, *points),
                        "certain before",
                    );
                }
                hold(!old.iter().any(|(site, _)| now.contains(site)), "possible before")
            }
            Aim::Raises { target, points, sure } => {
                hold(self.is_possible(after, *target, *points), "not possible")?;
                hold(!self.is_possible(before, *target, *points), "worth as much before")?;
                let was = match target {
                    Target::Bridge { bridge: site, .. } => {
                        !joining(after, before, own, joined(after, *site), 0).is_empty()
                    }
                    Target::Island { cell } => !completing(before, own, *cell).is_empty(),
                };
                hold(was, "not possible before")?;
                hold(!sure || self.is_certain(after, *target, *points), "not certain")
            }
            Aim::Waits { target, points } => {
                hold(self.is_possible(before, *target, 1), "not possible before")?;
                hold(player.is_some(), "no later turn")?;
                hold(self.is_certain(after, *target, *points), "not certain")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// Two things at once.
    fn forked(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let other = self.other;
        match &self.purpose.aim {
            Aim::Forks { targets } => {
                let [one, two] = *targets;
                hold(
                    self.is_possible(after, one, 1) && self.is_possible(after, two, 1),
                    "not possible",
                )?;
                let is_left = |reply: &Position| {
                    self.is_possible(reply, one, 1) || self.is_possible(reply, two, 1)
                };
                let cannot_stop = |position: &Position| turns(position, other).iter().all(is_left);
                hold(cannot_stop(after), "both can be stopped")?;
                let had_both = self.is_possible(before, one, 1) && self.is_possible(before, two, 1);
                hold(!had_both || !cannot_stop(before), "it was a fork before")?;
                hold(self.can_have_both(one, two), "one excludes the other")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// What it grows or reaches.
    fn grown(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let own = self.own;
        let player = turn_of(after, own);
        match &self.purpose.aim {
            Aim::Grows { cell, tiles: 3, open, sure } => {
                let group = after.group(own, *cell);
                let cells: Vec<Cell> =
                    completing(after, own, *cell).into_iter().map(|(tile, _)| tile).collect();
                hold(open.iter().all(|tile| cells.contains(tile)), "a cell does not complete it")?;
                hold(
                    !sure || self.is_certain(after, Target::Island { cell: *cell }, 1),
                    "not certain",
                )?;
                let was_certain = || {
                    self.is_possible(before, Target::Island { cell: *cell }, 1)
                        && self.is_certain(before, Target::Island { cell: *cell }, 1)
                };
                hold(!sure || !was_certain(), "certain before")?;
                hold(!open.is_empty() && group.len() < 4, "no such sandbank")
            }
            Aim::Grows { cell, tiles, .. } => {
                let group = after.group(own, *cell);
                hold(group.len() == *tiles && *tiles == 2, "another size")?;
                hold(
                    player.is_some_and(|turn| can_ever(&turn, own, group)),
                    "it never becomes an island",
                )?;
                hold(
                    before.group(own, *cell) != group || !before.tiles(own).contains(*cell),
                    "nothing new",
                )
            }
            Aim::Reaches { bridge, cell, islands } => {
                let all = bridges(after, own);
                hold(all.contains(&(*bridge, 0)), "not possible, or not for nothing")?;
                let [a, b] = bridge.ends();
                let from = if a == *cell { b } else { a };
                hold(
                    after.network_root(a) != after.network_root(b) && (a == *cell || b == *cell),
                    "not another group",
                )?;
                hold(
                    u32::from(after.network_islands(*cell)) == *islands,
                    "another number of islands",
                )?;
                hold(!before.tiles(own).contains(from), "it was there before")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// What it links.
    fn linked(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let own = self.own;
        let player = turn_of(after, own);
        match &self.purpose.aim {
            Aim::Links { ends: [a, b], islands, points } => {
                hold(before.network_root(*a) != before.network_root(*b), "linked before")?;
                hold(after.network_root(*a) == after.network_root(*b), "not linked")?;
                hold(
                    u32::from(after.network_islands(*a)) == *islands,
                    "another number of islands",
                )?;
                hold(after.score(own).points == before.score(own).points, "it gains points")?;
                hold(player.is_some(), "no later turn")?;
                let Some(points) = points else { return Ok(()) };
                hold(*points == islands + 1 && *islands > 0, "another worth")?;
                let tiles = after.tiles(own).into_iter();
                let mut linked =
                    tiles.filter(|&tile| after.network_root(tile) == after.network_root(*a));
                let grows = |tile: Cell| {
                    !after.islands(own).contains(tile)
                        && can_ever(after, own, after.group(own, tile))
                };
                hold(linked.any(grows), "nothing can become an island")
            }
            aim => unreachable!("{aim:?}"),
        }
    }

    /// The rest.
    fn said(&self) -> Result<(), Wrong> {
        let before = &self.before;
        let after = &self.after;
        let own = self.own;
        match &self.purpose.aim {
            Aim::Tempo => {
                let [was, is] = [before, after].map(|position| open_cells(position, own));
                hold(was == is && !is.is_empty(), "cells are used up, or of no use")
            }
            Aim::Supply { left } => {
                hold(after.bridges_left() == Some(*left) && !after.is_over(), "another number")
            }
            Aim::Centre => {
                let Part::Tile(tile) = self.purpose.part else { return Err("not a tile") };
                let size = i32::from(after.size().get());
                let is_central = |at: u8| (2 * i32::from(at) + 1 - size).abs() <= 3;
                hold(is_central(tile.column()) && is_central(tile.row()), "not in the middle")
            }
            Aim::Space { free } => {
                let Part::Tile(tile) = self.purpose.part else { return Err("not a tile") };
                let near = Cells::from(tile).halo().halo();
                hold((open_cells(after, own) & near).len() == *free && *free > 0, "another number")
            }
            Aim::Pass { bridges, ends } => {
                let has_bridge = !self.position.bridge_steps().is_empty();
                hold(*bridges == has_bridge && *ends == after.is_over(), "not so")
            }
            Aim::Swap => Ok(()),
            Aim::Allows { .. } => Err("a purpose allows nothing"),
            aim => unreachable!("{aim:?}"),
        }
    }

    /// Whether a turn of the opponent, instead of the move, leaves the player none that makes an
    /// island of the tiles which are there, of one of these islands.
    fn could_prevent(&self, cells: Cells) -> bool {
        let replies = turns(self.position, self.other);
        let mut rest = cells;
        while let Some(cell) = rest.first() {
            let island = self.after.group(self.own, cell);
            rest -= island;
            let tiles = island & self.position.tiles(self.own);
            let is_lost = |reply: &Position| !can_complete(reply, self.own, tiles);
            if !tiles.is_empty() && replies.iter().any(is_lost) {
                return true;
            }
        }
        false
    }

    /// The points of a network after the move, less those that its parts had and those that its new
    /// islands have alone.
    fn points_of_joining(&self, network: Cell) -> u32 {
        let worth = |islands: u32| islands * (islands + 1) / 2;
        let tiles = self.before.tiles(self.own).into_iter();
        let mut parts: Vec<Cell> = tiles
            .filter(|&tile| self.after.network_root(tile) == network)
            .map(|tile| self.before.network_root(tile))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        let islands = parts.iter().map(|&part| u32::from(self.before.network_islands(part)));
        let old: u32 = islands.clone().sum();
        let now = u32::from(self.after.network_islands(network));
        worth(now) - islands.map(worth).sum::<u32>() - (now - old)
    }

    /// Whether one turn gains both, or one turn and the next one.
    fn can_have_both(&self, one: Target, two: Target) -> bool {
        let has = |position: &Position, target: Target| match target {
            Target::Bridge { bridge: site, .. } => {
                let [a, b] = joined(&self.after, site);
                position.network_root(a) == position.network_root(b)
            }
            Target::Island { cell } => position.islands(self.own).contains(cell),
        };
        turns(&self.after, self.own).iter().any(|first| {
            let [has_one, has_two] = [one, two].map(|target| has(first, target));
            (has_one && (has_two || self.is_possible(first, two, 1)))
                || (has_two && self.is_possible(first, one, 1))
        })
    }
}

/// The claims that were checked, by code.
struct Checked {
    counts: BTreeMap<String, u32>,
    /// The number after which claims of a kind are no longer checked.
    enough: u32,
    /// The number of wrong ones by kind and reason.
    wrong: BTreeMap<(String, Wrong), u32>,
}

impl Checked {
    fn new(enough: u32) -> Checked {
        Checked { counts: BTreeMap::new(), enough, wrong: BTreeMap::new() }
    }

    /// Checks what is said of a move.
    fn purposes(&mut self, position: &Position, mv: Move) {
        for purpose in purposes(position, mv) {
            self.purpose(position, mv, &purpose);
        }
    }

    fn purpose(&mut self, position: &Position, mv: Move, purpose: &Purpose) {
        let told = serde_json::to_value(purpose).unwrap();
        // A saved review is read again.
        let read: Purpose = serde_json::from_value(told.clone()).unwrap();
        assert_eq!(read, *purpose, "{told}");
        let code = told["code"].as_str().unwrap();
        let count = self.counts.entry(code.to_owned()).or_default();
        if *count >= self.enough {
            return;
        }
        *count += 1;
        let Some(claim) = Claim::new(position, mv, purpose) else { return };
        if let Err(wrong) = claim.check() {
            let seen = self.wrong.entry((code.to_owned(), wrong)).or_default();
            *seen += 1;
            if *seen <= 3 {
                println!("{:?} {position} | {mv} | {wrong}: {}", position.rules().supply, told);
            }
        }
    }

    /// Checks why one move is better than another, with the answer to the other one.
    fn reasons(&mut self, position: &Position, played: Move, best: Move, reply: Move) {
        for reason in reasons(position, played, best, Some(reply)) {
            let Aim::Allows { reply, why } = &reason.aim else {
                self.purpose(position, best, &reason);
                continue;
            };
            let read: Purpose = serde_json::from_value(serde_json::json!(reason)).unwrap();
            assert_eq!(read, reason);
            let after_played = after(position, played);
            let [purpose] = &why[..] else { panic!("{why:?}") };
            self.purpose(&after_played, *reply, purpose);
            let count = self.counts.entry("allows".to_owned()).or_default();
            if *count >= self.enough {
                continue;
            }
            *count += 1;
            let good = after(position, best);
            if !is_spared(&good, purpose) {
                *self.wrong.entry(("allows".to_owned(), "no difference")).or_default() += 1;
                println!("{position} | {played} {best} | no difference: {reason:?}");
            }
        }
    }

    /// Says now and then how far it is.
    fn report(&self, game: u64) {
        if game.is_multiple_of(1000) || (self.enough > 1000 && game.is_multiple_of(10)) {
            println!("game {game}: {:?}", self.counts);
        }
    }

    /// That no claim was wrong.
    fn conclude(&self) {
        println!("{:?}", self.counts);
        assert!(self.wrong.is_empty(), "{:?}", self.wrong);
    }
}

/// Whether the side to move cannot do this, or its opponent has or keeps what it would stop.
fn is_spared(position: &Position, purpose: &Purpose) -> bool {
    let (color, other) = (position.side(), !position.side());
    let replies = turns(position, color);
    let old = position.score(color);
    match &purpose.aim {
        Aim::Completes { cells, .. } => {
            let islands = |reply: &Position| reply.score(color).islands - old.islands;
            replies.iter().all(|reply| 4 * usize::from(islands(reply)) < cells.len())
        }
        Aim::Joins { points, .. } => replies.iter().all(|reply| {
            let new = reply.score(color);
            u32::from(new.points - old.points) - u32::from(new.islands - old.islands) < *points
        }),
        Aim::Stops { bridge, .. } => {
            let ends = joined(position, *bridge);
            let is_left = |reply: &Position| !joining(position, reply, other, ends, 1).is_empty();
            ends[0] == ends[1] || replies.iter().all(is_left)
        }
        Aim::Denies { cell, .. } => {
            position.islands(other).contains(*cell)
                || replies.iter().all(|reply| can_complete(reply, other, Cells::from(*cell)))
        }
        _ => false,
    }
}

/// A whole legal move by chance, or `None` at the end.
fn any_move(gambler: &mut Gambler, position: &Position) -> Option<Move> {
    match gambler.step(position)? {
        Step::Tile(a) => {
            let mut half = *position;
            half.make(Step::Tile(a));
            let seconds = half.tile_steps();
            Some(Move::tiles(a, seconds.nth(gambler.below(seconds.len()))?))
        }
        step => step.as_move(),
    }
}

/// The most valuable answer of the side to move, by points at once.
fn greedy(position: &Position) -> Option<Move> {
    let points = |mv: &Move| after(position, *mv).score(position.side()).points;
    position.moves().into_iter().filter(|mv| *mv != Move::Swap).max_by_key(points)
}

/// Checks moves of random games on small boards, by chance.
fn random_games(checked: &mut Checked, games: std::ops::Range<u64>) {
    for number in games {
        checked.report(number);
        let mut gambler = Gambler::new(number);
        let size = size_of_game(number % 6);
        let mut position = Position::new(gambler.rules(size));
        while let Some(mv) = any_move(&mut gambler, &position) {
            checked.purposes(&position, mv);
            if let Some(other) =
                any_move(&mut gambler, &position).filter(|other| *other != Move::Swap)
                && mv != Move::Swap
                && gambler.one_in(4)
                && let Some(reply) = greedy(&after(&position, other))
            {
                checked.reasons(&position, other, mv, reply);
            }
            position = after(&position, mv);
        }
    }
}

/// Checks moves of games that the engine plays on 10×10: its own, and one by chance.
fn real_games(checked: &mut Checked, games: std::ops::Range<u64>) {
    for number in games {
        checked.report(number);
        let mut gambler = Gambler::new(number);
        let supply = if number % 2 == 0 { Supply::Standard } else { Supply::Unlimited };
        let rules = Rules { supply, pie: false, ..Rules::default() };
        let mut options = Options { rules, playouts: 100, ..Options::default() };
        options.search.seed = number;
        options.search.memory = 16;
        options.search.threads = 1;
        let mut engine = Engine::new(options);
        let mut last = None;
        while let Answer::Move(mv) =
            engine.genmove(engine.position().side(), &StopSignal::default()).expect("its turn")
        {
            let position = last.replace(*engine.position()).unwrap_or_else(|| Position::new(rules));
            checked.purposes(&position, mv);
            if let Some(other) = any_move(&mut gambler, &position) {
                checked.purposes(&position, other);
                if other != mv && !after(&position, other).is_over() {
                    let reply = greedy(&after(&position, other)).expect("a turn");
                    checked.reasons(&position, other, mv, reply);
                }
            }
            if engine.position().is_over() {
                break;
            }
        }
    }
}

#[test]
fn what_reasons_claim_is_true_on_small_boards() {
    let mut checked = Checked::new(400);
    random_games(&mut checked, 0..300);
    checked.conclude();
}

#[test]
fn what_reasons_claim_is_true_in_real_games() {
    let mut checked = Checked::new(60);
    real_games(&mut checked, 0..3);
    checked.conclude();
}

/// Positions in which a claim was wrong once.
#[test]
fn what_was_wrong_once_is_true_now() {
    let mut checked = Checked::new(u32::MAX);
    let positions = include_str!("data/reasons.txt");
    for line in positions.lines().filter(|line| !line.starts_with('#')) {
        let (supply, rest) = line.split_once(' ').unwrap();
        let (text, mv) = rest.rsplit_once(' ').unwrap();
        let setup = Setup::parse(text, supply.parse().unwrap(), false).unwrap();
        checked.purposes(&setup.validate().unwrap(), mv.parse().unwrap());
    }
    checked.conclude();
}

#[test]
#[ignore = "a measurement: minutes"]
fn what_thousands_of_reasons_claim_is_true() {
    let number = |name: &str, usual| env::var(name).map_or(usual, |text| text.parse().unwrap());
    let enough = number("PONTIFEX_REASONS", 5000);
    let mut checked = Checked::new(enough as u32);
    random_games(&mut checked, 0..number("PONTIFEX_SMALL_GAMES", 60_000));
    checked.conclude();
    let mut checked = Checked::new(enough as u32);
    real_games(&mut checked, 0..number("PONTIFEX_LARGE_GAMES", 300));
    checked.conclude();
}
