//! Search slots: how many searches run at once, who waits, and who gives way.
//!
//! A search takes whole threads for seconds, and an analysis has no end of its own. With a thread
//! for everybody, all searches would be slow and the memory would run out. So the server has a
//! fixed number of [`SearchSlot`]s, and a search needs one. The others wait.
//!
//! ```text
//!   waiting: Move, Move, Study ...   moves before studies, otherwise first come, first served
//!      │
//!      │ a free slot                 ◄── dropped by a search that has ended
//!      ▼                             ◄── reclaimed from a tenant whose time is up
//!   running: bounded search, tenant, tenant ...
//!                              └─► without a slot: foreign engines
//! ```
//!
//! - **Bounded searches** (a hint, a puzzle, an opponent for people, one turn of a review) have no
//!   [`Tenure`]. They keep their slot to the end, which comes within a second, or within ten for a
//!   turn of a review.
//! - **Long searches** are tenants. While anybody waits, a tenant whose share is used up is asked
//!   to leave. The share of a study is nothing when a move waits, and [`STUDY_TIME`] when another
//!   study does. The share of a move is [`GAME_TIME`], or [`STUDY_TIME`] if no page shows its game.
//!   The built-in engine stops, and its move may continue later from the same search tree
//!   (`searches`).
//! - **Foreign engines** are processes that cannot be suspended. They keep thinking without a slot,
//!   up to [`MAX_WITHOUT_SLOT`] of them. If there are more, the first one is interrupted through
//!   its [`CancelHandle`].
//!
//! Invariant: `free_count` plus the slots that exist, less those of engines in `without_slot`, is
//! the number of slots at the start. An engine that leaves its slot raises `free_count` at that
//! moment, so dropping its [`SearchSlot`] later must not raise it again.
//!
//! No timer runs for a share. A search that waits polls every [`POLL_INTERVAL`] whether a tenant's
//! share is used up, and then reclaims a slot for whoever is first in the queue. Only one tenant of
//! the built-in engine is asked at a time, because it takes a moment to stop: until then, every
//! poll would ask another one.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pontifex::engine::StopSignal;
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::cancel::{CancelHandle, EarlyEnd};

/// How long an analysis keeps its slot while other analyses wait, and the move of a game that no
/// page shows while anything waits. Set by judgement: two analyses that share a slot then alternate
/// about once a second, each in its own tree.
const STUDY_TIME: Duration = Duration::from_secs(1);

/// How long the move of a game that a page shows keeps its slot while others wait. Set by
/// judgement: somebody watches this search, so it gets more than one that nobody sees.
const GAME_TIME: Duration = Duration::from_secs(3);

/// The most foreign engines that keep thinking without a slot. Set by judgement: each is a process
/// with threads of its own, whose number nobody here controls.
const MAX_WITHOUT_SLOT: usize = 8;

/// How often a waiting search polls for a slot to reclaim. Set by judgement: short compared with
/// the shares above, and a poll only walks a short list.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A fixed number of search slots. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Scheduler(Arc<Mutex<Slots>>);

#[derive(Debug)]
struct Slots {
    free_count: usize,
    /// The searches that wait, in the order in which they get a slot.
    waiting_searches: VecDeque<(Urgency, oneshot::Sender<SearchSlot>)>,
    /// The searches that can give up their slots.
    tenants: Vec<Tenant>,
    /// Foreign engines that keep thinking without a slot, in the order in which they left it.
    without_slot: Vec<(u64, Arc<CancelHandle>)>,
    last_id: u64,
}

#[derive(Debug)]
struct Tenant {
    id: u64,
    /// When the tenant got its slot.
    slot_since: Instant,
    tenure: Tenure,
    /// Whether the tenant was asked to leave and has not left yet.
    is_asked: bool,
}

/// How a search gives up its slot.
#[derive(Clone, Debug)]
pub(super) struct Tenure {
    pub(super) kind: TenureKind,
    pub(super) purpose: Purpose,
}

/// What a search is for.
#[derive(Clone, Debug)]
pub(super) enum Purpose {
    /// An analysis or a review.
    Study,
    /// The move of a game. `is_shown` says whether a page shows the game.
    Move { is_shown: Arc<AtomicBool> },
}

#[derive(Clone, Debug)]
pub(super) enum TenureKind {
    /// The built-in engine: its search is stopped by this signal.
    Stop(Arc<StopSignal>),
    /// A foreign engine cannot be stopped: it keeps thinking without a slot. If too many do, the
    /// first one is interrupted by its handle.
    Leave(Arc<CancelHandle>),
}

