use std::sync::atomic::{
    AtomicU64, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

use super::bounds::Bounds;
use super::edge::{Counting, EDGE, Edge, FIXED, fixed, pack, unpack};
use super::node_pool::{Address, Allocator, NodePool};
use crate::board::{Cell, Site};
use crate::game::Step;

/// What is known of a position whose steps have been listed.
///
/// A node is a run of words in the pool:
///
/// | words | what |
/// |---|---|
/// | 0 | how many steps there are (14 bits), whether their priors are refined, or are being (2), how many of them are opened (16), the address of further edges (32) |
/// | 1 | visits |
/// | 2 to 4 | sums over the visits: the mover's utility and winning chance, White's lead |
/// | 5 | hash of the position |
/// | 6 | bounds |
/// | 7 to 22 | edges of the first four steps |
/// | 23 … | steps with their priors, two in a word: the opened ones, then the others, the likeliest first |
///
/// Steps are opened in that order, so the edges of the opened ones, all that
/// choosing between them reads, lie together: 4 in the node, 8, 16, … 128, 128
/// … in blocks chained to it. A node of 90 steps has 544 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    words: &'a [AtomicU64],
    pub(super) address: Address,
}

/// The result of an iteration for one player or from White's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SearchValue {
    /// What the search maximises, 0 to 1: mostly the winning chance.
    pub(super) utility: f32,
    /// Winning chance.
    pub(super) win: f32,
    /// Lead in points.
    pub(super) lead: f32,
}

/// Why a step was not opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NotOpened {
    /// Another thread has opened it, or refines the priors just now.
    Taken,
    /// There is no memory for its edge.
    NoMemory,
}

const HEADER: usize = 7;
/// Edges in the node itself; every block has twice as many as the one before,
/// up to [`LARGEST`].
const INLINE: usize = 4;
const LARGEST: usize = 128;
const _: () = assert!((1 + LARGEST * EDGE) * size_of::<AtomicU64>() < NodePool::CHUNK_BYTES);
const POLICY: usize = HEADER + INLINE * EDGE;

/// Leads as multiples of this.
const LEAD_FIXED: f32 = (1 << 16) as f32;
/// Priors are kept as multiples of this.
const PRIOR_FIXED: f32 = u16::MAX as f32;

/// The part of a node's first word that says how many steps there are.
const STEPS: u64 = (1 << 14) - 1;
/// Whether their priors are refined or are being for the first time, and
/// whether a thread is at it.
const REFINED: u64 = 1 << 14;
const REFINING: u64 = 1 << 15;

impl<'a> Node<'a> {
    /// The node at `address`.
    pub(super) fn at(pool: &'a NodePool, address: Address) -> Node<'a> {
        Node { words: pool.words(address), address }
    }

    /// A node with these steps, which are put in order, and without any
    /// visit; `None` when there is no memory for it.
    pub(super) fn new(
        pool: &'a NodePool,
        allocator: &mut Allocator,
        hash: u64,
        steps: &[(Step, f32)],
        keys: &mut Vec<u32>,
    ) -> Option<Node<'a>> {
        let address = pool.allocate(allocator, POLICY + steps.len().div_ceil(2))?;
        let node = Node::at(pool, address);
        keys.clear();
        keys.extend(steps.iter().map(|&(step, prior)| key(step, prior)));
        // Most nodes never open more than a few of their steps, yet sorting
        // what is left by need costs more than it saves.
        keys.sort_unstable_by_key(|&key| !key);
        for (pair, word) in keys.chunks(2).zip(&node.words[POLICY..]) {
            let second = pair.get(1).map_or(0, |&key| u64::from(key));
            word.store(u64::from(pair[0]) | second << 32, Relaxed);
        }
        node.words[0].store(steps.len() as u64, Relaxed);
        node.words[5].store(hash, Relaxed);
        Some(node)
    }

