//! The core of every host of a [`Session`]: performs its effects in their order,
//! runs one job in each lane at a time, keeps what is to be sent to each page, and
//! decides what to save and when to try again.
//!
//! A server has threads, sockets and files; a browser's worker has one thread, messages and
//! a database. Everything that does not depend on that is here, once:
//!
//! ```text
//!            Input, time                       Event
//!   pages ───────────────►        ───────────────►
//!   jobs   server or worker  Host                   Session
//!   disk  ◄───────────────        ◄───────────────
//!            Order, Mail                       Effect
//! ```
//!
//! - **Order.** Effects are performed in the order in which the session gave them, and an
//!   input begins when those of the last one are done. So no page sees a state that a later
//!   one contradicts.
//! - **Lanes.** Of the jobs of one [`Lane`](super::effect::Lane) one runs at a time: they
//!   share an engine. A new job waits until the old one has ended and given it back, also if
//!   the old one was cancelled. Exactly one report says that a job is done.
//! - **Mail.** A page gets the replies to its requests, one each, and of every other kind of
//!   message the newest only. A slow page therefore skips states; it never falls behind.
//! - **Saving.** While a game is being saved, nothing else happens to the session: later
//!   inputs wait, and no page learns of a change before it is safe or said to be unsaved. The
//!   clocks stand meanwhile. What cannot be saved stays in memory and is tried again, at first
//!   after a second, later every half minute, and with every change. Replaced games come
//!   first: until they are safe, the session must not take the place of the last one.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::effect::{Effect, Event, Job, JobId, MessageKind, Outcome, Page, Reply, Report};
use super::message::{Message, Request, RequestId, read};
use super::saved::SavedSession;
use super::session::Session;
use super::table::Table;

/// How long to wait after the first failure to save; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The most games that may be replaced in a session at once. Chosen: an evening of quick
/// games, and few enough files that a program in a loop does no harm.
const MAX_REPLACED: f64 = 60.0;

/// The time after which one more may be replaced. Nobody plays faster for long;
/// a program that does must not fill the folder.
const REPLACED_EVERY: Duration = Duration::from_secs(30);

/// What a host tells the core.
#[derive(Debug)]
pub enum Input {
    /// A page has come. It is sent the newest messages.
    Join(Page),
    /// A page has left.
    Leave(Page),
    /// A page's message. Exactly one reply to it follows.
    Message(Page, PageMessage),
    /// A job reports.
    Report(JobId, Report),
    /// The time of [`Host::alarm`] has come.
    Time,
    /// The game of the last [`Order::Save`] is saved, or why it is not.
    Saved(Option<String>),
    /// The session ends: it is saved once more, and further inputs are ignored.
    Close,
}

/// A page's message with its id, or what is wrong with it.
#[derive(Debug)]
pub struct PageMessage(Result<(RequestId, Box<Request>), (RequestId, String)>);

impl PageMessage {
    /// Reads a message. A long one takes time, which a host can thus spend before it
    /// locks the session.
    pub fn read(text: &str) -> PageMessage {
        PageMessage(read(text).map(|(id, request)| (id, Box::new(request))))
    }
}

/// What the host must do.
#[derive(Clone, Debug)]
pub enum Order {
    /// Save a game and answer with [`Input::Saved`].
    Save(Unsaved),
    /// Start a job; the earlier one of its lane has ended.
    Start(JobId, Job),
    /// End a job; its result is not needed.
    Cancel(JobId),
    /// End a job's search with the best move so far.
    Hurry(JobId),
    /// Say this line where the host reports errors.
    Log(String),
}

/// A game to be saved.
#[derive(Clone, Debug)]
pub struct Unsaved {
    pub game: Arc<SavedSession>,
    /// Whether it is the session itself; otherwise it was replaced in it and becomes
    /// a session of its own.
    pub is_own: bool,
}

/// No further game can be kept.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("there are {capacity} games, and no more are kept; delete some of them")]
pub struct NoRoom {
    pub capacity: usize,
}

/// Tells whether another game can be kept.
pub type Room<'a> = &'a dyn Fn() -> Result<(), NoRoom>;

type Text = Arc<str>;

/// The newest message of each kind.
type News = [Option<Text>; MessageKind::COUNT];

/// What a page has to be sent: replies, then the newest of each kind of news.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    pub replies: Vec<Text>,
    news: News,
}

impl Mail {
    /// The messages, in the order in which to send them.
    pub fn texts(self) -> impl Iterator<Item = Text> {
        self.replies.into_iter().chain(self.news.into_iter().flatten())
    }
}

