//! The features of a position: what the value is computed from.
//!
//! ```text
//!   own.points … own.joinable │ other.points … other.joinable │ bias, white, … │ guess …
//!   60 counts of SIDE         │ the same for the opponent     │ 16 of SHARED   │ 4 of LEADS
//! ```
//!
//! `own` is the side to move. The two sides have weights of their own, because it matters who moves
//! next: a cell that completes an island is worth more to the side that can take it now.
//!
//! Words in the names: an *exclusive* candidate is open to this colour only. A *bare* tile has no
//! bridge. A site *reaches* the cells that it joins to the colour's tiles. *Gain* is the points
//! that a bridge would add now. *Joinable* is what the colour would gain if all islands that can
//! still get a bridge became one network.
//!
//! Features are integers from -128 to 127, as the fits store them in bytes. Counts that can grow
//! large are capped, since a sum assumes that the twentieth of a kind is worth as much as the
//! first. The caps were chosen; a change needs a new fit.

use super::feature_table::feature_table;
use crate::board::Cells;
use crate::eval::views::{BridgeGains, ColorView, Views};
use crate::game::{Color, Position, Stage};

feature_table! {
    /// What is counted for each colour.
    const SIDE;
    /// The counts of `color`, whose view is `own`.
    fn side(
        position: &Position,
        color: Color,
        own: &ColorView,
        gains: &BridgeGains,
        other: &ColorView,
    ) -> [i32] {
        let n = |cells: Cells| cells.len() as i32;
        let score = position.score(color);
        let networks = own.island_networks(position);
        let completing = own.joining[3];
        let completions = completing.len();
        let (_, completion_gain) = own.completion_gains(position);
        // An unlimited supply is never scarce.
        let bridges_left = position.bridges_left().unwrap_or(u16::MAX);
        let exclusive = own.candidates - other.candidates;
        let [ones, twos, threes] = own.sizes;
        let growing = own.joining[1] | own.joining[2] | completing;
        let beside = growing.sides();
        let completed_beside = completing.sides();
        // Islands have four tiles each.
        let dead = n(own.dead_islands(position)) / 4;
        let live = i32::from(score.islands) - dead;
        // The points of one network of all islands that can still get a bridge.
        let live_points = live * (live + 1) / 2;
        let rims = edge_rims(position.geometry().board());
        // Where an open site from an island ends.
        let reached = own.to_islands[0];
        let reached_threes = threes & own.bare & reached;
        let squares = own.candidates.squares();
        // Away from all tiles of the colour: where another island could begin.
        let room = own.joining[0] - own.tiles.halo();
        let pairs = pairs_left(position, color, own) as i32;
    }
    "points" => i32::from(score.points),
    "islands" => i32::from(score.islands),
    "bridges" => i32::from(score.bridges),
    "network.largest" => networks.largest as i32,
    "network.second" => networks.second as i32,
    "network.count" => networks.count as i32,
    "network.alone" => networks.alone as i32,
    "islands.dead" => dead,
    "gain.any" => i32::from(gains.count > 0),
    "gain.count" => gains.count.min(6) as i32,
    "gain.sum" => gains.sum.min(24) as i32,
    "gain.best" => gains.best.min(12) as i32,
    "gain.safe" => gains.safe.min(12) as i32,
    "gain.scarce" => if bridges_left <= 3 { gains.best.min(12) as i32 } else { 0 },
    "complete.1" => i32::from(completions >= 1),
    "complete.2" => i32::from(completions >= 2),
    "complete.3" => completions.min(8).saturating_sub(2) as i32,
    "complete.only" => n(own.only_completions()),
    "complete.exclusive" => n(completing & exclusive),
    "complete.gain" => completion_gain.min(8) as i32,
    "joins.0" => n(own.joining[0]),
    "joins.1" => n(own.joining[1]),
    "joins.2" => n(own.joining[2]),
    "joins.0.exclusive" => n(own.joining[0] & exclusive),
    "joins.1.exclusive" => n(own.joining[1] & exclusive),
    "joins.2.exclusive" => n(own.joining[2] & exclusive),
    "groups.1" => n(ones),
    "groups.2" => n(twos) / 2,
    "groups.3" => n(threes) / 3,
    "groups.1.live" => n(ones & beside),
    "groups.2.live" => n(twos & beside),
    "groups.3.live" => n(threes & completed_beside),
    "bare.islands" => n(own.bare & own.islands),
    "bare.banks" => n(own.bare - own.islands),
    "bare.islands.reached" => n(own.bare & own.islands & reached),
    "buildable" => own.buildable.len().min(24) as i32,
    "buildable.islands" => own.buildable.within(own.islands).len().min(12) as i32,
    "reach.islands.1" => n(own.to_islands[0] & own.candidates),
    "reach.islands.2" => n(own.to_islands[1] & own.candidates),
    "reach.islands.exclusive" => n(own.to_islands[0] & exclusive),
    "reach.banks.1" => n(own.to_banks[0] & own.candidates),
    "reach.banks.2" => n(own.to_banks[1] & own.candidates),
    "squares" => n(squares),
    "squares.exclusive" => n(exclusive.squares()),
    "squares.open" => n(room.squares()),
    "land.open" => n(room),
    "land.exclusive" => n(exclusive),
    "land" => n(own.candidates),
    "pairs.least" => pairs.min(6),
    "pairs.none" => i32::from(pairs == 0),
    "gain.joined" => gains.joined.min(24) as i32,
    "gain.spare" => gains.spare.min(6) as i32,
    "threes.reached" => n(reached_threes),
    "twos.reached" => n(twos & own.bare & reached),
    "ones.reached" => n(ones & own.bare & reached),
    "complete.reached" => n(completing & (reached | reached_threes.sides())),
    "edge.tiles" => n(own.tiles & rims[0]),
    "edge.next" => n(own.tiles & rims[1]),
    "complete.contested" => n(completing & other.candidates),
    "joinable" => (live_points - i32::from(score.points)).clamp(-20, 40),
}

