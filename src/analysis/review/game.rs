//! A recorded game to review.

use super::plan::ReviewPlan;
use crate::game::Position;
use crate::notation::{Record, ReplayError};

/// A recorded game to review, replayed.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The name of its file.
    pub file: String,
    /// Its number in the file, from 1.
    pub number: usize,
    /// The record.
    pub record: Record,
    /// The position before each turn and after the last.
    positions: Vec<Position>,
}

impl RecordedGame {
    /// Replays a record.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn new(file: String, number: usize, record: Record) -> Result<RecordedGame, ReplayError> {
        let positions = record.positions()?;
        Ok(RecordedGame { file, number, record, positions })
    }

    /// The plan of its review, which keeps `kept` candidates of each position.
    pub fn plan(&self, kept: usize) -> ReviewPlan {
        let moves = self.record.moves.iter().map(|turn| turn.mv).collect();
        ReviewPlan::new(self.positions.clone(), moves, kept)
    }

    /// Identifies the game in a cache: a checksum over its rules, its start and
    /// its moves.
    pub fn key(&self) -> String {
        let rules = self.record.rules();
        let mut text = format!("{} {} {}", self.record.start, rules.supply, rules.pie);
        for turn in &self.record.moves {
            text.push(' ');
            text.push_str(&turn.mv.to_string());
        }
        format!("{:08x}", crc32fast::hash(text.as_bytes()))
    }
}
