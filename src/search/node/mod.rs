use std::sync::atomic::{
    AtomicU64, Ordering::AcqRel, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

use super::bounds::Bounds;
use super::edge::{Counting, FIXED, SLOT, Slot, fixed, pack, unpack};
use super::node_pool::{Address, Allocator, Arena};
use crate::board::{Cell, Site};
use crate::game::Ply;

/// What is known of a position whose plies have been listed.
///
/// A node is a run of words in the arena:
///
/// | words | what |
/// |---|---|
/// | 0 | how many plies there are (14 bits), whether their priors are refined, or are being (2), how many of them are opened (16), the address of further slots (32) |
/// | 1 | visits |
/// | 2 to 4 | sums over the visits: the mover's utility and winning chance, White's lead |
/// | 5 | hash of the position |
/// | 6 | bounds |
/// | 7 to 22 | slots of the first four plies |
/// | 23 … | plies with their priors, two in a word: the opened ones, then the others, the likeliest first |
///
/// Plies are opened in that order, so the slots of the opened ones, all that
/// choosing between them reads, lie together: 4 in the node, 8, 16, … 128, 128
/// … in blocks chained to it. A node of 90 plies has 544 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    words: &'a [AtomicU64],
    pub(super) address: Address,
}

/// The result of an iteration for one player or from White's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Payoff {
    /// What the search maximises, 0 to 1: mostly the winning chance.
    pub(super) utility: f32,
    /// Winning chance.
    pub(super) win: f32,
    /// Lead in points.
    pub(super) lead: f32,
}

/// Why a ply was not opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NotOpened {
    /// Another thread has opened it, or refines the priors just now.
    Taken,
    /// There is no memory for its slot.
    NoMemory,
}

const HEADER: usize = 7;
/// Slots in the node itself; every block has twice as many as the one before,
/// up to [`LARGEST`].
const INLINE: usize = 4;
const LARGEST: usize = 128;
const _: () = assert!((1 + LARGEST * SLOT) * size_of::<AtomicU64>() < Arena::CHUNK_BYTES);
const POLICY: usize = HEADER + INLINE * SLOT;

/// Leads as multiples of this.
const LEAD_FIXED: f32 = (1 << 16) as f32;
/// Priors are kept as multiples of this.
const PRIOR_FIXED: f32 = u16::MAX as f32;

/// The part of a node's first word that says how many plies there are.
const PLIES: u64 = (1 << 14) - 1;
/// Whether their priors are refined or are being for the first time, and
/// whether a thread is at it.
const REFINED: u64 = 1 << 14;
const REFINING: u64 = 1 << 15;

impl<'a> Node<'a> {
    /// The node at `address`.
    pub(super) fn at(arena: &'a Arena, address: Address) -> Node<'a> {
        Node { words: arena.words(address), address }
    }

    /// A node with these plies, which are put in order, and without any
    /// visit; `None` when there is no memory for it.
    pub(super) fn new(
        arena: &'a Arena,
        allocator: &mut Allocator,
        hash: u64,
        plies: &[(Ply, f32)],
        keys: &mut Vec<u32>,
    ) -> Option<Node<'a>> {
        let address = arena.allocate(allocator, POLICY + plies.len().div_ceil(2))?;
        let node = Node::at(arena, address);
        keys.clear();
        keys.extend(plies.iter().map(|&(ply, prior)| key(ply, prior)));
        // Most nodes never open more than a few of their plies, yet sorting
        // what is left by need costs more than it saves.
        keys.sort_unstable_by_key(|&key| !key);
        for (pair, word) in keys.chunks(2).zip(&node.words[POLICY..]) {
            let second = pair.get(1).map_or(0, |&key| u64::from(key));
            word.store(u64::from(pair[0]) | second << 32, Relaxed);
        }
        node.words[0].store(plies.len() as u64, Relaxed);
        node.words[5].store(hash, Relaxed);
        Some(node)
    }

