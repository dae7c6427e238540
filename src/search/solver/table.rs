//! The solver's hash table: from positions to proved bounds.
//!
//! An entry is a proof and stays true for ever, so entries are only replaced for want of room.
//! Among the four entries that a key may use, the one that took the least work goes first; an
//! entry that saves a million nodes is worth more than one that saves ten. A table used for many
//! positions would fill up with expensive entries of positions long gone. Its user can therefore
//! begin a new *age* (`Solver::advance`); entries of earlier ages go first.
//!
//! An entry of another position with the same key would prove what is wrong. 48 bits of the key
//! are compared, and the index gives ten or more of the other 16.

use std::ops::Range;

use crate::board::{Cell, Site};
use crate::game::{Step, Value};

/// A whole turn in 32 bits: pass, a bridge's site, or two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedTurn(u32);

impl PackedTurn {
    /// No turn is known.
    pub(super) const NONE: PackedTurn = PackedTurn(0);
    pub(super) const PASS: PackedTurn = PackedTurn(1);
    const BRIDGE: u32 = 1 << 16;
    const TILES: u32 = 1 << 17;
    /// Stands for the first cell in a turn with one tile left to place.
    const NO_CELL: u32 = 0xff;

    /// A bridge on `site`.
    pub(super) fn bridge(site: Site) -> PackedTurn {
        PackedTurn(Self::BRIDGE | site.index() as u32)
    }

    /// Two tiles, or only the second when `first` is `None`.
    pub(super) fn tiles(first: Option<Cell>, second: Cell) -> PackedTurn {
        let first = first.map_or(Self::NO_CELL, |cell| cell.index() as u32);
        PackedTurn(Self::TILES | first << 8 | second.index() as u32)
    }

    /// The cells of its tiles.
    pub(super) fn cells(self) -> [Option<Cell>; 2] {
        if self.0 & Self::TILES == 0 {
            return [None; 2];
        }
        let cell = |bits: u32| (bits != Self::NO_CELL).then(|| Cell::from_index(bits as u8));
        [cell(self.0 >> 8 & 0xff), cell(self.0 & 0xff)]
    }

    /// Its first step.
    pub(super) fn step(self) -> Option<Step> {
        if self.0 & Self::BRIDGE != 0 {
            return Some(Step::Bridge(Site::from_index((self.0 & 0xffff) as u16)));
        }
        let cell = self.cells().into_iter().flatten().next();
        cell.map(Step::Tile).or((self == PackedTurn::PASS).then_some(Step::Pass))
    }
}

/// Bounds proved for a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    /// The side to move gets at least this.
    pub(super) lower: i16,
    /// The side to move gets at most this.
    pub(super) upper: i16,
    /// The turn that proved the lower bound, or else the most promising one.
    pub(super) best: PackedTurn,
}

impl TableEntry {
    /// Nothing is proved.
    pub(super) const UNKNOWN: TableEntry =
        TableEntry { lower: Value::MIN.get(), upper: Value::MAX.get(), best: PackedTurn::NONE };

    /// The value to return if the bounds settle the window.
    #[inline]
    pub(super) fn settles(self, alpha: i16, beta: i16) -> Option<i16> {
        if self.lower >= beta || self.lower == self.upper {
            return Some(self.lower);
        }
        (self.upper <= alpha).then_some(self.upper)
    }

