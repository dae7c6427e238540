//! What a session has to save: itself, and the games that others replaced in it.
//!
//! Nothing is dropped before it is safe. What cannot be saved stays in memory
//! and is tried again, at first after a second, later every half minute, and
//! whenever something else is to be saved. The replaced games come first: until
//! they are safe, the session must not take the place of the last one.

use std::sync::Arc;
use std::time::Duration;

use pontifex::messages::tell;
use pontifex_play::{Event, SavedSession};
use tokio::time::Instant;

use super::app::AppState;
use super::store::SessionId;

/// How long to wait after the first failure; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The most games that may be replaced in a session at once.
const MAX_REPLACED: f64 = 60.0;

/// The time after which one more may be replaced. Nobody plays faster for long;
/// a program that does must not fill the folder.
const REPLACED_EVERY: Duration = Duration::from_secs(30);

/// What a session has to save.
#[derive(Debug)]
pub(super) struct Saving {
    app: Arc<AppState>,
    id: SessionId,
    /// The place of the game that is about to be replaced.
    place: Option<SessionId>,
    /// Replaced games, the earliest first.
    replaced: Vec<(SessionId, Arc<SavedSession>)>,
    /// The session itself.
    own: Option<Arc<SavedSession>>,
    /// What follows from a failure; `None` while nothing has failed.
    failure: Option<Failure>,
    /// How many games may be replaced now, as of the time beside it.
    allowance: (f64, Instant),
    /// The time spent on saving.
    spent: Duration,
}

#[derive(Debug)]
struct Failure {
    reason: String,
    retry: Instant,
    /// The pause before `retry`.
    pause: Duration,
}

impl Saving {
    /// Nothing to save yet.
    pub(super) fn new(app: &Arc<AppState>, id: SessionId) -> Saving {
        Saving {
            app: Arc::clone(app),
            id,
            place: None,
            replaced: Vec::new(),
            own: None,
            failure: None,
            allowance: (MAX_REPLACED, Instant::now()),
            spent: Duration::ZERO,
        }
    }

    /// Finds a place for the game that a request is about to replace.
    ///
    /// # Errors
    /// One line: there are too many games.
    pub(super) async fn reserve(&mut self) -> Result<(), String> {
        self.allow()?;
        let app = Arc::clone(&self.app);
        let reserved = tokio::task::spawn_blocking(move || app.store.reserve(true)).await;
        self.place = Some(reserved.map_err(|error| error.to_string())??);
        Ok(())
    }

    /// Gives the place back if no game was replaced after all.
    pub(super) fn release(&mut self) {
        if let Some(id) = self.place.take() {
            self.app.store.forget(id);
        }
    }

    /// Checks that not too many games were replaced.
    fn allow(&mut self) -> Result<(), String> {
        let (left, since) = self.allowance;
        let gained = since.elapsed().as_secs_f64() / REPLACED_EVERY.as_secs_f64();
        let left = (left + gained).min(MAX_REPLACED);
        self.allowance = (left, Instant::now());
        if left >= 1.0 {
            return Ok(());
        }
        let wait = ((1.0 - left) * REPLACED_EVERY.as_secs_f64()).ceil();
        Err(format!("too many games were begun here in a short time; try again in {wait} s"))
    }

    /// Takes a replaced game, for which there is a place.
    pub(super) fn keep(&mut self, game: SavedSession) {
        if let Some(id) = self.place.take() {
            self.allowance.0 -= 1.0;
            self.replaced.push((id, Arc::new(game)));
        }
    }

    /// Takes the session as it is now.
    pub(super) fn take(&mut self, own: SavedSession) {
        self.own = Some(Arc::new(own));
    }

    /// Saves what there is to save. Returns what the session must be told: that
    /// this failed, or that it succeeded after it had failed.
    pub(super) async fn save(&mut self) -> Option<Event> {
        let start = Instant::now();
        let saved = self.try_all().await;
        self.spent += start.elapsed();
        match saved {
            Ok(()) => {
                self.failure.take()?;
                tell(format_args!("the game {} is saved again", self.id));
                Some(Event::Saved)
            }
            Err(reason) => {
                self.fail(reason.clone());
                Some(Event::NotSaved(reason))
            }
        }
    }

    async fn try_all(&mut self) -> Result<(), String> {
        while let Some((id, game)) = self.replaced.first() {
            self.write(*id, game).await?;
            self.app.store.close(*id);
            self.replaced.remove(0);
        }
        if let Some(own) = &self.own {
            self.write(self.id, own).await?;
            self.own = None;
        }
        Ok(())
    }

    async fn write(&self, id: SessionId, saved: &Arc<SavedSession>) -> Result<(), String> {
        let (app, saved) = (Arc::clone(&self.app), Arc::clone(saved));
        let written = tokio::task::spawn_blocking(move || app.store.write(id, &saved)).await;
        match written {
            Ok(written) => written.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Plans the next try. One that a change led to leaves the plan as it is.
    fn fail(&mut self, reason: String) {
        let now = Instant::now();
        let pause = match &self.failure {
            None => {
                tell(format_args!("the game {} cannot be saved: {reason}", self.id));
                FIRST_PAUSE
            }
            Some(failure) if now < failure.retry => {
                self.failure = Some(Failure { reason, ..*failure });
                return;
            }
            Some(failure) => (2 * failure.pause).min(LONGEST_PAUSE),
        };
        self.failure = Some(Failure { reason, retry: now + pause, pause });
    }

    /// When to try again; `None` while nothing has failed.
    pub(super) fn retry(&self) -> Option<Instant> {
        self.failure.as_ref().map(|failure| failure.retry)
    }

    /// Whether something is not saved.
    pub(super) fn is_unsaved(&self) -> bool {
        self.own.is_some() || self.has_unsaved_games()
    }

    /// Whether a replaced game is not saved.
    pub(super) fn has_unsaved_games(&self) -> bool {
        !self.replaced.is_empty()
    }

    /// The time spent on saving. It is nobody's on the clock.
    pub(super) fn spent(&self) -> Duration {
        self.spent
    }

    /// Says on stderr what is lost when the session ends now.
    pub(super) fn report_losses(&self) {
        let reason = self.failure.as_ref().map_or("", |failure| &failure.reason);
        let own = self.own.iter().map(|_| self.id);
        for id in self.replaced.iter().map(|(id, _)| *id).chain(own) {
            tell(format_args!("the last moves of the game {id} are lost: {reason}"));
        }
    }
}
