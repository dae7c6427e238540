//! What a move does, by the rules alone: for hints and reviews in words.
//!
//! A search says that a move is good, not why. The reasons here are facts of the rules instead:
//! each [`Purpose`] is a claim about the position before and after the move that anybody can check
//! on the board, such as "it completes an island" or "no answer can stop the bridge". No search is
//! involved, so a reason is never a guess. But a good move may have no reason at all, if its point
//! lies many turns ahead.
//!
//! ```text
//!  position, move ──gains──► what both sides could gain in one turn, before and after
//!                 ──local──► what lies around the tiles and the bridge
//!                 ──aim────► how much each counts; the heaviest few are shown
//! ```
//!
//! `gains` compares what is possible, certain or stopped, in the sense of [`Aim`], by trying the
//! opponent's answers. `local` looks at neighbours only. A claim about "every answer" must hold for
//! every legal turn: `tests/suite/reasons.rs` tries them all.

mod aim;
mod gains;
mod local;

use std::fmt;
use std::mem::discriminant;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use aim::{Aim, Target};

use crate::board::Cell;
use crate::game::{Color, Move, Position, Step};
use crate::notation::ParseMoveError;
use gains::Change;

/// The maximum number of purposes shown for a move. Set by judgement: three sentences fit beside
/// the board on a phone.
const MAX_PURPOSES: usize = 3;

/// The minimum weights of a third and of a second purpose: roughly two points, and nearly one. Set
/// by judgement: with lower values hints would add space and closed cells to what matters.
const WORTH_TELLING: u32 = 20;
const WORTH_ADDING: u32 = 8;

/// An answer of the opponent that weighs less is not worth telling: roughly three points.
const ALARMING: u32 = 30;

/// With at most this number of cells open to a colour, the loss of one is worth a sentence. Set by
/// judgement: they last for six turns of tiles.
const SCARCE: u32 = 12;

/// One thing that a move does. In JSON an object with `player`, `by`, `code` and the fields of the
/// aim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Purpose {
    /// The side that moves.
    pub player: Color,
    /// The part of the move that serves the purpose.
    #[serde(rename = "by")]
    pub part: Part,
    /// What the part of the move does.
    #[serde(flatten)]
    pub aim: Aim,
}

/// A part of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// One of two tiles.
    Tile(Cell),
    /// The whole move.
    Turn(Move),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Tile(cell) => cell.fmt(f),
            Part::Turn(mv) => mv.fmt(f),
        }
    }
}

impl FromStr for Part {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Part, ParseMoveError> {
        text.parse().map(Part::Tile).or_else(|_| text.parse().map(Part::Turn))
    }
}

text_in_json!(Part);

/// What the legal move `mv` does in `position`, the most important first: at most three purposes,
/// none if there is nothing to say. If each of two tiles does something, both are named.
///
/// ```
/// use pontifex::analysis::{Aim, purposes};
/// use pontifex::game::{Rules, Setup};
///
/// let text = "6/6/6/6/6/ww4 w - -";
/// let position = Setup::parse(text, Rules::default().supply, false)?.validate()?;
/// let found = purposes(&position, "c1,d1".parse()?);
/// assert!(matches!(&found[0].aim, Aim::Completes { cells, .. } if cells.len() == 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn purposes(position: &Position, mv: Move) -> Vec<Purpose> {
    select_purposes(all_purposes(position, mv), mv)
}

/// Everything that a legal move does, the most important first.
fn all_purposes(position: &Position, mv: Move) -> Vec<Purpose> {
    let player = position.side();
    let purpose = |part: Part, aim: Aim| Purpose { player, part, aim };
    let whole = |aim: Aim| purpose(Part::Turn(mv), aim);
    let Ok(after) = position.after_move(mv) else { return Vec::new() };
    match mv {
        Move::Swap => return vec![whole(Aim::Swap)],
        Move::Pass => {
            let bridges = !position.bridge_steps().is_empty();
            return vec![whole(Aim::Pass { bridges, ends: after.is_over() })];
        }
        Move::Tiles(..) | Move::Bridge(..) => {}
    }
    let aims = Change::new(position, &after, player).aims();
    let mut purposes: Vec<Purpose> = if let Move::Tiles(a, b) = mv {
        let mut purposes = attribute_to_tiles(position, (a, b), aims);
        let local = local::tile_aims(position, &after, [a, b]).into_iter();
        purposes
            .extend(local.map(|(cell, aim)| purpose(cell.map_or(Part::Turn(mv), Part::Tile), aim)));
        purposes
    } else {
        let local = local::bridge_aims(position, &after, mv);
        aims.into_iter().chain(local).map(whole).collect()
    };
    purposes.sort_by_key(|purpose| std::cmp::Reverse(purpose.aim.weight()));
    purposes
}

/// Attributes each aim to one of two tiles: the one without which the move would not have the aim.
/// If that holds for both or for neither, the aim belongs to the whole move.
fn attribute_to_tiles(position: &Position, (a, b): (Cell, Cell), aims: Vec<Aim>) -> Vec<Purpose> {
    let player = position.side();
    // The aims of a tile after the other one.
    let aims_after = |other: Cell| {
        let mut before = *position;
        before.make(Step::Tile(other));
        let mut after = before;
        after.make(Step::Tile(if other == a { b } else { a }));
        Change::new(&before, &after, player).aims()
    };
    let (aims_of_a, aims_of_b) = (aims_after(b), aims_after(a));
    let does = |aims: &[Aim], wanted: &Aim| aims.iter().any(|aim| wanted.is_the_same(aim));
    let part = |aim: &Aim| match (does(&aims_of_a, aim), does(&aims_of_b, aim)) {
        (true, false) => Part::Tile(a),
        (false, true) => Part::Tile(b),
        _ => Part::Turn(Move::tiles(a, b)),
    };
    aims.into_iter().map(|aim| Purpose { player, part: part(&aim), aim }).collect()
}

