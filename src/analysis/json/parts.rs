//! The parts that the JSON forms of an analysis share. Win rates and leads are
//! those of the side to move; numbers have `decimals` decimals.

use serde_json::{Map, Value};

use super::number::rounded;
use crate::engine::{Bounds, Candidate};
use crate::game::{Color, Move, Value as GameValue};

/// `winrate`, `scoreLead` and `visits` of a position.
pub fn root_info(winrate: f64, lead: f64, visits: u64, decimals: i32) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("winrate".to_owned(), rounded(winrate, decimals).into());
    map.insert("scoreLead".to_owned(), rounded(lead, decimals).into());
    map.insert("visits".to_owned(), visits.into());
    map
}

/// `move`, `visits`, `winrate`, `scoreLead`, `prior`, `lcb`, `order` (the rank,
/// from 0) and `pv` of a candidate.
pub fn move_info(candidate: &Candidate, order: usize, decimals: i32) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |name: &str, value: Value| map.insert(name.to_owned(), value);
    put("move", candidate.mv.to_string().into());
    put("visits", candidate.visits.into());
    put("winrate", rounded(candidate.winrate, decimals).into());
    put("scoreLead", rounded(candidate.lead, decimals).into());
    put("prior", rounded(candidate.prior, decimals).into());
    put("lcb", rounded(candidate.lcb, decimals).into());
    put("order", order.into());
    put("pv", candidate.line.iter().map(Move::to_string).collect());
    map
}

/// The proved result as text, `W+5`; `null` without a proof.
pub fn solved(bounds: Bounds) -> Value {
    bounds.exact().map(|value| value.to_string()).into()
}

/// The proved winner. `None` without a proof and for a proved draw.
pub fn winner(bounds: Bounds) -> Option<Color> {
    match (bounds.lower > GameValue::DRAW, bounds.upper < GameValue::DRAW) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Red),
        _ => None,
    }
}
