//! The core of every host of a [`Session`]. It performs effects in their order, runs one job in
//! each lane at a time, keeps the mail of each page, and decides what to save and when to retry.
//!
//! A server has threads, sockets and files; a browser's worker has one thread, messages and a
//! database. Everything that does not depend on that is here, once. The platform passes in an
//! [`Input`] with the time, carries out the [`Order`]s that [`Host::handle`] returns, and then
//! sends each page its [`Mail`]. An example: the effects of a human's move, while an analysis is on
//! and the engine is to answer:
//!
//! ```text
//!   effect                    what the host makes of it
//!   Start(the engine's turn)  Order::Start, or it waits for the job before it in its lane
//!   Cancel(the analysis)      Order::Cancel; its lane stays taken until the job reports Done
//!   Save(the session)         Order::Save; everything below waits for Input::Saved
//!   Broadcast(State, ...)     into every page's mail, over the last state not yet sent
//!   Reply(the state)          into the mail of the page that asked
//! ```
//!
//! - **Order.** Effects are performed in the order in which the session gave them, and an input
//!   begins when those of the last one are done. Otherwise a page could see a state that
//!   contradicts the one it gets next.
//! - **Lanes.** The jobs of one [`Lane`](super::effect::Lane) share an engine, so one runs at a
//!   time. A new job waits until the old one has ended and returned the engine, even if the old one
//!   was cancelled. Exactly one report says that a job is done: a second one would start two jobs
//!   in a lane, a missing one would block the lane for good.
//! - **Cancel before start.** A job that still waits for its lane is unknown to the platform. The
//!   host drops it and reports its end itself.
//! - **Mail.** A page gets one reply to each request, and only the newest message of every other
//!   kind. A slow page therefore skips states; it never falls behind.
//! - **Saving.** While a game is being saved, nothing else happens to the session: later inputs
//!   wait, and no page learns of a change before it is safe or reported as unsaved. The clocks stop
//!   meanwhile. What cannot be saved stays in memory and is retried with every change, and after a
//!   pause that doubles from a second to half a minute. Replaced games come first: the session's
//!   file still holds the game that was replaced, and must not be overwritten before that game has
//!   a file of its own.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::effect::{Effect, Event, Job, JobId, MessageKind, Outcome, Page, Reply, Report};
use super::message::{Message, Request, RequestId, read_request};
use super::saved::SavedSession;
use super::session::Session;
use super::table::Table;

/// How long to wait after the first failure to save; each further one doubles it. Set by judgement:
/// what fails for a moment, such as a file that a backup holds, is saved before anybody worries.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause. Set by judgement: short enough that a disk with room again is noticed soon,
/// and two attempts a minute are no load on one that stays full.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The most games that may be replaced in a session at once. Set by judgement: an evening of quick
/// games, and few enough files that a program in a loop does no harm.
const MAX_REPLACED: f64 = 60.0;

/// The time in which the allowance grows by one game. Set by judgement: nobody finishes games
/// faster for long, and a program that does must not fill the folder.
const REPLACED_EVERY: Duration = Duration::from_secs(30);

/// An input of a host, from its platform.
#[derive(Debug)]
pub enum Input {
    /// A page joins under a number that no other page of the session has. Its mail holds the newest
    /// message of each kind.
    Join(Page),
    /// A page has left; its mail is dropped.
    Leave(Page),
    /// A page's message. Exactly one reply to it follows.
    Message(Page, PageMessage),
    /// Progress or the end of a job of [`Order::Start`]. Exactly one [`Report::Done`] is needed for
    /// each, even after [`Order::Cancel`].
    Report(JobId, Report),
    /// The time of [`Host::alarm`] has come.
    Time,
    /// The answer to the last [`Order::Save`]: `None` if the game is saved, or the reason of the
    /// failure.
    Saved(Option<String>),
    /// The session ends: it is saved once more, and inputs other than [`Input::Saved`] are ignored.
    Close,
}

