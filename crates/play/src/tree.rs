//! The game tree: a start position and the moves played from it, with variations.
//!
//! ```text
//!   0 ─► 1 ─► 2 ─► 5     ─► `next`: the child last followed
//!        └── 3 ─► 4      a variation; it has a `next` of its own
//! ```
//!
//! - **A node stores its position.** A click on any turn needs the position, its legal steps and
//!   its score; replaying the game for each would make long games slow. A test counts the moves
//!   that a request makes.
//! - **Numbers last.** Pages, clocks, the review and the saved form name nodes by number, so a
//!   number never changes and is never used for another node. A page may ask for a node that
//!   another page has just deleted: it gets an error, not some other node.
//! - **A child's number is higher than its parent's.** So the order of the numbers lists parents
//!   before children, and a tree can be saved and restored in one pass.
//! - **The main line** through a node is the path to it and then `next` after `next`. Every node
//!   remembers its own `next`, so whoever returns to a variation sees it as they left it.
//! - **Taking back.** Turns that were only ever turns of the game disappear when they are taken
//!   back. Turns from an analysis or a record have `is_kept` set, and stay as variations.

use std::collections::BTreeMap;

use thiserror::Error;

use pontifex::game::{Color, IllegalMove, Move, Position};
use pontifex::notation::RecordedMove;

/// The most positions a game may have, variations included. Set by judgement: every `state` lists
/// all nodes, and without variations a game seldom has a hundred.
pub(super) const MAX_NODES: usize = 4000;

/// A position of the game and how it was reached.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Node {
    /// The parent and the move from it; `None` at the start.
    pub(super) from: Option<(u32, Move)>,
    pub(super) position: Position,
    /// The number of turns from the start.
    pub(super) turns: usize,
    /// Whether the players changed seats on the way from the start.
    pub(super) is_swapped: bool,
    /// The children in the order they were played.
    pub(super) children: Vec<u32>,
    /// The child on the main line: the one last followed. `None` without children, and at the node
    /// to which the game was taken back.
    pub(super) next: Option<u32>,
    /// White's expected result, from 0 to 1, and lead in points, where an engine has searched.
    pub(super) value: Option<(f64, f64)>,
    /// Whether the node stays as a variation when turns are taken back; see the top of the file.
    pub(super) is_kept: bool,
    /// The record's comment on the turn, or at the start on the game; empty if there is none.
    pub(super) comment: String,
}

impl Node {
    fn start(position: &Position) -> Node {
        let (position, children, next) = (*position, Vec::new(), None);
        Node {
            from: None,
            position,
            turns: 0,
            is_swapped: false,
            children,
            next,
            value: None,
            is_kept: false,
            comment: String::new(),
        }
    }

    /// The node after a legal move. `number` is the number of this node. The move is not checked
    /// again.
    fn after(&self, number: u32, mv: Move) -> Node {
        #[cfg(test)]
        MOVES_MADE.with(|made| made.set(made.get() + 1));
        let mut position = self.position;
        for step in mv.steps() {
            position.make(step);
        }
        Node {
            from: Some((number, mv)),
            turns: self.turns + 1,
            is_swapped: self.is_swapped || mv == Move::Swap,
            ..Node::start(&position)
        }
    }
}

#[cfg(test)]
thread_local! {
    /// Counts the moves made on this thread. A test uses it to show that no request replays the
    /// game.
    pub(super) static MOVES_MADE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A start position and the moves played from it.
///
/// Node numbers never change: node 0 is the start, and a child's number is higher than its
/// parent's.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameTree {
    /// Node 0 is always there.
    nodes: BTreeMap<u32, Node>,
    /// The number of the next node. No number is used twice.
    next: u32,
}

/// Why the tree cannot be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum TreeError {
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    #[error("there is no node {0}")]
    NoNode(u32),
    #[error("the start of the game cannot be removed")]
    Start,
    #[error("a game has {MAX_NODES} positions at most, variations among them")]
    Full,
}

