//! What engines do at the table: it follows from the table and from what
//! pages have asked for, and is looked at after every change.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;

use super::{Command, TICK, Task};
use crate::game::Color;
use crate::notation::WonBy;
use crate::web::broadcast::Kind;
use crate::web::cancel::CancelHandle;
use crate::web::review::{Turn, review};
use crate::web::study::{Subject, Wanted, analyze};
use crate::web::table::Level;
use crate::web::thinking::{self, Thought, think};

/// How much longer than its clock an engine may take before its flag falls:
/// its answer may be on the way.
const MARGIN: f64 = 0.5;

/// Something engines do for the session.
#[derive(Debug)]
pub(super) struct Job<K> {
    /// Its number in the session.
    pub(super) number: u64,
    /// What it is for.
    key: K,
    cancel: Arc<CancelHandle>,
    /// It ends only after the one before it.
    handle: JoinHandle<()>,
    /// Whether it has ended by itself.
    is_done: bool,
}

/// Which engine's turn it is, at which node of which game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TurnKey {
    game: u64,
    tip: u32,
    name: String,
}

/// What a study is for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum StudyKey {
    /// A node of a game.
    Analysis(u64, u32, Wanted),
    Review(u64),
}

impl Task {
    /// Starts what should run and ends what should not.
    pub(super) fn steer(&mut self) {
        self.steer_game();
        self.steer_study();
        if self.has_clients() && self.table.engine_to_move().is_none() {
            self.table.start_clock();
        }
    }

    /// Whether engines work.
    pub(super) fn is_busy(&self) -> bool {
        self.game.is_some() || self.study.as_ref().is_some_and(|job| !job.is_done)
    }

    fn steer_game(&mut self) {
        let game = self.table.game;
        let turn = self.table.engine_to_move();
        let wanted = turn.map(|(tip, _, name)| TurnKey { game, tip, name: name.to_owned() });
        if self.game.as_ref().map(|job| &job.key) == wanted.as_ref() {
            return;
        }
        let before = self.game.take().map(Job::cancel);
        // Pages are told who thinks.
        self.is_changed |= before.is_some();
        let poster = self.broadcast.job(Kind::Thinking);
        let (Some(key), true) = (wanted, self.has_clients()) else { return };
        let Some((tip, position, name)) = self.table.engine_to_move() else { return };
        let seat = self.table.seat_of(position.side(), tip);
        let limit = self.table.clock.limit().ok().flatten();
        let task = thinking::Task {
            session: self.id,
            name: name.to_owned(),
            seat,
            start: *self.table.tree.start(),
            moves: self.table.tree.moves(tip),
            color: position.side(),
            level: self.table.level,
            clock: limit.zip(self.table.clock_to_move()),
        };
        let Some(commands) = self.commands.upgrade() else { return };
        self.jobs += 1;
        let (number, cancel, app) =
            (self.jobs, Arc::new(CancelHandle::default()), Arc::clone(&self.app));
        let held = Arc::clone(&cancel);
        let handle = tokio::spawn(async move {
            wait_for(before).await;
            let beginning = commands.clone();
            let began = move || {
                let _ = beginning.blocking_send(Command::Began(number));
            };
            let thought = think(&app, task, &held, poster, began).await;
            let _ = commands.send(Command::Thought(number, thought)).await;
        });
        self.game = Some(Job { number, key, cancel, handle, is_done: false });
        self.is_changed = true;
    }

    /// What came of an engine's turn.
    pub(super) fn take(&mut self, job: u64, thought: Option<Thought>) {
        let Some(game) = self.game.take_if(|game| game.number == job) else { return };
        let Some((tip, position, _)) = self.table.engine_to_move() else { return };
        debug_assert_eq!((self.table.game, tip), (game.key.game, game.key.tip));
        let loser = position.side();
        let done = match thought {
            None => return,
            Some(Thought::Move { mv, seconds, value }) => {
                if value.is_some() {
                    self.table.tree.set_value(tip, value);
                }
                self.table.play_at_tip(tip, mv, seconds)
            }
            Some(Thought::Resigned) => self.table.end(!loser, WonBy::Resignation, String::new()),
            Some(Thought::Unable(text)) => {
                self.rest(&text);
                Ok(())
            }
            Some(Thought::Failed { by, detail }) => {
                self.notice(&detail);
                self.table.end(!loser, by, detail)
            }
        };
        if let Err(error) = done {
            self.rest(&error.to_string());
        }
        self.is_changed = true;
    }

    /// The game cannot go on by itself.
    fn rest(&mut self, text: &str) {
        self.table.tip = None;
        self.notice(text);
    }

