//! Results of searches as messages of the page. Win rates and leads are those
//! of the side to move.

use serde_json::{Map, Value, json};

use super::view::{object, rounded};
use pontifex::analysis::json::{move_info, root_info, solved};
use pontifex::analysis::{Purpose, purposes, reasons};
use pontifex::board::Cell;
use pontifex::engine::{Analysis, Ownership};
use pontifex::game::{Color, Move, Position};

/// Decimals of every number.
const DECIMALS: i32 = 4;

/// The message `analysis`: at most `multi` moves.
pub(super) fn analysis(
    node: u32,
    position: &Position,
    analysis: &Analysis,
    multi: usize,
    finished: bool,
) -> Value {
    let mut message = json!({"type": "analysis", "node": node});
    if let (Some(message), Value::Object(found)) =
        (message.as_object_mut(), found(position, analysis, multi, finished))
    {
        message.extend(found);
    }
    message
}

/// What an analysis has found: `to_move`, `root`, at most `multi` `moves`,
/// `finished`, and `ownership` if requested.
pub fn found(position: &Position, analysis: &Analysis, multi: usize, finished: bool) -> Value {
    let moves = analysis.candidates.iter().take(multi).enumerate().map(|(order, candidate)| {
        let mut info = move_info(candidate, order, DECIMALS);
        info.insert("solved".to_owned(), solved(candidate.bounds));
        info
    });
    let mut root = root_info(analysis.winrate, analysis.lead, analysis.visits, DECIMALS);
    root.insert("solved".to_owned(), solved(analysis.bounds));
    let mut found = json!({
        "to_move": position.side().to_string(),
        "root": root,
        "moves": moves.collect::<Vec<_>>(),
        "finished": finished,
    });
    if let Some(ownership) = &analysis.ownership {
        found["ownership"] = owners(position, ownership);
    }
    found
}

/// The message `thinking`.
pub(super) fn thinking(analysis: &Analysis) -> Value {
    json!({
        "type": "thinking",
        "player": analysis.mover.to_string(),
        "winrate": rounded(analysis.winrate),
        "lead": rounded(analysis.lead),
        "visits": analysis.visits,
        "move": analysis.candidates.first().map(|best| best.mv.to_string()),
    })
}

/// What a move does.
pub(super) fn why(position: &Position, mv: Move) -> Vec<Value> {
    purposes(position, mv).iter().map(Purpose::to_json).collect()
}

/// Why the best move is better than the one that was played, and `reply` is the
/// opponent's best answer to that; for the best move itself, what it does.
pub(super) fn why_better(
    position: &Position,
    played: Move,
    best: Move,
    reply: Option<Move>,
) -> Vec<Value> {
    if played == best {
        return why(position, best);
    }
    reasons(position, played, best, reply).iter().map(Purpose::to_json).collect()
}

/// White's expected result and lead.
pub(super) fn whites(analysis: &Analysis) -> (f64, f64) {
    match analysis.mover {
        Color::White => (analysis.winrate, analysis.lead),
        Color::Red => (1.0 - analysis.winrate, -analysis.lead),
    }
}

fn owners(position: &Position, ownership: &Ownership) -> Value {
    let cells = |color: Color| -> Value {
        let chance = |cell: Cell| {
            let chance = rounded(ownership.of_cell(cell, color));
            (chance > 0.0).then(|| (cell.to_string(), chance.into()))
        };
        let board = position.geometry().board();
        board.into_iter().filter_map(chance).collect::<Map<_, _>>().into()
    };
    let bridges = ownership.bridges().take(100).map(|(site, [white, red])| {
        json!({"bridge": site.to_string(), "white": rounded(white), "red": rounded(red)})
    });
    object([
        ("white", cells(Color::White)),
        ("red", cells(Color::Red)),
        ("bridges", bridges.collect::<Vec<_>>().into()),
    ])
}
