//! The tree that all threads of a search share.

pub(in crate::search) mod bounds;
pub(in crate::search) mod edge;
pub(in crate::search) mod node;
pub(in crate::search) mod pool;
mod table;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::game::{Position, Step};
use node::Node;
use pool::{Address, Allocator, NodePool};
use table::Table;

/// Nodes by position, in bounded memory. Kept from move to move; when the
/// memory is full, nodes that are no longer visited are dropped.
#[derive(Debug)]
pub(in crate::search) struct Tree {
    pool: NodePool,
    table: Table,
    nodes: AtomicUsize,
}

/// One thread's allocator and scratch space.
#[derive(Debug, Default)]
pub(in crate::search) struct Workspace {
    pub(in crate::search) allocator: Allocator,
    pub(in crate::search) steps: Vec<(Step, f32)>,
    pub(in crate::search) keys: Vec<u32>,
}

/// The table gets one part in this many of the memory.
const TABLE_SHARE: usize = 32;

impl Tree {
    /// An empty tree of at most `limit` bytes, or 64 KiB if that is more.
    pub(in crate::search) fn new(limit: usize) -> Tree {
        let table = Table::new(limit / TABLE_SHARE);
        let pool = NodePool::new(limit.saturating_sub(table.most_bytes()));
        Tree { pool, table, nodes: AtomicUsize::new(0) }
    }

    /// Removes all nodes and keeps the memory. Searches then behave as in a new
    /// tree.
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

    /// The node of `position`; if there is none, adds one with the steps that
    /// `list` fills in. `None` when the memory is full.
    pub(in crate::search) fn node(
        &self,
        position: &Position,
        workspace: &mut Workspace,
        list: impl FnOnce(&Position, &mut Vec<(Step, f32)>),
    ) -> Option<Node<'_>> {
        match self.find(position.hash()) {
            Some(node) => self.current(node.address, workspace),
            None => self.add(position, workspace, list),
        }
    }

    /// A new node for `position`, with the steps that `list` fills in. `None`
    /// when the memory is full.
    pub(in crate::search) fn add(
        &self,
        position: &Position,
        workspace: &mut Workspace,
        list: impl FnOnce(&Position, &mut Vec<(Step, f32)>),
    ) -> Option<Node<'_>> {
        let hash = position.hash();
        let Workspace { allocator, steps, keys } = workspace;
        list(position, steps);
        let node = Node::new(&self.pool, allocator, hash, steps, keys)?;
        self.nodes.fetch_add(1, Relaxed);
        self.table.insert(hash, node.address);
        Some(node)
    }

    /// The node at `address`, copied into the current half if it lies in the
    /// old one. `None` when the memory is full.
    pub(in crate::search) fn current(
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

    /// Makes sure that the table finds `node`.
    pub(in crate::search) fn keep(&self, node: Node<'_>) {
        if self.find(node.hash()).is_none() {
            self.table.insert(node.hash(), node.address);
        }
    }

    /// The node with this hash, in either half.
    pub(in crate::search) fn find(&self, hash: u64) -> Option<Node<'_>> {
        let mut nodes = self.table.find(hash).map(|address| Node::at(&self.pool, address));
        nodes.find(|node| node.hash() == hash)
    }

    /// Makes room by flipping the pool: nodes not visited from now on are lost
    /// at the next flip. Invalidates all workspaces and the nodes lost.
    pub(in crate::search) fn make_room(&self) {
        self.pool.flip();
        self.table.retain(|address| !self.pool.is_current(address));
    }
}
