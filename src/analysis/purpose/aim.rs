//! The aims that a move can have, their weights, and their JSON form.
//!
//! # The weights
//! [`Aim::weight`] only orders the purposes of one move and cuts off the tail; it is shown nowhere
//! and no search uses it. Its unit is about a tenth of a point: a completed island is 60, since it
//! is worth its point, room taken from the opponent and a part of a network. A gain that is certain
//! counts more than one that is merely possible, and a gain now more than one prepared. The numbers
//! were chosen so that the first reason is the one that a player would give. The test
//! `hints_seldom_have_nothing_to_say_but_space` prints how often each kind is shown. Besides the
//! order, only the limits in `purpose` matter, at 8, 20 and 30.

use std::mem::discriminant;

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::board::{Cell, Site};
use crate::game::Move;

use super::Purpose;

/// A thing that is threatened or waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Target {
    /// A bridge that joins networks.
    Bridge {
        /// The bridge, or one of them.
        bridge: Site,
        /// The number of bridges that join the same networks.
        ways: usize,
    },
    /// An island.
    Island {
        /// One of its tiles.
        cell: Cell,
    },
}

/// What a move, or one of its tiles, does.
///
/// Each kind says what its sentence claims; `tests/suite/reasons.rs` checks that against every turn
/// of the opponent. *Before* is the position without the part that does it: if one of two tiles
/// does it, the other one is already there. *Possible* is what the next turn of a side, if it has
/// one, can do with its supply. A turn *stops* what is no longer possible after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "code", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Aim {
    /// Completes islands.
    Completes {
        /// The number of islands that are completed.
        count: usize,
        /// The cells of these islands, which were no islands before.
        cells: Vec<Cell>,
        /// Whether a turn of the opponent instead of the move leaves the player none that makes one
        /// of these islands of the tiles which were there.
        urgent: bool,
    },
    /// Joins networks, or adds islands to one.
    Joins {
        /// The points of the network, less those that its parts had before and one for each new
        /// island.
        points: u32,
        /// The islands of the network.
        islands: u32,
        /// Whether a turn of the opponent instead of the move leaves the player none that joins
        /// these networks.
        urgent: bool,
    },
    /// The opponent could build the bridge. Now none of its bridges can join these networks.
    Stops {
        /// The bridge.
        bridge: Site,
        /// The points it was worth.
        points: u32,
    },
    /// The opponent could complete an island with the sandbank, and now cannot in its next turn.
    Denies {
        /// A tile of the sandbank.
        cell: Cell,
        /// The points that the island was worth.
        points: u32,
    },
    /// Takes some of the opponent's ways to gain points.
    Hinders {
        /// One of the bridges that it stops, or the island.
        target: Target,
        /// The number of ways that it takes.
        lost: usize,
        /// The number of ways left: bridges that join these networks, or cells that complete the
        /// island.
        left: usize,
    },
    /// A sandbank of the opponent could become an island, by room and supply, and can now never
    /// become one, whatever is placed.
    Burns {
        /// A tile of the sandbank.
        cell: Cell,
        /// The number of tiles of the sandbank.
        tiles: u32,
    },
    /// Makes a bridge that gains points possible, which was not possible before, even without a
    /// gain. Or, if `sure`, makes the gain certain, which it was not before.
    Prepares {
        /// The bridge, or one of them.
        bridge: Site,
        /// The points it is worth.
        points: u32,
        /// The number of bridges that join these networks.
        ways: usize,
        /// Whether one of these bridges is possible after every turn of the opponent.
        sure: bool,
    },
    /// A bridge or an island that was possible before becomes worth more.
    Raises {
        /// The bridge, or one of them, or the island.
        target: Target,
        /// The points it is worth now.
        points: u32,
        /// Whether the gain is possible, for these points, after every turn of the opponent.
        sure: bool,
    },
    /// Two gains are possible, one after the other. No turn of the opponent stops both; before, one
    /// was not possible or a turn stopped both.
    Forks {
        /// The two that are worth most.
        targets: [Target; 2],
    },
    /// Adds to a sandbank that can become an island, by room, supply and turns.
    Grows {
        /// A tile of the sandbank.
        cell: Cell,
        /// The number of tiles of the sandbank now, 2 or 3.
        tiles: u32,
        /// The cells where a fourth tile would complete the island.
        #[serde(rename = "cells")]
        open: Vec<Cell>,
        /// Whether one of these cells completes it after every turn of the opponent.
        sure: bool,
    },
    /// Links groups without a gain in points yet. The player has a later turn.
    Links {
        /// The groups it links: the tiles under the ends of the bridge.
        #[serde(rename = "cells")]
        ends: [Cell; 2],
        /// The islands of the network.
        islands: u32,
        /// The points of one more island of the network, if there are islands and one of its
        /// sandbanks can become one.
        points: Option<u32>,
    },
    /// A bridge from the tile to another group is possible, without a gain in points yet.
    Reaches {
        /// The bridge.
        bridge: Site,
        /// The tile of the other group.
        cell: Cell,
        /// The number of islands of the other group's network.
        islands: u32,
    },
    /// Is in the way of a bridge between two groups which the opponent could build, for no points
    /// yet.
    Cuts {
        /// The bridge.
        bridge: Site,
    },
    /// Takes cells beside a sandbank of the opponent that could become an island.
    Crowds {
        /// A tile of the sandbank.
        cell: Cell,
        /// The cells left beside it where the opponent may place a tile, at least one.
        left: u32,
    },
    /// Closes cells on which a turn of the opponent could place a tile.
    Closes {
        /// The number of cells that are closed.
        count: u32,
        /// The number of such cells that are left.
        left: u32,
    },
    /// Uses up none of the cells on which the player's next turn may place tiles, and there are
    /// some.
    Tempo,
    /// Takes one of the last bridges of the supply, and the game is not over.
    Supply {
        /// The bridges left.
        left: u16,
    },
    /// Takes one of the sixteen cells in the middle of the board, at the beginning.
    Centre,
    /// Takes space.
    Space {
        /// The cells at a distance of one and two where the player's next turn may place a tile, at
        /// least one.
        free: u32,
    },
    /// A gain that was possible is still possible after every turn of the opponent.
    Waits {
        /// The bridge or the island.
        target: Target,
        /// The points it is worth.
        points: u32,
    },
    /// The opponent's best answer to the move gains islands or points by joining, more than any
    /// turn gains after the best move. Or it stops or denies a gain that, after the best move, is
    /// made or possible after every turn.
    Allows {
        /// The answer.
        reply: Move,
        /// What the answer does: one purpose.
        why: Vec<Purpose>,
    },
    /// Exchanges the colours.
    Swap,
    /// Passes.
    Pass {
        /// Whether a bridge could be built.
        bridges: bool,
        /// Whether the pass ends the game.
        ends: bool,
    },
}

