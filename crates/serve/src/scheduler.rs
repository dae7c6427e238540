//! Limits the number of concurrent searches; the others wait in a queue.
//!
//! A search that may take long gives up its `Place` to others that wait, sooner if
//! no page shows its game. A foreign engine cannot be stopped for that;
//! of too many of them one is interrupted through its `CancelHandle`, by which every
//! job can also be cancelled.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pontifex::engine::StopSignal;
use pontifex_tournament::ProcessGroups;
use tokio::sync::{oneshot, watch};

/// How long an analysis keeps its place while other analyses wait, and the move
/// of a game that no page shows while anything waits.
const STUDY_TIME: Duration = Duration::from_secs(1);

/// How long the move of a game that a page shows keeps its place while others
/// wait.
const GAME_TIME: Duration = Duration::from_secs(3);

/// The most foreign engines that think on without a place.
const MAX_BESIDE: usize = 8;

/// Polling interval of queued searches.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A fixed number of places for searches. Clones share them.
///
/// Moves of games come before studies (analyses and reviews); otherwise first
/// come, first served. Searches that may take long give up their places while
/// others wait: a study to a move at once and to another study after a second,
/// the move of a game that no page shows after a second, any other after three.
/// What is short has no [`Tenure`] and keeps its place to its end.
#[derive(Clone, Debug)]
pub(super) struct Scheduler(Arc<Mutex<Places>>);

#[derive(Debug)]
struct Places {
    free: usize,
    waiting: VecDeque<(Urgency, oneshot::Sender<Place>)>,
    /// The searches that can give up their places.
    tenants: Vec<Tenant>,
    /// Foreign engines that think on without a place, the first of them first.
    beside: Vec<(u64, Arc<CancelHandle>)>,
    last_id: u64,
}

#[derive(Debug)]
struct Tenant {
    id: u64,
    since: Instant,
    tenure: Tenure,
    is_asked: bool,
}

/// How a search gives up its place.
#[derive(Clone, Debug)]
pub(super) struct Tenure {
    pub(super) kind: TenureKind,
    /// Whether a page shows the game that goes on; `None` for a study.
    pub(super) game: Option<Arc<AtomicBool>>,
}

#[derive(Clone, Debug)]
pub(super) enum TenureKind {
    /// Its search is stopped.
    Stop(Arc<StopSignal>),
    /// A foreign engine cannot be stopped: it thinks on without a place. Of too
    /// many such engines the first is interrupted.
    Leave(Arc<CancelHandle>),
}

impl Tenure {
    /// How long it keeps the place while a search of this urgency waits, and how
    /// late it is asked among several.
    fn share(&self, waiting: Urgency) -> (Duration, u8) {
        match &self.game {
            None if waiting == Urgency::Move => (Duration::ZERO, 0),
            None => (STUDY_TIME, 0),
            Some(is_shown) if is_shown.load(Ordering::Acquire) => (GAME_TIME, 2),
            Some(_) => (STUDY_TIME, 1),
        }
    }
}

/// The priority of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Urgency {
    /// A move in a game.
    Move,
    /// An analysis or a review, or a move that has given up its place before.
    Study,
}

/// The right to search, returned when dropped.
#[derive(Debug)]
pub(super) struct Place {
    scheduler: Scheduler,
    id: u64,
}

impl Scheduler {
    /// Allows `places` concurrent searches.
    pub(super) fn new(places: usize) -> Scheduler {
        Scheduler(Arc::new(Mutex::new(Places {
            free: places,
            waiting: VecDeque::new(),
            tenants: Vec::new(),
            beside: Vec::new(),
            last_id: 0,
        })))
    }

