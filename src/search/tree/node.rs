//! A node of the tree: a position, its statistics and its steps.
//!
//! A node is made once and then read and written by all threads at the same time. Three things in
//! it need more than a counter:
//!
//! - **Opening a step** gives it an edge. The number of opened steps is a field of the first word,
//!   and a thread opens step *n* by a compare-and-swap from *n* to *n* + 1, so that each step is
//!   opened by one thread, in the order of the priors.
//! - **Blocks of edges** are chained behind the node as more steps are opened. A block is filled
//!   first and then linked; if two threads make the same block, one of them is forgotten.
//! - **Refining** replaces the priors and sorts the unopened steps again. It must not happen while
//!   a step is being opened, or that step might be another one a moment later. The flag `REFINING`
//!   in the first word is a lock for openers and refiners only. Nobody waits for it: a thread that
//!   finds it set does something else.
//!
//! # Memory ordering
//!
//! The first word guards the rest: it is loaded with *acquire* before edges are read and changed
//! with *release* after they are written. Everything else is relaxed. Visits and sums are counters
//! that only must not lose updates; a reader may see a visit without its result and get a mean that
//! is off by one visit. Bounds are complete in one word, and old ones remain true.

use std::sync::atomic::{
    AtomicU64, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

use super::bounds::{Bounds, SearchValue};
use super::edge::{CounterAccess, EDGE_WORDS, Edge, FIXED, LEAD_FIXED, Sums, pack, unpack};
use super::pool::{Address, Allocator, NodePool};
use crate::board::{Cell, Site};
use crate::game::Step;

/// A position whose steps have been listed; a copyable reference into the pool.
///
/// A node is a run of words in the pool:
///
/// | words | content |
/// |---|---|
/// | 0 | number of steps (14 bits), flags `REFINED` and `REFINING` (2), number of opened steps (16), address of the next block of edges (32) |
/// | 1 | visits |
/// | 2 to 4 | sums over the visits: the mover's utility and win rate, White's lead |
/// | 5 | hash of the position |
/// | 6 | bounds |
/// | 7 to 22 | edges of the first four steps |
/// | 23 … | steps with their priors, two per word: the opened ones, then the others by falling prior |
///
/// Steps are opened in that order, so the edges that selection reads are contiguous: 4 in the node,
/// then blocks of 8, 16, … 128, 128 … chained to it. A node of 90 steps takes 544 bytes.
///
/// While `REFINING` is set, no step can be opened, and only the thread that set it writes to the
/// steps.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Node<'a> {
    words: &'a [AtomicU64],
    pub(in crate::search) address: Address,
}

/// Why a step could not be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum NotOpened {
    /// Another thread has opened it, or is refining the priors.
    Taken,
    /// The memory is full.
    NoMemory,
}

// Indices of the words in the table above.
const HEAD: usize = 0;
const VISITS: usize = 1;
const UTILITY: usize = 2;
const WIN: usize = 3;
const LEAD: usize = 4;
const HASH: usize = 5;
const BOUNDS: usize = 6;
/// Words before the first edge.
const HEADER: usize = 7;
/// Edges in the node itself. Every block has twice as many as the previous one, up to
/// [`LARGEST_BLOCK`], so that memory follows the number of opened steps. Set by judgement: a node
/// always opens four steps before progressive widening limits it. More would be wasted in the many
/// nodes with few visits.
const INLINE_EDGES: usize = 4;
/// Edges of the largest blocks: the next power of two would not fit into a chunk.
const LARGEST_BLOCK: usize = 128;
const _: () =
    assert!((1 + LARGEST_BLOCK * EDGE_WORDS) * size_of::<AtomicU64>() < NodePool::CHUNK_BYTES);
/// Words before the first step.
const POLICY: usize = HEADER + INLINE_EDGES * EDGE_WORDS;
const _: () =
    assert!((POLICY + CODES.div_ceil(2)) * size_of::<AtomicU64>() < NodePool::CHUNK_BYTES);

/// Scale of fixed-point priors. 16 bits distinguish priors down to 1/65535.
const PRIOR_FIXED: f32 = u16::MAX as f32;

/// Mask of the number of steps in a node's first word.
const STEPS: u64 = (1 << 14) - 1;
const _: () = assert!(CODES <= STEPS as usize);
/// The priors are refined, or are being refined for the first time.
const REFINED: u64 = 1 << 14;
/// A thread is refining the priors.
const REFINING: u64 = 1 << 15;

