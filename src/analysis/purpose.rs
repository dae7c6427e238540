//! What a move does by the rules alone, for hints and reviews in words.

use serde_json::{Value, json};

use crate::board::{Cell, Cells, Site};
use crate::eval::bridge_gains;
use crate::game::{Color, Move, Position};

/// One thing that a move does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It completes islands.
    Completes {
        /// The number of islands.
        count: usize,
        /// Their cells.
        cells: Vec<Cell>,
    },
    /// It joins networks, or adds islands to one: more points than the islands
    /// have alone.
    Joins {
        /// The points gained by joining.
        points: u32,
    },
    /// It stops a bridge of the opponent that joins two networks.
    Stops {
        /// The bridge.
        bridge: Site,
        /// The points that the bridge is worth to the opponent.
        points: u32,
    },
    /// It makes a bridge possible that joins two networks, or worth more.
    Prepares {
        /// The bridge.
        bridge: Site,
        /// The points that the bridge is worth.
        points: u32,
    },
    /// It denies the opponent the last cell of an island.
    Denies {
        /// The cell.
        cell: Cell,
    },
    /// It connects groups without a gain in points yet.
    Links,
    /// It takes space.
    Space,
    /// It exchanges the colours.
    Swap,
    /// It passes.
    Pass,
}

impl Purpose {
    /// An object with `code`, the variant in lower case, and its fields.
    pub fn to_json(&self) -> Value {
        match self {
            Purpose::Completes { count, cells } => {
                let cells: Vec<String> = cells.iter().map(Cell::to_string).collect();
                json!({"code": "completes", "count": count, "cells": cells})
            }
            Purpose::Joins { points } => json!({"code": "joins", "points": points}),
            Purpose::Stops { bridge, points } => {
                json!({"code": "stops", "bridge": bridge.to_string(), "points": points})
            }
            Purpose::Prepares { bridge, points } => {
                json!({"code": "prepares", "bridge": bridge.to_string(), "points": points})
            }
            Purpose::Denies { cell } => json!({"code": "denies", "cell": cell.to_string()}),
            Purpose::Links => json!({"code": "links"}),
            Purpose::Space => json!({"code": "space"}),
            Purpose::Swap => json!({"code": "swap"}),
            Purpose::Pass => json!({"code": "pass"}),
        }
    }
}

/// What the legal move `mv` does in `position`, the most important first; at
/// least one purpose.
///
/// ```
/// use pontifex::analysis::{Purpose, purposes};
/// use pontifex::game::{Rules, Setup};
///
/// let text = "6/6/6/6/6/ww4 w - -";
/// let position = Setup::parse(text, Rules::default().supply, false)?.validate()?;
/// let found = purposes(&position, "c1,d1".parse()?);
/// assert!(matches!(found[0], Purpose::Completes { count: 1, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn purposes(position: &Position, mv: Move) -> Vec<Purpose> {
    match mv {
        Move::Swap => return vec![Purpose::Swap],
        Move::Pass => return vec![Purpose::Pass],
        Move::Tiles(..) | Move::Bridge(..) => {}
    }
    let mut after = *position;
    if after.play(mv).is_err() {
        return Vec::new();
    }
    let (own, foe) = (position.side(), !position.side());
    let mut found = Vec::new();
    let cells = after.islands(own) - position.islands(own);
    let count = cells.len() as usize / 4;
    if count > 0 {
        found.push(Purpose::Completes { count, cells: cells.into_iter().collect() });
    }
    let gain = u32::from(after.score(own).points).saturating_sub(position.score(own).points.into());
    let points = gain.saturating_sub(count as u32);
    if points > 0 {
        found.push(Purpose::Joins { points });
    }
    let stopped = best_lost(position, &after, foe);
    found.extend(stopped.map(|(bridge, points)| Purpose::Stops { bridge, points }));
    let prepared = best_lost(&after, position, own);
    found.extend(prepared.map(|(bridge, points)| Purpose::Prepares { bridge, points }));
    let denied = denied(position, &after, foe);
    found.extend(denied.map(|cell| Purpose::Denies { cell }));
    if found.is_empty() {
        found.push(if matches!(mv, Move::Bridge(..)) { Purpose::Links } else { Purpose::Space });
    }
    found
}

/// The most valuable bridge that `color` could build in `one` position and that
/// is impossible or worth less in the `other`, with its points.
fn best_lost(one: &Position, other: &Position, color: Color) -> Option<(Site, u32)> {
    let still = bridge_gains(other, color);
    let is_kept =
        |(site, points): (Site, u16)| still.iter().any(|&(s, p)| s == site && p >= points);
    let lost = bridge_gains(one, color).into_iter().filter(|&gain| !is_kept(gain));
    let best = lost.max_by_key(|(site, points)| (*points, std::cmp::Reverse(site.ends())));
    best.map(|(site, points)| (site, points.into()))
}

/// A cell on which `color` can no longer complete an island.
fn denied(before: &Position, after: &Position, color: Color) -> Option<Cell> {
    let lost: Cells = before.completing(color) - after.completing(color);
    lost.first()
}
