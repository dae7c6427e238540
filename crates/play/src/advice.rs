//! Hints, warnings before a blunder, and moves of a reviewed game that are tried again.
//!
//! All three are one mechanism: a [`Question`] about a node, one or two short searches in the lane
//! of advice, and a message that compares. The values of a position are White's expected result and
//! lead; [`value_for`] converts them to the player's side.
//!
//! | question | searches | compares | message |
//! |---|---|---|---|
//! | hint | the node | nothing: names the best move | `hint` |
//! | consider | after the move, then before it | the move with the best one | `considered` |
//! | retry | after the new move | the new move with the reviewed one and the best | `retry` |
//!
//! There is one question at a time; a new one replaces the last. A question about a turn that has
//! been played or deleted is dropped with its search ([`State::steer_advice`]).

use super::effect::{Effect, MessageKind};
use super::effect::{Job, JobId, Lane, Line, Search};
use super::message::{Considered, Message, Retried, Verdict, rounded};
use super::requests::Refusal;
use super::review::TurnMessage;
use super::state::{Advice, Considering, Question, Retry, State};
use super::terms::Strength;
use pontifex::analysis::purposes;
use pontifex::analysis::review::Thresholds;
use pontifex::clock::Seconds;
use pontifex::engine::{Analysis, AnalysisRequest};
use pontifex::game::{Color, Move, Position, Value};

/// The limit of the search for a hint or a judgement. Set by judgement: a person who asks will wait
/// for about as long.
const ADVICE_LIMIT: Strength = Strength::Time { time: Seconds::millis(700) };

/// The limit of each of the two searches before a warning. Set by judgement: a person waits for
/// both at every turn, and only large losses matter.
const WARNING_LIMIT: Strength = Strength::Time { time: Seconds::millis(250) };

impl State {
    /// Starts the search for a hint; the message `hint` follows.
    pub(super) fn hint(&mut self, node: Option<u32>) -> Result<Message, Refusal> {
        let node = self.table.node(node)?;
        if self.table.result(node).is_some() {
            return Err(Refusal::Over);
        }
        self.start_search(Question::Hint(node), self.line(node), ADVICE_LIMIT);
        Ok(Message::Searching { node })
    }

    /// Starts the searches for what a move would give away; the message `considered` follows.
    pub(super) fn consider(&mut self, mv: Move, node: Option<u32>) -> Result<Message, Refusal> {
        let node = self.table.node(node)?;
        if self.table.result(node).is_some() {
            return Err(Refusal::Over);
        }
        let mut after = *self.table.tree.position(node);
        after.play(mv).map_err(|reason| Refusal::Illegal(mv.to_string(), reason))?;
        let mut considering = Considering { node, mv, after: None };
        let mut line = self.line(node);
        if after.is_over() {
            considering.after = Some(final_value(&after));
        } else {
            line.moves.push(mv);
        }
        self.start_search(Question::Consider(considering), line, WARNING_LIMIT);
        Ok(Message::Searching { node })
    }

    /// Plays a move in place of a reviewed one, as a variation, and starts its judgement; the
    /// message `retry` follows. Returns the node after the move.
    pub(super) fn retry(&mut self, from: u32, mv: Move) -> Result<u32, Refusal> {
        let from = self.table.node(Some(from))?;
        let reviewed_turn = self.reviewed_turn(from).ok_or(Refusal::NotReviewed)?;
        let player = self.table.tree.position(from).side();
        let node = self.play_aside(from, mv)?;
        let retry = Retry { from, node, mv, player, reviewed_turn };
        let position = self.table.tree.position(node);
        if position.is_over() {
            let white = final_value(position);
            self.end_advice();
            self.advice = Some(self.advice(None, Question::Retry(retry.clone())));
            self.judge(&retry, white);
        } else {
            self.start_search(Question::Retry(retry), self.line(node), ADVICE_LIMIT);
        }
        Ok(node)
    }

    /// The reviewed turn that was played at `node`.
    fn reviewed_turn(&self, node: u32) -> Option<TurnMessage> {
        let is_played_there = |turn: &&TurnMessage| {
            let from = self.table.tree.node(turn.node).ok().and_then(|after| after.from);
            from.is_some_and(|(parent, _)| parent == node)
        };
        self.table.finished_review.as_ref()?.message.turns.iter().find(is_played_there).cloned()
    }

    /// Replaces the last question and starts the search of the position after `line` for it.
    fn start_search(&mut self, question: Question, line: Line, limit: Strength) {
        self.end_advice();
        let request = AnalysisRequest::default();
        let search = Search { line, strength: Some(limit), request, lane: Lane::Advice };
        let job = Some(self.start(Job::Search(Box::new(search))));
        self.advice = Some(self.advice(job, question));
    }

    fn advice(&self, job: Option<JobId>, question: Question) -> Advice {
        Advice { job, game: self.table.game, current: self.table.current, question }
    }

    /// Ends advice that is out of date: on an earlier game, a turn that has been played or taken
    /// back, a deleted variation.
    pub(super) fn steer_advice(&mut self) {
        if self.advice.as_ref().is_some_and(|advice| !self.is_in_use(advice)) {
            self.end_advice();
        }
    }

