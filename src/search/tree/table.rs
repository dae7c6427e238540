//! Transposition table: finds the node of a position.
//!
//! Most positions can be reached by several orders of the same steps; even the two tiles of a move
//! have two. With one node for all orders, the search uses in each what it has learnt in the
//! others: +37 Elo [+11, +62] (docs/strength.md).
//!
//! ```text
//! hash    63 ──────────── 40 39 ─────────────────────── 0
//!         tag (24 bits)                    bucket (low bits)
//!
//! entry   63 ──────────── 40 39 ── 32 31 ────────────── 0
//!         tag             generation  address of the node
//!
//! bucket  [ entry × 8 ], 64 bytes
//! ```
//!
//! An entry is one word, so it is read and written as a whole, and a bucket is searched without a
//! lock. Nothing relies on an entry. It may be overwritten, and then a node is made twice; and a
//! tag may match by chance, so the caller compares the node's whole hash. A concurrent map would
//! guarantee more, but took 461 ns for a failed lookup with an insertion, against 124 ns here.
//!
//! Entries of other generations count as empty, so that clearing a table of any size costs nothing.
//! After 255 generations the pages are dropped, because their numbers are then reused.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::pool::Address;

/// Maps the hash of a position to the address of its node. Has a fixed number of entries; a full
/// bucket replaces one.
#[derive(Debug)]
pub(in crate::search) struct TranspositionTable {
    /// Allocated on first write, so that a short search does not pay for a large table.
    pages: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// Number of buckets, a power of two.
    buckets: usize,
    /// Starts at 1: unwritten entries have 0.
    generation: u8,
}

/// Entries in a bucket: one cache line.
const BUCKET: usize = 8;
/// Buckets in a page, the unit of allocation: 32 KiB. A guess, never measured.
const PAGE_BUCKETS: usize = 512;

impl TranspositionTable {
    /// Size of a page in bytes.
    const PAGE_BYTES: usize = PAGE_BUCKETS * BUCKET * size_of::<AtomicU64>();

    /// A table of at most `bytes`; at least one page.
    pub(in crate::search) fn new(bytes: usize) -> TranspositionTable {
        let slot_bytes = size_of::<OnceLock<Box<[AtomicU64]>>>();
        let pages = (bytes / (Self::PAGE_BYTES + slot_bytes)).max(1);
        // A power of two, so that a bucket is a mask of the hash.
        let pages = 1 << pages.ilog2();
        TranspositionTable {
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
            buckets: pages * PAGE_BUCKETS,
            generation: 1,
        }
    }

    /// Removes all entries and keeps the memory.
    pub(in crate::search) fn clear(&mut self) {
        if self.generation == u8::MAX {
            self.pages.iter_mut().for_each(|page| *page = OnceLock::new());
        }
        // 1 to 255; 0 marks entries that were never written.
        self.generation = self.generation % u8::MAX + 1;
    }

    /// The upper half of an entry of `hash`.
    fn tag(&self, hash: u64) -> u64 {
        hash >> 40 << 8 | u64::from(self.generation)
    }

    /// Memory in use once all pages are allocated, in bytes.
    pub(in crate::search) fn most_bytes(&self) -> usize {
        self.pages.len() * (Self::PAGE_BYTES + size_of::<OnceLock<Box<[AtomicU64]>>>())
    }

    /// Memory in use, in bytes.
    pub(in crate::search) fn bytes(&self) -> usize {
        let allocated = self.pages.iter().filter(|page| page.get().is_some()).count();
        allocated * Self::PAGE_BYTES + self.pages.len() * size_of::<OnceLock<Box<[AtomicU64]>>>()
    }

    /// The addresses that may belong to `hash`.
    pub(in crate::search) fn find(&self, hash: u64) -> impl Iterator<Item = Address> {
        let bucket = hash as usize & (self.buckets - 1);
        let page = self.pages[bucket / PAGE_BUCKETS].get();
        let entries = page.map_or(&[][..], |page| {
            let first = bucket % PAGE_BUCKETS * BUCKET;
            &page[first..first + BUCKET]
        });
        let tag = self.tag(hash);
        entries.iter().filter_map(move |entry| {
            // Acquire: makes the contents of the node visible, too.
            let entry = entry.load(Acquire);
            Address::from_bits(entry as u32).filter(|_| entry >> 32 == tag)
        })
    }