impl<'a> Node<'a> {
    pub(in crate::search) fn at(pool: &'a NodePool, address: Address) -> Node<'a> {
        Node { words: pool.words(address), address }
    }

    /// A node without visits. Sorts the steps by falling prior. `None` when the memory is full.
    /// `keys` is scratch space.
    pub(in crate::search) fn new(
        pool: &'a NodePool,
        allocator: &mut Allocator,
        hash: u64,
        steps: &[(Step, f32)],
        keys: &mut Vec<u32>,
    ) -> Option<Node<'a>> {
        let address = pool.allocate(allocator, POLICY + steps.len().div_ceil(2))?;
        let node = Node::at(pool, address);
        keys.clear();
        keys.extend(steps.iter().map(|&(step, prior)| pack_step(step, prior)));
        // Most nodes open only a few steps, but sorting lazily costs more than it saves. The
        // complement sorts in falling order; equal priors sort by the step, so that the order does
        // not depend on that of the list.
        keys.sort_unstable_by_key(|&key| !key);
        for (pair, word) in keys.chunks(2).zip(&node.words[POLICY..]) {
            let second = pair.get(1).map_or(0, |&key| u64::from(key));
            word.store(u64::from(pair[0]) | second << 32, Relaxed);
        }
        node.words[HEAD].store(steps.len() as u64, Relaxed);
        node.words[HASH].store(hash, Relaxed);
        Some(node)
    }

