//! Why a move is better than another one.

use crate::eval::hopeful_groups;
use crate::game::{Move, Position};

use super::aim::Aim;
use super::gains::{Gain, Way, gains};
use super::{Part, Purpose, WORTH_TELLING, all_purposes, selected};

/// An answer of the opponent that weighs less is not worth telling.
const ALARMING: u32 = 30;

/// Why `best` is better than `played`: what it does and `played` does not. If
/// that is nothing or little, what `played` allows the opponent: `reply` is the
/// opponent's best answer to it. Empty if the rules show no difference.
pub fn reasons(position: &Position, played: Move, best: Move, reply: Option<Move>) -> Vec<Purpose> {
    let others = all_purposes(position, played);
    let is_matched =
        |purpose: &Purpose| others.iter().any(|other| is_as_good(&purpose.aim, &other.aim));
    let mut own = all_purposes(position, best);
    own.retain(|purpose| !is_matched(purpose) && !matches!(purpose.aim, Aim::Space { .. }));
    let found = selected(own, best);
    let is_only_waiting = found.iter().all(|purpose| matches!(purpose.aim, Aim::Waits { .. }));
    let weight = found.iter().map(|purpose| purpose.aim.weight()).max().unwrap_or(0);
    if !is_only_waiting && weight >= WORTH_TELLING {
        return found;
    }
    let allowed = reply.and_then(|reply| allowed(position, played, best, reply));
    match allowed {
        Some((danger, aim)) if is_only_waiting || danger >= ALARMING => {
            let allows = Purpose { player: position.side(), part: Part::Turn(played), aim };
            std::iter::once(allows).chain(found).take(super::MOST).collect()
        }
        _ if is_only_waiting => Vec::new(),
        _ => found,
    }
}

/// What `reply` does after `played` and would not do after `best`, with its
/// weight; no gain at once that the opponent then has elsewhere.
fn allowed(position: &Position, played: Move, best: Move, reply: Move) -> Option<(u32, Aim)> {
    let after = |mv: Move| {
        let mut after = *position;
        after.play(mv).ok().map(|()| after)
    };
    let (bad, good) = (after(played)?, after(best)?);
    if bad.side() != good.side() {
        // One of the moves is a swap.
        return None;
    }
    let still = all_purposes(&good, reply);
    let is_new = |purpose: &Purpose| {
        let is_kept = still.iter().any(|other| is_as_good(&purpose.aim, &other.aim));
        purpose.aim.weight() >= WORTH_TELLING && !is_kept && !is_gain_of(&purpose.aim, &good)
    };
    let purpose = all_purposes(&bad, reply).into_iter().find(is_new)?;
    let weight = purpose.aim.weight();
    Some((weight, Aim::Allows { reply, purpose: Box::new(purpose) }))
}

/// Whether the side to move can gain at once what an aim gains: with a bridge, a
/// fourth tile, or two tiles beside a sandbank of two.
fn is_gain_of(aim: &Aim, position: &Position) -> bool {
    let gains = gains(position);
    let is_island = |gain: &Gain| matches!(gain.by, Way::Island { .. });
    match aim {
        Aim::Completes { .. } => {
            let groups = hopeful_groups(position, position.side());
            gains.iter().any(is_island) || groups.iter().any(|group| group.len() > 1)
        }
        Aim::Joins { points, .. } => gains.iter().any(|gain| gain.points >= *points),
        _ => false,
    }
}

/// Whether `other` makes what `aim` does no difference: it does the same, or
/// more of it.
pub(super) fn is_as_good(aim: &Aim, other: &Aim) -> bool {
    match (aim, other) {
        (Aim::Completes { cells: own, urgent }, Aim::Completes { cells, urgent: also }) => {
            cells.len() >= own.len() && *also >= *urgent
        }
        (Aim::Joins { points: own, urgent, .. }, Aim::Joins { points, urgent: also, .. }) => {
            points >= own && also >= urgent
        }
        (Aim::Stops { bridge: own, .. }, Aim::Stops { bridge, .. }) => bridge == own,
        (Aim::Denies { cell: own, .. }, Aim::Denies { cell, .. })
        | (Aim::Burns { cell: own, .. }, Aim::Burns { cell, .. }) => cell == own,
        (Aim::Hinders { target: own, left: most }, Aim::Hinders { target, left }) => {
            target == own && left <= most
        }
        (Aim::Prepares { points: own, sure, .. }, Aim::Prepares { points, sure: also, .. }) => {
            points >= own && also >= sure
        }
        (
            Aim::Raises { points: own, sure, .. },
            Aim::Raises { points, sure: also, .. } | Aim::Prepares { points, sure: also, .. },
        ) => points >= own && also >= sure,
        (Aim::Grows { tiles: own, sure, .. }, Aim::Grows { tiles, sure: also, .. }) => {
            tiles >= own && also >= sure
        }
        (Aim::Links { points: own, .. }, Aim::Links { points, .. }) => points >= own,
        (Aim::Reaches { islands: own, .. }, Aim::Reaches { islands, .. }) => islands >= own,
        (Aim::Crowds { cell: own, left: most }, Aim::Crowds { cell, left }) => {
            cell == own && left <= most
        }
        (Aim::Closes { count: own, .. }, Aim::Closes { count, .. }) => count >= own,
        (Aim::Waits { target: own, .. }, Aim::Waits { target, .. }) => target == own,
        _ => aim.code() == other.code(),
    }
}
