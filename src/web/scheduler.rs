//! Limits the number of concurrent searches; the others wait in a queue.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::engine::StopSignal;

/// How long an analysis keeps its place while other analyses wait.
const STUDY_TIME: Duration = Duration::from_secs(1);

/// Polling interval of queued searches.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A fixed number of places for searches. Clones share them.
///
/// Moves of games come before studies (analyses and reviews); otherwise first
/// come, first served. A study gives up its place to a waiting move at once,
/// to another study after a second.
#[derive(Clone, Debug)]
pub(super) struct Scheduler(Arc<Mutex<Places>>);

#[derive(Debug)]
struct Places {
    free: usize,
    waiting: VecDeque<(Urgency, oneshot::Sender<Place>)>,
    studies: Vec<Study>,
    last_id: u64,
}

#[derive(Debug)]
struct Study {
    id: u64,
    since: Instant,
    stop: Arc<StopSignal>,
    is_stopped: bool,
}

/// The priority of a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Urgency {
    /// A move in a game.
    Move,
    /// An analysis or a review.
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
        let (waiting, studies) = (VecDeque::new(), Vec::new());
        Scheduler(Arc::new(Mutex::new(Places { free: places, waiting, studies, last_id: 0 })))
    }

    /// Waits for a place. Calls `queued` if there is none at once. A search with
    /// a `stop` signal is stopped when others wait.
    pub(super) async fn place(
        &self,
        urgency: Urgency,
        stop: Option<&Arc<StopSignal>>,
        queued: impl FnOnce(),
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
                        queued();
                    }
                    self.hurry();
                }
            }
        };
        if let Some(stop) = stop {
            let stop = Arc::clone(stop);
            let study = Study { id: place.id, since: Instant::now(), stop, is_stopped: false };
            self.lock().studies.push(study);
        }
        Some(place)
    }

    /// Stops the study that has run longest if the first in the queue may take
    /// its place.
    fn hurry(&self) {
        let mut places = self.lock();
        places.waiting.retain(|(_, sender)| !sender.is_closed());
        let Some(&(urgency, _)) = places.waiting.front() else { return };
        if places.studies.iter().any(|study| study.is_stopped) {
            return;
        }
        let study = places.studies.iter_mut().min_by_key(|study| study.since);
        if let Some(study) = study
            && (urgency == Urgency::Move || study.since.elapsed() >= STUDY_TIME)
        {
            study.is_stopped = true;
            study.stop.request();
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

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.scheduler.lock();
        places.studies.retain(|study| study.id != self.id);
        places.free += 1;
        drop(places);
        self.scheduler.serve();
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
            let study =
                scheduler.place(Urgency::Study, Some(&stop), || panic!("free")).await.unwrap();
            let waiting = {
                let scheduler = scheduler.clone();
                tokio::spawn(async move {
                    let mut was_queued = false;
                    let place = scheduler.place(Urgency::Move, None, || was_queued = true).await;
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
            let first = scheduler.place(Urgency::Move, None, || {}).await.unwrap();
            let left = tokio::time::timeout(
                Duration::from_millis(20),
                scheduler.place(Urgency::Move, None, || {}),
            );
            assert!(left.await.is_err());
            drop(first);
            assert!(scheduler.place(Urgency::Study, None, || panic!("free")).await.is_some());
            assert_eq!(scheduler.lock().free, 1);
        });
    }
}