/// A page's message, already parsed: the request with its id, or the error in it.
#[derive(Debug)]
pub struct PageMessage(Result<(RequestId, Box<Request>), (RequestId, String)>);

impl PageMessage {
    /// Parses a message. A long record takes milliseconds to read; a platform with threads spends
    /// them here, before it locks the session.
    pub fn read(text: &str) -> PageMessage {
        PageMessage(read_request(text).map(|(id, request)| (id, Box::new(request))))
    }
}

/// What the caller of [`Host::handle`] must do.
#[derive(Clone, Debug)]
pub enum Order {
    /// Save a game and answer with [`Input::Saved`]. No other save is ordered before the answer.
    Save(Unsaved),
    /// Start a job; the earlier one of its lane has ended.
    Start(JobId, Job),
    /// Stop a job soon; its result is not needed, but its end must be reported.
    Cancel(JobId),
    /// End a job's search with the best move so far.
    Hurry(JobId),
    /// Write this line to the error log.
    Log(String),
}

/// A game to be saved.
#[derive(Clone, Debug)]
pub struct Unsaved {
    /// The game, shared and not copied: the host keeps it until it is saved.
    pub game: Arc<SavedSession>,
    /// Whether the game is the session's own. Otherwise it was replaced in the session and becomes
    /// a session of its own.
    pub is_own: bool,
}

/// No further game can be kept, because there are `capacity` games already.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("there are {capacity} games, and no more are kept; delete some of them")]
pub struct NoRoom {
    pub capacity: usize,
}

/// Checks that another game can be kept. It may make room by deleting dispensable games.
pub type Room<'a> = &'a dyn Fn() -> Result<(), NoRoom>;

type Text = Arc<str>;

/// The newest message of each kind, by its [`MessageKind`]; `None` if it was withdrawn or already
/// sent.
type News = [Option<Text>; MessageKind::COUNT];

/// The messages that wait for a page.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    /// The replies to its requests, in their order.
    pub replies: Vec<Text>,
    news: News,
}

impl Mail {
    /// The messages in the order in which to send them: replies, then broadcasts in the order of
    /// [`MessageKind`].
    pub fn texts(self) -> impl Iterator<Item = Text> {
        self.replies.into_iter().chain(self.news.into_iter().flatten())
    }
}

/// The job that runs in a lane, and the one that waits for its end.
#[derive(Debug, Default)]
struct Jobs {
    running_job: Option<JobId>,
    /// The waiting job. It is never overwritten: the session cancels a job before it starts another
    /// one in its lane.
    next_job: Option<(JobId, Job)>,
}

/// A session with its pages, its jobs and its unsaved games.
#[derive(Debug)]
pub struct Host {
    id: String,
    session: Session,
    pages: BTreeMap<Page, Mail>,
    /// The messages that a page gets when it joins.
    latest_news: News,
    /// Indexed by [`Lane`](super::effect::Lane).
    lanes: [Jobs; 3],
    saving: Saving,
    /// Inputs that wait until the game is saved.
    inputs: VecDeque<Input>,
    effects: VecDeque<Effect>,
    orders: Vec<Order>,
    /// The page whose request is being handled, and the request's id. The session's one reply may
    /// wait behind a save, so the id is kept here and not on the stack.
    asker: Option<(Page, RequestId)>,
    is_closed: bool,
}

impl Host {
    /// Starts the session `id` with the game of `table`; see [`Session::start`].
    pub fn new(id: &str, table: Table, engines: &[&str]) -> Host {
        let (session, effects) = Session::start(id.to_owned(), table, engines);
        let mut host = Host {
            id: id.to_owned(),
            session,
            pages: BTreeMap::new(),
            latest_news: News::default(),
            lanes: Default::default(),
            saving: Saving::default(),
            inputs: VecDeque::new(),
            effects: effects.into(),
            orders: Vec::new(),
            asker: None,
            is_closed: false,
        };
        host.run_queues(Duration::ZERO, &|| Ok(()));
        host
    }

