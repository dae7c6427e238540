//! The features of a position.

use crate::board::Cells;
use crate::eval::view::{Gains, Sight, View};
use crate::game::{Color, Position, Stage};

/// What is counted for either colour, in the order of [`side`].
const SIDE: [&str; 60] = [
    "points",
    "islands",
    "bridges",
    "network.largest",
    "network.second",
    "network.count",
    "network.alone",
    "islands.dead",
    "gain.any",
    "gain.count",
    "gain.sum",
    "gain.best",
    "gain.safe",
    "gain.scarce",
    "complete.1",
    "complete.2",
    "complete.3",
    "complete.only",
    "complete.exclusive",
    "complete.gain",
    "joins.0",
    "joins.1",
    "joins.2",
    "joins.0.exclusive",
    "joins.1.exclusive",
    "joins.2.exclusive",
    "groups.1",
    "groups.2",
    "groups.3",
    "groups.1.live",
    "groups.2.live",
    "groups.3.live",
    "bare.islands",
    "bare.banks",
    "bare.islands.reached",
    "buildable",
    "buildable.islands",
    "reach.islands.1",
    "reach.islands.2",
    "reach.islands.exclusive",
    "reach.banks.1",
    "reach.banks.2",
    "squares",
    "squares.exclusive",
    "squares.open",
    "land.open",
    "land.exclusive",
    "land",
    "pairs.least",
    "pairs.none",
    "gain.joined",
    "gain.spare",
    "threes.reached",
    "twos.reached",
    "ones.reached",
    "complete.reached",
    "edge.tiles",
    "edge.next",
    "complete.contested",
    "joinable",
];

/// What is true of both or of the turn, in the order of [`features`].
const SHARED: [&str; 16] = [
    "bias",
    "white",
    "last",
    "last.gain",
    "bridges.0",
    "bridges.2",
    "bridges.5",
    "lead.sign",
    "lead.2",
    "lead.5",
    "lead.level.islands",
    "lead.level.bridges",
    "tempo.pairs",
    "tempo.exclusive",
    "tempo.bridges",
    "tempo.parity",
];

/// What the result is foreseen by beside the features: the lead that is
/// expected, whole and cut off in three places. Close to the end it is nearly
/// all that counts, and one point is as good as ten.
const GUESSES: [&str; 4] = ["guess", "guess.1", "guess.3", "guess.8"];

/// How many features there are.
pub(crate) const FEATURES: usize = 2 * SIDE.len() + SHARED.len();

/// How many numbers the result is foreseen by.
pub(crate) const INPUTS: usize = FEATURES + GUESSES.len();

/// What is added to the features when the expected lead is known.
#[inline(always)]
pub(crate) fn guesses(lead: f32) -> [f32; GUESSES.len()] {
    [lead, lead.clamp(-1.0, 1.0), lead.clamp(-3.0, 3.0), lead.clamp(-8.0, 8.0)]
}

/// The features of a position, from the side of the mover: small integers.
pub(crate) type Features = [f32; FEATURES];

/// What the features and guesses are called, in their order.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let side = |whose: &'static str| SIDE.iter().map(move |name| format!("{whose}.{name}"));
    let shared = SHARED.iter().chain(&GUESSES).map(|&name| name.to_owned());
    side("own").chain(side("other")).chain(shared)
}

/// The features of a position whose game is not over.
#[inline(always)]
pub(crate) fn features(position: &Position) -> Features {
    let mut features = [0.0; FEATURES];
    for (feature, count) in features.iter_mut().zip(counts(position, &Sight::new(position)).0) {
        *feature = f32::from(count);
    }
    features
}

/// The features as they are counted, and the islands of the mover and of the
/// other that will never be bridged to more.
#[inline(always)]
pub(in crate::eval) fn counts(position: &Position, sight: &Sight) -> ([i8; FEATURES], [Cells; 2]) {
    let color = position.side();
    let Sight { own, other, own_gains, other_gains } = sight;
    let (own_counts, own_dead) = side(position, color, own, own_gains, other);
    let (other_counts, other_dead) = side(position, !color, other, other_gains, own);
    let shared = shared(position, own, other, own_gains.best as i32);
    let mut counts = [0; FEATURES];
    let (own_half, rest) = counts.split_at_mut(SIDE.len());
    let (other_half, both) = rest.split_at_mut(SIDE.len());
    narrow(&own_counts, own_half);
    narrow(&other_counts, other_half);
    narrow(&shared, both);
    (counts, [own_dead, other_dead])
}

#[inline(always)]
fn narrow(counts: &[i32], to: &mut [i8]) {
    for (to, &count) in to.iter_mut().zip(counts) {
        *to = count.clamp(-128, 127) as i8;
    }
}

