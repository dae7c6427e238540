//! The memory of the tree: two halves, of which one is being filled.
//!
//! A long search makes more nodes than fit into memory, and the tree is kept from move to move,
//! with most of its nodes in lines that were not played. Freeing those nodes one by one would need
//! reference counts or marks in every node. The pool avoids them as the chess engine Monty and
//! copying garbage collectors do:
//!
//! ```text
//!            half 0, old                    half 1, current
//!  ┌────────────────────────────┐  ┌────────────────────────────┐
//!  │ root  a  b  c  d  e  f ... │  │ root' a' g  h ─► free      │
//!  └────────────────────────────┘  └────────────────────────────┘
//!    no longer written,               new nodes, and copies of old
//!    read until copied                nodes, made on the next visit
//! ```
//!
//! When the current half is full, all threads stop ([`Barrier`](crate::search::barrier)), the
//! *other* half is emptied and becomes the current one ([`NodePool::flip`]). Old nodes are copied
//! when they are next visited; those not visited before the next flip are lost. So room is made by
//! changing two numbers, and the nodes that are in use survive.
//!
//! # Invariants
//!
//! - Addresses in nodes of the current half are valid, whether they lie in the current or the old
//!   half.
//! - Nodes of the old half may hold addresses in the current half that date from before it was
//!   emptied. They are stale, and whoever reads an old node must ignore them (`Node::child`,
//!   `Node::copy`). Otherwise an edge would lead to the node of another position.
//! - The transposition table holds no address in an emptied half (`Tree::make_room`).
//! - No address and no [`Allocator`] is held across a flip, except the root's address, which the
//!   search updates at once.
//!
//! # Memory ordering
//!
//! All words are atomic, so threads share them without locks or `unsafe`. A new node or block is
//! filled with relaxed stores and then published by a *release* store of its address, in the table,
//! in an edge or behind a block. A thread that loads the address with *acquire* sees the contents.
//! The counters of the pool itself are relaxed. `next` only has to give each chunk to one thread, a
//! chunk's `OnceLock` publishes its memory, and `half` changes only at the barrier, whose mutex
//! orders it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// An address in a [`NodePool`]: the number of a unit of 16 bytes plus 1, so that 0 means none in
/// zeroed memory. 32 bits reach 64 GiB, and leave room for a count in the same atomic word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct Address(u32);

impl Address {
    /// Reads a stored address; 0 means none.
    pub(in crate::search) fn from_bits(bits: u32) -> Option<Address> {
        (bits != 0).then_some(Address(bits))
    }

    /// The stored form, never 0.
    pub(in crate::search) fn bits(self) -> u32 {
        self.0
    }
}

/// Alignment of addresses, in words. With 1, addresses would reach half as far; with 4, each node
/// would lose up to 24 bytes.
const UNIT: usize = 2;

/// Words in a chunk, 8 KiB: more than the largest node takes, because a node never crosses chunks.
/// A thread fills its chunk alone and asks for the next one only when it is full. Much larger
/// chunks would leave a part of a small tree unused, one for every thread.
const CHUNK: usize = 1024;
/// Addresses in a chunk.
const UNITS: usize = CHUNK / UNIT;

/// Memory for nodes and edges, in two halves of equal size.
///
/// Chunks are allocated on first use, so that a short search with a high limit does not pay for the
/// limit, and are kept until the pool is dropped.
#[derive(Debug)]
pub(in crate::search) struct NodePool {
    chunks: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// The next free chunk of each half.
    next: [AtomicUsize; 2],
    /// The current half, 0 or 1.
    half: AtomicUsize,
    /// Chunks allocated so far, for reports.
    allocated: AtomicUsize,
}

/// The chunk that one thread fills.
#[derive(Debug, Default)]
pub(in crate::search) struct Allocator {
    chunk: usize,
    /// Words used and free in the chunk. Without a chunk none is free.
    used: usize,
    free: usize,
}

impl NodePool {
    /// Size of a chunk in bytes.
    pub(in crate::search) const CHUNK_BYTES: usize = CHUNK * size_of::<AtomicU64>();

    /// A pool of at most `bytes`, its own bookkeeping included; at least two chunks.
    pub(in crate::search) fn new(bytes: usize) -> NodePool {
        let slot_bytes = size_of::<OnceLock<Box<[AtomicU64]>>>();
        // The chunks that addresses can reach, without the last one, which would overflow.
        let max_chunks = (u32::MAX as usize / UNITS) - 1;
        let half = (bytes / (Self::CHUNK_BYTES + slot_bytes) / 2).clamp(1, max_chunks / 2);
        NodePool {
            chunks: (0..2 * half).map(|_| OnceLock::new()).collect(),
            next: [AtomicUsize::new(0), AtomicUsize::new(half)],
            half: AtomicUsize::new(0),
            allocated: AtomicUsize::new(0),
        }
    }

