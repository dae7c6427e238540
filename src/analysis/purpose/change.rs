//! What both sides could gain before and after a move, or one of its tiles.

use crate::board::{Cell, Cells, Site};
use crate::eval::hopeful_groups;
use crate::game::{Color, Position};

use super::aim::{Aim, Target};
use super::gains::{Gain, Way, can_stop, gains, with_turn};

/// The most gains whose certainty is examined.
const EXAMINED: usize = 4;

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
                let mut found = turns[index].as_ref().map_or(Vec::new(), gains);
                found.sort_by_key(|gain| std::cmp::Reverse(gain.points));
                found
            })
        };
        let replies = turns(!player);
        let (own, others) = (gains_of(&turns(player)), gains_of(&replies));
        Change { before, after, player, own, others, replies }
    }

    /// What the change does.
    pub(super) fn aims(&self) -> Vec<Aim> {
        let mut aims = self.gained();
        if !self.after.is_over() {
            aims.extend(self.taken());
            aims.extend(self.burned());
            aims.extend(self.prepared());
            aims.extend(self.fork());
            aims.extend(self.waiting());
        }
        aims
    }

    /// Islands and points gained at once.
    fn gained(&self) -> Vec<Aim> {
        let (before, after, player) = (self.before, self.after, self.player);
        let mut aims = Vec::new();
        let islands = after.islands(player) - before.islands(player);
        let cells: Vec<Cell> = islands.into_iter().collect();
        let count = islands.len() / 4;
        let gained = after.score(player).points - before.score(player).points;
        let points = u32::from(gained).saturating_sub(count);
        if count > 0 {
            let urgent = self.was_in_danger(|gain| match &gain.by {
                Way::Island { tiles, .. } => (*tiles - islands).is_empty(),
                Way::Bridges(_) => false,
            });
            aims.push(Aim::Completes { cells, urgent });
        }
        if points > 0 {
            let new_ends = after.bridge_ends() - before.bridge_ends();
            let changed = (after.tiles(player) - before.tiles(player)) | new_ends;
            let sizes = changed.into_iter().map(|cell| u32::from(after.network_islands(cell)));
            let urgent = self.was_in_danger(|gain| match &gain.by {
                Way::Bridges(sites) => sites.iter().any(|&site| after.bridges().contains(site)),
                Way::Island { .. } => false,
            });
            aims.push(Aim::Joins { points, islands: sizes.max().unwrap_or(0), urgent });
        }
        aims
    }

    /// Whether the opponent could have stopped one of the player's gains.
    fn was_in_danger(&self, is_meant: impl Fn(&Gain) -> bool) -> bool {
        let Some(reply) = &self.replies[0] else { return false };
        let mut meant = self.own[0].iter().filter(|gain| is_meant(gain));
        meant.any(|gain| can_stop(reply, std::slice::from_ref(gain)))
    }

    /// The opponent's gains that are no longer possible, or in fewer ways.
    fn taken(&self) -> Vec<Aim> {
        let taken = |gain: &Gain| match (gain.find_in(&self.others[1], self.after), &gain.by) {
            (None, Way::Bridges(_)) => {
                gain.bridge().map(|bridge| Aim::Stops { bridge, points: gain.points })
            }
            (None, Way::Island { tiles, .. }) if is_connected(*tiles) => {
                tiles.first().map(|cell| Aim::Denies { cell, points: gain.points })
            }
            (Some(still), _) if still.ways() < gain.ways() => {
                let target = lost_way(gain, still)?;
                Some(Aim::Hinders { target, left: still.ways() })
            }
            _ => None,
        };
        self.others[0].iter().filter_map(taken).collect()
    }

    /// The opponent's sandbanks of one and two tiles that can no longer become
    /// islands.
    fn burned(&self) -> Vec<Aim> {
        if self.replies[1].is_none() {
            return Vec::new();
        }
        let still = hopeful_groups(self.after, !self.player);
        let before = hopeful_groups(self.before, !self.player).into_iter();
        let burned = before.filter(|group| group.len() < 3 && !still.contains(group));
        burned
            .filter_map(|group| Some(Aim::Burns { cell: group.first()?, tiles: group.len() }))
            .collect()
    }

    /// The player's gains that are new, or that can no longer be stopped.
    fn prepared(&self) -> Vec<Aim> {
        let Some(reply) = &self.replies[1] else { return Vec::new() };
        let prepared = |gain: &Gain| {
            let (points, ways) = (gain.points, gain.ways());
            let mut same = self.own[0].iter().filter(|old| old.is_same(gain, self.after));
            let is_sure = || !can_stop(reply, std::slice::from_ref(gain));
            match same.next() {
                Some(old) if old.points < points => {
                    Some(Aim::Raises { target: target(gain)?, points, sure: is_sure() })
                }
                Some(old) if old.ways() >= ways || !is_sure() => None,
                Some(old) if !self.was_in_danger(|each| each == old) => None,
                old => {
                    let sure = old.is_some() || is_sure();
                    new_gain(gain, sure)
                }
            }
        };
        self.own[1].iter().take(EXAMINED).filter_map(prepared).collect()
    }

    /// Two gains, of which at least one is new and the opponent can stop either,
    /// but not both.
    fn fork(&self) -> Option<Aim> {
        let reply = self.replies[1].as_ref()?;
        let own = &self.own[1];
        let stops = |gains: &[Gain]| can_stop(reply, gains);
        let open: Vec<&Gain> =
            own.iter().take(EXAMINED).filter(|gain| stops(std::slice::from_ref(gain))).collect();
        let is_new = |gain: &Gain| gain.find_in(&self.own[0], self.after).is_none();
        for (index, &one) in open.iter().enumerate() {
            for &other in &open[index + 1..] {
                if (is_new(one) || is_new(other)) && !stops(&[one.clone(), other.clone()]) {
                    return Some(Aim::Forks { targets: [target(one)?, target(other)?] });
                }
            }
        }
        None
    }

    /// Gains that were possible before, still are as they were, and cannot be
    /// stopped.
    fn waiting(&self) -> Vec<Aim> {
        let Some(reply) = &self.replies[1] else { return Vec::new() };
        let waits = |gain: &Gain| {
            let still = gain.find_in(&self.own[1], self.after)?;
            if still.points > gain.points || still.ways() > gain.ways() {
                return None;
            }
            let is_safe = !can_stop(reply, std::slice::from_ref(still));
            let target = target(still).filter(|_| is_safe)?;
            Some(Aim::Waits { target, points: still.points })
        };
        self.own[0].iter().take(EXAMINED).filter_map(waits).collect()
    }
}

/// A gain that was not possible, or not certain, before.
fn new_gain(gain: &Gain, sure: bool) -> Option<Aim> {
    match &gain.by {
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
fn target(gain: &Gain) -> Option<Target> {
    match &gain.by {
        Way::Bridges(_) => gain.bridge().map(Target::Bridge),
        Way::Island { tiles, .. } => tiles.first().map(Target::Island),
    }
}

/// A way of `gain` that `still` lacks: the bridge, or the island by its tiles.
fn lost_way(gain: &Gain, still: &Gain) -> Option<Target> {
    match (&gain.by, &still.by) {
        (Way::Bridges(before), Way::Bridges(after)) => {
            let lost = before.iter().copied().filter(|site: &Site| !after.contains(site));
            lost.min_by_key(|site| site.ends()).map(Target::Bridge)
        }
        (Way::Island { tiles, .. }, _) => tiles.first().map(Target::Island),
        (Way::Bridges(_), Way::Island { .. }) => None,
    }
}