impl Tenure {
    /// How long the tenant keeps its slot while a search of urgency `waiting` waits, and its rank
    /// among several tenants whose time is up: the lowest leaves first.
    fn share_and_rank(&self, waiting: Urgency) -> (Duration, u8) {
        match &self.purpose {
            Purpose::Study if waiting == Urgency::Move => (Duration::ZERO, 0),
            Purpose::Study => (STUDY_TIME, 0),
            // Pages come and go while the search runs, so this is reread each time.
            Purpose::Move { is_shown } if is_shown.load(Ordering::Acquire) => (GAME_TIME, 2),
            Purpose::Move { .. } => (STUDY_TIME, 1),
        }
    }
}

/// The priority of a search in the queue, the highest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Urgency {
    /// A move in a game.
    Move,
    /// An analysis or a review, or a move that has given up its slot before: otherwise two long
    /// moves would take turns and no analysis would ever run.
    Study,
}

/// The permission to run one search, returned when dropped.
#[derive(Debug)]
pub(super) struct SearchSlot {
    scheduler: Scheduler,
    id: u64,
}

impl Scheduler {
    /// Allows `slots` concurrent searches.
    pub(super) fn new(slots: usize) -> Scheduler {
        Scheduler(Arc::new(Mutex::new(Slots {
            free_count: slots,
            waiting_searches: VecDeque::new(),
            tenants: Vec::new(),
            without_slot: Vec::new(),
            last_id: 0,
        })))
    }

    /// Waits for a slot; if none is free at once, first runs `queued`, which can report that. A
    /// search with a tenure gives the slot up when others wait. Dropping the future leaves the
    /// queue. `None` if the server ends.
    pub(super) async fn acquire(
        &self,
        urgency: Urgency,
        tenure: Option<Tenure>,
        queued: impl Future<Output = ()>,
    ) -> Option<SearchSlot> {
        let (sender, mut receiver) = oneshot::channel();
        {
            let mut slots = self.lock();
            // Behind all searches that are at least as urgent.
            let index =
                slots.waiting_searches.iter().filter(|(other, _)| *other <= urgency).count();
            slots.waiting_searches.insert(index, (urgency, sender));
        }
        self.hand_out();
        let slot = match receiver.try_recv() {
            Ok(slot) => slot,
            Err(TryRecvError::Closed) => return None,
            Err(TryRecvError::Empty) => {
                queued.await;
                self.reclaim();
                loop {
                    tokio::select! {
                        // In this order: a slot that has come needs no reclaiming.
                        biased;
                        slot = &mut receiver => break slot.ok()?,
                        () = tokio::time::sleep(POLL_INTERVAL) => self.reclaim(),
                    }
                }
            }
        };
        if let Some(tenure) = tenure {
            let tenant =
                Tenant { id: slot.id, slot_since: Instant::now(), tenure, is_asked: false };
            self.lock().tenants.push(tenant);
        }
        Some(slot)
    }

    /// Reclaims a slot for the first in the queue from a tenant whose share is used up: the one
    /// with the lowest rank and, among equals, the one that has run longest.
    fn reclaim(&self) {
        let mut slots = self.lock();
        slots.waiting_searches.retain(|(_, sender)| !sender.is_closed());
        let Some(&(urgency, _)) = slots.waiting_searches.front() else { return };
        if slots.tenants.iter().any(|tenant| tenant.is_asked) {
            return;
        }
        let due = slots.tenants.iter().enumerate().filter_map(|(index, tenant)| {
            let (share, rank) = tenant.tenure.share_and_rank(urgency);
            (tenant.slot_since.elapsed() >= share).then_some((rank, tenant.slot_since, index))
        });
        let Some((.., index)) = due.min() else { return };
        match slots.tenants[index].tenure.kind.clone() {
            TenureKind::Stop(stop) => {
                slots.tenants[index].is_asked = true;
                stop.request();
            }
            TenureKind::Leave(engine) => {
                let Tenant { id, .. } = slots.tenants.remove(index);
                slots.without_slot.push((id, engine));
                slots.free_count += 1;
                let surplus = slots.without_slot.len().saturating_sub(MAX_WITHOUT_SLOT);
                // They stay in the list until they have ended.
                let interrupted = slots.without_slot[..surplus].to_vec();
                // Interrupting kills processes, and handing out takes the lock itself.
                drop(slots);
                for (_, engine) in interrupted {
                    engine.request_end(EarlyEnd::Interrupt);
                }
                self.hand_out();
            }
        }
    }

    /// Gives free slots to the first in the queue.
    fn hand_out(&self) {
        let mut served = Vec::new();
        let mut slots = self.lock();
        while slots.free_count > 0
            && let Some((_, sender)) = slots.waiting_searches.pop_front()
        {
            slots.last_id += 1;
            slots.free_count -= 1;
            served.push((sender, SearchSlot { scheduler: self.clone(), id: slots.last_id }));
        }
        drop(slots);
        for (sender, slot) in served {
            // If the receiver is gone, the slot is dropped here. That returns it, takes the lock
            // and hands it out again, so the lock must be free.
            drop(sender.send(slot));
        }
    }