/// The job that runs in a lane, and the one that waits for its end.
#[derive(Debug, Default)]
struct Jobs {
    running: Option<JobId>,
    next: Option<(JobId, Job)>,
}

/// A session with its pages, its jobs and what is to be saved.
#[derive(Debug)]
pub struct Host {
    id: String,
    session: Session,
    pages: BTreeMap<Page, Mail>,
    newest: News,
    lanes: [Jobs; 3],
    saving: Saving,
    /// Inputs that wait until the game is saved.
    inputs: VecDeque<Input>,
    effects: VecDeque<Effect>,
    orders: Vec<Order>,
    /// The page whose request is being handled, and the request's id.
    asker: Option<(Page, RequestId)>,
    is_closed: bool,
}

impl Host {
    /// Takes up a session; see [`Session::start`].
    pub fn new(id: &str, table: Table, engines: &[&str]) -> Host {
        let (session, effects) = Session::start(id.to_owned(), table, engines);
        let mut host = Host {
            id: id.to_owned(),
            session,
            pages: BTreeMap::new(),
            newest: News::default(),
            lanes: Default::default(),
            saving: Saving::default(),
            inputs: VecDeque::new(),
            effects: effects.into(),
            orders: Vec::new(),
            asker: None,
            is_closed: false,
        };
        host.go_on(Duration::ZERO, &|| Ok(()));
        host
    }

    /// Handles an input at the time `now`, counted from the session's start. `room`
    /// is asked before a game is replaced.
    pub fn handle(&mut self, input: Input, now: Duration, room: Room<'_>) -> Vec<Order> {
        // A flag that has fallen comes before a late move.
        if !self.is_saving() && self.session.alarm().is_some_and(|alarm| alarm <= self.clock(now)) {
            self.tell(Event::Tick, now);
        }
        match input {
            Input::Saved(failure) => self.saved(failure, now),
            input => self.inputs.push_back(input),
        }
        self.go_on(now, room);
        std::mem::take(&mut self.orders)
    }

    /// Whether the input may take more than a millisecond to handle.
    pub fn is_slow(&self, input: &Input) -> bool {
        self.session.has_many_nodes()
            || match input {
                Input::Message(_, PageMessage(Ok((_, request)))) => {
                    matches!(**request, Request::Load { .. }) || self.session.would_keep(request)
                }
                Input::Report(_, Report::Done(Outcome::Analysis(_))) => true,
                _ => false,
            }
    }

    /// Takes what the page has to be sent.
    pub fn take_mail(&mut self, page: Page) -> Mail {
        self.pages.get_mut(&page).map(std::mem::take).unwrap_or_default()
    }

    /// The pages that show the session.
    pub fn pages(&self) -> impl Iterator<Item = Page> {
        self.pages.keys().copied()
    }

    /// When to send [`Input::Time`], counted from the session's start; `None` until
    /// something else happens.
    pub fn alarm(&self) -> Option<Duration> {
        if self.is_saving() {
            return None;
        }
        let clocks = self.session.alarm().map(|alarm| alarm + self.saving.spent);
        let retry = self.saving.failure.map(|failure| failure.retry);
        clocks.into_iter().chain(retry).min()
    }

    /// Whether a game is being saved.
    pub fn is_saving(&self) -> bool {
        self.saving.since.is_some()
    }

    /// Whether nothing goes on in the session and everything is saved.
    pub fn is_at_rest(&self) -> bool {
        !self.session.is_busy() && self.alarm().is_none() && self.saving.next().is_none()
    }

    /// Whether a replaced game is not saved.
    pub fn has_unsaved_games(&self) -> bool {
        !self.saving.replaced.is_empty()
    }

    /// Whether the session was closed and has been saved as far as it can be.
    pub fn is_over(&self) -> bool {
        self.is_closed && !self.is_saving()
    }

    pub fn table(&self) -> &Table {
        self.session.table()
    }

    /// The time of the session's clocks: saving takes none.
    fn clock(&self, now: Duration) -> Duration {
        now.saturating_sub(self.saving.spent)
    }

    fn tell(&mut self, event: Event, now: Duration) {
        self.effects.extend(self.session.handle(event, self.clock(now)));
    }

    /// Performs effects and begins inputs until a game is to be saved.
    fn go_on(&mut self, now: Duration, room: Room<'_>) {
        while !self.is_saving() {
            if let Some(effect) = self.effects.pop_front() {
                self.perform(effect, now);
            } else if let Some(input) = self.inputs.pop_front().filter(|_| !self.is_closed) {
                self.begin(input, now, room);
            } else {
                break;
            }
        }
    }

