//! The solver's hash table: from positions to proved bounds.
//!
//! An entry is a proof and remains true, so entries are replaced only when room is needed. Among
//! the four entries that a key may use, the one that took the least work goes first: an entry that
//! saves a million nodes is worth more than one that saves ten. A table used for many positions
//! would fill up with expensive entries of positions long gone. Its owner can therefore begin a new
//! *age* (`SolverTable::next_age`); entries of earlier ages go first.
//!
//! An entry of another position with the same key would prove something false. 48 bits of the key
//! are compared, and the index determines ten or more of the other 16.

use std::ops::Range;

use crate::board::{Cell, Site};
use crate::game::{Step, Value};

/// A whole move in 32 bits: a pass, a bridge's site, or two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedMove(u32);

impl PackedMove {
    /// No move is known.
    pub(super) const NONE: PackedMove = PackedMove(0);
    pub(super) const PASS: PackedMove = PackedMove(1);
    const BRIDGE: u32 = 1 << 16;
    const TILES: u32 = 1 << 17;
    /// In place of the first cell when only the second tile is left to place.
    const NO_CELL: u32 = 0xff;

    /// A bridge on `site`.
    pub(super) fn bridge(site: Site) -> PackedMove {
        PackedMove(Self::BRIDGE | site.index() as u32)
    }

    /// Two tiles, or only the second when `first` is `None`.
    pub(super) fn tiles(first: Option<Cell>, second: Cell) -> PackedMove {
        let first = first.map_or(Self::NO_CELL, |cell| cell.index() as u32);
        PackedMove(Self::TILES | first << 8 | second.index() as u32)
    }

    /// The cells where the move places tiles.
    pub(super) fn cells(self) -> [Option<Cell>; 2] {
        if self.0 & Self::TILES == 0 {
            return [None; 2];
        }
        let cell = |bits: u32| (bits != Self::NO_CELL).then(|| Cell::from_index(bits as u8));
        [cell(self.0 >> 8 & 0xff), cell(self.0 & 0xff)]
    }

    /// The first step of the move; `None` if no move is known.
    pub(super) fn step(self) -> Option<Step> {
        if self.0 & Self::BRIDGE != 0 {
            return Some(Step::Bridge(Site::from_index((self.0 & 0xffff) as u16)));
        }
        let cell = self.cells().into_iter().flatten().next();
        cell.map(Step::Tile).or((self == PackedMove::PASS).then_some(Step::Pass))
    }
}

/// Bounds proved for a position, as numbers of [`Value`]s for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    /// The side to move gets at least this.
    pub(super) lower: i16,
    /// The side to move gets at most this.
    pub(super) upper: i16,
    /// The move that proved the lower bound, or else the most promising one.
    pub(super) best: PackedMove,
}

impl TableEntry {
    /// Nothing is proved.
    pub(super) const UNKNOWN: TableEntry =
        TableEntry { lower: Value::MIN.get(), upper: Value::MAX.get(), best: PackedMove::NONE };

    /// The value, if the bounds decide a search with this window.
    #[inline]
    pub(super) fn cutoff(self, alpha: i16, beta: i16) -> Option<i16> {
        if self.lower >= beta || self.lower == self.upper {
            return Some(self.lower);
        }
        (self.upper <= alpha).then_some(self.upper)
    }

    /// Adds the result of a search with a window; `static_lower` is the lower bound from the board
    /// alone.
    #[inline]
    pub(super) fn update(
        &mut self,
        value: i16,
        best: PackedMove,
        (alpha, beta): (i16, i16),
        static_lower: i16,
    ) {
        // After a fail-low, `best` may be worse than the move that proved the lower bound earlier;
        // but every move keeps a static bound.
        if value > alpha || self.lower <= static_lower {
            self.best = best;
        }
        if value > alpha {
            self.lower = self.lower.max(value);
        }
        if value < beta {
            self.upper = self.upper.min(value);
        }
    }
}

/// A [`TableEntry`] in 16 bytes, with 48 bits of its key and the work it took. Its index in the
/// table determines low bits of the key.
#[derive(Clone, Copy)]
struct PackedEntry {
    key_high: u32,
    key_low: u16,
    /// 1 + ⌊log₂ nodes⌋, or 0 when the entry is empty.
    work: u8,
    /// The age at which it was written.
    age: u8,
    lower: i16,
    upper: i16,
    best: PackedMove,
}

const EMPTY: PackedEntry = PackedEntry {
    key_high: 0,
    key_low: 0,
    work: 0,
    age: 0,
    lower: 0,
    upper: 0,
    best: PackedMove::NONE,
};