    fn is_in_use(&self, advice: &Advice) -> bool {
        let exists = |node: u32| self.table.tree.node(node).is_ok();
        advice.game == self.table.game
            && match &advice.question {
                Question::Hint(node) | Question::Consider(Considering { node, .. }) => {
                    // A page may also ask about another node than the current one.
                    let was_current = advice.current == *node;
                    exists(*node)
                        && self.table.result(*node).is_none()
                        && (!was_current || self.table.current == *node)
                }
                Question::Retry(retry) => exists(retry.from) && exists(retry.node),
            }
    }

    /// Cancels a running search for a hint or a judgement, and withdraws the last one.
    pub(super) fn end_advice(&mut self) {
        let Some(advice) = self.advice.take() else { return };
        if let Some(job) = advice.job {
            self.emit(Effect::Cancel(job));
        }
        self.withdraw(MessageKind::Advice);
    }

    /// Takes the result of a search; `None` when it found nothing.
    pub(super) fn advice_done(&mut self, job: JobId, result: Option<&Analysis>) {
        let Some(advice) = self.advice.as_mut().filter(|advice| advice.job == Some(job)) else {
            return;
        };
        advice.job = None;
        let (question, Some(analysis)) = (advice.question.clone(), result) else { return };
        match question {
            Question::Hint(node) => {
                let Some(mv) = analysis.moves.first().map(|best| best.mv) else { return };
                let why = purposes(self.table.tree.position(node), mv);
                self.broadcast(MessageKind::Advice, Message::Hint { node, mv, why });
            }
            Question::Retry(retry) => self.judge(&retry, analysis.whites()),
            Question::Consider(Considering { after: Some(after), node, mv }) => {
                self.warn(node, mv, after, analysis);
            }
            Question::Consider(considering) => {
                let considering = Considering { after: Some(analysis.whites()), ..considering };
                let line = self.line(considering.node);
                self.start_search(Question::Consider(considering), line, WARNING_LIMIT);
            }
        }
    }

    /// Compares a move that is not yet played with the best one. `after` is White's expected result
    /// and lead after it, `analysis` that of the position before it.
    fn warn(&mut self, node: u32, mv: Move, after: (f64, f64), analysis: &Analysis) {
        let Some(best) = analysis.moves.first().map(|best| best.mv) else { return };
        let position = self.table.tree.position(node);
        let before = value_for(position.side(), analysis.whites());
        let after = value_for(color_after(mv, position.side()), after);
        let lost =
            |before: f64, after: f64| if best == mv { 0.0 } else { (before - after).max(0.0) };
        let (winrate, points) = (lost(before.0, after.0), lost(before.1, after.1));
        let considered = Considered {
            node,
            mv,
            best,
            winrate: rounded(winrate),
            points: rounded(points),
            blunder: deserves_warning(winrate, points),
            why: purposes(position, best),
        };
        self.broadcast(MessageKind::Advice, Message::Considered(considered));
    }

    /// Compares a move with the one that was played, and tells all pages. `white` is White's
    /// expected result and lead after the move.
    fn judge(&mut self, retry: &Retry, white: (f64, f64)) {
        let &Retry { from, node, mv, player, ref reviewed_turn } = retry;
        self.table.tree.set_value(node, Some(white));
        let (winrate, lead) = value_for(color_after(mv, player), white);
        let &TurnMessage { best, mv: played, played: value, best_played, .. } = reviewed_turn;
        let inaccuracy = Thresholds::default().inaccuracy;
        let verdict = if best == mv {
            Verdict::Best
        } else if played == mv {
            Verdict::Same
        } else if best_played.winrate - winrate < inaccuracy {
            Verdict::Good
        } else if winrate - value.winrate >= inaccuracy {
            Verdict::Better
        } else if value.winrate - winrate >= inaccuracy {
            Verdict::Worse
        } else {
            Verdict::Similar
        };
        let retried = Retried {
            from,
            node,
            player,
            mv,
            played,
            best,
            verdict,
            winrate: rounded(winrate - value.winrate),
            points: rounded(lead - value.lead),
            why: purposes(self.table.tree.position(from), mv),
        };
        self.broadcast(MessageKind::Advice, Message::Retry(retried));
        self.is_changed = true;
    }
}

/// Whether a loss is worth a warning. Win rates of a game that is nearly lost hardly fall, points
/// do.
pub(crate) fn deserves_warning(winrate: f64, points: f64) -> bool {
    /// Set by judgement: smaller losses may be errors of a short search.
    const MIN_POINTS: f64 = 2.0;
    let Thresholds { inaccuracy, blunder, .. } = Thresholds::default();
    winrate >= blunder || (points >= MIN_POINTS && winrate >= inaccuracy)
}

/// The colour of `player` after a move: a swap exchanges them.
fn color_after(mv: Move, player: Color) -> Color {
    if mv == Move::Swap { !player } else { player }
}

/// White's expected result and lead as `color` sees them.
fn value_for(color: Color, white: (f64, f64)) -> (f64, f64) {
    match color {
        Color::White => white,
        Color::Red => (1.0 - white.0, -white.1),
    }
}

/// White's result and lead in a position where the game is over.
fn final_value(position: &Position) -> (f64, f64) {
    let value = Value::from(position.outcome());
    (f64::from(value.win_rate()), f64::from(value.points()))
}
