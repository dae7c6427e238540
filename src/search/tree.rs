use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::node::Node;
use super::node_pool::{Address, Allocator, Arena};
use super::table::Table;
use crate::game::{Ply, Position};

/// Everything a search remembers: nodes by position. It is kept from move to
/// move; what is no longer visited is thrown away when the memory is full.
#[derive(Debug)]
pub(super) struct Tree {
    arena: Arena,
    table: Table,
    nodes: AtomicUsize,
}

/// Room for one thread to list plies in, and the chunk it fills.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) allocator: Allocator,
    pub(super) plies: Vec<(Ply, f32)>,
    pub(super) keys: Vec<u32>,
}

/// Of the memory, the table has one part in so many.
const TABLE_SHARE: usize = 32;

impl Tree {
    /// An empty tree that will take at most `limit` bytes, if these are 64 KiB or
    /// more.
    pub(super) fn new(limit: usize) -> Tree {
        let table = Table::new(limit / TABLE_SHARE);
        let arena = Arena::new(limit.saturating_sub(table.most_bytes()));
        Tree { arena, table, nodes: AtomicUsize::new(0) }
    }

    /// Forgets everything and keeps the memory: with the next search it is as
    /// if it were new.
    pub(super) fn clear(&mut self) {
        self.arena.clear();
        self.table.clear();
        *self.nodes.get_mut() = 0;
    }

    /// Where its nodes are.
    pub(super) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// How many positions have been expanded since it was made.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.load(Relaxed)
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.table.bytes()
    }

    /// The node of `position`, made by `list` if there is none yet; `None`
    /// when there is no memory for it.
    pub(super) fn node(
        &self,
        position: &Position,
        workspace: &mut Workspace,
        list: impl FnOnce(&Position, &mut Vec<(Ply, f32)>),
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
        list: impl FnOnce(&Position, &mut Vec<(Ply, f32)>),
    ) -> Option<Node<'_>> {
        let hash = position.hash();
        let Workspace { allocator, plies, keys } = workspace;
        list(position, plies);
        let node = Node::new(&self.arena, allocator, hash, plies, keys)?;
        self.nodes.fetch_add(1, Relaxed);
        self.table.insert(hash, node.address);
        Some(node)
    }

    /// The node at `address`, moved into the half that is being filled if it
    /// is not there; `None` when there is no memory for that.
    pub(super) fn current(&self, address: Address, workspace: &mut Workspace) -> Option<Node<'_>> {
        let node = Node::at(&self.arena, address);
        if self.arena.is_current(address) {
            return Some(node);
        }
        // It may have been moved already, by another way to it.
        if let Some(moved) = self.find(node.hash())
            && self.arena.is_current(moved.address)
        {
            return Some(moved);
        }
        let copy = Node::copy(&self.arena, &mut workspace.allocator, node)?;
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
        let mut nodes = self.table.find(hash).map(|address| Node::at(&self.arena, address));
        nodes.find(|node| node.hash() == hash)
    }

    /// Makes room: what is not visited from now on will be lost the next
    /// time. No thread may hold a node or a workspace of before.
    pub(super) fn make_room(&self) {
        self.arena.flip();
        self.table.retain(|address| !self.arena.is_current(address));
    }
}