/// What is counted for one colour, and its islands that will never be bridged
/// to more.
#[inline(always)]
fn side(
    position: &Position,
    color: Color,
    own: &View,
    gains: &Gains,
    other: &View,
) -> ([i32; SIDE.len()], Cells) {
    let n = |cells: Cells| cells.len() as i32;
    let score = position.score(color);
    let networks = own.networks(position);
    let completing = own.joining[3];
    let completions = completing.len();
    let (_, completion_gain) = own.completion_gains(position);
    let left = position.bridges_left().unwrap_or(u16::MAX);
    let exclusive = own.candidates - other.candidates;
    let [ones, twos, threes] = own.sizes;
    let growing = own.joining[1] | own.joining[2] | completing;
    let beside = growing.sides();
    let completed_beside = completing.sides();
    let dead_islands = own.dead_islands(position);
    let dead = n(dead_islands) / 4;
    let live = i32::from(score.islands) - dead;
    let rims = rims(position.geometry().board());
    let live_islands = own.bare & own.islands & reached(own);
    let squares = own.candidates.squares();
    let room = own.joining[0] - own.tiles.halo();
    let counts = [
        i32::from(score.points),
        i32::from(score.islands),
        i32::from(score.bridges),
        networks.largest as i32,
        networks.second as i32,
        networks.networks as i32,
        networks.alone as i32,
        dead,
        i32::from(gains.count > 0),
        gains.count.min(6) as i32,
        gains.sum.min(24) as i32,
        gains.best.min(12) as i32,
        gains.safe.min(12) as i32,
        if left <= 3 { gains.best.min(12) as i32 } else { 0 },
        i32::from(completions >= 1),
        i32::from(completions >= 2),
        completions.min(8).saturating_sub(2) as i32,
        n(own.only_completions()),
        n(completing & exclusive),
        completion_gain.min(8) as i32,
        n(own.joining[0]),
        n(own.joining[1]),
        n(own.joining[2]),
        n(own.joining[0] & exclusive),
        n(own.joining[1] & exclusive),
        n(own.joining[2] & exclusive),
        n(ones),
        n(twos) / 2,
        n(threes) / 3,
        n(ones & beside),
        n(twos & beside),
        n(threes & completed_beside),
        n(own.bare & own.islands),
        n(own.bare - own.islands),
        n(live_islands),
        own.buildable.len().min(24) as i32,
        own.buildable.within(own.islands).len().min(12) as i32,
        n(own.to_islands[0] & own.candidates),
        n(own.to_islands[1] & own.candidates),
        n(own.to_islands[0] & exclusive),
        n(own.to_banks[0] & own.candidates),
        n(own.to_banks[1] & own.candidates),
        n(squares),
        n(exclusive.squares()),
        n(room.squares()),
        n(room),
        n(exclusive),
        n(own.candidates),
        (pairs(position, color, own) as i32).min(6),
        i32::from(pairs(position, color, own) == 0),
        gains.joined.min(24) as i32,
        gains.spare.min(6) as i32,
        n(threes & own.bare & own.to_islands[0]),
        n(twos & own.bare & own.to_islands[0]),
        n(ones & own.bare & own.to_islands[0]),
        n(completing & (own.to_islands[0] | (threes & own.bare & own.to_islands[0]).sides())),
        n(own.tiles & rims[0]),
        n(own.tiles & rims[1]),
        n(completing & other.candidates),
        (live * (live + 1) / 2 - i32::from(score.points)).clamp(-20, 40),
    ];
    (counts, dead_islands)
}

/// Where an open site from one of the islands ends.
#[inline(always)]
fn reached(own: &View) -> Cells {
    own.to_islands[0]
}

/// The cells at the edge of `board` and those next to them.
#[inline(always)]
fn rims(board: Cells) -> [Cells; 2] {
    let inner = board.inner();
    [board - inner, inner - inner.inner()]
}

/// About how many more turns the colour can lay tiles.
#[inline(always)]
fn pairs(position: &Position, color: Color, own: &View) -> u32 {
    let tiles = position.tiles_left(color).map_or(u32::MAX, u32::from);
    own.candidates.len().min(tiles) / 2
}

#[inline(always)]
fn shared(position: &Position, own: &View, other: &View, gain: i32) -> [i32; SHARED.len()] {
    let color = position.side();
    let left = position.bridges_left().unwrap_or(u16::MAX);
    let (own_score, other_score) = (position.score(color), position.score(!color));
    let lead = i32::from(own_score.points) - i32::from(other_score.points);
    let islands = i32::from(own_score.islands) - i32::from(other_score.islands);
    let bridges = i32::from(own_score.bridges) - i32::from(other_score.bridges);
    let level = i32::from(lead == 0);
    let pairs_of = |color, view: &View| pairs(position, color, view) as i32;
    let (own_pairs, other_pairs) = (pairs_of(color, own), pairs_of(!color, other));
    let exclusive = (own.candidates - other.candidates).len() as i32
        - (other.candidates - own.candidates).len() as i32;
    let buildable = own.buildable.len().min(12) as i32 - other.buildable.len().min(12) as i32;
    let is_last = position.stage() == Stage::Last;
    [
        1,
        i32::from(color == Color::White),
        i32::from(is_last),
        if is_last { gain } else { 0 },
        i32::from(left == 0),
        i32::from(left <= 2),
        i32::from(left <= 5),
        lead.signum(),
        lead.clamp(-2, 2),
        lead.clamp(-5, 5),
        level * islands.signum(),
        level * i32::from(islands == 0) * bridges.signum(),
        (own_pairs - other_pairs).clamp(-6, 6),
        exclusive.clamp(-12, 12),
        buildable,
        if own_pairs.min(other_pairs) <= 3 { (own_pairs - other_pairs).signum() } else { 0 },
    ]
}

/// How full the board is, in steps from [`super::PHASES`] - 1 for a board
/// with room everywhere down to 0 for one where nobody can lay a tile.
#[inline(always)]
pub(crate) fn phase(position: &Position) -> usize {
    let candidates = Color::BOTH.map(|color| position.candidates(color));
    let mut room = (candidates[0] | candidates[1]).len();
    if let (Some(a), Some(b)) = (position.tiles_left(Color::White), position.tiles_left(Color::Red))
    {
        room = room.min(u32::from(a) + u32::from(b));
    }
    let size = u32::from(position.size().get());
    room as usize * (super::PHASES - 1) / (size * size) as usize
}