impl GameTree {
    /// A game without moves.
    pub(super) fn new(start: &Position) -> GameTree {
        GameTree { nodes: BTreeMap::from([(0, Node::start(start))]), next: 1 }
    }

    pub(super) fn start(&self) -> &Position {
        self.position(0)
    }

    /// All nodes, parents before children.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (u32, &Node)> {
        self.nodes.iter().map(|(&number, node)| (number, node))
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Looks up a node.
    pub(super) fn node(&self, number: u32) -> Result<&Node, TreeError> {
        self.nodes.get(&number).ok_or(TreeError::NoNode(number))
    }

    /// The nodes from the start to `number`, both included.
    pub(super) fn path(&self, number: u32) -> Vec<u32> {
        let parent = |&node: &u32| Some(self.nodes.get(&node)?.from?.0);
        let mut path: Vec<u32> = std::iter::successors(Some(number), parent).collect();
        path.reverse();
        path
    }

    /// The moves from the start to `number`.
    pub(super) fn moves(&self, number: u32) -> Vec<Move> {
        let move_to = |node: &u32| self.nodes.get(node)?.from.map(|(_, mv)| mv);
        self.path(number).iter().filter_map(move_to).collect()
    }

    /// The main line through `number`: the path to it, and from there the children last followed.
    pub(super) fn main_line(&self, number: u32) -> Vec<u32> {
        let mut line = self.path(number);
        let mut last = number;
        while let Some(next) = self.nodes.get(&last).and_then(|node| node.next) {
            line.push(next);
            last = next;
        }
        line
    }

    /// The node, or the start if there is no such node. For numbers that were checked; those of
    /// requests go through [`GameTree::node`].
    pub(super) fn node_or_start(&self, number: u32) -> &Node {
        self.nodes.get(&number).unwrap_or_else(|| &self.nodes[&0])
    }

    pub(super) fn position(&self, number: u32) -> &Position {
        &self.node_or_start(number).position
    }

    /// The player who made the move to `node`; `None` at the start.
    pub(super) fn mover(&self, node: &Node) -> Option<Color> {
        node.from.map(|(parent, _)| self.position(parent).side())
    }

    /// Whether the players changed seats on the path to `number`.
    pub(super) fn is_swapped(&self, number: u32) -> bool {
        self.node_or_start(number).is_swapped
    }

    /// Makes a move at `number`, which becomes the main continuation there, and returns the node
    /// after it: the one that is there already, or a new one.
    pub(super) fn play(&mut self, number: u32, mv: Move) -> Result<u32, TreeError> {
        self.node(number)?.position.check(mv)?;
        self.add_child(number, mv)
    }

    /// Makes a move at `number` as a variation: the main line stays as it is. Returns the node
    /// after the move, old or new.
    pub(super) fn branch(&mut self, number: u32, mv: Move) -> Result<u32, TreeError> {
        let (next, latest) = (self.node(number)?.next, self.next);
        let child = self.play(number, mv)?;
        if let Some(node) = self.nodes.get_mut(&number) {
            node.next = next;
        }
        if child >= latest {
            self.keep(child);
        }
        Ok(child)
    }

    /// Marks a node as kept: it stays as a variation when turns are taken back.
    pub(super) fn keep(&mut self, number: u32) {
        if let Some(node) = self.nodes.get_mut(&number) {
            node.is_kept = true;
        }
    }

    /// Ends the main line at `number` and removes the turns after it, from the last one back to the
    /// first that is kept or leads to another variation.
    pub(super) fn cut_main_line(&mut self, number: u32) {
        let line = self.main_line(number);
        let after = line.into_iter().rev().take_while(|&node| node != number);
        for last in after.collect::<Vec<_>>() {
            let node = self.node_or_start(last);
            if node.is_kept || !node.children.is_empty() || self.remove(last).is_err() {
                break;
            }
        }
        if let Some(node) = self.nodes.get_mut(&number) {
            node.next = None;
        }
    }

