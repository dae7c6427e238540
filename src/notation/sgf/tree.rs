//! SGF as such: game trees, nodes, properties, whatever the game.

use super::{SgfError, SgfProblem};
use crate::notation::source::{Spot, excerpt};

/// A property and where its name and its values stand in the text.
#[derive(Debug)]
pub(super) struct Property {
    /// The name, in capitals.
    pub(super) name: String,
    /// One at least.
    pub(super) values: Vec<Value>,
    pub(super) at: usize,
}

/// What stands between brackets, without escapes.
#[derive(Debug)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) at: usize,
}

/// A node's properties in the order of the text.
pub(super) type Node = Vec<Property>;

/// A game's nodes in the order of the text: the main line first, of several
/// variations the first.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Where each node's parent is; the first node has itself.
    parents: Vec<usize>,
    /// How many nodes the main line has.
    main: usize,
}

impl Tree {
    /// The nodes of the main line.
    pub(super) fn main_line(&self) -> &[Node] {
        &self.nodes[..self.main]
    }

    /// The other nodes, each with the place of its parent.
    pub(super) fn others(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.parents.iter().copied().zip(&self.nodes).skip(self.main)
    }
}

/// The games in a text one after another. After an error nothing more comes.
pub(super) struct Games<'t> {
    text: &'t str,
    at: usize,
    count: usize,
}

/// Where the first game begins: a parenthesis, white space, a semicolon.
pub(in crate::notation) fn begins(text: &str) -> Option<usize> {
    text.match_indices('(')
        .map(|(at, _)| at)
        .find(|&at| text[at + 1..].trim_start().starts_with(';'))
}

impl<'t> Games<'t> {
    /// What comes before the first game is skipped, as the format asks.
    pub(super) fn of(text: &'t str) -> Games<'t> {
        Games { text, at: begins(text).unwrap_or(text.len()), count: 0 }
    }

    /// The error `problem` at byte `at`.
    fn error(&self, at: usize, problem: SgfProblem) -> SgfError {
        SgfError { at: Spot::of(self.text, at), problem }
    }

    fn expected(&self, wanted: &'static str) -> SgfError {
        let found = match self.peek() {
            Some(c) => format!("'{}'", excerpt(&c.to_string())),
            None => "the end of the text".to_owned(),
        };
        self.error(self.at, SgfProblem::Expected { wanted, found })
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The next character if it is `wanted`.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// One game tree. Open variations are kept on a stack of our own: how
    /// deep they may nest is up to the file.
    fn game(&mut self) -> Result<Tree, SgfError> {
        /// A variation that has begun and not ended.
        struct Variation {
            /// The last of its own nodes.
            last: usize,
            children: usize,
            began: usize,
        }
        let mut tree = Tree::default();
        let mut open: Vec<Variation> = Vec::new();
        loop {
            self.skip_space();
            let began = self.at;
            match open.last_mut() {
                None => {
                    if !self.take('(') {
                        return Err(self.expected("'(' and a game, or the end of the text"));
                    }
                    let last = self.first_node(&mut tree, 0)?;
                    open.push(Variation { last, children: 0, began });
                }
                Some(parent) => match self.peek() {
                    Some('(') => {
                        parent.children += 1;
                        self.at += 1;
                        let last = self.first_node(&mut tree, parent.last)?;
                        open.push(Variation { last, children: 0, began });
                    }
                    Some(';') if parent.children == 0 => {
                        self.at += 1;
                        parent.last = self.node(&mut tree, parent.last)?;
                    }
                    Some(')') => {
                        self.at += 1;
                        if tree.main == 0 {
                            tree.main = tree.nodes.len();
                        }
                        open.pop();
                        if open.is_empty() {
                            return Ok(tree);
                        }
                    }
                    None => {
                        let began = parent.began;
                        return Err(self.error(began, SgfProblem::Unclosed { open: '(' }));
                    }
                    Some(_) if parent.children == 0 => {
                        return Err(self.expected("';', '(', ')' or a property"));
                    }
                    Some(_) => return Err(self.expected("'(' or ')' after a variation")),
                },
            }
        }
    }

    fn first_node(&mut self, tree: &mut Tree, parent: usize) -> Result<usize, SgfError> {
        self.skip_space();
        if !self.take(';') {
            return Err(self.expected("';' after '('"));
        }
        self.node(tree, parent)
    }

    /// The properties of a node, after its semicolon; its place in the tree.
    fn node(&mut self, tree: &mut Tree, parent: usize) -> Result<usize, SgfError> {
        let mut node = Node::new();
        loop {
            self.skip_space();
            let at = self.at;
            let rest = &self.text[at..];
            let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            if length == 0 {
                break;
            }
            let name = property_name(&rest[..length]);
            self.at += length;
            let values = self.values()?;
            node.push(Property { name, values, at });
        }
        tree.nodes.push(node);
        tree.parents.push(parent);
        Ok(tree.nodes.len() - 1)
    }

    fn values(&mut self) -> Result<Vec<Value>, SgfError> {
        let mut values = Vec::new();
        loop {
            self.skip_space();
            let at = self.at;
            if !self.take('[') {
                break;
            }
            values.push(Value { text: self.value(at)?, at });
        }
        if values.is_empty() {
            Err(self.expected("'[' after a property's name"))
        } else {
            Ok(values)
        }
    }

    /// The text of a value up to its bracket. A backslash takes the next
    /// character as it is, and a line break away.
    fn value(&mut self, began: usize) -> Result<String, SgfError> {
        let mut text = String::new();
        let mut is_escaped = false;
        for (n, c) in self.text[self.at..].char_indices() {
            match c {
                '\n' if is_escaped => {}
                _ if is_escaped => text.push(c),
                '\\' => {
                    is_escaped = true;
                    continue;
                }
                ']' => {
                    self.at += n + 1;
                    return Ok(text);
                }
                _ => text.push(c),
            }
            is_escaped = false;
        }
        Err(self.error(began, SgfProblem::Unclosed { open: '[' }))
    }
}

/// A property's name. Old files have lower-case letters in it that mean
/// nothing (`SiZe` is SZ); in a name without capitals all are meant.
fn property_name(text: &str) -> String {
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        text.chars().filter(|c| !c.is_ascii_lowercase()).collect()
    } else {
        text.to_ascii_uppercase()
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Tree, SgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_space();
        if self.at == self.text.len() {
            let nothing = self.error(0, SgfProblem::NoGame);
            self.count += 1;
            return (self.count == 1).then_some(Err(nothing));
        }
        self.count += 1;
        let game = self.game();
        if game.is_err() {
            self.at = self.text.len();
        }
        Some(game)
    }
}