    /// Waits for a place, and for `queued` if there is none at once. A search with
    /// a tenure gives the place up when others wait.
    pub(super) async fn place(
        &self,
        urgency: Urgency,
        tenure: Option<Tenure>,
        queued: impl Future<Output = ()>,
    ) -> Option<Place> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut places = self.lock();
            let rank = places.waiting.iter().filter(|(other, _)| *other <= urgency).count();
            places.waiting.insert(rank, (urgency, sender));
        }
        self.serve();
        tokio::pin!(receiver);
        let mut queued = Some(queued);
        let place = loop {
            tokio::select! {
                biased;
                place = &mut receiver => break place.ok()?,
                () = tokio::time::sleep(if queued.is_some() { Duration::ZERO } else { POLL_INTERVAL }) => {
                    if let Some(queued) = queued.take() {
                        queued.await;
                    }
                    self.hurry();
                }
            }
        };
        if let Some(tenure) = tenure {
            let tenant = Tenant { id: place.id, since: Instant::now(), tenure, is_asked: false };
            self.lock().tenants.push(tenant);
        }
        Some(place)
    }

    /// Takes a place for the first in the queue from the search that may be
    /// asked first: of several the one that has run longest.
    fn hurry(&self) {
        let mut places = self.lock();
        places.waiting.retain(|(_, sender)| !sender.is_closed());
        let Some(&(urgency, _)) = places.waiting.front() else { return };
        if places.tenants.iter().any(|tenant| tenant.is_asked) {
            return;
        }
        let due = places.tenants.iter().enumerate().filter_map(|(index, tenant)| {
            let (share, rank) = tenant.tenure.share(urgency);
            (tenant.since.elapsed() >= share).then_some((rank, tenant.since, index))
        });
        let Some((.., index)) = due.min() else { return };
        match places.tenants[index].tenure.kind.clone() {
            TenureKind::Stop(stop) => {
                places.tenants[index].is_asked = true;
                stop.request();
            }
            TenureKind::Leave(engine) => {
                let Tenant { id, .. } = places.tenants.remove(index);
                places.beside.push((id, engine));
                places.free += 1;
                let surplus = places.beside.len().saturating_sub(MAX_BESIDE);
                // They stay in the list until they have ended.
                let surplus = places.beside[..surplus].to_vec();
                drop(places);
                for (_, engine) in surplus {
                    engine.ask(Wish::Interrupt);
                }
                self.serve();
            }
        }
    }

    /// Gives free places to the first in the queue.
    fn serve(&self) {
        let mut served = Vec::new();
        let mut places = self.lock();
        while places.free > 0
            && let Some((_, sender)) = places.waiting.pop_front()
        {
            places.last_id += 1;
            places.free -= 1;
            served.push((sender, Place { scheduler: self.clone(), id: places.last_id }));
        }
        drop(places);
        for (sender, place) in served {
            // If the receiver is gone, dropping the place returns it.
            drop(sender.send(place));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Whether the search was stopped because others wait.
    pub(super) fn is_asked(&self) -> bool {
        let places = self.scheduler.lock();
        places.tenants.iter().any(|tenant| tenant.id == self.id && tenant.is_asked)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.scheduler.lock();
        places.tenants.retain(|tenant| tenant.id != self.id);
        let others = places.beside.len();
        places.beside.retain(|(id, _)| *id != self.id);
        // A foreign engine beside the others has given it up before.
        if places.beside.len() == others {
            places.free += 1;
        }
        drop(places);
        self.scheduler.serve();
    }
}

/// How a job is to end before it is done. Each includes those before it.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub(super) enum Wish {
    #[default]
    GoOn,
    /// With the best move so far.
    Hurry,
    /// The processes that think are ended, because others wait.
    Interrupt,
    /// Its result is not needed.
    Cancel,
}

/// Ends a job early.
#[derive(Debug, Default)]
pub(super) struct CancelHandle {
    wish: watch::Sender<Wish>,
    /// The running search's stop signal, and the processes that think.
    running: Mutex<(Arc<StopSignal>, ProcessGroups)>,
}

impl CancelHandle {
    /// Asks the job to end.
    pub(super) fn ask(&self, wish: Wish) {
        self.wish.send_if_modified(|before| {
            let is_more = wish > *before;
            *before = if is_more { wish } else { *before };
            is_more
        });
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.0.request();
        if wish >= Wish::Interrupt {
            running.1.kill_all();
        }
    }

    /// Whether the job was asked for this.
    pub(super) fn is_asked(&self, wish: Wish) -> bool {
        *self.wish.borrow() >= wish
    }

    /// Waits until the job is asked for this.
    pub(super) async fn asked(&self, wish: Wish) {
        let _ = self.wish.subscribe().wait_for(|asked| *asked >= wish).await;
    }

    /// The stop signal of the next search, already set if the job is to end.
    pub(super) fn signal(&self) -> Arc<StopSignal> {
        let signal = Arc::new(StopSignal::default());
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.0 = Arc::clone(&signal);
        if self.is_asked(Wish::Hurry) {
            signal.request();
        }
        signal
    }