    fn begin(&mut self, input: Input, now: Duration, room: Room<'_>) {
        match input {
            Input::Join(page) => {
                let mail = Mail { replies: Vec::new(), news: self.newest.clone() };
                self.pages.insert(page, mail);
                self.tell(Event::Pages(self.pages.len()), now);
            }
            Input::Leave(page) => {
                self.pages.remove(&page);
                self.tell(Event::Left(page), now);
                self.tell(Event::Pages(self.pages.len()), now);
            }
            Input::Message(page, PageMessage(Err((id, reason)))) => {
                self.reply(page, &Message::error(&reason), &id);
            }
            Input::Message(page, PageMessage(Ok((id, request)))) => {
                if self.session.would_keep(&request)
                    && let Err(reason) = self.may_keep(now, room)
                {
                    return self.reply(page, &Message::error(&reason.to_string()), &id);
                }
                self.asker = Some((page, id));
                self.tell(Event::Request(page, request), now);
            }
            Input::Report(job, report) => {
                if let Report::Done(outcome) = &report {
                    self.job_ended(job, outcome);
                }
                self.tell(Event::Job(job, report), now);
            }
            Input::Close => {
                self.is_closed = true;
                self.tell(Event::Close, now);
            }
            Input::Time if self.saving.is_due(now) => self.save(now),
            Input::Time | Input::Saved(_) => {}
        }
    }

    fn perform(&mut self, effect: Effect, now: Duration) {
        match effect {
            Effect::Broadcast(kind, mut message) => {
                if kind == MessageKind::State {
                    message = self.session.as_saved(message);
                }
                self.post(kind, Some(&message.to_json(&None).into()));
            }
            Effect::Withdraw(kind) => self.post(kind, None),
            Effect::Reply(reply) => {
                let Some((page, id)) = self.asker.take() else { return };
                let message = match reply {
                    // It stands in the place of the broadcast one.
                    Reply::State(state) => {
                        if let Some(mail) = self.pages.get_mut(&page) {
                            mail.news[MessageKind::State as usize] = None;
                        }
                        self.session.as_saved(state)
                    }
                    Reply::Message(message) => message,
                };
                self.reply(page, &message, &id);
            }
            Effect::Keep(game) => self.saving.keep(*game),
            Effect::Save(game) => {
                self.saving.own = Some(Arc::new(*game));
                self.save(now);
            }
            Effect::Start(id, job) => self.start(id, job),
            Effect::Cancel(id) => self.cancel(id),
            Effect::Hurry(id) => self.orders.push(Order::Hurry(id)),
        }
    }

    /// Puts a message in the place of the last one of its kind, for all pages.
    fn post(&mut self, kind: MessageKind, text: Option<&Text>) {
        let all = self.pages.values_mut().map(|mail| &mut mail.news);
        for news in all.chain([&mut self.newest]) {
            news[kind as usize] = text.cloned();
        }
    }

    fn reply(&mut self, page: Page, message: &Message, id: &RequestId) {
        if let Some(mail) = self.pages.get_mut(&page) {
            mail.replies.push(message.to_json(id).into());
        }
    }

    /// Starts a job, or lets it wait until the one before has ended and returned its
    /// engine.
    fn start(&mut self, id: JobId, job: Job) {
        let lane = &mut self.lanes[job.lane() as usize];
        if lane.running.is_some() {
            lane.next = Some((id, job));
        } else {
            lane.running = Some(id);
            self.orders.push(Order::Start(id, job));
        }
    }

    /// Ends a job. One that has not begun is done with.
    fn cancel(&mut self, id: JobId) {
        let is_this = |next: &mut (JobId, Job)| next.0 == id;
        if self.lanes.iter_mut().any(|lane| lane.next.take_if(is_this).is_some()) {
            self.inputs.push_front(Input::Report(id, Report::Done(Outcome::Nothing)));
        } else {
            self.orders.push(Order::Cancel(id));
        }
    }

    /// Starts what waited for the end of this job.
    fn job_ended(&mut self, id: JobId, outcome: &Outcome) {
        if let Outcome::Panicked(reason) = outcome {
            self.log(format!("a search in the game {} failed: {reason}", self.id));
        }
        let mut lanes = self.lanes.iter_mut();
        if let Some(lane) = lanes.find(|lane| lane.running == Some(id)) {
            lane.running = None;
            if let Some((id, job)) = lane.next.take() {
                self.start(id, job);
            }
        }
    }