/// Entries that a key may use, together 64 bytes, the size of a cache line. A power of two, because
/// it masks the index.
const WAYS: usize = 4;

/// A hash table of fixed size from positions to proved bounds.
pub(super) struct SolverTable {
    /// Allocated on first write, so that a large table costs nothing before it is used. Their
    /// number is a power of two.
    pages: Vec<Option<Box<[PackedEntry]>>>,
    /// The current age.
    age: u8,
    /// Entries of earlier ages than this count as empty.
    first_age: u8,
}

/// Entries in a page of 64 KiB.
const PAGE_ENTRIES: usize = 1 << 12;

impl SolverTable {
    /// A table of at most `bytes`, or 64 KiB if that is more.
    pub(super) fn new(bytes: usize) -> SolverTable {
        let page =
            PAGE_ENTRIES * size_of::<PackedEntry>() + size_of::<Option<Box<[PackedEntry]>>>();
        let count = 1 << (bytes / page).max(1).ilog2();
        SolverTable { pages: vec![None; count], age: 1, first_age: 1 }
    }

    /// Begins a new age: new entries replace older ones first.
    pub(super) fn next_age(&mut self) {
        if self.age == u8::MAX {
            self.restart_ages();
        }
        self.age += 1;
    }

    /// Starts the ages again from 1, which every valid entry gets.
    fn restart_ages(&mut self) {
        for packed in self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut()) {
            *packed = if packed.is_valid(self.first_age) {
                PackedEntry { age: 1, ..*packed }
            } else {
                EMPTY
            };
        }
        (self.age, self.first_age) = (1, 1);
    }

    /// Removes all entries and keeps the memory. Costs next to nothing.
    pub(super) fn clear(&mut self) {
        // Only when all ages are used up is the memory freed.
        if self.age == u8::MAX {
            self.pages.fill(None);
            self.age = 0;
        }
        self.age += 1;
        self.first_age = self.age;
    }

    /// The page of a key, and the entries in it that the key may use.
    #[inline]
    fn locate(&self, key: u64) -> (usize, Range<usize>) {
        let index = key as usize & (self.pages.len() * PAGE_ENTRIES - 1) & !(WAYS - 1);
        let first = index % PAGE_ENTRIES;
        (index / PAGE_ENTRIES, first..first + WAYS)
    }

    /// The entry of a position's hash.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<TableEntry> {
        let (page, entries) = self.locate(key);
        let entries = &self.pages[page].as_ref()?[entries];
        let packed = entries.iter().find(|packed| packed.is_for(key, self.first_age))?;
        Some(TableEntry { lower: packed.lower, upper: packed.upper, best: packed.best })
    }

    /// Stores an entry that took `nodes` to find. It replaces the one of the same key, or else the
    /// one that took the least work, older ages first.
    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: TableEntry, nodes: u64) {
        let (page, entries) = self.locate(key);
        let (age, first_age) = (self.age, self.first_age);
        let page = self.pages[page].get_or_insert_with(|| vec![EMPTY; PAGE_ENTRIES].into());
        let entries = &mut page[entries];
        let work = nodes.max(1).ilog2() as u8 + 1;
        let same_key = entries.iter().position(|packed| packed.is_for(key, first_age));
        let index = same_key.unwrap_or_else(|| {
            let worth = |packed: &PackedEntry| {
                let is_valid = packed.is_valid(first_age);
                if is_valid { (packed.age == age, packed.work) } else { (false, 0) }
            };
            (0..WAYS).min_by_key(|&n| worth(&entries[n])).unwrap_or(0)
        });
        let old = same_key.map(|index| entries[index]);
        // Bounds from the board alone come without a move; an earlier one is still the best guess.
        let best = match old {
            Some(old) if entry.best == PackedMove::NONE => old.best,
            _ => entry.best,
        };
        let work = old.map_or(work, |old| work.max(old.work));
        entries[index] = PackedEntry {
            key_high: (key >> 32) as u32,
            key_low: (key >> 16) as u16,
            work,
            age,
            lower: entry.lower,
            upper: entry.upper,
            best,
        };
    }
}

impl PackedEntry {
    /// Whether it is filled and not older than `first_age`.
    #[inline]
    fn is_valid(&self, first_age: u8) -> bool {
        self.work != 0 && self.age >= first_age
    }

    /// Whether it is valid and belongs to `key`.
    #[inline]
    fn is_for(&self, key: u64, first_age: u8) -> bool {
        self.is_valid(first_age)
            && self.key_high == (key >> 32) as u32
            && self.key_low == (key >> 16) as u16
    }
}
