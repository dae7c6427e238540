//! The tree that all threads of a search share: nodes by position, in bounded memory.
//!
//! ```text
//!                       position.hash()
//!                             │
//! TranspositionTable [ .. hash part → address .. ]    finds the node of a position
//!                             │
//! NodePool [ node | node | edges | node ... ]         one run of words for each node or block
//!            │ ▲                                      of edges
//!            └─┴─ an edge holds the address of its child
//! ```
//!
//! - `pool` is the memory: words in two halves, addressed by 32 bits. It says how room is made when
//!   it is full.
//! - `node` and `edge` say what the words mean and which orderings make them visible to other
//!   threads.
//! - `table` finds the node of a position, so that transpositions share one, and so that the next
//!   search finds its root in the tree of the last.
//! - `bounds` are the proved limits that nodes and edges carry.
//!
//! Strictly speaking it is a graph: a node may have several parents. It has no cycles, because
//! tiles and bridges are never removed. Nodes do not know their parents; an iteration backs up
//! along its own path only.

pub(in crate::search) mod bounds;
pub(in crate::search) mod edge;
pub(in crate::search) mod node;
pub(in crate::search) mod pool;
mod table;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::game::{Position, Step};
use node::Node;
use pool::{Address, Allocator, NodePool};
use table::TranspositionTable;

/// Nodes by position, in bounded memory. Kept from move to move; when the memory is full, nodes
/// that are no longer visited are dropped.
#[derive(Debug)]
pub(in crate::search) struct Tree {
    pool: NodePool,
    table: TranspositionTable,
    /// Nodes added. Only a figure for reports, so it is relaxed.
    nodes: AtomicUsize,
}

/// One thread's allocator and scratch space.
#[derive(Debug, Default)]
pub(in crate::search) struct Workspace {
    pub(in crate::search) allocator: Allocator,
    pub(in crate::search) steps: Vec<(Step, f32)>,
    pub(in crate::search) keys: Vec<u32>,
}

/// The memory is divided by this for the table's share. Set by judgement: an entry takes 8 bytes
/// and a node with 90 steps at least 544, so the table has one to two entries for each such node.
/// In a table half as large, nodes would evict each other's entries and be made twice; a table
/// twice as large would take the memory of nodes for entries that stay empty.
const TABLE_DIVISOR: usize = 32;

impl Tree {
    /// An empty tree of at most `limit` bytes, or 64 KiB if that is more.
    pub(in crate::search) fn new(limit: usize) -> Tree {
        let table = TranspositionTable::new(limit / TABLE_DIVISOR);
        let pool = NodePool::new(limit.saturating_sub(table.most_bytes()));
        Tree { pool, table, nodes: AtomicUsize::new(0) }
    }

    /// Removes all nodes and keeps the memory. Searches then behave as in a new tree.
    pub(in crate::search) fn clear(&mut self) {
        self.pool.clear();
        self.table.clear();
        *self.nodes.get_mut() = 0;
    }

    /// The memory of its nodes.
    pub(in crate::search) fn pool(&self) -> &NodePool {
        &self.pool
    }

    /// Nodes added since the tree was made or cleared.
    pub(in crate::search) fn nodes(&self) -> usize {
        self.nodes.load(Relaxed)
    }

    /// Memory in use, in bytes.
    pub(in crate::search) fn bytes(&self) -> usize {
        self.pool.bytes() + self.table.bytes()
    }

    /// The node of `position`; if there is none, adds one with the steps that `list_steps` fills
    /// in. `None` when the memory is full.
    pub(in crate::search) fn find_or_add(
        &self,
        position: &Position,
        workspace: &mut Workspace,
        list_steps: impl FnOnce(&Position, &mut Vec<(Step, f32)>),
    ) -> Option<Node<'_>> {
        match self.find(position.hash()) {
            Some(node) => self.current_node(node.address, workspace),
            None => self.add(position, workspace, list_steps),
        }
    }

    /// A new node for `position`, with the steps that `list_steps` fills in. `None` when the memory
    /// is full.
    pub(in crate::search) fn add(
        &self,
        position: &Position,
        workspace: &mut Workspace,
        list_steps: impl FnOnce(&Position, &mut Vec<(Step, f32)>),
    ) -> Option<Node<'_>> {
        let hash = position.hash();
        let Workspace { allocator, steps, keys } = workspace;
        list_steps(position, steps);
        // Two threads may add the same position at once. Both nodes are valid; the table keeps one,
        // and the other is lost with its visits.
        let node = Node::new(&self.pool, allocator, hash, steps, keys)?;
        self.nodes.fetch_add(1, Relaxed);
        self.table.insert(hash, node.address);
        Some(node)
    }

    /// The node at `address`, copied into the current half if it lies in the old one. `None` when
    /// the memory is full.
    pub(in crate::search) fn current_node(
        &self,
        address: Address,
        workspace: &mut Workspace,
    ) -> Option<Node<'_>> {
        let node = Node::at(&self.pool, address);
        if self.pool.is_current(address) {
            return Some(node);
        }
        // It may have been copied already when reached by another path.
        if let Some(moved) = self.find(node.hash())
            && self.pool.is_current(moved.address)
        {
            return Some(moved);
        }
        let copy = Node::copy(&self.pool, &mut workspace.allocator, node)?;
        self.table.insert(copy.hash(), copy.address);
        Some(copy)
    }

    /// Makes sure that the table finds `node`, which other nodes may have evicted.
    pub(in crate::search) fn ensure_listed(&self, node: Node<'_>) {
        if self.find(node.hash()).is_none() {
            self.table.insert(node.hash(), node.address);
        }
    }

    /// The node with this hash, in either half.
    pub(in crate::search) fn find(&self, hash: u64) -> Option<Node<'_>> {
        // The table compares a part of the hash, the node has all of it.
        let mut nodes = self.table.find(hash).map(|address| Node::at(&self.pool, address));
        nodes.find(|node| node.hash() == hash)
    }

    /// Makes room by flipping the pool: nodes not visited from now on are lost at the next flip.
    /// Invalidates all workspaces and the nodes lost. No other thread may use the tree.
    pub(in crate::search) fn make_room(&self) {
        self.pool.flip();
        // The new half is empty. An address in it would name whatever is written there next.
        self.table.retain(|address| !self.pool.is_current(address));
    }
}