    /// Memory in use, in bytes.
    pub(in crate::search) fn bytes(&self) -> usize {
        self.allocated.load(Relaxed) * Self::CHUNK_BYTES
            + self.chunks.len() * size_of::<OnceLock<Box<[AtomicU64]>>>()
    }

    /// Whether `address` lies in the current half.
    pub(in crate::search) fn is_current(&self, address: Address) -> bool {
        self.half_of(address) == self.half.load(Relaxed)
    }

    fn half_of(&self, address: Address) -> usize {
        usize::from((address.0 as usize - 1) / UNITS >= self.chunks.len() / 2)
    }

    /// The words from `address` to the end of its chunk.
    pub(in crate::search) fn words(&self, address: Address) -> &[AtomicU64] {
        let unit = address.0 as usize - 1;
        // An address is only given out once its chunk exists.
        let chunk = self.chunks[unit / UNITS].get().map_or(&[][..], |chunk| chunk);
        &chunk[unit % UNITS * UNIT..]
    }

    /// Allocates `words` zeroed words; `None` when the current half is full.
    pub(in crate::search) fn allocate(
        &self,
        allocator: &mut Allocator,
        words: usize,
    ) -> Option<Address> {
        let words = words.next_multiple_of(UNIT);
        // The rest of the old chunk, less than one node, is lost until the half is emptied.
        if allocator.free < words {
            self.take_chunk(allocator)?;
        }
        let unit = allocator.chunk * UNITS + allocator.used / UNIT;
        allocator.used += words;
        allocator.free -= words;
        let address = Address(unit as u32 + 1);
        // The chunk may hold nodes from before a flip, and zero means "nothing yet" in all fields
        // of nodes and edges. Relaxed: nobody else has the address yet.
        self.words(address)[..words].iter().for_each(|word| word.store(0, Relaxed));
        Some(address)
    }

    /// Gives the allocator a free chunk of the current half.
    fn take_chunk(&self, allocator: &mut Allocator) -> Option<()> {
        let half = self.half.load(Relaxed);
        // Each chunk goes to one thread, once; nothing else depends on the order.
        let end = (half + 1) * self.chunks.len() / 2;
        let chunk = self.next[half]
            .fetch_update(Relaxed, Relaxed, |next| (next < end).then_some(next + 1))
            .ok()?;
        self.chunks[chunk].get_or_init(|| {
            self.allocated.fetch_add(1, Relaxed);
            (0..CHUNK).map(|_| AtomicU64::new(0)).collect()
        });
        *allocator = Allocator { chunk, used: 0, free: CHUNK };
        Some(())
    }

    /// Frees all nodes and keeps the memory.
    pub(in crate::search) fn clear(&mut self) {
        *self.next[0].get_mut() = 0;
        *self.next[1].get_mut() = self.chunks.len() / 2;
        *self.half.get_mut() = 0;
    }

    /// Empties the other half and makes it current. All nodes of that half and all allocators
    /// become invalid.
    pub(in crate::search) fn flip(&self) {
        let half = 1 - self.half.load(Relaxed);
        self.next[half].store(half * self.chunks.len() / 2, Relaxed);
        self.half.store(half, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_half_is_filled_and_flips_keep_the_other() {
        let pool = NodePool::new(10 * NodePool::CHUNK_BYTES);
        let mut allocator = Allocator::default();
        let mut addresses = Vec::new();
        while let Some(address) = pool.allocate(&mut allocator, 100) {
            assert!(pool.is_current(address));
            pool.words(address)[99].store(7, Relaxed);
            addresses.push(address);
        }
        assert_eq!(addresses.len(), 4 * (CHUNK / 100));
        assert!(pool.bytes() <= 10 * NodePool::CHUNK_BYTES);
        pool.flip();
        assert!(addresses.iter().all(|&address| !pool.is_current(address)));
        assert_eq!(pool.words(addresses[0])[99].load(Relaxed), 7);
        allocator = Allocator::default();
        let address = pool.allocate(&mut allocator, 100).unwrap();
        assert!(pool.is_current(address));
        pool.flip();
        allocator = Allocator::default();
        let again = pool.allocate(&mut allocator, 100).unwrap();
        assert_eq!(again, addresses[0]);
        assert_eq!(pool.words(again)[99].load(Relaxed), 0, "allocated memory is zeroed");
    }
}