/// Selects the purposes worth showing from `rest`, which is in descending order of weight: the
/// first, the best of each tile that is not named yet, a gain that waits, and further ones that
/// weigh enough.
fn select_purposes(mut rest: Vec<Purpose>, mv: Move) -> Vec<Purpose> {
    // Every tile takes space. That is a reason only where there is no other.
    if rest.len() > 1 {
        rest.retain(|purpose| !matches!(purpose.aim, Aim::Space { .. }));
    }
    let mut chosen: Vec<Purpose> = Vec::new();
    if rest.is_empty() {
        return chosen;
    }
    chosen.push(rest.remove(0));
    let is_named = |chosen: &[Purpose], cell: Cell| {
        chosen.iter().any(|purpose| match purpose.part {
            Part::Tile(tile) => tile == cell,
            Part::Turn(_) => true,
        })
    };
    if let Move::Tiles(a, b) = mv {
        for cell in [a, b].into_iter().filter(|&cell| !is_named(&chosen, cell)).collect::<Vec<_>>()
        {
            let index = rest.iter().position(|purpose| purpose.part == Part::Tile(cell));
            chosen.extend(index.map(|index| rest.remove(index)));
        }
    }
    // A gain that waits explains why the move does not take it, so it is always shown, as the last.
    let index = rest.iter().position(|purpose| matches!(purpose.aim, Aim::Waits { .. }));
    let waiting = index.map(|index| rest.remove(index));
    let room = MAX_PURPOSES - usize::from(waiting.is_some());
    for purpose in rest {
        let least = if chosen.len() < 2 { WORTH_ADDING } else { WORTH_TELLING };
        // One sentence of each kind: two would read like a repetition.
        let is_repetition =
            chosen.iter().any(|other| discriminant(&other.aim) == discriminant(&purpose.aim));
        if chosen.len() < room && purpose.aim.weight() >= least && !is_repetition {
            chosen.push(purpose);
        }
    }
    chosen.sort_by_key(|purpose| std::cmp::Reverse(purpose.aim.weight()));
    chosen.extend(waiting);
    chosen
}

/// Why `best` is better than `played`: the purposes that only `best` has. If there are none, or
/// they weigh little, also what `played` allows the opponent; `reply` is the opponent's best answer
/// to it. Empty if the rules show no difference.
pub fn reasons(position: &Position, played: Move, best: Move, reply: Option<Move>) -> Vec<Purpose> {
    let played_purposes = all_purposes(position, played);
    let is_matched = |purpose: &Purpose| {
        played_purposes.iter().any(|other| purpose.aim.is_matched_by(&other.aim))
    };
    let mut best_purposes = all_purposes(position, best);
    best_purposes
        .retain(|purpose| !is_matched(purpose) && !matches!(purpose.aim, Aim::Space { .. }));
    let reasons = select_purposes(best_purposes, best);
    // A gain that merely waits says nothing against the move played.
    let is_only_waiting = reasons.iter().all(|purpose| matches!(purpose.aim, Aim::Waits { .. }));
    let weight = reasons.iter().map(|purpose| purpose.aim.weight()).max().unwrap_or(0);
    if !is_only_waiting && weight >= WORTH_TELLING {
        return reasons;
    }
    let harm = reply.and_then(|reply| find_harm(position, played, best, reply));
    if let Some((danger, aim)) = harm
        && (is_only_waiting || danger >= ALARMING)
    {
        let allows = Purpose { player: position.side(), part: Part::Turn(played), aim };
        return std::iter::once(allows).chain(reasons).take(MAX_PURPOSES).collect();
    }
    if is_only_waiting { Vec::new() } else { reasons }
}

/// What `reply` does after `played` that the opponent cannot do after `best`, with its weight: gain
/// points at once, or stop one of the player's gains which, after `best`, is made or can no longer
/// be stopped.
fn find_harm(position: &Position, played: Move, best: Move, reply: Move) -> Option<(u32, Aim)> {
    let (bad, good) = (position.after_move(played).ok()?, position.after_move(best).ok()?);
    if bad.side() != good.side() {
        // One of the moves is a swap, after which the colours cannot be compared.
        return None;
    }
    // Whether the best move spares the player this: after it, the opponent cannot do as much.
    let is_spared = |purpose: &Purpose| match &purpose.aim {
        Aim::Completes { count, .. } => largest_gain(&good).islands < *count as u32,
        Aim::Joins { points, .. } => largest_gain(&good).joining < *points,
        Aim::Stops { bridge, .. } => gains::is_safe_bridge(&good, *bridge),
        Aim::Denies { cell, .. } => gains::is_safe_island(&good, *cell),
        _ => false,
    };
    let purpose = all_purposes(&bad, reply).into_iter().find(is_spared)?;
    let weight = purpose.aim.weight();
    Some((weight, Aim::Allows { reply, why: vec![purpose] }))
}

/// The most that a single turn of the side to move gains, for each kind of gain.
#[derive(Default)]
struct LargestGain {
    /// New islands.
    islands: u32,
    /// Points beyond those of the new islands alone.
    joining: u32,
}

fn largest_gain(position: &Position) -> LargestGain {
    let color = position.side();
    let mut most = LargestGain::default();
    for mv in position.moves() {
        if mv == Move::Swap {
            continue;
        }
        let after = position.after_legal_move(mv);
        let (old, new) = (position.score(color), after.score(color));
        let islands = u32::from(new.islands - old.islands);
        most.islands = most.islands.max(islands);
        most.joining = most.joining.max(u32::from(new.points - old.points) - islands);
    }
    most
}
