//! The host of a session: a task that tells the state machine of
//! [`pontifex_play`] its events and performs the effects. Pages, the server and
//! jobs send it commands.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pontifex_play::{
    Effect, Event, Job, JobId, Lane, MessageKind, Outcome, Reply, Report, Request, Session, Table,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::app::AppState;
use super::broadcast::{Broadcast, Reader};
use super::commands::{Answer, Command, Ending, Reporter};
use super::saving::Saving;
use super::scheduler::{Activity, CancelHandle};
use super::searches::{Thinker, search};
use super::store::SessionId;
use super::work::apart;

/// The capacity of a session's command queue.
const QUEUE: usize = 64;

/// A session, as the rest of the server sees it.
#[derive(Debug)]
pub(super) struct SessionHandle {
    broadcast: Broadcast,
    commands: mpsc::Sender<Command>,
    activity: Arc<Activity>,
}

impl SessionHandle {
    /// Starts the task of a session.
    pub(super) fn start(id: SessionId, app: &Arc<AppState>, table: Table) -> SessionHandle {
        let (commands, receiver) = mpsc::channel(QUEUE);
        let (broadcast, activity) = (Broadcast::default(), Arc::new(Activity::default()));
        let engines: Vec<&str> = app.names().collect();
        let (session, effects) = Session::start(id.to_string(), table, &engines);
        let host = Host {
            id,
            app: Arc::clone(app),
            session,
            started: Instant::now(),
            broadcast: broadcast.clone(),
            commands: commands.downgrade(),
            activity: Arc::clone(&activity),
            jobs: HashMap::new(),
            last_jobs: HashMap::new(),
            state_version: 0,
            saving: Saving::new(app, id),
        };
        tokio::spawn(host.run(receiver, effects));
        SessionHandle { broadcast, commands, activity }
    }

    /// A page has come; it counts until the returned visit is dropped.
    pub(super) async fn join(self: &Arc<SessionHandle>) -> Visit {
        self.activity.show();
        self.activity.is_idle.store(false, Ordering::Release);
        let visit = Visit { session: Arc::clone(self) };
        let _ = self.commands.send(Command::Pages).await;
        visit
    }

    /// Whether its task still runs.
    pub(super) fn is_alive(&self) -> bool {
        !self.commands.is_closed()
    }

    /// Whether a page shows it or an engine works for it.
    pub(super) fn is_in_use(&self) -> bool {
        self.activity.pages.load(Ordering::Acquire) > 0
            || self.activity.is_busy.load(Ordering::Acquire)
    }

    /// Whether an unused session may be dropped from memory: no clock runs and
    /// no page has come since the last call. A page that left may come back.
    pub(super) fn mark_idle(&self) -> bool {
        !self.activity.is_timed.load(Ordering::Acquire)
            && self.activity.is_idle.swap(true, Ordering::AcqRel)
    }

    /// Ends its task without saving, if nothing is lost by that; whether it has
    /// ended.
    pub(super) async fn end(&self, ending: Ending) -> bool {
        let (sender, receiver) = oneshot::channel();
        match self.commands.send(Command::End(ending, sender)).await {
            // A task that has panicked does not answer.
            Ok(()) => receiver.await.unwrap_or(true),
            Err(_) => true,
        }
    }

    /// A copy of its table; `None` when the server ends.
    pub(super) async fn table(&self) -> Option<Table> {
        let (sender, receiver) = oneshot::channel();
        self.commands.send(Command::Table(sender)).await.ok()?;
        receiver.await.ok()
    }

    /// Cancels its jobs, saves it and ends its task.
    pub(super) async fn close(&self) {
        let (sender, receiver) = oneshot::channel();
        if self.commands.send(Command::Close(sender)).await.is_ok() {
            let _ = receiver.await;
        }
    }
}

/// A page that shows a session.
#[derive(Debug)]
pub(super) struct Visit {
    session: Arc<SessionHandle>,
}

