//! Engines' turns in the game, and the clocks.

use std::time::Duration;

use super::effect::{Effect, MessageKind};
use super::effect::{EngineTurn, Job, JobId, Line, Outcome};
use super::message::{Message, Thoughts};
use super::requests::Refusal;
use super::state::{RunningTurn, State, TurnKey};
use super::terms::BUILT_IN;
use pontifex::clock::Seconds;
use pontifex::engine::Analysis;
use pontifex::game::Color;
use pontifex::notation::WonBy;

/// The seconds by which an engine may exceed its clock before its flag falls: its answer may be on
/// the way. A guess, never measured.
const FLAG_MARGIN: f64 = 0.5;

impl State {
    /// Starts the turn of the engine to move, and cancels any other. Without a page nothing starts,
    /// but a turn that runs continues.
    pub(super) fn steer_turn(&mut self) {
        let game = self.table.game;
        let to_move = self.table.engine_to_move();
        let wanted = to_move.map(|(tip, _, name)| TurnKey { game, tip, name: name.to_owned() });
        if self.turn.as_ref().map(|turn| &turn.key) == wanted.as_ref() {
            return;
        }
        if self.cancel_turn() {
            self.is_changed = true;
        }
        self.withdraw(MessageKind::Thinking);
        if self.pages == 0 {
            return;
        }
        if let (Some(key), Some(turn)) = (wanted, self.engine_turn()) {
            let job = self.start(Job::Turn(Box::new(turn)));
            self.turn = Some(RunningTurn { job, key });
            self.is_changed = true;
        }
    }

    fn engine_turn(&self) -> Option<EngineTurn> {
        let (tip, position, name) = self.table.engine_to_move()?;
        let limit = self.table.clocks.kind().limit().ok().flatten();
        Some(EngineTurn {
            engine: name.to_owned(),
            seat: self.table.seat_of(position.side(), tip),
            line: Line { start: *self.table.tree.start(), moves: self.table.tree.moves(tip) },
            color: position.side(),
            strength: self.table.strength,
            clock: limit.zip(self.table.clock_to_move()),
        })
    }

    /// Cancels the running turn. Returns whether there was one.
    pub(super) fn cancel_turn(&mut self) -> bool {
        let turn = self.turn.take();
        if let Some(turn) = &turn {
            self.emit(Effect::Cancel(turn.job));
        }
        turn.is_some()
    }

    fn is_turn(&self, job: JobId) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.job == job)
    }

    /// Tells all pages that the turn's job waits for other searches.
    pub(super) fn turn_queued(&mut self, job: JobId) {
        if let (true, Some((_, position, _))) = (self.is_turn(job), self.table.engine_to_move()) {
            self.think(position.side(), Thoughts::Queued { queued: true });
        }
    }

    /// Starts the engine's clock, because the turn's search begins.
    pub(super) fn turn_began(&mut self, job: JobId) {
        if self.is_turn(job) {
            self.table.start_clock();
            self.send_clocks();
        }
    }

    /// Sends all pages an interim analysis of the turn.
    pub(super) fn turn_progress(&mut self, job: JobId, analysis: &Analysis) {
        if self.is_turn(job) {
            let (root, best) = (&analysis.root, analysis.moves.first());
            let (mv, visits) = (best.map(|best| best.mv), root.visits);
            let so_far = Thoughts::Found { winrate: root.winrate, lead: root.lead, visits, mv };
            self.think(analysis.to_move, so_far);
        }
    }

    fn think(&mut self, player: Color, so_far: Thoughts) {
        self.broadcast(MessageKind::Thinking, Message::Thinking { player, so_far });
    }

    /// Applies the result of the turn's job.
    pub(super) fn turn_done(&mut self, job: JobId, outcome: Outcome) {
        let Some(turn) = self.turn.take_if(|turn| turn.job == job) else { return };
        let Some((tip, position, _)) = self.table.engine_to_move() else { return };
        debug_assert_eq!((self.table.game, tip), (turn.key.game, turn.key.tip));
        let loser = position.side();
        let result = match outcome {
            Outcome::Nothing | Outcome::Analysis(_) => return,
            Outcome::Move { mv, seconds, analysis } => {
                if let Some(analysis) = analysis.filter(|analysis| analysis.iterations > 0) {
                    self.table.tree.set_value(tip, Some(analysis.whites()));
                }
                self.table.play_at_tip(tip, mv, seconds)
            }
            Outcome::Resigned => self.table.end(!loser, WonBy::Resignation, String::new()),
            Outcome::Unable(text) => {
                self.pause(&text);
                Ok(())
            }
            Outcome::Failed { by, detail } => {
                self.notice(&detail);
                self.table.end(!loser, by, detail)
            }
            Outcome::Panicked(reason) => {
                let detail = format!("the search failed: {reason}");
                self.table.end(!loser, WonBy::Forfeit, detail)
            }
        };
        if let Err(error) = result {
            self.pause(&error.to_string());
        }
        self.is_changed = true;
    }

    /// Pauses the game and reports the reason.
    fn pause(&mut self, text: &str) {
        self.table.tip = None;
        self.notice(text);
    }

    /// Makes the thinking engine move at once. If none thinks, the game continues with the engine
    /// to move or, in a human's place, with the built-in one. A no-op if the game has already
    /// continued from `node`.
    ///
    /// # Errors
    /// When the engine cannot be hurried or the game is over.
    pub(super) fn move_now(&mut self, node: Option<u32>) -> Result<(), Refusal> {
        if node.is_some_and(|node| self.table.tip.is_some_and(|tip| tip != node)) {
            return Ok(());
        }
        if let (Some(turn), Some((_, _, name))) = (&self.turn, self.table.engine_to_move()) {
            if name != BUILT_IN {
                return Err(Refusal::DecidesItself(name.to_owned()));
            }
            self.emit(Effect::Hurry(turn.job));
            return Ok(());
        }
        self.table.resume();
        if self.table.running_tip().is_none() {
            return Err(Refusal::Over);
        }
        if self.table.engine_to_move().is_none() {
            self.table.let_engine_move();
        }
        Ok(())
    }

    /// When the clocks need attention; `None` while none runs.
    pub(super) fn alarm(&self) -> Option<Duration> {
        let remaining = Seconds::saturating(self.table.time_to_flag()? + self.margin());
        let flag = self.table.clocks.now() + remaining.duration();
        Some(flag.min(self.next_clocks()))
    }

    /// Sends all pages the clocks, and ends the game if a flag has fallen.
    pub(super) fn check_clocks(&mut self) {
        self.send_clocks();
        let has_fallen = self.table.time_to_flag().is_some_and(|flag| flag + self.margin() <= 0.0);
        if let (true, Some((_, position))) = (has_fallen, self.table.running_tip()) {
            let side = position.side();
            let ended = self.table.end(!side, WonBy::Time, format!("{side}'s time is up"));
            self.is_changed = ended.is_ok();
        }
    }

    fn margin(&self) -> f64 {
        if self.table.engine_to_move().is_some() { FLAG_MARGIN } else { 0.0 }
    }
}