    /// A copy of `old`, a node of the other half, with its edges; `None` when
    /// there is no memory for it. What lies in neither half any more is left
    /// out.
    pub(super) fn copy(
        pool: &'a NodePool,
        allocator: &mut Allocator,
        old: Node<'_>,
    ) -> Option<Node<'a>> {
        let size = POLICY + old.len().div_ceil(2);
        let address = pool.allocate(allocator, size)?;
        let node = Node::at(pool, address);
        for (to, from) in node.words[..size].iter().zip(old.words) {
            to.store(from.load(Relaxed), Relaxed);
        }
        node.words[0].store(old.words[0].load(Relaxed) & (STEPS | REFINED), Relaxed);
        for (index, edge) in old.edges(pool).enumerate() {
            let copy = node.edge(pool, allocator, index)?;
            for (to, from) in copy.0.iter().zip(edge.0) {
                to.store(from.load(Relaxed), Relaxed);
            }
            if copy.child().is_some_and(|child| pool.is_current(child)) {
                // From before that half was last emptied.
                copy.0[0].store(u64::from(copy.visits()), Relaxed);
            }
            node.words[0].fetch_add(1 << 16, Relaxed);
        }
        Some(node)
    }

    /// How many steps there are.
    pub(super) fn len(self) -> usize {
        (self.words[0].load(Relaxed) & STEPS) as usize
    }

    /// How many of them are opened.
    #[cfg(test)]
    pub(super) fn opened(self) -> usize {
        (self.words[0].load(Acquire) >> 16) as usize & 0xffff
    }

    /// The hash of its position.
    pub(super) fn hash(self) -> u64 {
        self.words[5].load(Relaxed)
    }

    /// A step and its prior; of those not opened the likeliest comes first.
    pub(super) fn step(self, index: usize) -> (Step, f32) {
        let word = self.words[POLICY + index / 2].load(Relaxed);
        let key = (word >> (index % 2 * 32)) as u32;
        (decode(key as u16), prior(key))
    }

    /// The edges of the opened steps, in order.
    pub(super) fn edges(self, pool: &'a NodePool) -> impl Iterator<Item = Edge<'a>> {
        self.blocks(pool).flat_map(|block| block.iter().map(Edge))
    }

    /// The same by the blocks they lie in: loops over these are the quicker.
    #[inline]
    pub(super) fn blocks(
        self,
        pool: &'a NodePool,
    ) -> impl Iterator<Item = &'a [[AtomicU64; EDGE]]> {
        let head = self.words[0].load(Acquire);
        let mut block = &self.words[HEADER..POLICY];
        let (mut next, mut left) = (head >> 32, head as usize >> 16 & 0xffff);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            if block.is_empty() {
                (block, next) = further(pool, next as u32);
            }
            let (edges, _) = block.as_chunks();
            let edges = &edges[..left.min(edges.len())];
            block = &[];
            left -= edges.len();
            (!edges.is_empty()).then_some(edges)
        })
    }

    /// The node that `edge`, one of its own, leads to, if it is there: what a
    /// node of the old half says of the new one is from before that was
    /// emptied.
    pub(super) fn child(self, pool: &'a NodePool, edge: Edge<'_>) -> Option<Node<'a>> {
        let address = edge.child()?;
        let is_there = pool.is_current(self.address) || !pool.is_current(address);
        is_there.then(|| Node::at(pool, address))
    }

    /// The place of edge `index`, whether or not it is opened; blocks are
    /// added as needed. `None` when there is no memory for them.
    fn edge(self, pool: &'a NodePool, allocator: &mut Allocator, index: usize) -> Option<Edge<'a>> {
        let (mut first, mut count) = (0, INLINE);
        let mut block = &self.words[HEADER..POLICY];
        let mut link = &self.words[0];
        while index >= first + count {
            (first, count) = (first + count, (count * 2).min(LARGEST));
            let next = link.load(Acquire) >> 32;
            let next = if next == 0 {
                let new = pool.allocate(allocator, 1 + count * EDGE)?;
                pool.words(new)[0].store(count as u64, Relaxed);
                hang(link, new)
            } else {
                next as u32
            };
            let words = pool.words(Address::from_bits(next)?);
            (block, link) = (&words[1..=count * EDGE], &words[0]);
        }
        block.as_chunks().0.get(index - first).map(Edge)
    }

    /// Opens the next step, which is to be `index`.
    pub(super) fn open(
        self,
        pool: &'a NodePool,
        allocator: &mut Allocator,
        index: usize,
    ) -> Result<Edge<'a>, NotOpened> {
        let edge = self.edge(pool, allocator, index).ok_or(NotOpened::NoMemory)?;
        let claim = |word: u64| {
            let is_next = word >> 16 & 0xffff == index as u64;
            (is_next && word & REFINING == 0).then_some(word + (1 << 16))
        };
        self.words[0].fetch_update(AcqRel, Relaxed, claim).map_err(|_| NotOpened::Taken)?;
        edge.offer_prior(self.step(index).1);
        Ok(edge)
    }

    /// Whether its priors are refined, or are just being.
    pub(super) fn is_refined(self) -> bool {
        self.words[0].load(Relaxed) & REFINED != 0
    }

    /// Gives its steps, which are to be `steps`, other priors, and puts those
    /// that are not opened in order, unless another thread is at it.
    pub(super) fn refine(self, pool: &'a NodePool, steps: &[(Step, f32)], keys: &mut Vec<u32>) {
        let claim = |word: u64| (word & REFINING == 0).then_some(word | REFINED | REFINING);
        // From now on no thread opens a step.
        let Ok(word) = self.words[0].fetch_update(Acquire, Relaxed, claim) else { return };
        let opened = (word >> 16) as usize & 0xffff;
        debug_assert_eq!(steps.len(), self.len());
        keys.clear();
        keys.extend(steps.iter().map(|&(step, prior)| key(step, prior)));
        for (index, edge) in self.edges(pool).enumerate().take(opened) {
            let code = code(self.step(index).0);
            let Some(place) = keys.iter().position(|&key| key as u16 == code) else { continue };
            let key = keys.swap_remove(place);
            self.set_key(index, key);
            edge.set_prior(prior(key));
        }
        if opened + keys.len() == self.len() {
            keys.sort_unstable_by_key(|&key| !key);
            for (index, &key) in (opened..).zip(&*keys) {
                self.set_key(index, key);
            }
        }
        self.words[0].fetch_xor(REFINING, Release);
    }

    /// Keeps its priors to itself, as a thread does that refines them.
    #[cfg(test)]
    pub(super) fn hold(self) {
        self.words[0].fetch_or(REFINING, Relaxed);
    }

    /// Puts a step and its prior where no other thread does.
    fn set_key(self, index: usize, key: u32) {
        let word = &self.words[POLICY + index / 2];
        let shift = index % 2 * 32;
        let others = word.load(Relaxed) & !(0xffff_ffff << shift);
        word.store(others | u64::from(key) << shift, Relaxed);
    }

    /// How often it has been visited, without visits under way.
    pub(super) fn visits(self) -> u32 {
        self.words[1].load(Relaxed) as u32
    }

    /// Counts a visit and its result for the mover; the lead is White's.
    pub(super) fn reward(self, result: SearchValue, white_lead: f32, counting: Counting) {
        counting.add(&self.words[1], 1);
        counting.add(&self.words[2], fixed(result.utility));
        counting.add(&self.words[3], fixed(result.win));
        counting.add(&self.words[4], (white_lead * LEAD_FIXED) as i64 as u64);
    }

    /// The mover's mean result, the lead being White's.
    pub(super) fn mean(self) -> SearchValue {
        let visits = self.visits().max(1) as f32;
        let sum = |word: usize| self.words[word].load(Relaxed);
        SearchValue {
            utility: sum(2) as f32 / FIXED / visits,
            win: sum(3) as f32 / FIXED / visits,
            lead: sum(4) as i64 as f32 / LEAD_FIXED / visits,
        }
    }

    /// What is proved of the position.
    pub(super) fn bounds(self) -> Bounds {
        unpack(self.words[6].load(Relaxed) as u32)
    }

    /// Adds to what is proved; whether it was new.
    pub(super) fn tighten(self, bounds: Bounds) -> bool {
        let tightened = |word: u64| {
            let now = u64::from(pack(unpack(word as u32).and(bounds)));
            (now != word).then_some(now)
        };
        self.words[6].fetch_update(Relaxed, Relaxed, tightened).is_ok()
    }
}

