//! A review: what every turn of a game cost.

use std::sync::Arc;

use serde_json::{Value, json};

use super::bulletin::Poster;
use super::findings;
use super::house::House;
use super::leash::Leash;
use super::study::{Subject, search};
use super::table::Level;
use super::view::rounded;
use crate::engine::{Analysis, Inquiry};
use crate::game::{Color, Move, Position};

/// A turn of the game with the position before it.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) subject: Subject,
    pub(super) mv: Move,
}

/// From which loss of winning chances on a move is called what.
const GRADES: [(f64, &str); 3] = [(0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy")];

/// What is known of a position: White's expected result and lead.
type Worth = (f64, f64);

/// Reviews `turns`, of which each follows the one before, up to `end`;
/// `value` hears White's expected result and lead at every node.
pub(super) async fn review(
    house: &Arc<House>,
    turns: Vec<Turn>,
    end: Subject,
    level: Level,
    leash: &Arc<Leash>,
    poster: Poster,
    value: impl Fn(u32, Worth) + Send + 'static,
) {
    let total = turns.len();
    let mut report = Report { total, turns: Vec::new(), losses: [Vec::new(), Vec::new()] };
    poster.post(&report.message(false));
    let subjects = turns.iter().map(|turn| &turn.subject).chain([&end]);
    let mut before: Option<Analysis> = None;
    for (number, subject) in subjects.enumerate() {
        let found = search(house, subject, &Inquiry::default(), Some(level), leash, |_| {}).await;
        if leash.is_cancelled() {
            return;
        }
        let (worth, analysis) = match found {
            Some(Ok(analysis)) => (findings::whites(&analysis), Some(analysis)),
            Some(Err(_)) => (over(&turns, &end), None),
            None => return,
        };
        value(subject.node, worth);
        if let (Some(analysis), Some(turn)) = (before.take(), number.checked_sub(1)) {
            report.add(turn + 1, subject.node, &turns[turn], &analysis, worth);
            poster.post(&report.message(turn + 1 == total));
        }
        before = analysis;
    }
}

/// What a game that is over is worth.
fn over(turns: &[Turn], end: &Subject) -> Worth {
    let mut position: Position = end.start;
    for turn in turns {
        let _ = position.play(turn.mv);
    }
    let [white, red] = Color::BOTH.map(|color| f64::from(position.score(color).points));
    let result = match position.outcome().winner() {
        Some(Color::White) => 1.0,
        Some(Color::Red) => 0.0,
        None => 0.5,
    };
    (result, white - red)
}

/// What the review has found so far.
struct Report {
    total: usize,
    turns: Vec<Value>,
    /// Of White's turns and Red's: what each cost in chances and in points.
    losses: [Vec<(f64, f64)>; 2],
}

impl Report {
    /// Adds a turn: the node it led to, what was known before it and after.
    fn add(&mut self, number: usize, node: u32, turn: &Turn, before: &Analysis, after: Worth) {
        let mover = before.mover;
        // Who swaps has White then.
        let after = match if turn.mv == Move::Swap { !mover } else { mover } {
            Color::White => after,
            Color::Red => (1.0 - after.0, -after.1),
        };
        let best = before.candidates.first().map(|best| best.mv);
        let (chances, points) = if best == Some(turn.mv) {
            (0.0, 0.0)
        } else {
            let (chances, points) = (before.winrate - after.0, before.lead - after.1);
            (rounded(chances.max(0.0)), rounded(points.max(0.0)))
        };
        self.losses[mover.index()].push((chances, points));
        let grade = GRADES.iter().find(|(least, _)| chances >= *least).map(|(_, grade)| *grade);
        let line = before
            .candidates
            .first()
            .map(|best| best.line.iter().map(ToString::to_string).collect::<Vec<_>>());
        self.turns.push(json!({
            "turn": number,
            "node": node,
            "player": mover.to_string(),
            "move": turn.mv.to_string(),
            "best": best.map(|best| best.to_string()),
            "pv": line.unwrap_or_default(),
            "grade": grade,
            "winrate": rounded(before.winrate),
            "loss": {"winrate": chances, "points": points},
            "solved": findings::solved(before.bounds),
        }));
    }

    /// The message `review`.
    fn message(&self, finished: bool) -> Value {
        let summary = |losses: &[(f64, f64)]| {
            let count = losses.len().max(1) as f64;
            let mean =
                |of: fn(&(f64, f64)) -> f64| rounded(losses.iter().map(of).sum::<f64>() / count);
            json!({"turns": losses.len(), "winrate": mean(|loss| loss.0), "points": mean(|loss| loss.1)})
        };
        json!({
            "type": "review",
            "done": self.turns.len(),
            "total": self.total,
            "turns": self.turns,
            "summary": {"white": summary(&self.losses[0]), "red": summary(&self.losses[1])},
            "finished": finished,
        })
    }
}
