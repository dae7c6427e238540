//! The syntax of SGF: game trees, nodes and properties, for any game; and the
//! property GM, which names the game.
//!
//! ```text
//! (;FF[4]SZ[10];W[d4,e6];B[swap](;B[c3,f6];W[g2,h2])(;B[e2,f2]))
//!  ; a node, with properties NAME[value][value]
//!  ( a variation of the nodes before it, up to its )
//! ```
//!
//! The nodes are kept in one list in the order of the text, each with the index of
//! its parent. In this order the main line comes first, because at every fork the
//! first variation belongs to it. So the main line is a prefix of the list, and every
//! parent comes before its children: one pass over the list suffices to play all
//! variations.
//!
//! Nothing here is recursive. Files may nest variations to any depth, and a stack
//! overflow cannot be caught.

use crate::messages::excerpt;
use crate::notation::error::{Problem, RecordError};
use crate::notation::record::Record;
use crate::notation::text::{Spot, Warning};

/// What a game has too many of, for [`Problem::TooMany`].
pub(super) const NODE: &str = "this is one node";

#[derive(Debug)]
pub(super) struct Property {
    /// In upper case.
    pub(super) name: String,
    /// At least one.
    pub(super) values: Vec<PropertyValue>,
    /// The byte offset of the name in the text.
    pub(super) at: usize,
}

/// A value: the text between brackets, unescaped.
#[derive(Debug)]
pub(super) struct PropertyValue {
    pub(super) text: String,
    /// The byte offset of the opening bracket.
    pub(super) at: usize,
}

/// The properties of a node, in the order of the text.
pub(super) type SgfNode = Vec<Property>;

/// The nodes of a game, in the order of the text. The main line comes first: at
/// each fork, the first variation belongs to it.
#[derive(Debug, Default)]
pub(super) struct SgfTree {
    nodes: Vec<SgfNode>,
    /// The index of each node's parent; the root is its own parent.
    parents: Vec<usize>,
    /// The number of nodes of the main line; 0 while it is being read.
    main: usize,
}

impl SgfTree {
    pub(super) fn main_line(&self) -> &[SgfNode] {
        &self.nodes[..self.main]
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
        self.parents.iter().copied().zip(&self.nodes).skip(self.main)
    }
}

/// An iterator over the games of a text. An error ends it.
pub(super) struct Games<'t, 'w> {
    text: &'t str,
    /// The byte offset of what is read next.
    at: usize,
    /// The number of games begun.
    count: usize,
    /// What was mended, at most once of each kind.
    warnings: &'w mut Vec<Warning>,
}

/// The byte offset of the first game: a parenthesis and a semicolon, followed by a
/// property or by the syntax of a tree, but not as in `(;-)`.
pub(super) fn begins(text: &str) -> Option<usize> {
    let is_game = |rest: &str| {
        let node = rest.trim_start().strip_prefix(';').map(str::trim_start);
        let follows = |c: char| c.is_ascii_alphanumeric() || matches!(c, ';' | '(' | ')');
        node.is_some_and(|node| node.chars().next().is_none_or(follows))
    };
    text.match_indices('(').map(|(at, _)| at).find(|&at| is_game(&text[at + 1..]))
}

/// Whether a text begins like a part of a tree: `;W[d4,e6]`, `B[swap]`, `(W[d4,e6]`.
/// After a game this shows that a parenthesis is wrong before it.
fn is_part_of_tree(text: &str) -> bool {
    let text = text.strip_prefix('(').unwrap_or(text).trim_start();
    let text = text.strip_prefix(';').unwrap_or(text).trim_start();
    let value = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    value.len() < text.len() && value.starts_with('[')
}

impl<'t, 'w> Games<'t, 'w> {
    /// Skips text before the first game, as the format demands.
    pub(super) fn of(text: &'t str, warnings: &'w mut Vec<Warning>) -> Games<'t, 'w> {
        let mut games = Games { text, at: 0, count: 0, warnings };
        games.skip_text();
        games
    }

    /// Skips text up to the next game, or to the end.
    fn skip_text(&mut self) {
        self.skip_space();
        let rest = &self.text[self.at..];
        let length = begins(rest).unwrap_or(rest.len());
        // A text without any game is an error, not something to warn about.
        if length > 0 && (self.count > 0 || length < rest.len()) {
            let text = excerpt(rest[..length].lines().next().unwrap_or_default().trim_end());
            self.warn(self.at, |at| Warning::SkippedText { at, text: text.clone() });
        }
        self.at += length;
    }

    /// Skips what may follow a game: a parenthesis too many and text.
    ///
    /// # Errors
    /// Parts of a tree follow: the game was closed too early.
    fn skip_tail(&mut self) -> Result<(), RecordError> {
        self.skip_space();
        let at = self.at;
        while self.take(')') {
            self.skip_space();
        }
        if self.at > at {
            self.warn(at, |at| Warning::SurplusParenthesis { at });
        }
        let rest = &self.text[self.at..];
        if begins(rest) != Some(0) && is_part_of_tree(rest) {
            return Err(self.expected("'(' and a game, or the end of the text"));
        }
        self.skip_text();
        Ok(())
    }