    /// Adds the result of a search with a window; `static_lower` is the lower
    /// bound from the board alone.
    #[inline]
    pub(super) fn update(
        &mut self,
        value: i16,
        best: PackedTurn,
        (alpha, beta): (i16, i16),
        static_lower: i16,
    ) {
        // After a fail-low, `best` may be worse than the turn that proved the
        // lower bound earlier; but every turn keeps a static bound.
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

/// A [`TableEntry`] in 16 bytes, with 48 bits of its key and the work it took. The
/// index of the entry stands for low bits of the key.
#[derive(Clone, Copy)]
struct Packed {
    key_high: u32,
    key_low: u16,
    /// Binary logarithm of the nodes plus 1; 0 when empty.
    work: u8,
    /// The age at which it was written.
    age: u8,
    lower: i16,
    upper: i16,
    best: PackedTurn,
}

const EMPTY: Packed =
    Packed { key_high: 0, key_low: 0, work: 0, age: 0, lower: 0, upper: 0, best: PackedTurn::NONE };

/// Entries that a key may use, together 64 bytes, the size of a cache line. A power of two,
/// because it masks the index.
const WAYS: usize = 4;

/// A hash table of fixed size from positions to proved bounds.
pub(super) struct SolverTable {
    /// Allocated on first write, so that a large table costs nothing before it
    /// is used. Their number is a power of two.
    pages: Vec<Option<Box<[Packed]>>>,
    /// The current age.
    age: u8,
    /// Entries of earlier ages count as empty.
    first: u8,
}

/// Entries of a page: 64 KiB.
const PAGE: usize = 1 << 12;

impl SolverTable {
    /// A table of at most `bytes`, or 64 KiB if that is more.
    pub(super) fn new(bytes: usize) -> SolverTable {
        let page = PAGE * size_of::<Packed>() + size_of::<Option<Box<[Packed]>>>();
        let count = 1 << (bytes / page).max(1).ilog2();
        SolverTable { pages: vec![None; count], age: 1, first: 1 }
    }

    /// Begins a new age: new entries replace older ones first.
    pub(super) fn next_age(&mut self) {
        if self.age == u8::MAX {
            self.rejuvenate();
        }
        self.age += 1;
    }

    /// Resets the ages: all entries become the oldest.
    fn rejuvenate(&mut self) {
        for packed in self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut()) {
            *packed =
                if packed.is_known(self.first) { Packed { age: 1, ..*packed } } else { EMPTY };
        }
        (self.age, self.first) = (1, 1);
    }

    /// Removes all entries and keeps the memory. Costs next to nothing.
    pub(super) fn clear(&mut self) {
        // Ages are used up: only then the memory is given back.
        if self.age == u8::MAX {
            self.pages.fill(None);
            self.age = 0;
        }
        self.age += 1;
        self.first = self.age;
    }

    /// The page of a key, and the entries in it that the key may use.
    #[inline]
    fn locate(&self, key: u64) -> (usize, Range<usize>) {
        let index = key as usize & (self.pages.len() * PAGE - 1) & !(WAYS - 1);
        let first = index % PAGE;
        (index / PAGE, first..first + WAYS)
    }

    /// The entry of a position's hash.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<TableEntry> {
        let (page, entries) = self.locate(key);
        let first = self.first;
        let packed =
            self.pages[page].as_ref()?[entries].iter().find(|packed| packed.is_for(key, first))?;
        Some(TableEntry { lower: packed.lower, upper: packed.upper, best: packed.best })
    }

    /// Stores an entry that took `nodes` to find. It replaces the entry that
    /// took the least work, entries of older ages first.
    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: TableEntry, nodes: u64) {
        let (page, entries) = self.locate(key);
        let (age, first) = (self.age, self.first);
        let page = self.pages[page].get_or_insert_with(|| vec![EMPTY; PAGE].into());
        let entries = &mut page[entries];
        // The logarithm fits into a byte, and the plus keeps 0 for empty entries.
        let work = nodes.max(1).ilog2() as u8 + 1;
        let at = entries.iter().position(|packed| packed.is_for(key, first)).unwrap_or_else(|| {
            let worth = |packed: &Packed| {
                if packed.is_known(first) { (packed.age == age, packed.work) } else { (false, 0) }
            };
            (0..WAYS).min_by_key(|&n| worth(&entries[n])).unwrap_or(0)
        });
        let packed = &mut entries[at];
        // Bounds from the board alone know no turn; one found earlier is still the best guess.
        let best = if entry.best == PackedTurn::NONE && packed.is_for(key, first) {
            packed.best
        } else {
            entry.best
        };
        let work = if packed.is_for(key, first) { work.max(packed.work) } else { work };
        *packed = Packed {
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

impl Packed {
    /// Whether it is filled and not older than the age `first`.
    #[inline]
    fn is_known(&self, first: u8) -> bool {
        self.work != 0 && self.age >= first
    }

    /// Whether it is known and belongs to `key`.
    #[inline]
    fn is_for(&self, key: u64, first: u8) -> bool {
        self.is_known(first)
            && self.key_high == (key >> 32) as u32
            && self.key_low == (key >> 16) as u16
    }
}
