//! What a turn does, in the words of the designer's advice: the position before
//! the turn is compared with the position after it.

use std::fmt;
use std::str::FromStr;

use crate::board::{Cells, Site};
use crate::eval::{self, bridge_gains};
use crate::game::{Color, Move, Position};

/// What the right turns of a position do. A turn that does several things
/// belongs to the first of them in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theme {
    /// A bridge when at most two are left in the supply.
    Supply,
    /// A bridge that gains no point and prevents something: an island the
    /// opponent could complete, a bridge between their networks, or that one of
    /// their sandbanks can still become an island.
    Block,
    /// A pass, or a bridge that gains no point and prevents nothing: the
    /// opponent must use up a pair of tiles.
    Tempo,
    /// A bridge that joins networks.
    Connect,
    /// Tiles after which at least two bridges would join networks, at least one
    /// of them new.
    Fork,
    /// Tiles that complete an island and prevent something as in `Block`.
    Both,
    /// A tile under a knight's-jump bridge that would join two of the opponent's
    /// networks.
    Cut,
    /// A tile where the opponent could have completed an island.
    Deny,
    /// Tiles after which one of the opponent's sandbanks can no longer become an
    /// island: burned land.
    Burn,
    /// Tiles that complete an island.
    Complete,
    /// Tiles after which one bridge would join networks, where none could before.
    Prepare,
    /// Tiles on two cells that the opponent could have used.
    Space,
    /// None of these.
    Quiet,
}

const WORDS: [(Theme, &str); 13] = [
    (Theme::Supply, "supply"),
    (Theme::Block, "block"),
    (Theme::Tempo, "tempo"),
    (Theme::Connect, "connect"),
    (Theme::Fork, "fork"),
    (Theme::Both, "both"),
    (Theme::Cut, "cut"),
    (Theme::Deny, "deny"),
    (Theme::Burn, "burn"),
    (Theme::Complete, "complete"),
    (Theme::Prepare, "prepare"),
    (Theme::Space, "space"),
    (Theme::Quiet, "quiet"),
];

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(theme, _)| theme == self).map_or("", |(_, word)| word);
        f.pad(word)
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Theme, String> {
        let found = WORDS.iter().find(|(_, word)| *word == text);
        found.map(|(theme, _)| *theme).ok_or_else(|| text.to_owned())
    }
}

/// The effects of a turn.
#[derive(Debug)]
struct Effects {
    /// The points gained.
    points: u16,
    completes: bool,
    /// The cells where the opponent can no longer complete an island.
    denied: Cells,
    /// The opponent's joining bridges that are no longer possible.
    cut: Vec<Site>,
    /// The number of the opponent's sandbanks that can no longer become islands.
    burned: usize,
    /// The number of joining bridges after the turn.
    joins: usize,
    /// Whether one of them is new.
    prepares: bool,
    /// How many of its tiles lie on cells that the opponent could have used.
    taken: u32,
}

impl Theme {
    /// The theme of a legal turn.
    pub fn of(position: &Position, mv: Move) -> Theme {
        let effects = Effects::of(position, mv);
        let stops = !effects.denied.is_empty() || effects.burned > 0 || !effects.cut.is_empty();
        if mv == Move::Pass {
            return Theme::Tempo;
        }
        if matches!(mv, Move::Bridge(..)) {
            return match effects.points {
                _ if position.bridges_left().is_some_and(|left| left <= 2) => Theme::Supply,
                0 if stops => Theme::Block,
                0 => Theme::Tempo,
                _ => Theme::Connect,
            };
        }
        let is_knights_jump = |site: &Site| site.span().len() == 2;
        match () {
            () if effects.prepares && effects.joins >= 2 => Theme::Fork,
            () if effects.completes && stops => Theme::Both,
            () if effects.cut.iter().any(is_knights_jump) => Theme::Cut,
            () if !effects.denied.is_empty() => Theme::Deny,
            () if effects.burned > 0 => Theme::Burn,
            () if effects.completes => Theme::Complete,
            () if effects.prepares => Theme::Prepare,
            () if effects.taken == 2 => Theme::Space,
            () => Theme::Quiet,
        }
    }
}

impl Effects {
    fn of(position: &Position, mv: Move) -> Effects {
        let (me, other) = (position.side(), !position.side());
        let mut after = *position;
        let _ = after.play(mv);
        // The opponent's groups themselves do not change.
        let hopeful = hopeful_groups(position, other);
        let still = hopeful_groups(&after, other);
        let (before, now) = (joining_sites(position, me), joining_sites(&after, me));
        let new = after.tiles(me) - position.tiles(me);
        let theirs = joining_sites(position, other).into_iter();
        let buildable = after.buildable(other);
        Effects {
            points: after.score(me).points - position.score(me).points,
            completes: after.score(me).islands > position.score(me).islands,
            denied: position.completing(other) - after.candidates(other),
            cut: theirs.filter(|&site| !buildable.contains(site)).collect(),
            burned: hopeful.iter().filter(|group| !still.contains(group)).count(),
            joins: now.len(),
            prepares: now.iter().any(|site| !before.contains(site)),
            taken: (new & position.candidates(other)).len(),
        }
    }
}

/// The bridges that `color` could build now and that would gain points.
pub fn joining_sites(position: &Position, color: Color) -> Vec<Site> {
    bridge_gains(position, color).into_iter().map(|(site, _)| site).collect()
}

/// The sandbanks of two and three tiles of `color` that can still become
/// islands.
fn hopeful_groups(position: &Position, color: Color) -> Vec<Cells> {
    let mut groups = eval::hopeful_groups(position, color);
    groups.retain(|group| group.len() > 1);
    groups
}
