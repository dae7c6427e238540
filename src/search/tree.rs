use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;

use crate::eval::priors;
use crate::game::{Color, Ply, Position};

/// Results are added up as multiples of this.
const FIXED: f32 = (1 << 20) as f32;

/// What is known of a position. Positions that are reached in several ways,
/// as by two tiles in either order, have one node.
#[derive(Debug)]
pub(super) struct Node {
    /// Whose ply led here: rewards are this colour's.
    into: Color,
    /// Visits, those under way included: a visit under way counts as lost.
    visits: AtomicU32,
    rewards: AtomicU64,
    edges: OnceLock<Box<[Edge]>>,
}

/// A legal ply of a node.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) ply: Ply,
    pub(super) prior: f32,
    visits: AtomicU32,
    /// All moves as first: in how many simulations through the node the ply
    /// was made sooner or later (upper 24 bits) and their rewards (lower 40).
    amaf: AtomicU64,
    child: OnceLock<Arc<Node>>,
}

const AMAF_ONE: u64 = 1 << 40;
const AMAF_FULL: u64 = AMAF_ONE * ((1 << 24) - 4096);
const AMAF_FIXED: f32 = (1 << 14) as f32;

impl Node {
    fn new(into: Color) -> Node {
        Node { into, visits: AtomicU32::new(0), rewards: AtomicU64::new(0), edges: OnceLock::new() }
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Counts a visit and returns how many there were before.
    pub(super) fn enter(&self) -> u32 {
        self.visits.fetch_add(1, Relaxed)
    }

    /// Adds White's result, 0 to 1, of a visit.
    pub(super) fn reward(&self, white: f32) {
        let reward = if self.into == Color::White { white } else { 1.0 - white };
        self.rewards.fetch_add((reward * FIXED) as u64, Relaxed);
    }

    /// The mean result for whoever moved here, if there is one.
    pub(super) fn value(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| self.rewards.load(Relaxed) as f32 / FIXED / visits as f32)
    }

    /// The mean result for `color`, ½ without any.
    pub(super) fn value_for(&self, color: Color) -> f32 {
        match self.value() {
            None => 0.5,
            Some(value) if color == self.into => value,
            Some(value) => 1.0 - value,
        }
    }

    /// The legal plies, if the node has been expanded.
    pub(super) fn edges(&self) -> Option<&[Edge]> {
        self.edges.get().map(|edges| &**edges)
    }
}

impl Edge {
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub(super) fn enter(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    /// The node it leads to, once it has been followed.
    pub(super) fn child(&self) -> Option<&Node> {
        self.child.get().map(|child| &**child)
    }

    /// Adds the mover's result of a simulation in which the ply was made.
    pub(super) fn reward_amaf(&self, reward: f32) {
        // The count must not run over; by then the move's own visits decide.
        if self.amaf.load(Relaxed) < AMAF_FULL {
            self.amaf.fetch_add(AMAF_ONE + (reward * AMAF_FIXED) as u64, Relaxed);
        }
    }

    /// How many simulations the all-moves-as-first value rests on, and the
    /// value.
    pub(super) fn amaf(&self) -> (f32, f32) {
        let packed = self.amaf.load(Relaxed);
        let visits = (packed / AMAF_ONE) as f32;
        (visits, (packed % AMAF_ONE) as f32 / AMAF_FIXED / visits.max(1.0))
    }
}

/// All nodes of a search, by position hash.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: DashMap<u64, Arc<Node>, BuildHasherDefault<AsIs>>,
    bytes: AtomicUsize,
    limit: usize,
    is_full: AtomicBool,
}

impl Tree {
    /// Bytes of a node with its place in the map (which may be half empty and
    /// is for a moment there twice while it grows).
    const NODE_BYTES: usize = size_of::<Node>() + 32 + 96;
    /// Bytes of an allocation beyond what is asked for.
    const ALLOCATION_BYTES: usize = 16;

    /// An empty tree that will take at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Tree {
        Tree {
            nodes: DashMap::default(),
            bytes: AtomicUsize::new(0),
            limit,
            is_full: AtomicBool::new(false),
        }
    }

    /// How many positions it has.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Whether memory has been refused.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// The node of `position`, to which a ply of `into` led; `None` when it
    /// is new and there is no memory for it.
    pub(super) fn node(&self, position: &Position, into: Color) -> Option<Arc<Node>> {
        let hash = position.hash();
        if let Some(node) = self.nodes.get(&hash) {
            return Some(Arc::clone(&node));
        }
        self.take(Self::NODE_BYTES).then(|| {
            let node = self.nodes.entry(hash).or_insert_with(|| Arc::new(Node::new(into)));
            Arc::clone(&node)
        })
    }

    /// The node that `edge` leads to; `after` is the position there and
    /// `into` who made the ply.
    pub(super) fn follow<'a>(
        &self,
        edge: &'a Edge,
        after: &Position,
        into: Color,
    ) -> Option<&'a Node> {
        if edge.child.get().is_none() {
            let node = self.node(after, into)?;
            // Another thread may have been first, with the same node.
            let _ = edge.child.set(node);
        }
        edge.child()
    }

    /// The edges of `node`, whose position is `position`, made now if they
    /// are not there yet; `None` when there is no memory for them.
    pub(super) fn expand<'a>(
        &self,
        node: &'a Node,
        position: &Position,
        scratch: &mut Vec<(Ply, f32)>,
    ) -> Option<&'a [Edge]> {
        if node.edges().is_none() {
            priors(position, scratch);
            if !self.take(scratch.len() * size_of::<Edge>() + Self::ALLOCATION_BYTES) {
                return None;
            }
            let edge = |&(ply, prior): &(Ply, f32)| Edge {
                ply,
                prior,
                visits: AtomicU32::new(0),
                amaf: AtomicU64::new(0),
                child: OnceLock::new(),
            };
            let edges: Box<[Edge]> = scratch.iter().map(edge).collect();
            if let Err(edges) = node.edges.set(edges) {
                // Another thread was first.
                let bytes = edges.len() * size_of::<Edge>() + Self::ALLOCATION_BYTES;
                self.bytes.fetch_sub(bytes, Relaxed);
            }
        }
        node.edges()
    }

    fn take(&self, bytes: usize) -> bool {
        let fits = self.bytes.fetch_add(bytes, Relaxed) + bytes <= self.limit;
        if !fits {
            self.bytes.fetch_sub(bytes, Relaxed);
            self.is_full.store(true, Relaxed);
        }
        fits
    }
}

/// Zobrist hashes need no further hashing.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
