//! An [`Analysis`] in the form of `KataGo`'s analysis engine, with its names.
//!
//! Win rates and leads are those of the side to move.

use serde_json::{Map, Value, json};

use super::number::rounded;
use super::parts::{move_info, root_info, winner};
use crate::board::{Cell, Site, Size};
use crate::engine::{Analysis, Bounds, Candidate, Ownership};
use crate::game::{Color, Move, Position, Value as GameValue};

/// Decimals of every number.
const DECIMALS: i32 = 5;

/// How much of an analysis is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Moves to list at most, the best ones.
    pub moves: usize,
    /// Whether to list the visits of every move of a main line.
    pub line_visits: bool,
}

/// `rootInfo` and `moveInfos` of an analysis on a board of `size`, and
/// `ownership` and `bridgeOwnership` if it has them.
pub fn of_analysis(analysis: &Analysis, size: Size, extent: Extent) -> Map<String, Value> {
    let Analysis { mover, winrate, lead, bounds, visits, .. } = *analysis;
    let mut root = root(mover, winrate, lead, visits);
    add_proof(&mut root, bounds);
    let candidates = analysis.candidates.iter().take(extent.moves).enumerate();
    let moves = candidates.map(|(order, candidate)| of_candidate(candidate, order, extent));
    let mut map = Map::new();
    map.insert("rootInfo".to_owned(), root.into());
    map.insert("moveInfos".to_owned(), moves.collect());
    if let Some(ownership) = &analysis.ownership {
        map.insert("ownership".to_owned(), cells(ownership, mover, size));
        map.insert("bridgeOwnership".to_owned(), bridges(ownership, mover));
    }
    map
}

/// The same for a finished game, which has nothing to search: `gameOver`,
/// `result` and an empty list of moves.
pub fn of_end(position: &Position) -> Map<String, Value> {
    let (mover, outcome) = (position.side(), position.outcome());
    let value = GameValue::from(outcome);
    let seen = value.seen_by(mover);
    let mut root = root(mover, seen.white_share().into(), seen.points().into(), 0);
    add_proof(&mut root, Bounds::of(value));
    let mut map = Map::new();
    map.insert("gameOver".to_owned(), true.into());
    map.insert("result".to_owned(), outcome.to_string().into());
    map.insert("rootInfo".to_owned(), root.into());
    map.insert("moveInfos".to_owned(), json!([]));
    map
}

fn root(mover: Color, winrate: f64, lead: f64, visits: u64) -> Map<String, Value> {
    let mut map = root_info(winrate, lead, visits, DECIMALS);
    map.insert("currentPlayer".to_owned(), letter(mover));
    map
}

fn of_candidate(candidate: &Candidate, order: usize, extent: Extent) -> Value {
    let mut map = move_info(candidate, order, DECIMALS);
    if extent.line_visits {
        let visits = candidate.line_visits.iter().copied().collect();
        map.insert("pvVisits".to_owned(), visits);
    }
    add_proof(&mut map, candidate.bounds);
    map.into()
}

/// Adds `solved` (whether the result is proved), `winner` if that is proved,
/// and `result` if it is.
fn add_proof(map: &mut Map<String, Value>, bounds: Bounds) {
    let exact = bounds.exact();
    map.insert("solved".to_owned(), exact.is_some().into());
    if bounds.is_decided() {
        map.insert("winner".to_owned(), winner(bounds).map_or("draw".into(), letter));
    }
    if let Some(value) = exact {
        map.insert("result".to_owned(), value.to_string().into());
    }
}

/// For every cell, row by row from the top left: the chance that it ends up in
/// one of the mover's islands, minus the same for the opponent.
fn cells(ownership: &Ownership, mover: Color, size: Size) -> Value {
    let rows = (0..size.get()).rev();
    let cells = rows.flat_map(|row| (0..size.get()).map(move |column| Cell::new(column, row)));
    let share = |cell| ownership.of_cell(cell, mover) - ownership.of_cell(cell, !mover);
    cells.map(|cell| Value::from(rounded(share(cell), DECIMALS))).collect()
}

/// For every possible bridge: the chance that the mover builds it, minus the
/// same for the opponent.
fn bridges(ownership: &Ownership, mover: Color) -> Value {
    let share = |chances: [f64; 2]| chances[mover.index()] - chances[(!mover).index()];
    let entry = |(site, chances): (Site, _)| {
        let [a, b] = site.ends();
        (Move::bridge(a, b).to_string(), Value::from(rounded(share(chances), DECIMALS)))
    };
    ownership.bridges().map(entry).collect()
}

fn letter(color: Color) -> Value {
    color.letter().to_ascii_uppercase().to_string().into()
}