    fn steer_study(&mut self) {
        let (game, current) = (self.table.game, self.table.current);
        let wanted = match (self.review, self.wanted) {
            (Some((number, ..)), _) => Some(StudyKey::Review(number)),
            (None, Some(wanted)) if self.has_clients() && !self.table.position().is_over() => {
                Some(StudyKey::Analysis(game, current, wanted))
            }
            _ => None,
        };
        if self.study.as_ref().map(|job| &job.key) == wanted.as_ref() {
            return;
        }
        let before = self.study.take().map(Job::cancel);
        let analysis = self.broadcast.job(Kind::Analysis);
        let (Some(key), Some(commands)) = (wanted, self.commands.upgrade()) else { return };
        self.jobs += 1;
        let (number, cancel, app) =
            (self.jobs, Arc::new(CancelHandle::default()), Arc::clone(&self.app));
        let held = Arc::clone(&cancel);
        let knows = {
            let commands = commands.clone();
            // What gets lost comes again.
            move |node, value| drop(commands.try_send(Command::Known(game, node, value)))
        };
        let handle = match (&key, self.review) {
            (StudyKey::Analysis(_, node, wanted), _) => {
                let (subject, wanted) = (self.subject(*node), *wanted);
                tokio::spawn(async move {
                    wait_for(before).await;
                    analyze(&app, subject, wanted, &held, analysis, knows).await;
                    let _ = commands.send(Command::Studied(number)).await;
                })
            }
            (StudyKey::Review(_), review_of) => {
                let (node, level) = review_of
                    .map_or((current, Level::Playouts { playouts: 1 }), |(_, node, level)| {
                        (node, level)
                    });
                let (turns, end) = self.turns(node);
                let poster = self.broadcast.job(Kind::Review);
                tokio::spawn(async move {
                    wait_for(before).await;
                    review(&app, turns, end, level, &held, poster, knows).await;
                    let _ = commands.send(Command::Studied(number)).await;
                })
            }
        };
        self.study = Some(Job { number, key, cancel, handle, is_done: false });
    }

    fn subject(&self, node: u32) -> Subject {
        let (start, moves) = (*self.table.tree.start(), self.table.tree.moves(node));
        Subject { session: self.id, node, start, moves }
    }

    /// The turns of the game through `node`, and its end.
    pub(super) fn turns(&self, node: u32) -> (Vec<Turn>, Subject) {
        let line = self.table.tree.main_line(node);
        let end = self.subject(line.last().copied().unwrap_or(0));
        let turn = |(number, &mv)| Turn {
            subject: Subject {
                session: self.id,
                node: line[number],
                start: end.start,
                moves: end.moves[..number].to_vec(),
            },
            mv,
        };
        (end.moves.iter().enumerate().map(turn).collect(), end)
    }

    /// A study has ended by itself.
    pub(super) fn end_study(&mut self, job: u64) {
        let Some(study) = self.study.as_mut().filter(|study| study.number == job) else { return };
        study.is_done = true;
        if matches!(study.key, StudyKey::Review(_)) {
            self.review = None;
        }
        self.is_changed = true;
    }

    /// The thinking engine plays at once. Where none thinks, the one to move
    /// does, or this one in a human's place; a game that rests goes on. Nothing
    /// is done when the game is no more at `node`: the engine has been faster.
    pub(super) fn move_now(&mut self, node: Option<u32>) -> Result<(), String> {
        if node.is_some_and(|node| self.table.tip.is_some_and(|tip| tip != node)) {
            return Ok(());
        }
        if let (Some(game), Some((_, _, name))) = (&self.game, self.table.engine_to_move()) {
            if self.app.spec(name).is_some() {
                return Err(format!("{name} decides by itself when to move"));
            }
            game.cancel.hurry();
            return Ok(());
        }
        self.table.resume();
        if self.table.running().is_none() {
            return Err("the game is over".to_owned());
        }
        if self.table.engine_to_move().is_none() {
            self.table.lend();
        }
        Ok(())
    }

    /// When to look at the clock next.
    pub(super) fn alarm(&self) -> Option<Duration> {
        let flag = (self.table.flag()? + self.margin()).max(0.0);
        Some(TICK.min(Duration::from_secs_f64(flag)))
    }

    /// Tells the pages what the clocks show; whose flag has fallen has lost.
    pub(super) fn look_at_clock(&mut self) {
        self.post_clock();
        let has_fallen = self.table.flag().is_some_and(|flag| flag + self.margin() <= 0.0);
        if let (true, Some((_, position))) = (has_fallen, self.table.running()) {
            let side: Color = position.side();
            let ended = self.table.end(!side, WonBy::Time, format!("{side}'s time is up"));
            self.is_changed = ended.is_ok();
        }
    }

    fn margin(&self) -> f64 {
        if self.table.engine_to_move().is_some() { MARGIN } else { 0.0 }
    }

    /// Ends all jobs.
    pub(super) fn cancel_all(&mut self) {
        self.game.take().map(Job::cancel);
        self.study.take().map(Job::cancel);
    }
}

impl<K> Job<K> {
    /// Tells it to end; what to wait for until it has.
    fn cancel(self) -> JoinHandle<()> {
        self.cancel.cancel();
        self.handle
    }
}

/// Waits until an earlier job has ended and given back its engine.
async fn wait_for(before: Option<JoinHandle<()>>) {
    if let Some(before) = before {
        let _ = before.await;
    }
}