    /// Copies `old`, a node of the other half, with its edges; drops addresses of children that no
    /// longer exist. `None` when the memory is full.
    pub(in crate::search) fn copy(
        pool: &'a NodePool,
        allocator: &mut Allocator,
        old: Node<'_>,
    ) -> Option<Node<'a>> {
        let size = POLICY + old.len().div_ceil(2);
        let address = pool.allocate(allocator, size)?;
        let node = Node::at(pool, address);
        for (target, source) in node.words[..size].iter().zip(old.words) {
            target.store(source.load(Relaxed), Relaxed);
        }
        // Edges are copied one by one below: none is opened yet, no block is linked, and no thread
        // of the new half is refining.
        node.words[HEAD].store(old.words[HEAD].load(Relaxed) & (STEPS | REFINED), Relaxed);
        for (index, edge) in old.edges(pool).enumerate() {
            let copy = node.edge(pool, allocator, index)?;
            for (target, source) in copy.0.iter().zip(edge.0) {
                target.store(source.load(Relaxed), Relaxed);
            }
            if copy.child().is_some_and(|child| pool.is_current(child)) {
                // Stale: written before this half was last emptied. A valid address in an old node
                // lies in the old half, because old nodes are not written to.
                copy.drop_child();
            }
            node.words[HEAD].fetch_add(1 << 16, Relaxed);
        }
        Some(node)
    }

    /// The number of steps.
    pub(in crate::search) fn len(self) -> usize {
        (self.words[HEAD].load(Relaxed) & STEPS) as usize
    }

    /// The number of opened steps.
    #[cfg(test)]
    pub(in crate::search) fn opened(self) -> usize {
        (self.words[HEAD].load(Acquire) >> 16) as usize & 0xffff
    }

    /// The hash of the position, all 64 bits. Written before the node is published.
    pub(in crate::search) fn hash(self) -> u64 {
        self.words[HASH].load(Relaxed)
    }

    /// A step and its prior. Unopened steps are sorted by falling prior.
    ///
    /// While another thread refines, an unopened step may be read twice or not at all. That is
    /// harmless: readers only estimate with its prior, and claim a step before they open it.
    pub(in crate::search) fn step(self, index: usize) -> (Step, f32) {
        let word = self.words[POLICY + index / 2].load(Relaxed);
        let key = (word >> (index % 2 * 32)) as u32;
        (step_with_code(key as u16), prior_of(key))
    }

    /// The edges of the opened steps, in order.
    pub(in crate::search) fn edges(self, pool: &'a NodePool) -> impl Iterator<Item = Edge<'a>> {
        self.blocks(pool).flat_map(|block| block.iter().map(Edge))
    }

    /// The same, block by block, which is faster to iterate over.
    #[inline]
    pub(in crate::search) fn blocks(
        self,
        pool: &'a NodePool,
    ) -> impl Iterator<Item = &'a [[AtomicU64; EDGE_WORDS]]> {
        // Acquire: with the number of opened steps come their edges and the first block.
        let head = self.words[HEAD].load(Acquire);
        let mut block = &self.words[HEADER..POLICY];
        let (mut next, mut remaining) = (head >> 32, head as usize >> 16 & 0xffff);
        std::iter::from_fn(move || {
            if remaining == 0 {
                return None;
            }
            if block.is_empty() {
                (block, next) = next_block(pool, next as u32);
            }
            let (edges, _) = block.as_chunks();
            let edges = &edges[..remaining.min(edges.len())];
            block = &[];
            remaining -= edges.len();
            (!edges.is_empty()).then_some(edges)
        })
    }

    /// The child behind `edge`, one of this node's edges, if it exists. Addresses in the current
    /// half that are stored in nodes of the old half are stale: they were written before the half
    /// was emptied.
    pub(in crate::search) fn child(self, pool: &'a NodePool, edge: Edge<'_>) -> Option<Node<'a>> {
        let address = edge.child()?;
        let exists = pool.is_current(self.address) || !pool.is_current(address);
        exists.then(|| Node::at(pool, address))
    }

    /// Edge `index`, opened or not; adds blocks as needed. `None` when the memory is full.
    fn edge(self, pool: &'a NodePool, allocator: &mut Allocator, index: usize) -> Option<Edge<'a>> {
        let (mut first, mut count) = (0, INLINE_EDGES);
        let mut block = &self.words[HEADER..POLICY];
        let mut link = &self.words[HEAD];
        while index >= first + count {
            (first, count) = (first + count, (count * 2).min(LARGEST_BLOCK));
            let next = link.load(Acquire) >> 32;
            let next = if next == 0 {
                let new = pool.allocate(allocator, 1 + count * EDGE_WORDS)?;
                pool.words(new)[0].store(count as u64, Relaxed);
                link_block(link, new)
            } else {
                next as u32
            };
            let words = pool.words(Address::from_bits(next)?);
            (block, link) = (&words[1..=count * EDGE_WORDS], &words[0]);
        }
        block.as_chunks().0.get(index - first).map(Edge)
    }

    /// Opens step `index`, which must be the next one.
    pub(in crate::search) fn open(
        self,
        pool: &'a NodePool,
        allocator: &mut Allocator,
        index: usize,
    ) -> Result<Edge<'a>, NotOpened> {
        let edge = self.edge(pool, allocator, index).ok_or(NotOpened::NoMemory)?;
        let claim = |word: u64| {
            // Another thread may have opened this step or begun to refine since it was chosen.
            let is_next = word >> 16 & 0xffff == index as u64;
            (is_next && word & REFINING == 0).then_some(word + (1 << 16))
        };
        // Acquire: sees the order of the last refinement. Release: whoever sees the new number also
        // sees the block of the edge.
        self.words[HEAD].fetch_update(AcqRel, Relaxed, claim).map_err(|_| NotOpened::Taken)?;
        // Other threads may see the edge before it has a prior, but selection passes over an edge
        // without visits.
        edge.offer_prior(self.step(index).1);
        Ok(edge)
    }

    /// Whether the priors are refined or being refined.
    pub(in crate::search) fn is_refined(self) -> bool {
        self.words[HEAD].load(Relaxed) & REFINED != 0
    }

    /// Replaces the priors and sorts the unopened steps, unless another thread is doing so. `steps`
    /// are all steps of the node with their new priors; `keys` is scratch space.
    pub(in crate::search) fn refine(
        self,
        pool: &'a NodePool,
        steps: &[(Step, f32)],
        keys: &mut Vec<u32>,
    ) {
        let claim = |word: u64| (word & REFINING == 0).then_some(word | REFINED | REFINING);
        // From now on no thread can open a step. Acquire: sees all steps opened before.
        let Ok(word) = self.words[HEAD].fetch_update(Acquire, Relaxed, claim) else { return };
        let opened = (word >> 16) as usize & 0xffff;
        debug_assert_eq!(steps.len(), self.len());
        keys.clear();
        keys.extend(steps.iter().map(|&(step, prior)| pack_step(step, prior)));
        for (index, edge) in self.edges(pool).enumerate().take(opened) {
            let code = step_code(self.step(index).0);
            let Some(place) = keys.iter().position(|&key| key as u16 == code) else { continue };
            let key = keys.swap_remove(place);
            self.set_key(index, key);
            edge.set_prior(prior_of(key));
        }
        // They differ only if `steps` belong to another position with the same hash. Then the order
        // stays as it is.
        if opened + keys.len() == self.len() {
            keys.sort_unstable_by_key(|&key| !key);
            for (index, &key) in (opened..).zip(&*keys) {
                self.set_key(index, key);
            }
        }
        // Release: whoever opens the next step sees the new order.
        self.words[HEAD].fetch_xor(REFINING, Release);
    }

    /// Locks the steps as a thread that refines the priors does.
    #[cfg(test)]
    pub(in crate::search) fn lock_steps(self) {
        self.words[HEAD].fetch_or(REFINING, Relaxed);
    }

    /// Stores a step and its prior. No other thread may write to them: two steps share a word,
    /// which is read and written back.
    fn set_key(self, index: usize, key: u32) {
        let word = &self.words[POLICY + index / 2];
        let shift = index % 2 * 32;
        let others = word.load(Relaxed) & !(0xffff_ffff << shift);
        word.store(others | u64::from(key) << shift, Relaxed);
    }

    /// Visits of the node, those in progress not included.
    pub(in crate::search) fn visits(self) -> u32 {
        self.words[VISITS].load(Relaxed) as u32
    }

    /// Counts visits with their results; returns how many there were before.
    pub(in crate::search) fn add_results(self, sums: &Sums, counting: CounterAccess) -> u64 {
        let before = counting.add(&self.words[VISITS], sums.visits);
        counting.add(&self.words[UTILITY], sums.utility);
        counting.add(&self.words[WIN], sums.win);
        counting.add(&self.words[LEAD], sums.lead);
        before
    }

    /// The mean result for the mover, except that the lead is White's.
    pub(in crate::search) fn mean(self) -> SearchValue {
        let visits = self.visits().max(1) as f32;
        let sum = |word: usize| self.words[word].load(Relaxed);
        SearchValue {
            utility: sum(UTILITY) as f32 / FIXED / visits,
            win: sum(WIN) as f32 / FIXED / visits,
            lead: sum(LEAD) as i64 as f32 / LEAD_FIXED / visits,
        }
    }

    /// Proved bounds of the position.
    pub(in crate::search) fn bounds(self) -> Bounds {
        unpack(self.words[BOUNDS].load(Relaxed) as u32)
    }

    /// Adds proved bounds; returns whether they were new.
    pub(in crate::search) fn tighten(self, bounds: Bounds) -> bool {
        // Relaxed, here and in readers: the bounds are complete in this word.
        let tightened = |word: u64| {
            let new_word = u64::from(pack(unpack(word as u32).and(bounds)));
            (new_word != word).then_some(new_word)
        };
        self.words[BOUNDS].fetch_update(Relaxed, Relaxed, tightened).is_ok()
    }
}

