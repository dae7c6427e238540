use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::node_pool::Address;

/// Where the node of a position is, by the position's hash: positions that
/// are reached in several ways, as by two tiles in either order, share one.
///
/// A fixed number of entries, half address, the rest hash and generation, in
/// buckets of a cache line; a full bucket forgets. An entry is a hint: whoever
/// follows it compares the node's whole hash. An entry of another generation
/// is as good as none, so that clearing the table costs nothing.
#[derive(Debug)]
pub(super) struct Table {
    /// Pages are made when they are first written to, so that a short search
    /// does not pay for a large table.
    pages: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// Buckets that are used, a power of two.
    buckets: usize,
    /// From 1, for memory that was never written to has 0.
    generation: u8,
}

/// Entries of a bucket: a cache line.
const BUCKET: usize = 8;
const PAGE_BUCKETS: usize = 512;

impl Table {
    /// Bytes of a page.
    const PAGE_BYTES: usize = PAGE_BUCKETS * BUCKET * size_of::<AtomicU64>();

    /// A table of at most `bytes`, and at least one page.
    pub(super) fn new(bytes: usize) -> Table {
        let entry = size_of::<OnceLock<Box<[AtomicU64]>>>();
        let pages = (bytes / (Self::PAGE_BYTES + entry)).max(1);
        let pages = 1 << pages.ilog2();
        Table {
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
            buckets: pages * PAGE_BUCKETS,
            generation: 1,
        }
    }

    /// Forgets all entries and keeps the memory.
    pub(super) fn clear(&mut self) {
        if self.generation == u8::MAX {
            self.pages.iter_mut().for_each(|page| *page = OnceLock::new());
        }
        self.generation = self.generation % u8::MAX + 1;
    }

    /// The upper half of the entries of `hash`.
    fn tag(&self, hash: u64) -> u64 {
        hash >> 40 << 8 | u64::from(self.generation)
    }

    /// Bytes in use once all pages are made.
    pub(super) fn most_bytes(&self) -> usize {
        self.pages.len() * (Self::PAGE_BYTES + size_of::<OnceLock<Box<[AtomicU64]>>>())
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let made = self.pages.iter().filter(|page| page.get().is_some()).count();
        made * Self::PAGE_BYTES + self.pages.len() * size_of::<OnceLock<Box<[AtomicU64]>>>()
    }

    /// The addresses that may belong to `hash`.
    pub(super) fn find(&self, hash: u64) -> impl Iterator<Item = Address> {
        let bucket = hash as usize & (self.buckets - 1);
        let page = self.pages[bucket / PAGE_BUCKETS].get();
        let entries = page.map_or(&[][..], |page| {
            let first = bucket % PAGE_BUCKETS * BUCKET;
            &page[first..first + BUCKET]
        });
        let tag = self.tag(hash);
        entries.iter().filter_map(move |entry| {
            // What was written to the node before it was entered is seen, too.
            let entry = entry.load(Acquire);
            Address::from_bits(entry as u32).filter(|_| entry >> 32 == tag)
        })
    }

    /// Enters the node at `address`; it takes the place of one of the same
    /// hash, else an empty place, else that of any other.
    pub(super) fn insert(&self, hash: u64, address: Address) {
        let bucket = hash as usize & (self.buckets - 1);
        let page = self.pages[bucket / PAGE_BUCKETS]
            .get_or_init(|| (0..PAGE_BUCKETS * BUCKET).map(|_| AtomicU64::new(0)).collect());
        let first = bucket % PAGE_BUCKETS * BUCKET;
        let entries = &page[first..first + BUCKET];
        let tag = self.tag(hash);
        let fits = |entry: &AtomicU64| {
            let entry = entry.load(Relaxed);
            (entry >> 32) as u8 != self.generation || entry >> 32 == tag
        };
        let place = entries.iter().position(fits).unwrap_or((hash >> 61) as usize);
        entries[place].store(tag << 32 | u64::from(address.bits()), Release);
    }

    /// Forgets all entries but those whose address is to be kept.
    pub(super) fn retain(&self, keep: impl Fn(Address) -> bool) {
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

    fn found(table: &Table, hash: u64) -> Vec<u32> {
        table.find(hash).map(Address::bits).collect()
    }

    #[test]
    fn what_is_entered_is_found_until_it_is_forgotten() {
        let table = Table::new(1 << 17);
        let hash = |number: u32| u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert!(found(&table, hash(1)).is_empty());
        for number in 1..=1000 {
            table.insert(hash(number), address(number));
        }
        assert!((1..=1000).all(|number| found(&table, hash(number)) == [number]));
        table.insert(hash(5), address(5005));
        assert_eq!(found(&table, hash(5)), [5005], "the new one takes the old one's place");
        table.retain(|address| address.bits() % 2 == 1);
        for number in 1..=1000 {
            let left = if number == 5 { 5005 } else { number };
            let expected = if left % 2 == 1 { vec![left] } else { vec![] };
            assert_eq!(found(&table, hash(number)), expected);
        }
        assert!(table.bytes() <= table.most_bytes());
        assert!(table.most_bytes() <= 1 << 17);
    }

    #[test]
    fn a_full_bucket_forgets_one_for_another() {
        let table = Table::new(0);
        let hash = |number: u32| u64::from(number) << 40 | u64::from(number) << 61;
        let count = BUCKET as u32 + 1;
        for number in 1..=count {
            table.insert(hash(number), address(number));
        }
        let left = (1..=count).filter(|&number| found(&table, hash(number)) == [number]).count();
        assert_eq!(left, BUCKET);
        assert_eq!(found(&table, hash(count)), [count]);
    }

    #[test]
    fn a_cleared_table_is_empty_every_time() {
        let mut table = Table::new(0);
        let hash = |number: u32| u64::from(number) << 40 | u64::from(number) << 61;
        for round in 1..=600 {
            assert!((1..=8).all(|number| found(&table, hash(number)).is_empty()), "{round}");
            (1..=8).for_each(|number| table.insert(hash(number), address(round)));
            // What was there before takes no place.
            assert!((1..=8).all(|number| found(&table, hash(number)) == [round]), "{round}");
            table.clear();
        }
    }

    /// Prints what a lookup that fails and the insertion after it, as at an
    /// expansion, cost here and in a concurrent map.
    #[test]
    #[ignore = "measures"]
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
            let table = Table::new(16 << 20);
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