impl Aim {
    /// Whether `self` and `other` are the same apart from `urgent`, which depends on the position
    /// before: that differs between the parts of a move.
    pub(super) fn is_the_same(&self, other: &Aim) -> bool {
        match (self, other) {
            (Aim::Completes { cells: own, .. }, Aim::Completes { cells, .. }) => own == cells,
            (
                Aim::Joins { points: own, islands: joined, .. },
                Aim::Joins { points, islands, .. },
            ) => own == points && joined == islands,
            _ => self == other,
        }
    }

    /// How strongly the aim speaks for a move, roughly in tenths of a point.
    pub(super) fn weight(&self) -> u32 {
        self.measure().0
    }

    /// Whether `other` does the same or more, so that this aim is no reason to prefer its move.
    pub(super) fn is_matched_by(&self, other: &Aim) -> bool {
        // A gain that becomes possible does no less than one that becomes larger.
        let raises_less = matches!((self, other), (Aim::Raises { .. }, Aim::Prepares { .. }));
        let ((_, own_subject, least), (_, subject, amounts)) = (self.measure(), other.measure());
        (discriminant(self) == discriminant(other) || raises_less)
            && own_subject == subject
            && amounts.iter().zip(least).all(|(&amount, least)| amount >= least)
    }

    /// The weight, the subject and the amounts of the aim, for [`Aim::is_matched_by`].
    ///
    /// With a subject, only an aim about the same bridge or island can match it: stopping another
    /// bridge does not make up for this one. Without a subject, any aim of its kind can match it.
    /// Each amount of the other aim must be at least as large.
    fn measure(&self) -> (u32, Option<Target>, [i64; 2]) {
        let bridge = |bridge: Site| Some(Target::Bridge { bridge, ways: 0 });
        let island = |cell: Cell| Some(Target::Island { cell });
        // Ways are left out of the comparison: the same bridge with more ways is the same bridge.
        let one_of = |target: Target| match target {
            Target::Bridge { bridge: site, .. } => bridge(site),
            Target::Island { .. } => Some(target),
        };
        // Amounts are compared by "at least", so amounts of which fewer are better are negative.
        let more = |amount: u32| [i64::from(amount), 0];
        let less = |amount: u32| [-i64::from(amount), 0];
        match *self {
            // The only purposes of their moves, so any weight would do.
            Aim::Swap | Aim::Pass { .. } => (1000, None, [0, 0]),
            Aim::Completes { count, urgent, .. } => {
                let count = count as u32;
                (60 * count + 10 * u32::from(urgent), None, [count.into(), urgent.into()])
            }
            Aim::Joins { points, urgent, .. } => {
                let weight = 60 + 20 * points + 10 * u32::from(urgent);
                (weight, None, [points.into(), urgent.into()])
            }
            Aim::Stops { bridge: site, points } => (30 + 18 * points, bridge(site), [0, 0]),
            Aim::Denies { cell, points } => (25 + 12 * points, island(cell), [0, 0]),
            Aim::Hinders { target, left, .. } => (15, one_of(target), less(left as u32)),
            Aim::Burns { cell, tiles } => (if tiles > 1 { 21 } else { 9 }, island(cell), [0, 0]),
            Aim::Prepares { points, sure, ways, .. } => {
                let possible = 12 + 10 * points + ways.min(3) as u32;
                let weight = if sure { 30 + 15 * points } else { possible };
                (weight, None, [points.into(), sure.into()])
            }
            Aim::Raises { points, sure, .. } => {
                let weight = 8 + 5 * points + 8 * u32::from(sure);
                (weight, None, [points.into(), sure.into()])
            }
            Aim::Forks { .. } => (50, None, [0, 0]),
            Aim::Grows { tiles, sure, .. } => {
                let weight = if tiles < 3 { 11 } else { 22 + 8 * u32::from(sure) };
                (weight, None, [tiles.into(), sure.into()])
            }
            Aim::Links { islands, points, .. } => {
                let later = points.map_or(0, |_| 8 + 4 * islands.min(5));
                (10 + later, None, more(points.unwrap_or(0)))
            }
            Aim::Reaches { islands, .. } => (8 + 2 * islands.min(3), None, more(islands)),
            Aim::Cuts { .. } => (9, None, [0, 0]),
            Aim::Crowds { cell, left } => (12 - left.min(5), island(cell), less(left)),
            Aim::Closes { count, left } => {
                let weight = if left <= super::SCARCE { 14 } else { 4 + 3 * count };
                (weight, None, more(count))
            }
            Aim::Tempo => (16, None, [0, 0]),
            Aim::Supply { .. } => (10, None, [0, 0]),
            Aim::Centre => (6, None, [0, 0]),
            Aim::Space { .. } => (0, None, [0, 0]),
            Aim::Waits { target, .. } => (5, one_of(target), [0, 0]),
            Aim::Allows { .. } => (5, None, [0, 0]),
        }
    }
}
