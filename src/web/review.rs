//! A review of the game on the page: the loss of every turn, by the same rules
//! as `pontifex review`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::app::AppState;
use super::broadcast::Poster;
use super::cancel::CancelHandle;
use super::study::{Subject, search};
use super::table::Level;
use crate::analysis::review::{Players, PositionSearch, ReviewPlan, ReviewedTurn, Thresholds};
use crate::engine::AnalysisRequest;
use crate::game::Move;

/// A turn of the game with the position before it.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) subject: Subject,
    pub(super) mv: Move,
}

/// Candidates to keep of each position.
const KEPT: usize = 8;

/// Reviews consecutive `turns` up to `end`; `value` is called with White's
/// expected result and lead at every node.
pub(super) async fn review(
    app: &Arc<AppState>,
    turns: Vec<Turn>,
    end: Subject,
    level: Level,
    cancel: &Arc<CancelHandle>,
    poster: Poster,
    value: impl Fn(u32, (f64, f64)) + Send + 'static,
) {
    let subjects: Vec<&Subject> = turns.iter().map(|turn| &turn.subject).chain([&end]).collect();
    let positions = subjects.iter().map(|subject| subject.position()).collect();
    let moves = turns.iter().map(|turn| turn.mv).collect();
    let mut plan = ReviewPlan::new(positions, moves, KEPT);
    let mut report = Report { total: turns.len(), nodes: Vec::new(), turns: Vec::new() };
    poster.post(&report.message(false));
    let thresholds = Thresholds::default();
    while let Some(next) = plan.next_search() {
        let Some(searched) = run(app, next, &end, level, cancel).await else { return };
        plan.take(searched);
        while let Some(turn) = plan.turn(report.turns.len(), &thresholds) {
            let index = report.turns.len();
            value(subjects[index].node, (turn.white.winrate, turn.white.lead));
            report.nodes.push(subjects[index + 1].node);
            report.turns.push(turn);
            poster.post(&report.message(index + 1 == report.total));
        }
    }
    if let Some(last) = plan.end() {
        value(end.node, (last.white.winrate, last.white.lead));
    }
}

/// Runs the searches of one position; `None` if the review was cancelled.
/// `game` is any position of the game.
async fn run(
    app: &Arc<AppState>,
    mut next: PositionSearch,
    game: &Subject,
    level: Level,
    cancel: &Arc<CancelHandle>,
) -> Option<PositionSearch> {
    let request = AnalysisRequest::default();
    while let Some(&start) = next.next_position() {
        let subject = Subject { start, moves: Vec::new(), ..game.clone() };
        let found = search(app, &subject, &request, Some(level), cancel, |_| {}).await;
        let found = found.filter(|_| !cancel.is_cancelled())?.ok()?;
        next.take(&found);
    }
    Some(next)
}

/// The turns reviewed so far.
struct Report {
    total: usize,
    /// The node after each turn.
    nodes: Vec<u32>,
    turns: Vec<ReviewedTurn>,
}

impl Report {
    /// The message `review`.
    fn message(&self, finished: bool) -> Value {
        let turns: Vec<Value> = self
            .turns
            .iter()
            .zip(&self.nodes)
            .map(|(turn, &node)| {
                let line = turn.best_move().map_or(&[][..], |best| &best.pv);
                let pv: Vec<String> = line.iter().map(ToString::to_string).collect();
                json!({
                    "turn": turn.turn,
                    "node": node,
                    "player": turn.player,
                    "move": turn.mv.to_string(),
                    "best": turn.best.to_string(),
                    "pv": pv,
                    "grade": turn.grade,
                    "winrate": turn.winrate,
                    "scoreLead": turn.lead,
                    "loss": turn.loss,
                    "solved": turn.solved,
                })
            })
            .collect();
        json!({
            "type": "review",
            "done": turns.len(),
            "total": self.total,
            "turns": turns,
            "summary": Players::of(&self.turns),
            "finished": finished,
        })
    }
}