    /// Inserts the node at `address`: over an entry of the same hash or an empty one if there is
    /// one, else over any.
    pub(in crate::search) fn insert(&self, hash: u64, address: Address) {
        let bucket = hash as usize & (self.buckets - 1);
        let page = self.pages[bucket / PAGE_BUCKETS]
            .get_or_init(|| (0..PAGE_BUCKETS * BUCKET).map(|_| AtomicU64::new(0)).collect());
        let first = bucket % PAGE_BUCKETS * BUCKET;
        let entries = &page[first..first + BUCKET];
        let tag = self.tag(hash);
        let fits = |entry: &AtomicU64| {
            // Relaxed: the entry is replaced, its node is not read.
            let entry = entry.load(Relaxed);
            (entry >> 32) as u8 != self.generation || entry >> 32 == tag
        };
        // Otherwise the hash picks the victim: three bits that the bucket does not depend on.
        let index = entries.iter().position(fits).unwrap_or((hash >> 61) as usize);
        // Release: publishes the contents of the node.
        entries[index].store(tag << 32 | u64::from(address.bits()), Release);
    }

    /// Removes all entries whose address `keep` rejects. No other thread may use the table; the
    /// barrier of the search orders the relaxed accesses.
    pub(in crate::search) fn retain(&self, keep: impl Fn(Address) -> bool) {
        for entry in self.pages.iter().filter_map(OnceLock::get).flatten() {
            if Address::from_bits(entry.load(Relaxed) as u32).is_some_and(|address| !keep(address))
            {
                entry.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use dashmap::DashMap;

    use super::*;
    use crate::eval::Random;

    fn address(bits: u32) -> Address {
        Address::from_bits(bits).unwrap()
    }

    fn addresses(table: &TranspositionTable, hash: u64) -> Vec<u32> {
        table.find(hash).map(Address::bits).collect()
    }

    #[test]
    fn an_inserted_address_is_found_until_it_is_removed() {
        let table = TranspositionTable::new(1 << 17);
        let hash = |number: u32| u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert!(addresses(&table, hash(1)).is_empty());
        for number in 1..=1000 {
            table.insert(hash(number), address(number));
        }
        assert!((1..=1000).all(|number| addresses(&table, hash(number)) == [number]));
        table.insert(hash(5), address(5005));
        assert_eq!(addresses(&table, hash(5)), [5005], "the new address replaces the old one");
        table.retain(|address| address.bits() % 2 == 1);
        for number in 1..=1000 {
            let latest = if number == 5 { 5005 } else { number };
            let expected = if latest % 2 == 1 { vec![latest] } else { vec![] };
            assert_eq!(addresses(&table, hash(number)), expected);
        }
        assert!(table.bytes() <= table.most_bytes());
        assert!(table.most_bytes() <= 1 << 17);
    }

    #[test]
    fn a_full_bucket_replaces_one_entry() {
        let table = TranspositionTable::new(0);
        let hash = |number: u32| u64::from(number) << 40 | u64::from(number) << 61;
        let count = BUCKET as u32 + 1;
        for number in 1..=count {
            table.insert(hash(number), address(number));
        }
        let remaining =
            (1..=count).filter(|&number| addresses(&table, hash(number)) == [number]).count();
        assert_eq!(remaining, BUCKET);
        assert_eq!(addresses(&table, hash(count)), [count]);
    }

    #[test]
    fn a_table_can_be_cleared_any_number_of_times() {
        let mut table = TranspositionTable::new(0);
        let hash = |number: u32| u64::from(number) << 40 | u64::from(number) << 61;
        for round in 1..=600 {
            assert!((1..=8).all(|number| addresses(&table, hash(number)).is_empty()), "{round}");
            (1..=8).for_each(|number| table.insert(hash(number), address(round)));
            // Old entries take no space.
            assert!((1..=8).all(|number| addresses(&table, hash(number)) == [round]), "{round}");
            table.clear();
        }
    }

    /// Prints the cost of a failed lookup with an insertion, as at an expansion, here and in a
    /// concurrent map.
    #[test]
    #[ignore = "prints a measurement, asserts nothing"]
    fn table_against_dashmap() {
        let mut random = Random::new(1);
        let hashes: Vec<u64> = (0..1_000_000).map(|_| random.bits()).collect();
        for threads in [1, 2] {
            let measure = |visit: &(dyn Fn(u64) + Sync)| {
                let start = Instant::now();
                std::thread::scope(|scope| {
                    for part in hashes.chunks(hashes.len() / threads) {
                        scope.spawn(move || part.iter().for_each(|&hash| visit(hash)));
                    }
                });
                start.elapsed().as_nanos() as f64 * threads as f64 / hashes.len() as f64
            };
            let table = TranspositionTable::new(16 << 20);
            let here = measure(&|hash| {
                if table.find(hash).next().is_none() {
                    table.insert(hash, address(1));
                }
            });
            let map: DashMap<u64, u32> = DashMap::new();
            let there = measure(&|hash| {
                if map.get(&hash).is_none() {
                    map.insert(hash, 1);
                }
            });
            println!("{threads} threads: table {here:.0} ns, dashmap {there:.0} ns");
        }
    }
}