    /// Sets the processes that think, to be killed on cancellation.
    pub(super) fn think_in(&self, groups: &ProcessGroups) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.1 = groups.clone();
        if self.is_asked(Wish::Interrupt) {
            groups.kill_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[test]
    fn a_move_takes_the_place_of_a_study_and_the_study_waits() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(1);
            let stop = Arc::new(StopSignal::default());
            let tenure = Tenure { kind: TenureKind::Stop(Arc::clone(&stop)), game: None };
            let study = scheduler
                .place(Urgency::Study, Some(tenure), async { panic!("free") })
                .await
                .unwrap();
            let waiting = {
                let scheduler = scheduler.clone();
                tokio::spawn(async move {
                    let mut was_queued = false;
                    let place =
                        scheduler.place(Urgency::Move, None, async { was_queued = true }).await;
                    (place, was_queued)
                })
            };
            while !stop.is_set(false) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            drop(study);
            let (place, was_queued) = waiting.await.unwrap();
            assert!(place.is_some() && was_queued);
            assert_eq!(scheduler.lock().free, 0);
            drop(place);
            assert_eq!(scheduler.lock().free, 1);
        });
    }

    #[test]
    fn a_search_that_leaves_the_queue_takes_no_place() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(1);
            let first = scheduler.place(Urgency::Move, None, async {}).await.unwrap();
            let left = tokio::time::timeout(
                Duration::from_millis(20),
                scheduler.place(Urgency::Move, None, async {}),
            );
            assert!(left.await.is_err());
            drop(first);
            assert!(
                scheduler.place(Urgency::Study, None, async { panic!("free") }).await.is_some()
            );
            assert_eq!(scheduler.lock().free, 1);
        });
    }

    /// A search in a game, with its signal.
    async fn think(scheduler: &Scheduler, is_shown: &Arc<AtomicBool>) -> (Place, Arc<StopSignal>) {
        let stop = Arc::new(StopSignal::default());
        let kind = TenureKind::Stop(Arc::clone(&stop));
        let tenure = Tenure { kind, game: Some(Arc::clone(is_shown)) };
        let place = scheduler.place(Urgency::Move, Some(tenure), async { panic!("free") }).await;
        (place.unwrap(), stop)
    }

    #[test]
    fn long_moves_give_way_first_those_that_nobody_sees() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(2);
            let (shown, hidden) = (Arc::new(AtomicBool::new(true)), Arc::default());
            let (first, stop_first) = think(&scheduler, &shown).await;
            let (second, stop_second) = think(&scheduler, &hidden).await;
            let wait = |scheduler: &Scheduler| {
                let scheduler = scheduler.clone();
                tokio::spawn(async move { scheduler.place(Urgency::Move, None, async {}).await })
            };
            let waiting = wait(&scheduler);
            while !stop_second.is_set(false) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert!(second.is_asked() && !first.is_asked() && !stop_first.is_set(false));
            drop(second);
            let third = waiting.await.unwrap().unwrap();
            // The only one left that may be asked, after its longer share.
            let waiting = wait(&scheduler);
            while !stop_first.is_set(false) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            drop(first);
            let fourth = waiting.await.unwrap().unwrap();
            drop((third, fourth));
            assert_eq!(scheduler.lock().free, 2);
            assert!(scheduler.lock().tenants.is_empty());
        });
    }

    #[test]
    fn foreign_engines_leave_their_places_and_too_many_are_interrupted() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(1);
            let hidden = Arc::new(AtomicBool::new(false));
            let mut thinking = Vec::new();
            for _ in 0..MAX_BESIDE + 2 {
                let engine = Arc::new(CancelHandle::default());
                let kind = TenureKind::Leave(Arc::clone(&engine));
                let tenure = Tenure { kind, game: Some(Arc::clone(&hidden)) };
                let place = scheduler.place(Urgency::Move, Some(tenure), async {}).await.unwrap();
                thinking.push((place, engine));
            }
            let interrupted =
                |(_, engine): &(Place, Arc<CancelHandle>)| engine.is_asked(Wish::Interrupt);
            let interrupted: Vec<bool> = thinking.iter().map(interrupted).collect();
            assert_eq!(interrupted.iter().filter(|is| **is).count(), 1);
            assert!(interrupted[0], "the first");
            drop(thinking);
            assert_eq!(scheduler.lock().free, 1);
        });
    }
}