    /// Checks that there is a place for the game that a request is about to replace.
    fn may_keep(&mut self, now: Duration, room: Room<'_>) -> Result<(), Refused> {
        self.saving.check_allowance(now)?;
        Ok(room()?)
    }

    /// Saves the next game, if there is one to save.
    fn save(&mut self, now: Duration) {
        if let Some(unsaved) = self.saving.next() {
            self.saving.since = Some(now);
            self.orders.push(Order::Save(unsaved));
        }
    }

    fn saved(&mut self, failure: Option<String>, now: Duration) {
        let Some(since) = self.saving.since.take() else { return };
        self.saving.spent += now.saturating_sub(since);
        let (id, is_first) = (&self.id, self.saving.failure.is_none());
        match failure {
            Some(reason) if self.is_closed => {
                let replaced = match self.saving.replaced.len() {
                    0 => String::new(),
                    count => format!(" and {count} games that it replaced"),
                };
                self.log(format!("the last moves of the game {id}{replaced} are lost: {reason}"));
            }
            Some(reason) => {
                if is_first {
                    self.log(format!("the game {id} cannot be saved: {reason}"));
                }
                self.saving.fail(now);
                self.tell(Event::NotSaved(reason), now);
            }
            None => {
                self.saving.drop_first();
                if self.saving.next().is_some() {
                    self.save(now);
                } else if !is_first {
                    self.saving.failure = None;
                    self.log(format!("the game {id} is saved again"));
                    self.tell(Event::Saved, now);
                }
            }
        }
    }

    fn log(&mut self, line: String) {
        self.orders.push(Order::Log(line));
    }
}

/// What a session has to save: itself, and the games that others replaced in it.
#[derive(Debug)]
struct Saving {
    /// Replaced games, the earliest first.
    replaced: VecDeque<Arc<SavedSession>>,
    /// The session itself.
    own: Option<Arc<SavedSession>>,
    /// Since when a game is being saved.
    since: Option<Duration>,
    /// The time spent on saving. It is nobody's on the clock.
    spent: Duration,
    /// What follows from a failure; `None` while nothing has failed.
    failure: Option<Failure>,
    /// How many games may be replaced now, as of the time beside it.
    allowance: (f64, Duration),
}

#[derive(Clone, Copy, Debug)]
struct Failure {
    retry: Duration,
    /// The pause before `retry`.
    pause: Duration,
}

/// Why a game is not replaced.
#[derive(Debug, Error)]
enum Refused {
    #[error("too many games were begun here in a short time; try again in {0} s")]
    TooMany(f64),
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
}

impl Default for Saving {
    fn default() -> Saving {
        Saving {
            replaced: VecDeque::new(),
            own: None,
            since: None,
            spent: Duration::ZERO,
            failure: None,
            allowance: (MAX_REPLACED, Duration::ZERO),
        }
    }
}

impl Saving {
    /// Checks that not too many games were replaced.
    fn check_allowance(&mut self, now: Duration) -> Result<(), Refused> {
        let (left, since) = self.allowance;
        let gained = now.saturating_sub(since).div_duration_f64(REPLACED_EVERY);
        let left = (left + gained).min(MAX_REPLACED);
        self.allowance = (left, now);
        if left >= 1.0 {
            return Ok(());
        }
        Err(Refused::TooMany(((1.0 - left) * REPLACED_EVERY.as_secs_f64()).ceil()))
    }

    /// Takes a replaced game.
    fn keep(&mut self, game: SavedSession) {
        self.allowance.0 -= 1.0;
        self.replaced.push_back(Arc::new(game));
    }

    /// What is to be saved next.
    fn next(&self) -> Option<Unsaved> {
        let replaced = self.replaced.front().map(|game| (game, false));
        let (game, is_own) = replaced.or(self.own.as_ref().map(|game| (game, true)))?;
        Some(Unsaved { game: Arc::clone(game), is_own })
    }

    /// What was to be saved next is saved.
    fn drop_first(&mut self) {
        if self.replaced.pop_front().is_none() {
            self.own = None;
        }
    }

    /// Plans the next try. One that a change led to leaves the plan as it is.
    fn fail(&mut self, now: Duration) {
        let pause = match self.failure {
            None => FIRST_PAUSE,
            Some(failure) if now < failure.retry => return,
            Some(failure) => (2 * failure.pause).min(LONGEST_PAUSE),
        };
        self.failure = Some(Failure { retry: now + pause, pause });
    }

    /// Whether it is time to try again.
    fn is_due(&self, now: Duration) -> bool {
        self.failure.is_some_and(|failure| failure.retry <= now)
    }
}
