//! A session of the server: the core of [`pontifex_play`] behind a lock, with a timer, threads for
//! its jobs and files for what it saves.
//!
//! Pages (`socket`), jobs (`searches`), saves and the timer each have a task or a thread of their
//! own. Each of them passes its [`Input`] to [`Session::handle`], which locks the core. The caller
//! also carries out the [`Order`]s that follow, still under the lock: out of order, they could
//! cancel a job before it starts.
//!
//! - **The lock is short.** It is never held while a file is written or a search runs. Orders only
//!   start tasks. An input that takes more than a millisecond moves the other tasks of its thread
//!   elsewhere.
//! - **What is read often needs no lock.** [`Status`] is published after each input through a
//!   `watch` channel. Its receivers are the visitors of the session, so their number tells whether
//!   the session is in use.
//! - **Progress may be skipped.** A search reports progress only if the lock is free; its end waits
//!   for the lock. Otherwise a slow input would hold up the search itself.
//! - **A panic costs one session.** Its state can then not be trusted, but its file can, since no
//!   page has seen anything else. The session ends, and is read again when a page comes.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pontifex::messages::tell;
use pontifex_play::{Host, Input, JobId, Mail, Order, Page, Report, Table, Unsaved};
use tokio::sync::{Mutex, Notify, watch};
use tokio::time::Instant;

use super::app::AppState;
use super::cancel::{CancelHandle, EarlyEnd};
use super::searches::RunningJob;
use super::store::SessionId;
use super::work::run_apart;

/// A session in memory.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: SessionId,
    pub(super) app: Arc<AppState>,
    /// Whether a page shows the session. Shared with the scheduler, which reads it without the
    /// lock.
    pub(super) is_shown: Arc<AtomicBool>,
    started: Instant,
    /// The session's state; the lock is never held while a file is written or a thread waited for.
    state: Mutex<State>,
    /// The status for the visitors, who are its receivers. Published after every input, even if
    /// unchanged: this also tells sockets to look for mail.
    status: watch::Sender<Status>,
    /// Wakes `keep_time` to reread the alarm.
    timer: Notify,
    /// Whether no page has come since [`Session::mark_idle`].
    is_idle: AtomicBool,
}

#[derive(Debug)]
struct State {
    host: Host,
    /// The jobs that have not reported their end.
    jobs: HashMap<JobId, Arc<CancelHandle>>,
    last_page: Page,
}

/// The part of a session's state that others may read without its lock.
#[derive(Clone, Copy, Debug, Default)]
struct Status {
    alarm: Option<Duration>,
    is_saving: bool,
    is_over: bool,
}

/// Why a session that nobody visits ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The session is idle and can be read again from its file.
    Idle,
    /// The session is to be deleted.
    Discarded,
}

/// The use of a session, which is neither dropped nor deleted while the visit lasts.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) session: Arc<Session>,
    status: watch::Receiver<Status>,
}

impl Visit {
    /// Waits until something may have changed in the session. Returns `false` if the session has
    /// ended.
    pub(super) async fn changed(&mut self) -> bool {
        self.status.changed().await.is_ok() && !self.status.borrow().is_over
    }

    /// Ends the visit.
    pub(super) fn leave(self) -> Arc<Session> {
        self.session
    }
}

impl Session {
    /// Starts a session with its table.
    pub(super) fn start(id: SessionId, app: &Arc<AppState>, table: Table) -> Arc<Session> {
        let engines: Vec<&str> = app.engine_names().collect();
        let host = Host::new(&id.to_string(), table, &engines);
        let session = Arc::new(Session {
            id,
            app: Arc::clone(app),
            is_shown: Arc::default(),
            started: Instant::now(),
            state: Mutex::new(State { host, jobs: HashMap::new(), last_page: 0 }),
            status: watch::Sender::default(),
            timer: Notify::new(),
            is_idle: AtomicBool::new(false),
        });
        tokio::spawn(Arc::clone(&session).keep_time());
        session
    }

    /// Visits the session; `None` if it has ended.
    pub(super) fn visit(self: &Arc<Session>) -> Option<Visit> {
        // First subscribe, then look. The other way round, the session could end in between.
        let visit = Visit { session: Arc::clone(self), status: self.status.subscribe() };
        (!self.is_over()).then_some(visit)
    }

    /// Whether the session has ended.
    pub(super) fn is_over(&self) -> bool {
        self.status.borrow().is_over
    }

    /// Adds a page, and returns its number.
    pub(super) async fn join(self: &Arc<Session>) -> Page {
        self.is_idle.store(false, Ordering::Release);
        let page = {
            let mut state = self.state.lock().await;
            state.last_page += 1;
            state.last_page
        };
        self.handle(Input::Join(page)).await;
        page
    }

    /// Takes the messages that wait for the page.
    pub(super) async fn mail(&self, page: Page) -> Mail {
        self.state.lock().await.host.take_mail(page)
    }

    /// A copy of its table.
    pub(super) async fn table(&self) -> Table {
        self.state.lock().await.host.table().clone()
    }

    /// Handles an input. One that may take more than a millisecond waits in the queue of slow work,
    /// and other tasks leave the thread.
    pub(super) async fn handle(self: &Arc<Session>, input: Input) {
        let mut state = self.state.lock().await;
        if state.host.is_slow(&input) {
            let _permit = self.app.work.acquire().await;
            run_apart(|| self.handle_locked(&mut state, input));
        } else {
            self.handle_locked(&mut state, input);
        }
    }

