//! The syntax of SGF: game trees, nodes and properties, for any game; and the property GM, which
//! names the game.
//!
//! ```text
//! (;FF[4]SZ[10];W[d4,e6];B[swap](;B[c3,f6];W[g2,h2])(;B[e2,f2]))
//!  ; a node, with properties NAME[value][value]
//!  ( a variation of the nodes before it, up to its )
//! ```
//!
//! The nodes are stored in one list in the order of the text, each with the index of its parent. In
//! this order the main line comes first, because at every fork the first variation belongs to it.
//! So the main line is a prefix of the list, and every parent comes before its children: one pass
//! over the list suffices to play all variations.
//!
//! Nothing here is recursive. Files may nest variations to any depth, and a stack overflow cannot
//! be caught.

use crate::messages::excerpt;
use crate::notation::error::{Problem, RecordError};
use crate::notation::record::Record;
use crate::notation::text::{Spot, Warning};

/// The phrase of [`Problem::TooMany`] for nodes.
pub(super) const NODE: &str = "this is one node";

#[derive(Debug)]
pub(super) struct Property {
    /// The name of the property, in upper case.
    pub(super) name: String,
    /// The values, at least one.
    pub(super) values: Vec<PropertyValue>,
    /// The byte offset of the name in the text.
    pub(super) offset: usize,
}

/// A value: the text between brackets, unescaped.
#[derive(Debug)]
pub(super) struct PropertyValue {
    pub(super) text: String,
    /// The byte offset of the opening bracket.
    pub(super) offset: usize,
}

/// The properties of a node, in the order of the text.
pub(super) type SgfNode = Vec<Property>;

/// The nodes of a game, in the order of the text. The main line comes first: at each fork, the
/// first variation belongs to it.
#[derive(Debug, Default)]
pub(super) struct SgfTree {
    nodes: Vec<SgfNode>,
    /// The index of each node's parent; the root is its own parent.
    parents: Vec<usize>,
    /// The number of nodes of the main line; 0 while it is being read.
    main_len: usize,
}

impl SgfTree {
    pub(super) fn main_line(&self) -> &[SgfNode] {
        &self.nodes[..self.main_len]
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The index of a node's parent, and the node.
    pub(super) fn node_mut(&mut self, index: usize) -> (usize, &mut SgfNode) {
        (self.parents[index], &mut self.nodes[index])
    }

    /// The nodes of variations, each with the index of its parent.
    pub(super) fn variation_nodes(&self) -> impl Iterator<Item = (usize, &SgfNode)> {
        self.parents.iter().copied().zip(&self.nodes).skip(self.main_len)
    }
}

/// An iterator over the games of a text. An error ends it.
pub(super) struct Games<'t, 'w> {
    text: &'t str,
    /// The byte offset of the next character to read.
    offset: usize,
    /// The number of games begun.
    count: usize,
    /// The warnings, at most one of each kind.
    warnings: &'w mut Vec<Warning>,
}

/// Returns the byte offset of the first game: a parenthesis and a semicolon, followed by a property
/// or by the syntax of a tree, but not as in `(;-)`.
pub(super) fn find_game(text: &str) -> Option<usize> {
    let is_game = |rest: &str| {
        let node = rest.trim_start().strip_prefix(';').map(str::trim_start);
        let follows = |c: char| c.is_ascii_alphanumeric() || matches!(c, ';' | '(' | ')');
        node.is_some_and(|node| node.chars().next().is_none_or(follows))
    };
    text.match_indices('(').map(|(start, _)| start).find(|&start| is_game(&text[start + 1..]))
}

/// Whether a text begins like a part of a tree: `;W[d4,e6]`, `B[swap]`, `(W[d4,e6]`. After a game,
/// it shows that an earlier parenthesis is wrong.
fn is_part_of_tree(text: &str) -> bool {
    let text = text.strip_prefix('(').unwrap_or(text).trim_start();
    let text = text.strip_prefix(';').unwrap_or(text).trim_start();
    let value = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    value.len() < text.len() && value.starts_with('[')
}

impl<'t, 'w> Games<'t, 'w> {
    /// Creates the iterator and skips text before the first game, as the format demands.
    pub(super) fn of(text: &'t str, warnings: &'w mut Vec<Warning>) -> Games<'t, 'w> {
        let mut games = Games { text, offset: 0, count: 0, warnings };
        games.skip_text();
        games
    }

