//! A session: one table, the pages that look at it and the engines that play
//! at it. A task of its own does one thing after the other.

mod requests;
mod steering;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use self::steering::{Job, StudyKey, TurnKey};
use super::app::AppState;
use super::broadcast::{Broadcast, Kind, Reader};
use super::id::SessionId;
use super::request::Request;
use super::saved::SavedSession;
use super::study::Wanted;
use super::table::{Level, Table};
use super::thinking::Thought;
use super::view::{self, Doings};

/// Commands that may wait.
const WAITING: usize = 64;

/// A session, as the rest of the server sees it.
#[derive(Debug)]
pub(super) struct Session {
    broadcast: Broadcast,
    commands: mpsc::Sender<Command>,
    presence: Arc<Presence>,
}

/// Whether anything goes on in a session.
#[derive(Debug, Default)]
struct Presence {
    clients: AtomicUsize,
    is_busy: AtomicBool,
    /// Whether a clock runs.
    is_timed: AtomicBool,
    /// Whether no page has come since it was last looked at.
    is_idle: AtomicBool,
}

/// What a session's task is told.
#[derive(Debug)]
enum Command {
    /// A page asks.
    Ask(Box<Request>, oneshot::Sender<Reply>),
    /// Pages have come or gone.
    Presence,
    /// The search of the game's job begins.
    Began(u64),
    /// What came of the game's job.
    Thought(u64, Option<Thought>),
    /// White's expected result and lead at a node of the game of this number.
    Known(u64, u32, (f64, f64)),
    /// A study's job is done.
    Studied(u64),
    /// The table is wanted, to export it.
    Show(oneshot::Sender<Table>),
    /// The server ends.
    Close(oneshot::Sender<()>),
}

/// What a page is answered.
#[derive(Debug)]
pub(super) enum Reply {
    /// The message `state`, and its number on the broadcast.
    State(Value, u64),
    /// Another message.
    Answer(Value),
}

impl Session {
    /// Takes up a session with its table.
    pub(super) fn start(id: SessionId, app: &Arc<AppState>, table: Table) -> Session {
        let (commands, receiver) = mpsc::channel(WAITING);
        let broadcast = Broadcast::default();
        let presence = Arc::new(Presence::default());
        let task = Task {
            id,
            app: Arc::clone(app),
            table,
            broadcast: broadcast.clone(),
            commands: commands.downgrade(),
            presence: Arc::clone(&presence),
            revision: 0,
            jobs: 0,
            game: None,
            study: None,
            wanted: None,
            review: None,
            is_changed: false,
        };
        tokio::spawn(task.run(receiver));
        Session { broadcast, commands, presence }
    }

    /// A page comes; it is gone when what is returned is dropped.
    pub(super) fn join(self: &Arc<Session>) -> Visit {
        self.presence.clients.fetch_add(1, Ordering::AcqRel);
        self.presence.is_idle.store(false, Ordering::Release);
        Visit { session: Arc::clone(self) }
    }

    /// Whether its task still runs.
    pub(super) fn is_alive(&self) -> bool {
        !self.commands.is_closed()
    }

    /// Whether a page looks on or an engine works.
    pub(super) fn is_in_use(&self) -> bool {
        self.presence.clients.load(Ordering::Acquire) > 0
            || self.presence.is_busy.load(Ordering::Acquire)
    }

    /// Looks at a session that nobody has: whether it is to leave the memory,
    /// as no clock runs and no page has come since the last look. One that has
    /// just left may be coming back.
    pub(super) fn grow_idle(&self) -> bool {
        !self.presence.is_timed.load(Ordering::Acquire)
            && self.presence.is_idle.swap(true, Ordering::AcqRel)
    }

    /// Its table as it stands; `None` when the server ends.
    pub(super) async fn table(&self) -> Option<Table> {
        let (sender, receiver) = oneshot::channel();
        self.commands.send(Command::Show(sender)).await.ok()?;
        receiver.await.ok()
    }

    /// Ends everything and saves.
    pub(super) async fn close(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.commands.send(Command::Close(sender)).await.is_ok() {
            let _ = receiver.await;
        }
    }
}

/// A page that looks at a session.
#[derive(Debug)]
pub(super) struct Visit {
    session: Arc<Session>,
}

impl Visit {
    /// The news of the session.
    pub(super) fn reader(&self) -> Reader {
        self.session.broadcast.reader()
    }

    /// Tells the session's task that somebody has come.
    pub(super) async fn greet(&self) {
        let _ = self.session.commands.send(Command::Presence).await;
    }

    /// Asks; `None` when the server ends.
    pub(super) async fn ask(&self, request: Request) -> Option<Reply> {
        let (sender, receiver) = oneshot::channel();
        self.session.commands.send(Command::Ask(Box::new(request), sender)).await.ok()?;
        receiver.await.ok()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.session.presence.clients.fetch_sub(1, Ordering::AcqRel);
        let session = Arc::clone(&self.session);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = session.commands.send(Command::Presence).await;
            });
        }
    }
}