    /// Handles a report from a job's thread. Progress is skipped if the session is locked.
    pub(super) fn report(self: &Arc<Session>, job: JobId, report: Report) {
        let is_progress = matches!(report, Report::Progress(_));
        let state = if is_progress { self.state.try_lock().ok() } else { None };
        let state = state.or_else(|| (!is_progress).then(|| self.state.blocking_lock()));
        if let Some(mut state) = state {
            self.handle_locked(&mut state, Input::Report(job, report));
        }
    }

    fn handle_locked(self: &Arc<Session>, state: &mut State, input: Input) {
        if self.is_over() {
            return;
        }
        if let Input::Report(job, Report::Done(_)) = &input {
            state.jobs.remove(job);
        }
        let (now, room) = (self.started.elapsed(), || self.app.make_room());
        // `AssertUnwindSafe`: after a panic, nobody reads this state again.
        let handle = AssertUnwindSafe(|| state.host.handle(input, now, &room));
        let orders = catch_unwind(handle);
        let is_broken = orders.is_err();
        if is_broken {
            tell(format!("the game {} is in disorder; it is read again from its file", self.id));
            state.jobs.values().for_each(|job| job.request_end(EarlyEnd::Cancel));
        }
        for order in orders.unwrap_or_default() {
            self.carry_out(order, &mut state.jobs);
        }
        let host = &state.host;
        self.is_shown.store(host.pages().next().is_some(), Ordering::Release);
        let (alarm, is_saving) = (host.alarm(), host.is_saving());
        self.status.send_replace(Status { alarm, is_saving, is_over: host.is_over() || is_broken });
        self.timer.notify_one();
    }

    fn carry_out(self: &Arc<Session>, order: Order, jobs: &mut HashMap<JobId, Arc<CancelHandle>>) {
        let request_end = |id, end| jobs.get(&id).into_iter().for_each(|job| job.request_end(end));
        match order {
            Order::Save(unsaved) => drop(tokio::spawn(Arc::clone(self).save(unsaved))),
            Order::Start(id, job) => {
                let cancel = Arc::new(CancelHandle::default());
                jobs.insert(id, Arc::clone(&cancel));
                let running = RunningJob { session: Arc::clone(self), id, cancel };
                tokio::spawn(running.run(job));
            }
            Order::Cancel(id) => request_end(id, EarlyEnd::Cancel),
            Order::Hurry(id) => request_end(id, EarlyEnd::Hurry),
            Order::Log(line) => tell(line),
        }
    }

    async fn save(self: Arc<Session>, Unsaved { game, is_own }: Unsaved) {
        let (app, id) = (Arc::clone(&self.app), self.id);
        let write = move || {
            if is_own { app.store.write(id, &game) } else { app.store.add(&game) }
        };
        let failure = match tokio::task::spawn_blocking(write).await {
            Ok(result) => result.err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        self.handle(Input::Saved(failure)).await;
    }

    /// Handles [`Input::Time`] at each alarm. Any input may move the alarm, so every input wakes
    /// this task.
    async fn keep_time(self: Arc<Session>) {
        loop {
            let Status { alarm, is_over, .. } = *self.status.borrow();
            if is_over {
                break;
            }
            let until_alarm = async {
                match alarm {
                    Some(alarm) => tokio::time::sleep_until(self.started + alarm).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = until_alarm => self.handle(Input::Time).await,
                () = self.timer.notified() => {}
            }
        }
    }

    /// Marks the session as idle until the next page joins. Returns whether it was so already.
    /// Called once a minute, so a page has one to two minutes to come back, for example after a
    /// reload or a sleep.
    pub(super) fn mark_idle(&self) -> bool {
        self.is_idle.swap(true, Ordering::AcqRel)
    }

    /// Ends the session without saving, if nobody visits it and nothing would be lost. Runs
    /// `on_end` before anybody can see that it has ended. Returns whether it has.
    pub(super) async fn end(&self, ending: Ending, on_end: impl FnOnce()) -> bool {
        if self.status.receiver_count() > 0 {
            return false;
        }
        if ending == Ending::Discarded {
            let _ = self.status.subscribe().wait_for(|status| !status.is_saving).await;
        }
        let state = self.state.lock().await;
        let is_safe = || match ending {
            Ending::Idle => state.host.is_at_rest(),
            Ending::Discarded => !state.host.is_saving() && !state.host.has_unsaved_games(),
        };
        let may_end = self.is_over() || is_safe();
        // Under the lock of the channel: whoever visits now is counted, or sees that it is over.
        let ends = may_end
            && self.status.send_if_modified(|status| {
                let ends = self.status.receiver_count() == 0;
                if ends {
                    status.is_over = true;
                    on_end();
                }
                ends
            });
        if ends {
            state.jobs.values().for_each(|job| job.request_end(EarlyEnd::Cancel));
            self.timer.notify_one();
        }
        ends
    }

    /// Cancels the session's jobs, saves it and ends it.
    pub(super) async fn close(self: &Arc<Session>) {
        self.handle(Input::Close).await;
        let _ = self.status.subscribe().wait_for(|status| status.is_over).await;
    }
}
