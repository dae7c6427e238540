//! An [`Analysis`] as JSON: the names are those of `KataGo`'s analysis engine.
//!
//! All chances and leads are those of the side to move.

use serde_json::{Map, Value, json};

use crate::board::{Cell, Site, Size};
use crate::engine::{Analysis, Bounds, Candidate, Ownership};
use crate::game::{Color, Move, Position, Value as Result};

/// How much of an analysis is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Moves that are listed at most, the best ones.
    pub moves: usize,
    /// Whether the visits of every move of a main line are listed.
    pub line_visits: bool,
}

/// `rootInfo` and `moveInfos` of an analysis on a board of `size`, and
/// `ownership` and `bridgeOwnership` when it has them.
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

/// The same of a game that is over: there is nothing to search, `gameOver` and
/// `result` say how it ended.
pub fn of_end(position: &Position) -> Map<String, Value> {
    let (mover, outcome) = (position.side(), position.outcome());
    let value = Result::from(outcome);
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

/// A number with a decimal point and at most five digits after it.
pub fn decimal(number: f64) -> Value {
    // The sum makes 0 of -0.
    Value::from((number * 1e5).round() / 1e5 + 0.0)
}

fn root(mover: Color, winrate: f64, lead: f64, visits: u64) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("winrate".to_owned(), decimal(winrate));
    map.insert("scoreLead".to_owned(), decimal(lead));
    map.insert("visits".to_owned(), visits.into());
    map.insert("currentPlayer".to_owned(), letter(mover));
    map
}

fn of_candidate(candidate: &Candidate, order: usize, extent: Extent) -> Value {
    let mut map = Map::new();
    let mut put = |name: &str, value: Value| map.insert(name.to_owned(), value);
    put("move", candidate.mv.to_string().into());
    put("visits", candidate.visits.into());
    put("winrate", decimal(candidate.winrate));
    put("scoreLead", decimal(candidate.lead));
    put("prior", decimal(candidate.prior));
    put("lcb", decimal(candidate.lcb));
    put("order", order.into());
    put("pv", candidate.line.iter().map(Move::to_string).collect());
    if extent.line_visits {
        put("pvVisits", candidate.line_visits.iter().copied().collect());
    }
    add_proof(&mut map, candidate.bounds);
    map.into()
}

/// Whether the result with best play of both is proved; who wins then, where
/// that is proved; and what the result is, when it is.
fn add_proof(map: &mut Map<String, Value>, bounds: Bounds) {
    let exact = bounds.exact();
    map.insert("solved".to_owned(), exact.is_some().into());
    if bounds.is_decided() {
        let some = if bounds.lower > Result::DRAW { bounds.lower } else { bounds.upper };
        map.insert("winner".to_owned(), some.winner().map_or("draw".into(), letter));
    }
    if let Some(value) = exact {
        map.insert("result".to_owned(), value.to_string().into());
    }
}

/// For every cell, row by row from the top left: the chance that it will be
/// part of one of the mover's islands, less that of the opponent's.
fn cells(ownership: &Ownership, mover: Color, size: Size) -> Value {
    let rows = (0..size.get()).rev();
    let cells = rows.flat_map(|row| (0..size.get()).map(move |column| Cell::new(column, row)));
    let share = |cell| ownership.of_cell(cell, mover) - ownership.of_cell(cell, !mover);
    cells.map(|cell| decimal(share(cell))).collect()
}

/// For every bridge that may come to be: the mover's chance of building it,
/// less the opponent's.
fn bridges(ownership: &Ownership, mover: Color) -> Value {
    let share = |chances: [f64; 2]| chances[mover.index()] - chances[(!mover).index()];
    let entry = |(site, chances): (Site, _)| {
        let [a, b] = site.ends();
        (Move::bridge(a, b).to_string(), decimal(share(chances)))
    };
    ownership.bridges().map(entry).collect()
}

fn letter(color: Color) -> Value {
    color.letter().to_ascii_uppercase().to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_decimal_point_and_no_exponent() {
        let texts =
            [0.0, -0.000_001, 1.0, 0.000_01, -0.123_456_7, 70.0].map(|x| decimal(x).to_string());
        assert_eq!(texts, ["0.0", "0.0", "1.0", "0.00001", "-0.12346", "70.0"]);
    }

    #[test]
    fn what_is_proved_is_said_as_far_as_it_goes() {
        let said = |lower, upper| {
            let mut map = Map::new();
            add_proof(&mut map, Bounds { lower: Result::new(lower), upper: Result::new(upper) });
            Value::from(map).to_string()
        };
        assert_eq!(said(-5, 3), r#"{"solved":false}"#);
        assert_eq!(said(1, 9), r#"{"solved":false,"winner":"W"}"#);
        assert_eq!(said(-9, -1), r#"{"solved":false,"winner":"R"}"#);
        assert_eq!(said(-7, -7), r#"{"solved":true,"winner":"R","result":"R+5"}"#);
        assert_eq!(said(0, 0), r#"{"solved":true,"winner":"draw","result":"0"}"#);
    }
}
