use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::arena::Address;

/// Where the node of a position is, by the position's hash: positions that
/// are reached in several ways, as by two tiles in either order, share one.
///
/// A fixed number of entries, half hash and half address, in buckets of a
/// cache line; a full bucket forgets. An entry is a hint: whoever follows it
/// compares the node's whole hash.
#[derive(Debug)]
pub(super) struct Table {
    /// Pages are made when they are first written to, so that a short search
    /// does not pay for a large table.
    pages: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// Buckets that are used, a power of two.
    buckets: usize,
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
        }
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
        entries.iter().filter_map(move |entry| {
            let entry = entry.load(Relaxed);
            Address::from_bits(entry as u32).filter(|_| entry >> 32 == hash >> 32)
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
        let fits = |entry: &AtomicU64| {
            let entry = entry.load(Relaxed);
            entry == 0 || entry >> 32 == hash >> 32
        };
        let place = entries.iter().position(fits).unwrap_or((hash >> 61) as usize);
        entries[place].store(hash >> 32 << 32 | u64::from(address.bits()), Relaxed);
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