    /// Adds a warning about byte `at`, unless there is one of its kind.
    fn warn(&mut self, at: usize, warning: impl Fn(Spot) -> Warning) {
        // With any place, only for the code: to find the line of `at` reads the text
        // up to it, which a file with many games would pay for each of them.
        let code = warning(Spot { line: 1, column: 1 }).code();
        if self.warnings.iter().all(|other| other.code() != code) {
            self.warnings.push(warning(Spot::of(self.text, at)));
        }
    }

    /// An error at byte `at`.
    fn error(&self, at: usize, problem: Problem) -> RecordError {
        RecordError::at(self.text, at, problem)
    }

    fn expected(&self, wanted: &'static str) -> RecordError {
        let found = match self.peek() {
            Some(c) => format!("'{}'", excerpt(&c.to_string())),
            None => "the end of the text".to_owned(),
        };
        self.error(self.at, Problem::Expected { wanted, found })
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Skips the next character if it is `wanted`. Returns whether it was.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Parses a game tree. Open variations are kept on an explicit stack, since
    /// files may nest them to any depth.
    fn game(&mut self) -> Result<SgfTree, RecordError> {
        /// A variation whose parenthesis is open. The first is the game itself.
        struct Variation {
            /// The index of the last of its own nodes, the parent of what follows.
            last: usize,
            /// The number of variations within it so far.
            children: usize,
            /// The byte offset of its parenthesis.
            began: usize,
        }
        let mut tree = SgfTree::default();
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
                        // The main line ends at the first closing parenthesis.
                        if tree.main == 0 {
                            tree.main = tree.nodes.len();
                        }
                        open.pop();
                        if open.is_empty() {
                            return Ok(tree);
                        }
                    }
                    None => {
                        let began = open[0].began;
                        return self.close(tree, began);
                    }
                    Some(_) if parent.children == 0 => {
                        return Err(self.expected("';', '(', ')' or a property"));
                    }
                    Some(_) => return Err(self.expected("'(' or ')' after a variation")),
                },
            }
        }
    }

    /// Ends a game that began at byte `began` and is open at the end of the text.
    ///
    /// # Errors
    /// A variation begins like a game: a parenthesis is missing before it.
    fn close(&mut self, mut tree: SgfTree, began: usize) -> Result<SgfTree, RecordError> {
        // These two stand only in the first node of a game. Anywhere else they show
        // that the next game was read as a variation of this one.
        let is_root = |property: &Property| ["FF", "GM"].contains(&property.name.as_str());
        if tree.nodes.iter().skip(1).flatten().any(is_root) {
            return Err(self.error(began, Problem::Unclosed('(')));
        }
        if tree.main == 0 {
            tree.main = tree.nodes.len();
        }
        self.warn(began, |at| Warning::MissingParenthesis { at });
        Ok(tree)
    }

    fn first_node(&mut self, tree: &mut SgfTree, parent: usize) -> Result<usize, RecordError> {
        self.skip_space();
        if !self.take(';') {
            return Err(self.expected("';' after '('"));
        }
        self.node(tree, parent)
    }

    /// Parses a node after its semicolon. Returns its index in the tree.
    fn node(&mut self, tree: &mut SgfTree, parent: usize) -> Result<usize, RecordError> {
        // Before the node is read: a file of semicolons must not take much memory.
        if tree.nodes.len() == Record::MAX_NODES {
            return Err(self.error(self.at - 1, Problem::TooMany(NODE)));
        }
        let mut node = SgfNode::new();
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

    fn values(&mut self) -> Result<Vec<PropertyValue>, RecordError> {
        let mut values = Vec::new();
        loop {
            self.skip_space();
            let at = self.at;
            if !self.take('[') {
                break;
            }
            values.push(PropertyValue { text: self.value(at)?, at });
        }
        if values.is_empty() {
            Err(self.expected("'[' after a property's name"))
        } else {
            Ok(values)
        }
    }

    /// Parses a value up to its closing bracket. A backslash escapes the next
    /// character; before a line break it removes the break.
    fn value(&mut self, began: usize) -> Result<String, RecordError> {
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
        Err(self.error(began, Problem::Unclosed('[')))
    }
}

/// The name of a property in upper case. In old files, lower-case letters in a
/// name have no meaning: `SiZe` is SZ. A name without upper-case letters is taken
/// as a whole.
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
        if self.at == self.text.len() {
            // The end of the text is an error only if no game came before it.
            let nothing = self.error(0, Problem::NoGame);
            self.count += 1;
            return (self.count == 1).then_some(Err(nothing));
        }
        self.count += 1;
        let game = self.game().and_then(|game| self.skip_tail().map(|()| game));
        if game.is_err() {
            self.at = self.text.len();
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
    Err(RecordError::at(text, value.at, Problem::OtherGame(excerpt(&value.text))))
}
