//! Hints, and moves of a reviewed game that are tried again.

use serde_json::{Value, json};

use super::effect::{Effect, MessageKind};
use super::findings;
use super::job::{Job, JobId, Lane, Search};
use super::refusal::Refusal;
use super::state::State;
use super::terms::Level;
use super::view::rounded;
use crate::analysis::review::Thresholds;
use crate::analysis::{Purpose, purposes};
use crate::engine::{Analysis, AnalysisRequest};
use crate::game::{Color, Move, Position};

/// The limit of the search for a hint or a judgement.
const LEVEL: Level = Level::Time { time: 0.7 };

/// A search for a hint or a judgement.
#[derive(Clone, Debug)]
pub(super) struct Advice {
    job: JobId,
    game: u64,
    question: Question,
}

#[derive(Clone, Debug)]
enum Question {
    /// A good move at the node.
    Hint(u32),
    /// How good a move is that was tried again.
    Retry(Retry),
}

/// A move in place of a reviewed one.
#[derive(Clone, Debug)]
struct Retry {
    /// The node before and the node after the move.
    from: u32,
    node: u32,
    mv: Move,
    player: Color,
    /// The reviewed turn, as in the message `review`.
    reviewed: Value,
}

/// What a move does, as JSON.
pub(super) fn why(position: &Position, mv: Move) -> Vec<Value> {
    purposes(position, mv).iter().map(Purpose::to_json).collect()
}

impl State {
    /// Starts the search for a hint; the message `hint` follows.
    pub(super) fn hint(&mut self, node: Option<u32>) -> Result<Value, Refusal> {
        let node = self.table.node(node)?;
        if self.table.result(node).is_some() {
            return Err("the game is over".to_owned().into());
        }
        self.ask(Question::Hint(node), node);
        Ok(json!({"type": "searching", "node": node}))
    }

    /// Plays a move in place of a reviewed one, as a variation, and starts its
    /// judgement; the message `retry` follows. Returns the node after the move.
    pub(super) fn retry(&mut self, from: u32, text: &str) -> Result<u32, Refusal> {
        let from = self.table.node(Some(from))?;
        let mv = super::reading::read_move(text)?;
        let reviewed = self.reviewed(from).ok_or("the turn was not reviewed".to_owned())?;
        let player = self.table.tree.position(from).side();
        let node = self.play_aside(from, text)?;
        let retry = Retry { from, node, mv, player, reviewed };
        let position = self.table.tree.position(node);
        if position.is_over() {
            let white = f64::from(crate::game::Value::from(position.outcome()).white_share());
            let lead = f64::from(crate::game::Value::from(position.outcome()).points());
            self.judge(&retry, (white, lead));
        } else {
            self.ask(Question::Retry(retry), node);
        }
        Ok(node)
    }

    /// The reviewed turn that was played at `node`.
    fn reviewed(&self, node: u32) -> Option<Value> {
        let review = self.table.review.as_ref()?;
        let after = |turn: &&Value| {
            let after = turn["node"].as_u64().and_then(|after| u32::try_from(after).ok());
            let from = after.and_then(|after| self.table.tree.node(after).ok()?.from);
            from.is_some_and(|(parent, _)| parent == node)
        };
        review.message["turns"].as_array()?.iter().find(after).cloned()
    }

    /// Searches the position at `node`.
    fn ask(&mut self, question: Question, node: u32) {
        self.cancel_advice();
        self.withdraw(MessageKind::Advice);
        let (line, request) = (self.line(node), AnalysisRequest::default());
        let search = Search { line, level: Some(LEVEL), request, lane: Lane::Advice };
        let job = self.start(Job::Search(Box::new(search)));
        self.advice = Some(Advice { job, game: self.table.game, question });
    }

    /// Cancels a running search for a hint or a judgement.
    pub(super) fn cancel_advice(&mut self) {
        if let Some(advice) = self.advice.take() {
            self.effect(Effect::Cancel(advice.job));
        }
    }

    /// Takes the result of a search; `None` when it found nothing.
    pub(super) fn advice_done(&mut self, job: JobId, found: Option<&Analysis>) {
        let Some(advice) = self.advice.take_if(|advice| advice.job == job) else { return };
        let Some(found) = found.filter(|_| advice.game == self.table.game) else { return };
        match advice.question {
            Question::Hint(node) => {
                let Some(best) = found.candidates.first().map(|best| best.mv) else { return };
                let position = self.table.tree.position(node);
                let message = json!({
                    "type": "hint", "node": node, "move": best.to_string(),
                    "why": why(&position, best),
                });
                self.broadcast(MessageKind::Advice, message);
            }
            Question::Retry(retry) => self.judge(&retry, findings::whites(found)),
        }
    }

    /// Compares a move with the one that was played, and tells all pages.
    /// `white` is White's expected result and lead after the move.
    fn judge(&mut self, retry: &Retry, white: (f64, f64)) {
        let Retry { from, node, mv, player, reviewed } = retry;
        self.table.tree.set_value(*node, Some(white));
        // After a swap the player has the other colour.
        let color = if *mv == Move::Swap { !*player } else { *player };
        let (now, lead) = match color {
            Color::White => white,
            Color::Red => (1.0 - white.0, -white.1),
        };
        let number = |turn: &str, key: &str| reviewed[turn][key].as_f64().unwrap_or_default();
        let played = (number("played", "winrate"), number("played", "scoreLead"));
        let least = Thresholds::default().inaccuracy;
        let verdict = if reviewed["best"] == mv.to_string() {
            "best"
        } else if reviewed["move"] == mv.to_string() {
            "same"
        } else if number("bestPlayed", "winrate") - now < least {
            "good"
        } else if now - played.0 >= least {
            "better"
        } else if played.0 - now >= least {
            "worse"
        } else {
            "similar"
        };
        let position = self.table.tree.position(*from);
        let message = json!({
            "type": "retry", "from": from, "node": node, "player": player.to_string(),
            "move": mv.to_string(), "played": reviewed["move"], "best": reviewed["best"],
            "verdict": verdict, "winrate": rounded(now - played.0),
            "points": rounded(lead - played.1), "why": why(&position, *mv),
        });
        self.broadcast(MessageKind::Advice, message);
        self.is_changed = true;
    }
}