    /// Skips text up to the next game, or to the end.
    fn skip_text(&mut self) {
        self.skip_space();
        let rest = &self.text[self.offset..];
        let length = find_game(rest).unwrap_or(rest.len());
        // A text without any game is an error, not something to warn about.
        if length > 0 && (self.count > 0 || length < rest.len()) {
            let text = excerpt(rest[..length].lines().next().unwrap_or_default().trim_end());
            self.warn(self.offset, |at| Warning::SkippedText { at, text: text.clone() });
        }
        self.offset += length;
    }

    /// Skips what may follow a game: surplus parentheses and text.
    ///
    /// # Errors
    /// Parts of a tree follow, so the game was closed too early.
    fn skip_tail(&mut self) -> Result<(), RecordError> {
        self.skip_space();
        let start = self.offset;
        while self.take(')') {
            self.skip_space();
        }
        if self.offset > start {
            self.warn(start, |at| Warning::SurplusParenthesis { at });
        }
        let rest = &self.text[self.offset..];
        if find_game(rest) != Some(0) && is_part_of_tree(rest) {
            return Err(self.expected_error("'(' and a game, or the end of the text"));
        }
        self.skip_text();
        Ok(())
    }

    /// Adds a warning about byte `offset`, unless there is already one of its kind.
    fn warn(&mut self, offset: usize, warning: impl Fn(Spot) -> Warning) {
        // A dummy place suffices for the code. Finding the line reads the text up to `offset`,
        // which would be slow if repeated for each game of a large file.
        let code = warning(Spot { line: 1, column: 1 }).code();
        if self.warnings.iter().all(|other| other.code() != code) {
            self.warnings.push(warning(Spot::of(self.text, offset)));
        }
    }

    fn error(&self, offset: usize, problem: Problem) -> RecordError {
        RecordError::at(self.text, offset, problem)
    }

    /// The error for another character, or the end, where `wanted` is needed.
    fn expected_error(&self, wanted: &'static str) -> RecordError {
        let found = match self.peek() {
            Some(c) => format!("'{}'", excerpt(&c.to_string())),
            None => "the end of the text".to_owned(),
        };
        self.error(self.offset, Problem::Expected { wanted, found })
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    /// Skips the next character if it is `wanted`. Returns whether it was.
    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.offset += if is_next { wanted.len_utf8() } else { 0 };
        is_next
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.offset..];
        self.offset += rest.len() - rest.trim_start().len();
    }

    /// Parses a game tree. Open variations are kept on an explicit stack, since files may nest them
    /// to any depth.
    fn parse_game(&mut self) -> Result<SgfTree, RecordError> {
        /// A variation whose parenthesis is still open. The first is the game itself.
        struct Variation {
            /// The index of the last of the variation's own nodes, the parent of the next one.
            last: usize,
            /// The number of variations within this one so far.
            children: usize,
            /// The byte offset of the variation's parenthesis.
            start: usize,
        }
        let mut tree = SgfTree::default();
        let mut open: Vec<Variation> = Vec::new();
        loop {
            self.skip_space();
            let start = self.offset;
            match open.last_mut() {
                None => {
                    if !self.take('(') {
                        return Err(self.expected_error("'(' and a game, or the end of the text"));
                    }
                    let last = self.parse_first_node(&mut tree, 0)?;
                    open.push(Variation { last, children: 0, start });
                }
                Some(parent) => match self.peek() {
                    Some('(') => {
                        parent.children += 1;
                        self.offset += 1;
                        let last = self.parse_first_node(&mut tree, parent.last)?;
                        open.push(Variation { last, children: 0, start });
                    }
                    Some(';') if parent.children == 0 => {
                        self.offset += 1;
                        parent.last = self.parse_node(&mut tree, parent.last)?;
                    }
                    Some(')') => {
                        self.offset += 1;
                        // The main line ends at the first closing parenthesis.
                        if tree.main_len == 0 {
                            tree.main_len = tree.nodes.len();
                        }
                        open.pop();
                        if open.is_empty() {
                            return Ok(tree);
                        }
                    }
                    None => {
                        let start = open[0].start;
                        return self.close_at_end(tree, start);
                    }
                    Some(_) if parent.children == 0 => {
                        return Err(self.expected_error("';', '(', ')' or a property"));
                    }
                    Some(_) => return Err(self.expected_error("'(' or ')' after a variation")),
                },
            }
        }
    }