    /// Handles an input at the time `now`, counted from the session's start. While a game is being
    /// saved, inputs other than [`Input::Saved`] only join a queue. `room` is called before a game
    /// is replaced; its error becomes the reply to the request.
    pub fn handle(&mut self, input: Input, now: Duration, room: Room<'_>) -> Vec<Order> {
        // A flag falls at its time, even if the timer is late: a move that arrives after it must
        // not rescue the game.
        let time = self.session_time(now);
        if !self.is_saving() && self.session.alarm().is_some_and(|alarm| alarm <= time) {
            self.tell(Event::Tick, now);
        }
        match input {
            // The queues wait for this input, so it must not wait in one.
            Input::Saved(failure) => self.finish_save(failure, now),
            input => self.inputs.push_back(input),
        }
        self.run_queues(now, room);
        std::mem::take(&mut self.orders)
    }

    /// Whether the input may take more than a millisecond to handle. A host with other sessions on
    /// the same thread moves such work elsewhere.
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

    /// Takes the messages that wait for the page; none for a page that has not joined.
    pub fn take_mail(&mut self, page: Page) -> Mail {
        self.pages.get_mut(&page).map(std::mem::take).unwrap_or_default()
    }

    /// The pages that show the session.
    pub fn pages(&self) -> impl Iterator<Item = Page> {
        self.pages.keys().copied()
    }

    /// When to send [`Input::Time`], counted from the session's start; `None` until something else
    /// happens.
    pub fn alarm(&self) -> Option<Duration> {
        // The clocks have stopped, and the answer to the save is the next input that matters.
        if self.is_saving() {
            return None;
        }
        // The session's clocks do not count the time spent on saving; the platform's do.
        let clocks = self.session.alarm().map(|alarm| alarm + self.saving.time_spent);
        let retry = self.saving.failure.map(|failure| failure.retry_at);
        clocks.into_iter().chain(retry).min()
    }

    /// Whether a game is being saved.
    pub fn is_saving(&self) -> bool {
        self.saving.save_began.is_some()
    }

    /// Whether the session is idle and completely saved, so that it can be dropped and read again
    /// without a loss.
    pub fn is_at_rest(&self) -> bool {
        !self.session.is_busy() && self.alarm().is_none() && self.saving.next_to_save().is_none()
    }

    /// Whether a replaced game is not saved yet. Deleting the session would lose it.
    pub fn has_unsaved_games(&self) -> bool {
        !self.saving.replaced_games.is_empty()
    }

    /// Whether the session was closed and has been saved as far as it can be.
    pub fn is_over(&self) -> bool {
        self.is_closed && !self.is_saving()
    }

    /// The game as it stands, whether or not it is saved.
    pub fn table(&self) -> &Table {
        self.session.table()
    }

    /// The time of the session's clocks, which stop while a game is being saved.
    fn session_time(&self, now: Duration) -> Duration {
        now.saturating_sub(self.saving.time_spent)
    }

    fn tell(&mut self, event: Event, now: Duration) {
        self.effects.extend(self.session.handle(event, self.session_time(now)));
    }

    /// Performs effects and begins inputs until both queues are empty or a game is to be saved.
    fn run_queues(&mut self, now: Duration, room: Room<'_>) {
        while !self.is_saving() {
            if let Some(effect) = self.effects.pop_front() {
                self.perform(effect, now);
            } else if let Some(input) = self.inputs.pop_front().filter(|_| !self.is_closed) {
                self.begin_input(input, now, room);
            } else {
                break;
            }
        }
    }