impl Visit {
    /// The session's broadcast messages.
    pub(super) fn reader(&self) -> Reader {
        self.session.broadcast.reader()
    }

    /// Sends a request; `None` when the server ends.
    pub(super) async fn ask(&self, request: Request) -> Option<Answer> {
        let (sender, receiver) = oneshot::channel();
        self.session.commands.send(Command::Ask(Box::new(request), sender)).await.ok()?;
        receiver.await.ok()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.session.activity.pages.fetch_sub(1, Ordering::AcqRel);
        let session = Arc::clone(&self.session);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = session.commands.send(Command::Pages).await;
            });
        }
    }
}

/// The task of a session.
struct Host {
    id: SessionId,
    app: Arc<AppState>,
    session: Session,
    started: Instant,
    broadcast: Broadcast,
    commands: mpsc::WeakSender<Command>,
    activity: Arc<Activity>,
    /// The jobs that have not reported their end.
    jobs: HashMap<JobId, Arc<CancelHandle>>,
    /// The last job of each lane: the next one waits until it has ended.
    last_jobs: HashMap<Lane, JoinHandle<()>>,
    /// The version of the last broadcast `state`.
    state_version: u64,
    saving: Saving,
}

impl Host {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>, effects: Vec<Effect>) {
        self.perform(effects, None).await;
        loop {
            let alarm = self.alarm();
            self.activity.is_timed.store(alarm.is_some(), Ordering::Release);
            self.activity.is_busy.store(self.session.is_busy(), Ordering::Release);
            let command = tokio::select! {
                biased;
                () = sleep_until(alarm) => None,
                () = sleep_until(self.saving.retry()) => {
                    self.save().await;
                    continue;
                }
                command = commands.recv() => match command {
                    Some(command) => Some(command),
                    None => break,
                },
            };
            // Until the effects, saving among them, are performed.
            self.activity.is_busy.store(true, Ordering::Release);
            match command {
                None => self.tell(Event::Tick, None).await,
                Some(Command::Ask(request, reply)) => self.answer(request, reply).await,
                Some(Command::Pages) => {
                    let pages = self.activity.pages.load(Ordering::Acquire);
                    self.tell(Event::Pages(pages), None).await;
                }
                Some(Command::Report(job, report)) => {
                    if matches!(report, Report::Done(_)) {
                        self.jobs.remove(&job);
                    }
                    self.tell(Event::Job(job, report), None).await;
                }
                Some(Command::Table(reply)) => {
                    let _ = reply.send(self.session.table().clone());
                }
                Some(Command::End(ending, reply)) => {
                    let ends = self.may_end(ending);
                    let _ = reply.send(ends);
                    if ends {
                        break;
                    }
                }
                Some(Command::Close(done)) => {
                    self.tell(Event::Close, None).await;
                    self.saving.report_losses();
                    let _ = done.send(());
                    break;
                }
            }
        }
        for cancel in self.jobs.values() {
            cancel.cancel();
        }
    }

    /// The time of the session's clocks since its start: saving takes none.
    fn now(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.saving.spent())
    }

    /// When to tell the session the time.
    fn alarm(&self) -> Option<Instant> {
        Some(self.started + self.saving.spent() + self.session.alarm()?)
    }

    /// Whether nothing is lost if the session ends without being saved.
    fn may_end(&self, ending: Ending) -> bool {
        !self.activity.is_shown()
            && match ending {
                Ending::Idle => {
                    let is_at_rest = !self.session.is_busy() && self.session.alarm().is_none();
                    is_at_rest && !self.saving.is_unsaved()
                }
                Ending::Discarded => !self.saving.has_unsaved_games(),
            }
    }

    /// Answers a page's request, if there is a place for the game that it
    /// replaces.
    async fn answer(&mut self, request: Box<Request>, reply: oneshot::Sender<Answer>) {
        if self.session.would_keep(&request)
            && let Err(reason) = self.saving.reserve().await
        {
            let message = pontifex_play::error(&Value::Null, &reason);
            let _ = reply.send(Answer { message, version: None });
            return;
        }
        self.tell(Event::Request(request), Some(reply)).await;
        self.saving.release();
    }

    /// Saves what there is to save, now or again.
    async fn save(&mut self) {
        let effects = self.save_all().await;
        self.perform(effects, None).await;
    }

    async fn save_all(&mut self) -> Vec<Effect> {
        match self.saving.save().await {
            Some(event) => self.handle(event).await,
            None => Vec::new(),
        }
    }

    /// Tells the session an event and performs the effects.
    async fn tell(&mut self, event: Event, reply: Option<oneshot::Sender<Answer>>) {
        let effects = self.handle(event).await;
        self.perform(effects, reply).await;
    }

    /// Handles an event. What may take more than a millisecond takes a place in
    /// the queue of slow work, and other sessions' tasks leave the thread.
    async fn handle(&mut self, event: Event) -> Vec<Effect> {
        if !self.session.is_slow(&event) {
            return self.session.handle(event, self.now());
        }
        let _place = self.app.work.place().await;
        // A clock may have run in the meantime.
        let now = self.now();
        apart(|| self.session.handle(event, now))
    }

    async fn perform(&mut self, effects: Vec<Effect>, mut reply: Option<oneshot::Sender<Answer>>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Broadcast(kind, message) => {
                    if kind == MessageKind::State {
                        let message = self.session.as_saved(message);
                        self.state_version = self.broadcast.post(kind, &message);
                    } else {
                        self.broadcast.post(kind, &message);
                    }
                }
                Effect::Withdraw(kind) => self.broadcast.withdraw(kind),
                Effect::Reply(answer) => {
                    let (message, version) = match answer {
                        Reply::State(message) => {
                            (self.session.as_saved(message), Some(self.state_version))
                        }
                        Reply::Message(message) => (message, None),
                    };
                    if let Some(reply) = reply.take() {
                        // The page may have left in the meantime.
                        let _ = reply.send(Answer { message, version });
                    }
                }
                Effect::Keep(saved) => self.saving.keep(*saved),
                Effect::Save(saved) => {
                    self.saving.take(*saved);
                    effects.extend(self.save_all().await);
                }
                Effect::Start(id, job) => self.start(id, job),
                Effect::Cancel(id) => {
                    if let Some(cancel) = self.jobs.get(&id) {
                        cancel.cancel();
                    }
                }
                Effect::Hurry(id) => {
                    if let Some(cancel) = self.jobs.get(&id) {
                        cancel.hurry();
                    }
                }
            }
        }
    }

    /// Starts a job once the last one of its lane has ended and returned its
    /// engine.
    fn start(&mut self, id: JobId, job: Job) {
        // Nothing is started while the session is being dropped.
        let Some(commands) = self.commands.upgrade() else { return };
        let (lane, before) = (job.lane(), self.last_jobs.remove(&job.lane()));
        let (app, session) = (Arc::clone(&self.app), self.id);
        let cancel = Arc::new(CancelHandle::default());
        self.jobs.insert(id, Arc::clone(&cancel));
        let reporter = Reporter::new(id, commands);
        let activity = Arc::clone(&self.activity);
        let task = tokio::spawn(async move {
            if let Some(before) = before {
                let _ = before.await;
            }
            let outcome = match job {
                Job::Turn(turn) => {
                    let thinker =
                        Thinker { app, session, activity, cancel, reporter: reporter.clone() };
                    thinker.think(*turn).await
                }
                Job::Search(job) => search(&app, session, *job, &cancel, &reporter).await,
            };
            reporter.done(outcome.unwrap_or(Outcome::Nothing)).await;
        });
        self.last_jobs.insert(lane, task);
    }
}

async fn sleep_until(alarm: Option<Instant>) {
    match alarm {
        Some(alarm) => tokio::time::sleep_until(alarm).await,
        None => std::future::pending().await,
    }
}