    /// The node after a legal move, old or new.
    fn add_child(&mut self, number: u32, mv: Move) -> Result<u32, TreeError> {
        let has_move = |child: &&u32| {
            self.nodes.get(child).and_then(|node| node.from).is_some_and(|from| from.1 == mv)
        };
        let existing = self.node(number)?.children.iter().find(has_move).copied();
        let child = match existing {
            Some(child) => child,
            None if self.nodes.len() >= MAX_NODES => return Err(TreeError::Full),
            None => {
                let child = self.next;
                self.insert(child, number, mv);
                child
            }
        };
        if let Some(node) = self.nodes.get_mut(&number) {
            node.next = Some(child);
        }
        Ok(child)
    }

    fn insert(&mut self, child: u32, parent: u32, mv: Move) {
        self.next = child + 1;
        self.nodes.insert(child, self.node_or_start(parent).after(parent, mv));
        if let Some(node) = self.nodes.get_mut(&parent) {
            node.children.push(child);
        }
    }

    /// Restores a saved node.
    ///
    /// # Errors
    /// When the number is not higher than all others or is out of range, the parent is missing, or
    /// the move is illegal.
    pub(super) fn restore(
        &mut self,
        number: u32,
        parent: u32,
        mv: Move,
        value: Option<(f64, f64)>,
    ) -> Result<(), TreeError> {
        // The upper bound keeps `next` from overflowing, however long the game continues.
        if !(self.next..1 << 31).contains(&number) {
            return Err(TreeError::NoNode(number));
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(TreeError::Full);
        }
        self.node(parent)?.position.check(mv)?;
        self.insert(number, parent, mv);
        self.set_value(number, value);
        Ok(())
    }

    /// Makes the path to `number` the main line.
    pub(super) fn follow(&mut self, number: u32) -> Result<(), TreeError> {
        self.node(number)?;
        for pair in self.path(number).windows(2) {
            if let Some(node) = self.nodes.get_mut(&pair[0]) {
                node.next = Some(pair[1]);
            }
        }
        Ok(())
    }

    /// Whether the node is its parent's main continuation.
    pub(super) fn is_followed(&self, number: u32) -> bool {
        let parent = self.nodes.get(&number).and_then(|node| node.from);
        let parent = parent.and_then(|(parent, _)| self.nodes.get(&parent));
        parent.is_some_and(|parent| parent.next == Some(number))
    }

    /// Makes the node its parent's main continuation. Unlike [`GameTree::follow`] it leaves the
    /// path to the parent as it is.
    pub(super) fn prefer(&mut self, number: u32) -> Result<(), TreeError> {
        let (parent, _) = self.node(number)?.from.ok_or(TreeError::Start)?;
        if let Some(parent) = self.nodes.get_mut(&parent) {
            parent.next = Some(number);
        }
        Ok(())
    }

    /// Removes a node and its descendants; returns its parent.
    pub(super) fn remove(&mut self, number: u32) -> Result<u32, TreeError> {
        let (parent, _) = self.node(number)?.from.ok_or(TreeError::Start)?;
        let mut pending = vec![number];
        while let Some(number) = pending.pop() {
            if let Some(node) = self.nodes.remove(&number) {
                pending.extend(node.children);
            }
        }
        if let Some(node) = self.nodes.get_mut(&parent) {
            node.children.retain(|&child| child != number);
            node.next = node.next.filter(|&next| next != number).or(node.children.last().copied());
        }
        Ok(parent)
    }

    /// Sets the comment at a node.
    pub(super) fn set_comment(&mut self, number: u32, comment: &str) {
        if let Some(node) = self.nodes.get_mut(&number) {
            comment.clone_into(&mut node.comment);
        }
    }

    /// The move to a node as records have it; `None` at the start.
    pub(super) fn recorded_move(&self, number: u32) -> Option<RecordedMove> {
        let node = self.nodes.get(&number)?;
        Some(RecordedMove { mv: node.from?.1, comment: node.comment.clone() })
    }

    /// Sets White's expected result and lead at a node.
    pub(super) fn set_value(&mut self, number: u32, value: Option<(f64, f64)>) {
        if let Some(node) = self.nodes.get_mut(&number) {
            node.value = value;
        }
    }
}