/// Links the block `new` behind `link`, unless another thread has linked one; returns the address
/// of the linked block.
fn link_block(link: &AtomicU64, new: Address) -> u32 {
    // Release: the block's length is published with its address. Acquire on failure: the other
    // thread's block is used, and its length read.
    let with_link = |word: u64| (word >> 32 == 0).then_some(word | u64::from(new.bits()) << 32);
    match link.fetch_update(Release, Acquire, with_link) {
        Ok(_) => new.bits(),
        Err(word) => (word >> 32) as u32,
    }
}

/// The edges of the block at `address`, and the address of the next block.
fn next_block(pool: &NodePool, address: u32) -> (&[AtomicU64], u64) {
    let Some(address) = Address::from_bits(address) else { return (&[], 0) };
    let words = pool.words(address);
    let head = words[0].load(Acquire);
    (&words[1..=(head as u32) as usize * EDGE_WORDS], head >> 32)
}

const FIRST_SITE: u16 = Cell::TABLE as u16;
const PASS: u16 = FIRST_SITE + Site::TABLE as u16;
const SWAP: u16 = PASS + 1;
/// The number of codes that [`step_code`] returns.
pub(in crate::search) const CODES: usize = SWAP as usize + 1;

/// Packs a step and its prior into a key of 32 bits; keys sort by prior.
fn pack_step(step: Step, prior: f32) -> u32 {
    // Never 0: an edge with the prior 0 has none yet, and no step is excluded for good.
    let prior = (prior * PRIOR_FIXED).max(1.0) as u32;
    prior << 16 | u32::from(step_code(step))
}

fn prior_of(key: u32) -> f32 {
    (key >> 16) as f32 / PRIOR_FIXED
}

/// Numbers a step: cells, then sites, then pass and swap. Stored in nodes and used as an index into
/// the history.
pub(in crate::search) fn step_code(step: Step) -> u16 {
    match step {
        Step::Tile(cell) => cell.index() as u16,
        Step::Bridge(site) => FIRST_SITE + site.index() as u16,
        Step::Pass => PASS,
        Step::Swap => SWAP,
    }
}

/// The inverse of [`step_code`].
fn step_with_code(code: u16) -> Step {
    match code {
        0..FIRST_SITE => Step::Tile(Cell::from_index(code as u8)),
        PASS => Step::Pass,
        SWAP => Step::Swap,
        _ => Step::Bridge(Site::from_index(code - FIRST_SITE)),
    }
}

#[cfg(test)]
mod tests;