feature_table! {
    /// What concerns both colours, or the turn.
    const SHARED;
    /// The shared counts; `gain` is the best bridge gain of the side to move.
    fn shared(position: &Position, own: &ColorView, other: &ColorView, gain: i32) -> [i32] {
        let color = position.side();
        let bridges_left = position.bridges_left().unwrap_or(u16::MAX);
        let (own_score, other_score) = (position.score(color), position.score(!color));
        let lead = i32::from(own_score.points) - i32::from(other_score.points);
        let islands = i32::from(own_score.islands) - i32::from(other_score.islands);
        let bridges = i32::from(own_score.bridges) - i32::from(other_score.bridges);
        let is_level = i32::from(lead == 0);
        let pairs_of = |color, view: &ColorView| pairs_left(position, color, view) as i32;
        let (own_pairs, other_pairs) = (pairs_of(color, own), pairs_of(!color, other));
        let pairs_ahead = own_pairs - other_pairs;
        let exclusive = (own.candidates - other.candidates).len() as i32
            - (other.candidates - own.candidates).len() as i32;
        let buildable = |view: &ColorView| view.buildable.len().min(12) as i32;
        // White has passed, and Red moves for the last time.
        let is_last = position.stage() == Stage::Last;
    }
    "bias" => 1,
    "white" => i32::from(color == Color::White),
    "last" => i32::from(is_last),
    "last.gain" => if is_last { gain } else { 0 },
    "bridges.0" => i32::from(bridges_left == 0),
    "bridges.2" => i32::from(bridges_left <= 2),
    "bridges.5" => i32::from(bridges_left <= 5),
    "lead.sign" => lead.signum(),
    "lead.2" => lead.clamp(-2, 2),
    "lead.5" => lead.clamp(-5, 5),
    "lead.level.islands" => is_level * islands.signum(),
    "lead.level.bridges" => is_level * i32::from(islands == 0) * bridges.signum(),
    "tempo.pairs" => pairs_ahead.clamp(-6, 6),
    "tempo.exclusive" => exclusive.clamp(-12, 12),
    "tempo.bridges" => buildable(own) - buildable(other),
    "tempo.parity" => if own_pairs.min(other_pairs) <= 3 { pairs_ahead.signum() } else { 0 },
}

feature_table! {
    /// Inputs of the win rate besides the features: the expected lead, whole and clamped at three
    /// places. Close to the end it is nearly all that counts, and a lead of one point is as good as
    /// a lead of ten.
    const LEADS;
    /// These inputs, which follow the features once the expected lead is known.
    pub fn lead_inputs(lead: f32) -> [f32] {}
    "guess" => lead,
    "guess.1" => lead.clamp(-1.0, 1.0),
    "guess.3" => lead.clamp(-3.0, 3.0),
    "guess.8" => lead.clamp(-8.0, 8.0),
}

/// The number of features of a position.
pub const FEATURES: usize = 2 * SIDE.len() + SHARED.len();

/// The number of inputs of the win rate: features, then `LEADS`.
pub const INPUTS: usize = FEATURES + LEADS.len();

/// Features of a position from the view of the side to move: integers from -128 to 127.
pub(crate) type Features = [f32; FEATURES];

/// The names of all inputs, in order.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let side = |whose: &'static str| SIDE.iter().map(move |name| format!("{whose}.{name}"));
    let shared = SHARED.iter().chain(&LEADS).map(|&name| name.to_owned());
    side("own").chain(side("other")).chain(shared)
}

/// The features of a position whose game is not over.
#[inline(always)]
pub fn features(position: &Position) -> Features {
    let color = position.side();
    let Views { own, other, own_gains, other_gains } = Views::new(position);
    let own_counts = side(position, color, &own, &own_gains, &other);
    let other_counts = side(position, !color, &other, &other_gains, &own);
    let shared = shared(position, &own, &other, own_gains.best as i32);
    let mut features = [0.0; FEATURES];
    let (own_half, rest) = features.split_at_mut(SIDE.len());
    let (other_half, both) = rest.split_at_mut(SIDE.len());
    store_counts(&own_counts, own_half);
    store_counts(&other_counts, other_half);
    store_counts(&shared, both);
    features
}

#[inline(always)]
fn store_counts(counts: &[i32], features: &mut [f32]) {
    for (feature, &count) in features.iter_mut().zip(counts) {
        *feature = count.clamp(-128, 127) as f32;
    }
}

/// The cells at the edge of `board` and those next to them.
#[inline(always)]
fn edge_rims(board: Cells) -> [Cells; 2] {
    let inner = board.inner();
    [board - inner, inner - inner.inner()]
}

/// An upper bound on the number of turns in which `color` can still place tiles: each takes two
/// cells, and usually closes others. The side that runs out first has to build or pass.
#[inline(always)]
fn pairs_left(position: &Position, color: Color, own: &ColorView) -> u32 {
    let tiles = position.tiles_left(color).map_or(u32::MAX, u32::from);
    own.candidates.len().min(tiles) / 2
}
