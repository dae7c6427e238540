//! A table's game as a record, and a record as a table's game.

use std::collections::BTreeMap;

use super::table::{Table, TableError};
use super::terms::{ClockKind, Seat};
use super::tree::{MAX_NODES, TreeError};
use pontifex::game::{Color, Position};
use pontifex::notation::{Aside, Record, RecordedMove, Tag};

impl Table {
    /// The recorded game with the players and level of this table, paused at
    /// its end. Variations are taken as far as the rules allow.
    ///
    /// # Errors
    /// When the record has too many moves.
    pub(super) fn load(&self, start: &Position, record: &Record) -> Result<Table, TableError> {
        let mut table = Table::new(start, self.seats.clone(), self.level, ClockKind::None)?;
        if record.moves.len() + record.asides.len() >= MAX_NODES {
            return Err(TreeError::Full.into());
        }
        let mut nodes = vec![Some(0)];
        for (before, turn) in record.tree() {
            let parent = nodes.get(before).copied().flatten();
            nodes.push(parent.and_then(|parent| table.tree.play(parent, turn.mv).ok()));
        }
        table.current = nodes[record.moves.len()].unwrap_or(0);
        table.tree.follow(table.current)?;
        table.seat(self.players(self.current));
        table.tip = None;
        Ok(table)
    }

    /// The game through `node` as a record: the main line to its end, and the
    /// variations.
    pub(super) fn record(&self, node: u32) -> Record {
        let line = self.tree.main_line(node);
        let end = line.last().copied().unwrap_or(0);
        let mut record = Record::new(self.tree.start().into());
        record.moves = self.tree.moves(end).into_iter().map(RecordedMove::from).collect();
        record.asides = self.asides(&line);
        record.result = self.result(end);
        for (color, tag) in Color::BOTH.into_iter().zip([Tag::White, Tag::Red]) {
            if let Seat::Engine(name) = &self.seats[self.seat_of(color, end)] {
                record.set_tag(tag, name);
            }
        }
        record
    }

    /// The moves outside a line of nodes.
    fn asides(&self, line: &[u32]) -> Vec<Aside> {
        let mut numbers: BTreeMap<u32, usize> = line.iter().copied().zip(0..).collect();
        let mut asides = Vec::new();
        for (number, node) in self.tree.nodes() {
            let Some((parent, mv)) = node.from.filter(|_| !numbers.contains_key(&number)) else {
                continue;
            };
            let after = numbers.get(&parent).copied().unwrap_or(0);
            asides.push(Aside { after, turn: mv.into() });
            numbers.insert(number, line.len() - 1 + asides.len());
        }
        asides
    }
}
