//! What a turn does, in the words of the designer's advice, told from the
//! position before it and after it.

use std::fmt;
use std::str::FromStr;

use pontifex::board::{Cell, Cells, Site};
use pontifex::game::{Color, Move, Position};

/// What a position is about: what each of its right turns does. A turn that
/// does several things is about the first of them in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Theme {
    /// A bridge from the last two of the supply.
    Supply,
    /// A bridge that brings no point and stops something of the opponent's:
    /// the cell that would complete an island, a bridge between his networks,
    /// a sandbank's hope of becoming an island.
    Block,
    /// A bridge that brings no point and stops nothing of the kind, or a
    /// pass: it leaves the other to spend a pair.
    Tempo,
    /// A bridge that joins networks, before it is too late.
    Connect,
    /// Tiles after which two bridges would join networks or more, one of them
    /// at least new.
    Fork,
    /// Tiles that complete an island and stop something of the opponent's.
    Both,
    /// A tile under a knight's jump that would join two of the opponent's
    /// networks.
    Cut,
    /// A tile where the opponent would have completed an island.
    Deny,
    /// Tiles that leave one of the opponent's sandbanks without hope: burned
    /// land.
    Burn,
    /// Tiles that complete an island.
    Complete,
    /// Tiles after which one bridge would join networks, and none did before.
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

/// What `mv` does in `position`.
#[derive(Debug)]
struct Deeds {
    /// The points it brings.
    points: u16,
    completes: bool,
    /// The cells where the opponent cannot complete an island any more.
    denied: Cells,
    /// The opponent's joining bridges that it made impossible.
    cut: Vec<Site>,
    /// The opponent's sandbanks that it left without hope.
    burned: usize,
    /// The joining bridges after it, and whether it made one possible.
    joins: usize,
    prepares: bool,
    /// Of its tiles, how many lie where the opponent could have laid his.
    taken: u32,
}

impl Theme {
    /// The theme of a turn.
    pub(crate) fn of(position: &Position, mv: Move) -> Theme {
        let deeds = Deeds::of(position, mv);
        let stops = !deeds.denied.is_empty() || deeds.burned > 0 || !deeds.cut.is_empty();
        if mv == Move::Pass {
            return Theme::Tempo;
        }
        if matches!(mv, Move::Bridge(..)) {
            return match deeds.points {
                _ if position.bridges_left().is_some_and(|left| left <= 2) => Theme::Supply,
                0 if stops => Theme::Block,
                0 => Theme::Tempo,
                _ => Theme::Connect,
            };
        }
        let is_knights_jump = |site: &Site| site.span().len() == 2;
        match () {
            () if deeds.prepares && deeds.joins >= 2 => Theme::Fork,
            () if deeds.completes && stops => Theme::Both,
            () if deeds.cut.iter().any(is_knights_jump) => Theme::Cut,
            () if !deeds.denied.is_empty() => Theme::Deny,
            () if deeds.burned > 0 => Theme::Burn,
            () if deeds.completes => Theme::Complete,
            () if deeds.prepares => Theme::Prepare,
            () if deeds.taken == 2 => Theme::Space,
            () => Theme::Quiet,
        }
    }
}

impl Deeds {
    fn of(position: &Position, mv: Move) -> Deeds {
        let (me, other) = (position.side(), !position.side());
        let mut after = *position;
        after.play(mv).expect("a legal turn");
        let hopeful = hopeful_groups(position, other);
        let still = hopeful_groups(&after, other);
        // Groups do not change in the opponent's turn, only their hopes.
        let (before, now) = (joining_sites(position, me), joining_sites(&after, me));
        let new = after.tiles(me) - position.tiles(me);
        let theirs = joining_sites(position, other).into_iter();
        let buildable = after.buildable(other);
        Deeds {
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

/// The bridges that `color` could build with the tiles he has and that would
/// bring him points.
pub(crate) fn joining_sites(position: &Position, color: Color) -> Vec<Site> {
    if position.bridges_left() == Some(0) {
        return Vec::new();
    }
    let joins = |site: &Site| {
        let [a, b] = site.ends();
        position.network(a) != position.network(b)
            && position.network_islands(a) > 0
            && position.network_islands(b) > 0
    };
    position.buildable(color).iter().filter(joins).collect()
}

/// The sandbanks of two and three tiles of `color` that may yet become
/// islands.
fn hopeful_groups(position: &Position, color: Color) -> Vec<Cells> {
    let mut rest = position.tiles(color) - position.islands(color);
    let mut groups = Vec::new();
    while let Some(cell) = rest.first() {
        let group = rest.flood(Cells::from(cell));
        rest -= group;
        if group.len() > 1 && may_be_island(position, color, group) {
            groups.push(group);
        }
    }
    groups
}

/// Whether four cells with `shape` among them may become an island: of tiles
/// and candidates of `color`, with no other tile of his around.
fn may_be_island(position: &Position, color: Color, shape: Cells) -> bool {
    let tiles = position.tiles(color);
    if shape.len() == 4 {
        return ((shape.halo() - shape) & tiles).is_empty();
    }
    let open = tiles | position.candidates(color);
    let next = (shape.sides() & open) - shape;
    next.into_iter().any(|cell: Cell| may_be_island(position, color, shape.with(cell)))
}