    // Ignores poisoning: a panic elsewhere leaves the counts intact and must not cost a slot.
    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SearchSlot {
    /// Whether the search was stopped because others wait.
    pub(super) fn is_reclaimed(&self) -> bool {
        let slots = self.scheduler.lock();
        slots.tenants.iter().any(|tenant| tenant.id == self.id && tenant.is_asked)
    }
}

impl Drop for SearchSlot {
    fn drop(&mut self) {
        let mut slots = self.scheduler.lock();
        slots.tenants.retain(|tenant| tenant.id != self.id);
        let count = slots.without_slot.len();
        slots.without_slot.retain(|(id, _)| *id != self.id);
        // An engine in this list has returned its slot already.
        if slots.without_slot.len() == count {
            slots.free_count += 1;
        }
        drop(slots);
        self.scheduler.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[test]
    fn a_move_takes_the_slot_of_a_study_and_the_study_waits() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(1);
            let stop = Arc::new(StopSignal::default());
            let tenure =
                Tenure { kind: TenureKind::Stop(Arc::clone(&stop)), purpose: Purpose::Study };
            let study = scheduler
                .acquire(Urgency::Study, Some(tenure), async { panic!("free") })
                .await
                .unwrap();
            let waiting = {
                let scheduler = scheduler.clone();
                tokio::spawn(async move {
                    let mut was_queued = false;
                    let slot =
                        scheduler.acquire(Urgency::Move, None, async { was_queued = true }).await;
                    (slot, was_queued)
                })
            };
            while !stop.is_set(false) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            drop(study);
            let (slot, was_queued) = waiting.await.unwrap();
            assert!(slot.is_some() && was_queued);
            assert_eq!(scheduler.lock().free_count, 0);
            drop(slot);
            assert_eq!(scheduler.lock().free_count, 1);
        });
    }

    #[test]
    fn a_search_that_leaves_the_queue_takes_no_slot() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(1);
            let first = scheduler.acquire(Urgency::Move, None, async {}).await.unwrap();
            let abandoned = tokio::time::timeout(
                Duration::from_millis(20),
                scheduler.acquire(Urgency::Move, None, async {}),
            );
            assert!(abandoned.await.is_err());
            drop(first);
            assert!(
                scheduler.acquire(Urgency::Study, None, async { panic!("free") }).await.is_some()
            );
            assert_eq!(scheduler.lock().free_count, 1);
        });
    }

    /// A search in a game, with its signal.
    async fn think(
        scheduler: &Scheduler,
        is_shown: &Arc<AtomicBool>,
    ) -> (SearchSlot, Arc<StopSignal>) {
        let stop = Arc::new(StopSignal::default());
        let kind = TenureKind::Stop(Arc::clone(&stop));
        let tenure = Tenure { kind, purpose: Purpose::Move { is_shown: Arc::clone(is_shown) } };
        let slot = scheduler.acquire(Urgency::Move, Some(tenure), async { panic!("free") }).await;
        (slot.unwrap(), stop)
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
                tokio::spawn(async move { scheduler.acquire(Urgency::Move, None, async {}).await })
            };
            let waiting = wait(&scheduler);
            while !stop_second.is_set(false) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert!(second.is_reclaimed() && !first.is_reclaimed() && !stop_first.is_set(false));
            drop(second);
            let third = waiting.await.unwrap().unwrap();
            // The only remaining tenant is asked after its longer share.
            let waiting = wait(&scheduler);
            while !stop_first.is_set(false) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            drop(first);
            let fourth = waiting.await.unwrap().unwrap();
            drop((third, fourth));
            assert_eq!(scheduler.lock().free_count, 2);
            assert!(scheduler.lock().tenants.is_empty());
        });
    }

    #[test]
    fn foreign_engines_leave_their_slots_and_too_many_are_interrupted() {
        runtime().block_on(async {
            let scheduler = Scheduler::new(1);
            let hidden = Arc::new(AtomicBool::new(false));
            let mut thinking = Vec::new();
            for _ in 0..MAX_WITHOUT_SLOT + 2 {
                let engine = Arc::new(CancelHandle::default());
                let kind = TenureKind::Leave(Arc::clone(&engine));
                let tenure =
                    Tenure { kind, purpose: Purpose::Move { is_shown: Arc::clone(&hidden) } };
                let slot = scheduler.acquire(Urgency::Move, Some(tenure), async {}).await.unwrap();
                thinking.push((slot, engine));
            }
            let is_interrupted = |(_, engine): &(SearchSlot, Arc<CancelHandle>)| {
                engine.is_requested(EarlyEnd::Interrupt)
            };
            let interrupted: Vec<bool> = thinking.iter().map(is_interrupted).collect();
            assert_eq!(interrupted.iter().filter(|flag| **flag).count(), 1);
            assert!(interrupted[0], "the first");
            drop(thinking);
            assert_eq!(scheduler.lock().free_count, 1);
        });
    }
}
