//! Hints, and moves of a reviewed game that are tried again.

use serde_json::{Value, json};

use super::effect::{Effect, MessageKind};
use super::effect::{Job, JobId, Lane, Search};
use super::requests::Refusal;
use super::review::TurnMessage;
use super::state::{Advice, Question, Retry, State};
use super::terms::Level;
use super::view::rounded;
use pontifex::analysis::purposes;
use pontifex::analysis::review::Thresholds;
use pontifex::clock::Seconds;
use pontifex::engine::{Analysis, AnalysisRequest};
use pontifex::game::{Color, Move};

/// The limit of the search for a hint or a judgement.
const LEVEL: Level = Level::Time { time: Seconds::millis(700) };

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
        let mv = super::requests::read_move(text)?;
        let reviewed = self.reviewed(from).ok_or("the turn was not reviewed".to_owned())?;
        let player = self.table.tree.position(from).side();
        let node = self.play_aside(from, text)?;
        let retry = Retry { from, node, mv, player, reviewed };
        let position = self.table.tree.position(node);
        if position.is_over() {
            let white = f64::from(pontifex::game::Value::from(position.outcome()).white_share());
            let lead = f64::from(pontifex::game::Value::from(position.outcome()).points());
            self.end_advice();
            self.advice = Some(self.advice(None, Question::Retry(retry.clone())));
            self.judge(&retry, (white, lead));
        } else {
            self.ask(Question::Retry(retry), node);
        }
        Ok(node)
    }

    /// The reviewed turn that was played at `node`.
    fn reviewed(&self, node: u32) -> Option<TurnMessage> {
        let after = |turn: &&TurnMessage| {
            let from = self.table.tree.node(turn.node).ok().and_then(|after| after.from);
            from.is_some_and(|(parent, _)| parent == node)
        };
        self.table.review.as_ref()?.message.turns.iter().find(after).cloned()
    }

    /// Searches the position at `node`.
    fn ask(&mut self, question: Question, node: u32) {
        self.end_advice();
        let (line, request) = (self.line(node), AnalysisRequest::default());
        let search = Search { line, level: Some(LEVEL), request, lane: Lane::Advice };
        let job = Some(self.start(Job::Search(Box::new(search))));
        self.advice = Some(self.advice(job, question));
    }

    fn advice(&self, job: Option<JobId>, question: Question) -> Advice {
        Advice { job, game: self.table.game, current: self.table.current, question }
    }

    /// Ends advice on what is no longer to be decided: an earlier game, a turn
    /// that has been played or taken back, a deleted variation.
    pub(super) fn steer_advice(&mut self) {
        if self.advice.as_ref().is_some_and(|advice| !self.is_in_use(advice)) {
            self.end_advice();
        }
    }

    fn is_in_use(&self, advice: &Advice) -> bool {
        let exists = |node: u32| self.table.tree.node(node).is_ok();
        advice.game == self.table.game
            && match &advice.question {
                Question::Hint(node) => {
                    // A page may also look at another turn while the game goes on.
                    let is_of_game = advice.current == *node;
                    exists(*node)
                        && self.table.result(*node).is_none()
                        && (!is_of_game || self.table.current == *node)
                }
                Question::Retry(retry) => exists(retry.from) && exists(retry.node),
            }
    }

    /// Cancels a running search for a hint or a judgement, and withdraws the
    /// last one.
    pub(super) fn end_advice(&mut self) {
        let Some(advice) = self.advice.take() else { return };
        if let Some(job) = advice.job {
            self.effect(Effect::Cancel(job));
        }
        self.withdraw(MessageKind::Advice);
    }

    /// Takes the result of a search; `None` when it found nothing.
    pub(super) fn advice_done(&mut self, job: JobId, found: Option<&Analysis>) {
        let Some(advice) = self.advice.as_mut().filter(|advice| advice.job == Some(job)) else {
            return;
        };
        advice.job = None;
        let (question, Some(found)) = (advice.question.clone(), found) else { return };
        match question {
            Question::Hint(node) => {
                let Some(best) = found.moves.first().map(|best| best.mv) else { return };
                let position = self.table.tree.position(node);
                let message = json!({
                    "type": "hint", "node": node, "move": best.to_string(),
                    "why": purposes(position, best),
                });
                self.broadcast(MessageKind::Advice, message);
            }
            Question::Retry(retry) => self.judge(&retry, found.whites()),
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
        let TurnMessage { best, mv: played, played: value, best_played, .. } = reviewed;
        let least = Thresholds::default().inaccuracy;
        let verdict = if best == mv {
            "best"
        } else if played == mv {
            "same"
        } else if best_played.winrate - now < least {
            "good"
        } else if now - value.winrate >= least {
            "better"
        } else if value.winrate - now >= least {
            "worse"
        } else {
            "similar"
        };
        let position = self.table.tree.position(*from);
        let message = json!({
            "type": "retry", "from": from, "node": node, "player": player, "move": mv,
            "played": played, "best": best, "verdict": verdict,
            "winrate": rounded(now - value.winrate), "points": rounded(lead - value.lead),
            "why": purposes(position, *mv),
        });
        self.broadcast(MessageKind::Advice, message);
        self.is_changed = true;
    }
}