    /// Ends a game that starts at byte `start` and is still open at the end of the text.
    ///
    /// # Errors
    /// A variation begins like a game, so a parenthesis is missing before it.
    fn close_at_end(&mut self, mut tree: SgfTree, start: usize) -> Result<SgfTree, RecordError> {
        // These two belong only in the first node of a game. Anywhere else they show that the next
        // game was read as a variation of this one.
        let is_root = |property: &Property| ["FF", "GM"].contains(&property.name.as_str());
        if tree.nodes.iter().skip(1).flatten().any(is_root) {
            return Err(self.error(start, Problem::Unclosed('(')));
        }
        if tree.main_len == 0 {
            tree.main_len = tree.nodes.len();
        }
        self.warn(start, |at| Warning::MissingParenthesis { at });
        Ok(tree)
    }

    fn parse_first_node(
        &mut self,
        tree: &mut SgfTree,
        parent: usize,
    ) -> Result<usize, RecordError> {
        self.skip_space();
        if !self.take(';') {
            return Err(self.expected_error("';' after '('"));
        }
        self.parse_node(tree, parent)
    }

    /// Parses a node after its semicolon. Returns its index in the tree.
    fn parse_node(&mut self, tree: &mut SgfTree, parent: usize) -> Result<usize, RecordError> {
        // Before the node is read: a file of semicolons must not take much memory.
        if tree.nodes.len() == Record::MAX_NODES {
            return Err(self.error(self.offset - 1, Problem::TooMany(NODE)));
        }
        let mut node = SgfNode::new();
        loop {
            self.skip_space();
            let offset = self.offset;
            let rest = &self.text[offset..];
            let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            if length == 0 {
                break;
            }
            let name = property_name(&rest[..length]);
            self.offset += length;
            let values = self.parse_values()?;
            node.push(Property { name, values, offset });
        }
        tree.nodes.push(node);
        tree.parents.push(parent);
        Ok(tree.nodes.len() - 1)
    }

    fn parse_values(&mut self) -> Result<Vec<PropertyValue>, RecordError> {
        let mut values = Vec::new();
        loop {
            self.skip_space();
            let offset = self.offset;
            if !self.take('[') {
                break;
            }
            values.push(PropertyValue { text: self.parse_value(offset)?, offset });
        }
        if values.is_empty() {
            Err(self.expected_error("'[' after a property's name"))
        } else {
            Ok(values)
        }
    }

    /// Parses a value up to its closing bracket; the opening one is at byte `start`. A backslash
    /// escapes the next character; before a line break it removes the break.
    fn parse_value(&mut self, start: usize) -> Result<String, RecordError> {
        let mut text = String::new();
        let mut is_escaped = false;
        for (n, c) in self.text[self.offset..].char_indices() {
            match c {
                '\n' if is_escaped => {}
                _ if is_escaped => text.push(c),
                '\\' => {
                    is_escaped = true;
                    continue;
                }
                ']' => {
                    self.offset += n + 1;
                    return Ok(text);
                }
                _ => text.push(c),
            }
            is_escaped = false;
        }
        Err(self.error(start, Problem::Unclosed('[')))
    }
}

/// The name of a property in upper case. In old files, lower-case letters in a name have no
/// meaning: `SiZe` is SZ. A name without upper-case letters is taken as a whole.
fn property_name(text: &str) -> String {
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        text.chars().filter(|c| !c.is_ascii_lowercase()).collect()
    } else {
        text.to_ascii_uppercase()
    }
}

impl Iterator for Games<'_, '_> {
    type Item = Result<SgfTree, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_space();
        if self.offset == self.text.len() {
            // The end of the text is an error only if no game came before it.
            let no_game = self.error(0, Problem::NoGame);
            self.count += 1;
            return (self.count == 1).then_some(Err(no_game));
        }
        self.count += 1;
        let game = self.parse_game().and_then(|game| self.skip_tail().map(|()| game));
        if game.is_err() {
            self.offset = self.text.len();
        }
        Some(game)
    }
}

/// Checks that a value of GM names this game. Only its letters count, in either case.
pub(super) fn check_game(text: &str, value: &PropertyValue) -> Result<(), RecordError> {
    let letters: String = value.text.chars().filter(char::is_ascii_alphabetic).collect();
    if letters.eq_ignore_ascii_case("PonteDelDiavolo") {
        return Ok(());
    }
    Err(RecordError::at(text, value.offset, Problem::OtherGame(excerpt(&value.text))))
}
