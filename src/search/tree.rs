use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::node::Node;
use super::node_pool::{Address, Allocator, NodePool};
use super::table::Table;
use crate::game::{Position, Step};

/// Everything a search remembers: nodes by position. It is kept from move to
/// move; what is no longer visited is thrown away when the memory is full.
#[derive(Debug)]
pub(super) struct Tree {
    pool: NodePool,
    table: Table,
    nodes: AtomicUsize,
}

/// Room for one thread to list steps in, and the chunk it fills.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) allocator: Allocator,
    pub(super) steps: Vec<(Step, f32)>,
    pub(super) keys: Vec<u32>,
}

/// Of the memory, the table has one part in so many.
const TABLE_SHARE: usize = 32;

impl Tree {
    /// An empty tree that will take at most `limit` bytes, if these are 64 KiB or
    /// more.
    pub(super) fn new(limit: usize) -> Tree {
        let table = Table::new(limit / TABLE_SHARE);
        let pool = NodePool::new(limit.saturating_sub(table.most_bytes()));
        Tree { pool, table, nodes: AtomicUsize::new(0) }
    }

    /// Forgets everything and keeps the memory: with the next search it is as
    /// if it were new.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
        self.table.clear();
        *self.nodes.get_mut() = 0;
    }

    /// Where its nodes are.
    pub(super) fn pool(&self) -> &NodePool {
        &self.pool
    }

    /// How many positions have been expanded since it was made.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.load(Relaxed)
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.pool.bytes() + self.table.bytes()
    }

    /// The node of `position`, made by `list` if there is none yet; `None`
    /// when there is no memory for it.
    pub(super) fn node(
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

    /// A new node for `position`; `None` when there is no memory for it.
    pub(super) fn add(
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

    /// The node at `address`, moved into the half that is being filled if it
    /// is not there; `None` when there is no memory for that.
    pub(super) fn current(&self, address: Address, workspace: &mut Workspace) -> Option<Node<'_>> {
        let node = Node::at(&self.pool, address);
        if self.pool.is_current(address) {
            return Some(node);
        }
        // It may have been moved already, by another way to it.
        if let Some(moved) = self.find(node.hash())
            && self.pool.is_current(moved.address)
        {
            return Some(moved);
        }
        let copy = Node::copy(&self.pool, &mut workspace.allocator, node)?;
        self.table.insert(copy.hash(), copy.address);
        Some(copy)
    }

    /// Sees to it that `node` is found by its position.
    pub(super) fn keep(&self, node: Node<'_>) {
        if self.find(node.hash()).is_none() {
            self.table.insert(node.hash(), node.address);
        }
    }

    /// The node of the position with this hash, in either half.
    pub(super) fn find(&self, hash: u64) -> Option<Node<'_>> {
        let mut nodes = self.table.find(hash).map(|address| Node::at(&self.pool, address));
        nodes.find(|node| node.hash() == hash)
    }

    /// Makes room: what is not visited from now on will be lost the next
    /// time. No thread may hold a node or a workspace of before.
    pub(super) fn make_room(&self) {
        self.pool.flip();
        self.table.retain(|address| !self.pool.is_current(address));
    }
}