    fn begin_input(&mut self, input: Input, now: Duration, room: Room<'_>) {
        match input {
            Input::Join(page) => {
                let mail = Mail { replies: Vec::new(), news: self.latest_news.clone() };
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
                    && let Err(reason) = self.check_room(now, room)
                {
                    return self.reply(page, &Message::error(&reason.to_string()), &id);
                }
                self.asker = Some((page, id));
                self.tell(Event::Request(page, request), now);
            }
            Input::Report(job, report) => {
                // The lane is free before the session hears of the end: it may start the lane's
                // next job at once.
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
                // A save may have failed since this message was made.
                if kind == MessageKind::State {
                    message = self.session.as_saved(message);
                }
                self.post(kind, Some(&message.to_json(&None).into()));
            }
            Effect::Withdraw(kind) => self.post(kind, None),
            Effect::Reply(reply) => {
                let Some((page, id)) = self.asker.take() else { return };
                let message = match reply {
                    // The reply is the state that was just broadcast: this page needs it only once.
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
                self.saving.own_game = Some(Arc::new(*game));
                self.save(now);
            }
            Effect::Start(id, job) => self.start(id, job),
            Effect::Cancel(id) => self.cancel(id),
            Effect::Hurry(id) => self.orders.push(Order::Hurry(id)),
        }
    }

    /// Replaces the last message of this kind, for all pages and for those that join later. `None`
    /// withdraws it.
    fn post(&mut self, kind: MessageKind, text: Option<&Text>) {
        let page_news = self.pages.values_mut().map(|mail| &mut mail.news);
        for news in page_news.chain([&mut self.latest_news]) {
            news[kind as usize] = text.cloned();
        }
    }

    fn reply(&mut self, page: Page, message: &Message, id: &RequestId) {
        if let Some(mail) = self.pages.get_mut(&page) {
            mail.replies.push(message.to_json(id).into());
        }
    }

    /// Starts a job, or lets it wait until the job before it in the lane has ended and returned the
    /// engine.
    fn start(&mut self, id: JobId, job: Job) {
        let lane = &mut self.lanes[job.lane() as usize];
        if lane.running_job.is_some() {
            lane.next_job = Some((id, job));
        } else {
            lane.running_job = Some(id);
            self.orders.push(Order::Start(id, job));
        }
    }

    /// Cancels a job. The platform does not know one that has not begun, so its end is reported
    /// here.
    fn cancel(&mut self, id: JobId) {
        let is_this = |next: &mut (JobId, Job)| next.0 == id;
        if self.lanes.iter_mut().any(|lane| lane.next_job.take_if(is_this).is_some()) {
            // To the front, as if the job had answered at once: whatever waits comes later.
            self.inputs.push_front(Input::Report(id, Report::Done(Outcome::Nothing)));
        } else {
            self.orders.push(Order::Cancel(id));
        }
    }

    /// Frees the lane of this job and starts the job that waits for it.
    fn job_ended(&mut self, id: JobId, outcome: &Outcome) {
        if let Outcome::Panicked(reason) = outcome {
            self.log(format!("a search in the game {} failed: {reason}", self.id));
        }
        let mut lanes = self.lanes.iter_mut();
        if let Some(lane) = lanes.find(|lane| lane.running_job == Some(id)) {
            lane.running_job = None;
            if let Some((id, job)) = lane.next_job.take() {
                self.start(id, job);
            }
        }
    }

    /// Checks that the game which a request is about to replace can be kept.
    fn check_room(&mut self, now: Duration, room: Room<'_>) -> Result<(), ReplaceRefusal> {
        self.saving.check_allowance(now)?;
        Ok(room()?)
    }

    /// Saves the next game, if there is one to save.
    fn save(&mut self, now: Duration) {
        if let Some(unsaved) = self.saving.next_to_save() {
            self.saving.save_began = Some(now);
            self.orders.push(Order::Save(unsaved));
        }
    }

    /// Takes the answer to the last order to save.
    fn finish_save(&mut self, failure: Option<String>, now: Duration) {
        let Some(since) = self.saving.save_began.take() else { return };
        self.saving.time_spent += now.saturating_sub(since);
        let (id, was_fine) = (&self.id, self.saving.failure.is_none());
        match failure {
            // The session has ended, so there is no retry.
            Some(reason) if self.is_closed => {
                let replaced = match self.saving.replaced_games.len() {
                    0 => String::new(),
                    count => format!(" and {count} games that it replaced"),
                };
                self.log(format!("the last moves of the game {id}{replaced} are lost: {reason}"));
            }
            Some(reason) => {
                if was_fine {
                    self.log(format!("the game {id} cannot be saved: {reason}"));
                }
                self.saving.plan_retry(now);
                self.tell(Event::NotSaved(reason), now);
            }
            None => {
                self.saving.remove_first();
                if self.saving.next_to_save().is_some() {
                    self.save(now);
                } else if !was_fine {
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

/// The unsaved games of a session: its own, and those that were replaced in it.
#[derive(Debug)]
struct Saving {
    /// Replaced games, the earliest first.
    replaced_games: VecDeque<Arc<SavedSession>>,
    /// The newest unsaved form of the session itself.
    own_game: Option<Arc<SavedSession>>,
    /// When the save in progress began; `None` if there is none.
    save_began: Option<Duration>,
    /// The time spent on saving so far, which is charged to no clock.
    time_spent: Duration,
    /// The plan for the next attempt; `None` while saving works.
    failure: Option<Failure>,
    /// How many games may be replaced, as of the time beside it: a token bucket that holds
    /// [`MAX_REPLACED`] and gains one token every [`REPLACED_EVERY`].
    allowance: (f64, Duration),
}

#[derive(Clone, Copy, Debug)]
struct Failure {
    /// The time of the next attempt.
    retry_at: Duration,
    /// The pause before `retry_at`.
    pause: Duration,
}

/// Why a game is not replaced.
#[derive(Debug, Error)]
enum ReplaceRefusal {
    #[error("too many games were begun here in a short time; try again in {0} s")]
    TooMany(f64),
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
}

impl Default for Saving {
    fn default() -> Saving {
        Saving {
            replaced_games: VecDeque::new(),
            own_game: None,
            save_began: None,
            time_spent: Duration::ZERO,
            failure: None,
            allowance: (MAX_REPLACED, Duration::ZERO),
        }
    }
}

impl Saving {
    /// Refills the allowance and checks that another game may be replaced.
    fn check_allowance(&mut self, now: Duration) -> Result<(), ReplaceRefusal> {
        let (tokens, since) = self.allowance;
        let gained = now.saturating_sub(since).div_duration_f64(REPLACED_EVERY);
        let tokens = (tokens + gained).min(MAX_REPLACED);
        self.allowance = (tokens, now);
        if tokens >= 1.0 {
            return Ok(());
        }
        Err(ReplaceRefusal::TooMany(((1.0 - tokens) * REPLACED_EVERY.as_secs_f64()).ceil()))
    }

    /// Queues a replaced game and takes its token.
    fn keep(&mut self, game: SavedSession) {
        self.allowance.0 -= 1.0;
        self.replaced_games.push_back(Arc::new(game));
    }

    /// The next game to save. Replaced games come before the session itself; see the top of the
    /// file.
    fn next_to_save(&self) -> Option<Unsaved> {
        let replaced = self.replaced_games.front().map(|game| (game, false));
        let (game, is_own) = replaced.or(self.own_game.as_ref().map(|game| (game, true)))?;
        Some(Unsaved { game: Arc::clone(game), is_own })
    }

    /// Removes the game that [`Saving::next_to_save`] returned, after it was saved.
    fn remove_first(&mut self) {
        if self.replaced_games.pop_front().is_none() {
            self.own_game = None;
        }
    }

    /// Plans the next attempt. A failed attempt that came early, with a change, leaves the plan as
    /// it is: a player who moves fast must not double the pause each time.
    fn plan_retry(&mut self, now: Duration) {
        let pause = match self.failure {
            None => FIRST_PAUSE,
            Some(failure) if now < failure.retry_at => return,
            Some(failure) => (2 * failure.pause).min(LONGEST_PAUSE),
        };
        self.failure = Some(Failure { retry_at: now + pause, pause });
    }

    /// Whether the time of the next attempt to save has come.
    fn is_due(&self, now: Duration) -> bool {
        self.failure.is_some_and(|failure| failure.retry_at <= now)
    }
}
