//! Analyses as JSON: [`PositionAnalysis`], the form in which `analyze`, `review`
//! and its cache write what a search found of one position, and the building
//! blocks of the other forms: the responses of `engine-json` and the messages of
//! the page.
//!
//! Win rates and leads are those of the side to move. Numbers of the building
//! blocks have `decimals` decimals.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::engine::{Analysis, Bounds, Candidate};
use crate::game::{Color, Move, Position, Stage, Value};

/// Decimals of every number. Rounded numbers are read back unchanged.
pub(super) const DECIMALS: i32 = 6;

/// The analysis of a position. Win rates and leads are those of the side to
/// move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// The position as text.
    pub position: String,
    /// The side to move.
    pub to_move: Color,
    /// The position as a whole.
    pub root: RootInfo,
    /// The candidate moves, the best first.
    pub moves: Vec<MoveAnalysis>,
    /// The result of a second search, of the position after the best move, for
    /// the side to move there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_best: Option<RootInfo>,
}

/// The analysis of a position as a whole.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RootInfo {
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Visits of the position.
    pub visits: u64,
    /// The result with best play, if proved.
    pub solved: Option<Value>,
    /// The winner with best play, if proved.
    pub winner: Option<Color>,
}

/// The analysis of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MoveAnalysis {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Visits of the move.
    pub visits: u64,
    /// The mover's expected result after it, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The mover's expected lead after it, in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Prior probability, 0 to 1.
    pub prior: f64,
    /// The main line, which begins with the move.
    pub pv: Vec<Move>,
    /// Lower confidence bound of the win rate.
    pub lcb: f64,
    /// Rank, from 0.
    pub order: usize,
    /// The result with best play after it, if proved.
    pub solved: Option<Value>,
    /// The winner with best play after it, if proved.
    pub winner: Option<Color>,
}

impl PositionAnalysis {
    /// The form of `analysis`, which is of `position`.
    pub fn of(position: &Position, analysis: &Analysis) -> PositionAnalysis {
        let mover = analysis.mover;
        // Bounds hold for a game without a swap. Before it they prove nothing.
        let is_proof = match position.stage() {
            Stage::Opening => !position.rules().pie,
            stage => stage != Stage::Pie,
        };
        let bounds = if is_proof { analysis.bounds } else { Bounds::UNKNOWN };
        let winner = winner(bounds);
        let root = RootInfo {
            winrate: proved_winrate(analysis.winrate, winner, mover),
            lead: rounded(analysis.lead, DECIMALS),
            visits: analysis.visits,
            solved: bounds.exact(),
            winner,
        };
        let moves = analysis.candidates.iter().enumerate();
        let moves = moves.map(|(order, candidate)| of_candidate(order, candidate, mover)).collect();
        let position = position.to_string();
        PositionAnalysis { position, to_move: mover, root, moves, after_best: None }
    }

    /// Drops all moves but the first `count`, the swap and `played`.
    pub fn keep(&mut self, count: usize, played: Option<Move>) {
        self.moves.retain(|candidate| {
            let mv = candidate.mv;
            candidate.order < count || mv == Move::Swap || Some(mv) == played
        });
    }

    /// The analysis of `mv`, if it is a candidate.
    pub fn find(&self, mv: Move) -> Option<&MoveAnalysis> {
        self.moves.iter().find(|candidate| candidate.mv == mv)
    }
}

fn of_candidate(order: usize, candidate: &Candidate, mover: Color) -> MoveAnalysis {
    let bounds = if candidate.mv == Move::Swap { Bounds::UNKNOWN } else { candidate.bounds };
    let winner = winner(bounds);
    MoveAnalysis {
        mv: candidate.mv,
        visits: candidate.visits,
        winrate: proved_winrate(candidate.winrate, winner, mover),
        lead: rounded(candidate.lead, DECIMALS),
        prior: rounded(candidate.prior, DECIMALS),
        pv: candidate.line.clone(),
        lcb: proved_winrate(candidate.lcb, winner, mover),
        order,
        solved: bounds.exact(),
        winner,
    }
}

/// The win rate of `mover`: 0 or 1 if a winner is proved.
fn proved_winrate(winrate: f64, winner: Option<Color>, mover: Color) -> f64 {
    match winner {
        Some(winner) if winner == mover => 1.0,
        Some(_) => 0.0,
        None => rounded(winrate, DECIMALS),
    }
}

/// `winrate`, `scoreLead` and `visits` of a position.
pub fn root_info(winrate: f64, lead: f64, visits: u64, decimals: i32) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("winrate".to_owned(), rounded(winrate, decimals).into());
    map.insert("scoreLead".to_owned(), rounded(lead, decimals).into());
    map.insert("visits".to_owned(), visits.into());
    map
}

/// `move`, `visits`, `winrate`, `scoreLead`, `prior`, `lcb`, `order` (the rank,
/// from 0) and `pv` of a candidate.
pub fn move_info(candidate: &Candidate, order: usize, decimals: i32) -> Map<String, Json> {
    let mut map = Map::new();
    let mut put = |name: &str, value: Json| map.insert(name.to_owned(), value);
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
pub fn solved(bounds: Bounds) -> Json {
    bounds.exact().map(|value| value.to_string()).into()
}

/// The proved winner. `None` without a proof and for a proved draw.
pub fn winner(bounds: Bounds) -> Option<Color> {
    match (bounds.lower > Value::DRAW, bounds.upper < Value::DRAW) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Red),
        _ => None,
    }
}

/// Rounds to at most `decimals` digits after the decimal point. The result is
/// never -0.
pub fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (number * scale).round() / scale + 0.0
}
