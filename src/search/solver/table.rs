use std::ops::Range;

use crate::board::{Cell, Site};
use crate::game::Step;

/// A whole turn in 32 bits: pass, a bridge's site, or two cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn(u32);

impl Turn {
    /// No turn is known.
    pub(super) const NONE: Turn = Turn(0);
    /// Pass.
    pub(super) const PASS: Turn = Turn(1);
    const BRIDGE: u32 = 1 << 16;
    const TILES: u32 = 1 << 17;
    /// In place of the first cell: only one tile was due.
    const NO_CELL: u32 = 0xff;

    pub(super) fn bridge(site: Site) -> Turn {
        Turn(Self::BRIDGE | site.index() as u32)
    }

    /// Two tiles, or the second alone.
    pub(super) fn tiles(first: Option<Cell>, second: Cell) -> Turn {
        let first = first.map_or(Self::NO_CELL, |cell| cell.index() as u32);
        Turn(Self::TILES | first << 8 | second.index() as u32)
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
        cell.map(Step::Tile).or((self == Turn::PASS).then_some(Step::Pass))
    }
}

/// What is proved about a position, for its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// He gets at least this.
    pub(super) lower: i16,
    /// And at most this.
    pub(super) upper: i16,
    /// The turn that proved the lower bound, or the most promising.
    pub(super) best: Turn,
}

/// An [`Entry`], 48 bits of its key and how much work it was, in 16 bytes.
/// The other bits of the key are those of the place.
#[derive(Clone, Copy)]
struct Edge {
    key_high: u32,
    key_low: u16,
    /// Logarithm of nodes, and the time of writing: 0 when empty.
    work: u8,
    age: u8,
    lower: i16,
    upper: i16,
    best: Turn,
}

const EMPTY: Edge =
    Edge { key_high: 0, key_low: 0, work: 0, age: 0, lower: 0, upper: 0, best: Turn::NONE };

/// How many places a key may stand in.
const WAYS: usize = 4;

/// A hash table of fixed size from positions to what is proved about them.
pub(super) struct Table {
    /// Made when they are first written to, so that a large table costs
    /// nothing before it is used.
    pages: Vec<Option<Box<[Edge]>>>,
    /// The time of writing now.
    age: u8,
    /// What was written before is forgotten.
    first: u8,
}

/// Edges of a page: 64 KiB.
const PAGE: usize = 1 << 12;

impl Table {
    /// A table of at most `bytes`, at least 64 KiB.
    pub(super) fn new(bytes: usize) -> Table {
        let page = PAGE * size_of::<Edge>() + size_of::<Option<Box<[Edge]>>>();
        let count = 1 << (bytes / page).max(1).ilog2();
        Table { pages: vec![None; count], age: 1, first: 1 }
    }

    /// Lets what was written before give way to what is written from now on.
    pub(super) fn next_age(&mut self) {
        if self.age == u8::MAX {
            self.rejuvenate();
        }
        self.age += 1;
    }

    /// Makes room for more ages: all that is known is of the first.
    fn rejuvenate(&mut self) {
        for edge in self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut()) {
            *edge = if edge.is_known(self.first) { Edge { age: 1, ..*edge } } else { EMPTY };
        }
        (self.age, self.first) = (1, 1);
    }

    /// Forgets everything and keeps the memory, which costs nothing.
    pub(super) fn clear(&mut self) {
        if self.age == u8::MAX {
            self.pages.fill(None);
            self.age = 0;
        }
        self.age += 1;
        self.first = self.age;
    }

    /// The page of a key, and where in it the edges are that it may have.
    #[inline]
    fn place(&self, key: u64) -> (usize, Range<usize>) {
        let place = key as usize & (self.pages.len() * PAGE - 1) & !(WAYS - 1);
        let first = place % PAGE;
        (place / PAGE, first..first + WAYS)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let (page, edges) = self.place(key);
        let first = self.first;
        let edge = self.pages[page].as_ref()?[edges].iter().find(|edge| edge.is_for(key, first))?;
        Some(Entry { lower: edge.lower, upper: edge.upper, best: edge.best })
    }

    /// Remembers an entry which took `nodes` to find; it replaces the one
    /// that was least work, old ones first.
    #[inline]
    pub(super) fn put(&mut self, key: u64, entry: Entry, nodes: u64) {
        let (page, edges) = self.place(key);
        let (age, first) = (self.age, self.first);
        let page = self.pages[page].get_or_insert_with(|| vec![EMPTY; PAGE].into());
        let edges = &mut page[edges];
        let work = nodes.max(1).ilog2() as u8 + 1;
        let at = edges.iter().position(|edge| edge.is_for(key, first)).unwrap_or_else(|| {
            let worth = |edge: &Edge| {
                if edge.is_known(first) { (edge.age == age, edge.work) } else { (false, 0) }
            };
            (0..WAYS).min_by_key(|&n| worth(&edges[n])).unwrap_or(0)
        });
        let edge = &mut edges[at];
        let best = if entry.best == Turn::NONE && edge.is_for(key, first) {
            edge.best
        } else {
            entry.best
        };
        let work = if edge.is_for(key, first) { work.max(edge.work) } else { work };
        *edge = Edge {
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

impl Edge {
    /// Whether it is filled, and was not before the age `first`.
    #[inline]
    fn is_known(&self, first: u8) -> bool {
        self.work != 0 && self.age >= first
    }

    #[inline]
    fn is_for(&self, key: u64, first: u8) -> bool {
        self.is_known(first)
            && self.key_high == (key >> 32) as u32
            && self.key_low == (key >> 16) as u16
    }
}