/// Hangs the block `new` behind `link`, unless another thread has been first;
/// what hangs there now.
fn hang(link: &AtomicU64, new: Address) -> u32 {
    let hung = |word: u64| (word >> 32 == 0).then_some(word | u64::from(new.bits()) << 32);
    match link.fetch_update(Release, Acquire, hung) {
        Ok(_) => new.bits(),
        Err(word) => (word >> 32) as u32,
    }
}

/// The edges of the block at `address`, and what follows it.
fn further(pool: &NodePool, address: u32) -> (&[AtomicU64], u64) {
    let Some(address) = Address::from_bits(address) else { return (&[], 0) };
    let words = pool.words(address);
    let head = words[0].load(Acquire);
    (&words[1..=(head as u32) as usize * EDGE], head >> 32)
}

const PASS: u16 = (Cell::TABLE + Site::TABLE) as u16;
const SWAP: u16 = PASS + 1;
/// How many numbers [`code`] gives.
pub(super) const CODES: usize = SWAP as usize + 1;

/// A step and its prior as half a word.
fn key(step: Step, prior: f32) -> u32 {
    let prior = (prior * PRIOR_FIXED).max(1.0) as u32;
    prior << 16 | u32::from(code(step))
}

/// The prior of a key.
fn prior(key: u32) -> f32 {
    (key >> 16) as f32 / PRIOR_FIXED
}

/// A step as a number: cells, then sites, then the rest.
pub(super) fn code(step: Step) -> u16 {
    match step {
        Step::Tile(cell) => cell.index() as u16,
        Step::Bridge(site) => (Cell::TABLE + site.index()) as u16,
        Step::Pass => PASS,
        Step::Swap => SWAP,
    }
}

fn decode(code: u16) -> Step {
    match code {
        PASS => Step::Pass,
        SWAP => Step::Swap,
        _ if usize::from(code) < Cell::TABLE => Step::Tile(Cell::from_index(code as u8)),
        _ => Step::Bridge(Site::from_index(code - Cell::TABLE as u16)),
    }
}

#[cfg(test)]
mod tests;