    /// A copy of `old`, a node of the other half, with its slots; `None` when
    /// there is no memory for it. What lies in neither half any more is left
    /// out.
    pub(super) fn copy(
        arena: &'a Arena,
        allocator: &mut Allocator,
        old: Node<'_>,
    ) -> Option<Node<'a>> {
        let size = POLICY + old.len().div_ceil(2);
        let address = arena.allocate(allocator, size)?;
        let node = Node::at(arena, address);
        for (to, from) in node.words[..size].iter().zip(old.words) {
            to.store(from.load(Relaxed), Relaxed);
        }
        node.words[0].store(old.words[0].load(Relaxed) & (PLIES | REFINED), Relaxed);
        for (index, slot) in old.slots(arena).enumerate() {
            let copy = node.slot(arena, allocator, index)?;
            for (to, from) in copy.0.iter().zip(slot.0) {
                to.store(from.load(Relaxed), Relaxed);
            }
            if copy.child().is_some_and(|child| arena.is_current(child)) {
                // From before that half was last emptied.
                copy.0[0].store(u64::from(copy.visits()), Relaxed);
            }
            node.words[0].fetch_add(1 << 16, Relaxed);
        }
        Some(node)
    }

    /// How many plies there are.
    pub(super) fn len(self) -> usize {
        (self.words[0].load(Relaxed) & PLIES) as usize
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

    /// A ply and its prior; of those not opened the likeliest comes first.
    pub(super) fn ply(self, index: usize) -> (Ply, f32) {
        let word = self.words[POLICY + index / 2].load(Relaxed);
        let key = (word >> (index % 2 * 32)) as u32;
        (decode(key as u16), prior(key))
    }

    /// The slots of the opened plies, in order.
    pub(super) fn slots(self, arena: &'a Arena) -> impl Iterator<Item = Slot<'a>> {
        self.blocks(arena).flat_map(|block| block.iter().map(Slot))
    }

    /// The same by the blocks they lie in: loops over these are the quicker.
    #[inline]
    pub(super) fn blocks(self, arena: &'a Arena) -> impl Iterator<Item = &'a [[AtomicU64; SLOT]]> {
        let head = self.words[0].load(Acquire);
        let mut block = &self.words[HEADER..POLICY];
        let (mut next, mut left) = (head >> 32, head as usize >> 16 & 0xffff);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            if block.is_empty() {
                (block, next) = further(arena, next as u32);
            }
            let (slots, _) = block.as_chunks();
            let slots = &slots[..left.min(slots.len())];
            block = &[];
            left -= slots.len();
            (!slots.is_empty()).then_some(slots)
        })
    }

    /// The node that `slot`, one of its own, leads to, if it is there: what a
    /// node of the old half says of the new one is from before that was
    /// emptied.
    pub(super) fn child(self, arena: &'a Arena, slot: Slot<'_>) -> Option<Node<'a>> {
        let address = slot.child()?;
        let is_there = arena.is_current(self.address) || !arena.is_current(address);
        is_there.then(|| Node::at(arena, address))
    }

    /// The place of slot `index`, whether or not it is opened; blocks are
    /// added as needed. `None` when there is no memory for them.
    fn slot(self, arena: &'a Arena, allocator: &mut Allocator, index: usize) -> Option<Slot<'a>> {
        let (mut first, mut count) = (0, INLINE);
        let mut block = &self.words[HEADER..POLICY];
        let mut link = &self.words[0];
        while index >= first + count {
            (first, count) = (first + count, (count * 2).min(LARGEST));
            let next = link.load(Acquire) >> 32;
            let next = if next == 0 {
                let new = arena.allocate(allocator, 1 + count * SLOT)?;
                arena.words(new)[0].store(count as u64, Relaxed);
                hang(link, new)
            } else {
                next as u32
            };
            let words = arena.words(Address::from_bits(next)?);
            (block, link) = (&words[1..=count * SLOT], &words[0]);
        }
        block.as_chunks().0.get(index - first).map(Slot)
    }

    /// Opens the next ply, which is to be `index`.
    pub(super) fn open(
        self,
        arena: &'a Arena,
        allocator: &mut Allocator,
        index: usize,
    ) -> Result<Slot<'a>, NotOpened> {
        let slot = self.slot(arena, allocator, index).ok_or(NotOpened::NoMemory)?;
        let claim = |word: u64| {
            let is_next = word >> 16 & 0xffff == index as u64;
            (is_next && word & REFINING == 0).then_some(word + (1 << 16))
        };
        self.words[0].fetch_update(AcqRel, Relaxed, claim).map_err(|_| NotOpened::Taken)?;
        slot.offer_prior(self.ply(index).1);
        Ok(slot)
    }

    /// Whether its priors are refined, or are just being.
    pub(super) fn is_refined(self) -> bool {
        self.words[0].load(Relaxed) & REFINED != 0
    }

    /// Gives its plies, which are to be `plies`, other priors, and puts those
    /// that are not opened in order, unless another thread is at it.
    pub(super) fn refine(self, arena: &'a Arena, plies: &[(Ply, f32)], keys: &mut Vec<u32>) {
        let claim = |word: u64| (word & REFINING == 0).then_some(word | REFINED | REFINING);
        // From now on no thread opens a ply.
        let Ok(word) = self.words[0].fetch_update(Acquire, Relaxed, claim) else { return };
        let opened = (word >> 16) as usize & 0xffff;
        debug_assert_eq!(plies.len(), self.len());
        keys.clear();
        keys.extend(plies.iter().map(|&(ply, prior)| key(ply, prior)));
        for (index, slot) in self.slots(arena).enumerate().take(opened) {
            let code = code(self.ply(index).0);
            let Some(place) = keys.iter().position(|&key| key as u16 == code) else { continue };
            let key = keys.swap_remove(place);
            self.set_key(index, key);
            slot.set_prior(prior(key));
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

    /// Puts a ply and its prior where no other thread does.
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
    pub(super) fn reward(self, result: Payoff, white_lead: f32, counting: Counting) {
        counting.add(&self.words[1], 1);
        counting.add(&self.words[2], fixed(result.utility));
        counting.add(&self.words[3], fixed(result.win));
        counting.add(&self.words[4], (white_lead * LEAD_FIXED) as i64 as u64);
    }

    /// The mover's mean result, the lead being White's.
    pub(super) fn mean(self) -> Payoff {
        let visits = self.visits().max(1) as f32;
        let sum = |word: usize| self.words[word].load(Relaxed);
        Payoff {
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

/// The slots of the block at `address`, and what follows it.
fn further(arena: &Arena, address: u32) -> (&[AtomicU64], u64) {
    let Some(address) = Address::from_bits(address) else { return (&[], 0) };
    let words = arena.words(address);
    let head = words[0].load(Acquire);
    (&words[1..=(head as u32) as usize * SLOT], head >> 32)
}

const PASS: u16 = (Cell::TABLE + Site::TABLE) as u16;
const SWAP: u16 = PASS + 1;
/// How many numbers [`code`] gives.
pub(super) const CODES: usize = SWAP as usize + 1;

/// A ply and its prior as half a word.
fn key(ply: Ply, prior: f32) -> u32 {
    let prior = (prior * PRIOR_FIXED).max(1.0) as u32;
    prior << 16 | u32::from(code(ply))
}

/// The prior of a key.
fn prior(key: u32) -> f32 {
    (key >> 16) as f32 / PRIOR_FIXED
}

/// A ply as a number: cells, then sites, then the rest.
pub(super) fn code(ply: Ply) -> u16 {
    match ply {
        Ply::Tile(cell) => cell.index() as u16,
        Ply::Bridge(site) => (Cell::TABLE + site.index()) as u16,
        Ply::Pass => PASS,
        Ply::Swap => SWAP,
    }
}

fn decode(code: u16) -> Ply {
    match code {
        PASS => Ply::Pass,
        SWAP => Ply::Swap,
        _ if usize::from(code) < Cell::TABLE => Ply::Tile(Cell::from_index(code as u8)),
        _ => Ply::Bridge(Site::from_index(code - Cell::TABLE as u16)),
    }
}

#[cfg(test)]
mod tests;