/// The session's task.
struct Task {
    id: SessionId,
    app: Arc<AppState>,
    table: Table,
    broadcast: Broadcast,
    commands: mpsc::WeakSender<Command>,
    presence: Arc<Presence>,
    revision: u64,
    /// How many jobs there have been.
    jobs: u64,
    game: Option<Job<TurnKey>>,
    study: Option<Job<StudyKey>>,
    /// What an analysis should tell, while one is on.
    wanted: Option<Wanted>,
    /// The review that was asked for: its number, the node and how much a
    /// turn may take.
    review: Option<(u64, u32, Level)>,
    /// Whether the table is not as pages and the file have it.
    is_changed: bool,
}

impl Task {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        self.publish();
        loop {
            if self.settle().await {
                self.publish();
            }
            let alarm = self.alarm().map(|wait| Instant::now() + wait);
            self.presence.is_timed.store(alarm.is_some(), Ordering::Release);
            self.presence.is_busy.store(self.is_busy(), Ordering::Release);
            let command = tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => Some(command),
                    None => break,
                },
                () = sleep_until(alarm) => None,
            };
            // Until what comes of it is saved.
            self.presence.is_busy.store(true, Ordering::Release);
            match command {
                None => self.look_at_clock(),
                Some(Command::Ask(request, reply)) => {
                    let answer = self.answer(*request);
                    let version = match (self.settle().await, &answer) {
                        (false, Some(_)) => 0,
                        _ => self.publish(),
                    };
                    let answer = answer.unwrap_or_else(|| Reply::State(self.state(), version));
                    // Who has left in the meantime needs no answer.
                    let _ = reply.send(answer);
                }
                Some(Command::Show(reply)) => {
                    let _ = reply.send(self.table.clone());
                }
                Some(Command::Close(reply)) => {
                    self.cancel_all();
                    self.save().await;
                    let _ = reply.send(());
                    break;
                }
                Some(command) => self.hear(command),
            }
        }
        self.cancel_all();
    }

    /// What jobs tell.
    fn hear(&mut self, command: Command) {
        match command {
            Command::Began(job) if self.game.as_ref().is_some_and(|game| game.number == job) => {
                self.table.start_clock();
                self.post_clock();
            }
            Command::Thought(job, thought) => self.take(job, thought),
            // What is left of an earlier game's study is of no use.
            Command::Known(game, node, value) if game == self.table.game => {
                self.table.tree.set_value(node, Some(value));
            }
            Command::Studied(job) => self.end_study(job),
            _ => {}
        }
    }

    /// Lets engines do what follows, and saves what has changed, before
    /// anybody hears of it; whether anything has.
    async fn settle(&mut self) -> bool {
        // What is saved is what comes after the engines' part of the change.
        self.steer();
        let is_changed = std::mem::take(&mut self.is_changed);
        if is_changed {
            self.save().await;
        }
        is_changed
    }

    async fn save(&self) {
        let (app, id, kept) = (Arc::clone(&self.app), self.id, SavedSession::of(&self.table));
        let saved = tokio::task::spawn_blocking(move || app.store.write(id, &kept)).await;
        let error = match saved {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        let _ = writeln!(io::stderr(), "pontifex: a game cannot be saved: {error}");
        self.notice(&format!("the game cannot be saved: {error}"));
    }

    /// The message `state`.
    fn state(&self) -> Value {
        let thinking = match (&self.game, self.table.engine_to_move()) {
            (Some(_), Some((_, position, name))) => {
                json!({"player": position.side().to_string(), "engine": name})
            }
            _ => Value::Null,
        };
        let review = self.review.map(|(_, node, _)| json!({"node": node}));
        let doings = Doings { thinking, analysis: self.wanted.is_some(), review: json!(review) };
        view::state(&self.id.to_string(), self.revision, &self.table, &doings)
    }

    /// Shows all pages the table; the message's number.
    fn publish(&mut self) -> u64 {
        self.revision += 1;
        let state = self.state();
        // It tells what the clocks show.
        self.broadcast.job(Kind::Clock);
        self.broadcast.post(Kind::State, &state)
    }

    /// Tells all pages what has gone wrong.
    fn notice(&self, text: &str) {
        self.broadcast.post(Kind::Notice, &json!({"type": "error", "id": null, "text": text}));
    }

    fn post_clock(&self) {
        if let Some(message) = view::clock_message(&self.table) {
            self.broadcast.post(Kind::Clock, &message);
        }
    }

    fn has_clients(&self) -> bool {
        self.presence.clients.load(Ordering::Acquire) > 0
    }
}

async fn sleep_until(alarm: Option<Instant>) {
    match alarm {
        Some(alarm) => tokio::time::sleep_until(alarm).await,
        None => std::future::pending().await,
    }
}

/// How often pages hear of a running clock.
const TICK: Duration = Duration::from_secs(1);
