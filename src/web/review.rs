//! A review: what every turn of a game cost, judged as `pontifex review` does.

use std::sync::Arc;

use serde_json::{Value, json};

use super::app::AppState;
use super::broadcast::Poster;
use super::cancel::CancelHandle;
use super::study::{Subject, search};
use super::table::Level;
use crate::analysis::review::{Look, Players, Side, Thresholds, Turn as Judged};
use crate::engine::AnalysisRequest;
use crate::game::{Color, Move, Position};

/// A turn of the game with the position before it.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) subject: Subject,
    pub(super) mv: Move,
}

/// Candidates of a turn that pages hear of.
const KEPT: usize = 8;

/// Reviews `turns`, of which each follows the one before, up to `end`;
/// `value` hears White's expected result and lead at every node.
pub(super) async fn review(
    app: &Arc<AppState>,
    turns: Vec<Turn>,
    end: Subject,
    level: Level,
    cancel: &Arc<CancelHandle>,
    poster: Poster,
    value: impl Fn(u32, (f64, f64)) + Send + 'static,
) {
    let mut report = Report { total: turns.len(), nodes: Vec::new(), turns: Vec::new() };
    poster.post(&report.message(false));
    let mut before: Option<(Position, Look)> = None;
    for index in 0..=turns.len() {
        let subject = turns.get(index).map_or(&end, |turn| &turn.subject);
        let position = subject.position();
        let played = turns.get(index).map(|turn| turn.mv);
        let Some(look) = look(app, subject, played, level, cancel).await else { return };
        if let Some((position_before, before)) = before.take() {
            let turn = &turns[index - 1];
            let after = (&position, look.as_ref());
            let thresholds = &Thresholds::default();
            let judged =
                Judged::of(index - 1, &position_before, turn.mv, &before, after, thresholds);
            value(turn.subject.node, (judged.white.winrate, judged.white.lead));
            report.nodes.push(subject.node);
            report.turns.push(judged);
            poster.post(&report.message(index == turns.len()));
        }
        match look {
            Some(look) => {
                if index == turns.len() {
                    let root = &look.root;
                    let white = Side::white(look.to_move, root.winrate, root.lead);
                    value(subject.node, (white.winrate, white.lead));
                }
                before = Some((position, look));
            }
            None => value(subject.node, over(&position)),
        }
    }
}

/// What a search finds of a position, and another of the one after the best
/// move where `played` is not that. `None` when the review was cancelled, and
/// `Some(None)` when the game is over there.
async fn look(
    app: &Arc<AppState>,
    subject: &Subject,
    played: Option<Move>,
    level: Level,
    cancel: &Arc<CancelHandle>,
) -> Option<Option<Look>> {
    let position = subject.position();
    if position.is_over() {
        return Some(None);
    }
    let search = async |subject: &Subject| {
        let found =
            search(app, subject, &AnalysisRequest::default(), Some(level), cancel, |_| {}).await;
        let found = found.filter(|_| !cancel.is_cancelled())?.ok()?;
        Some(Look::of(&subject.position(), &found))
    };
    let mut look = search(subject).await?;
    let best = look.moves.first().map(|best| best.mv);
    if let Some(best) = best.filter(|_| played.is_some() && best != played) {
        let mut after = subject.clone();
        after.moves.push(best);
        if !after.position().is_over() {
            look.after_best = Some(search(&after).await?.root);
        }
    }
    look.keep(KEPT, played);
    Some(Some(look))
}

/// What a game that is over is worth to White.
fn over(position: &Position) -> (f64, f64) {
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
    /// The node that each turn led to.
    nodes: Vec<u32>,
    turns: Vec<Judged>,
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
