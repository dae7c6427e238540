use crate::game::{Move, Position};
use crate::notation::{Record, ReplayError};

/// A recorded game to be reviewed, played through.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What its file is called.
    pub file: String,
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// The record.
    pub record: Record,
    /// The position before each turn and after the last.
    positions: Vec<Position>,
}

impl Subject {
    /// A game, played through.
    ///
    /// # Errors
    /// The move that breaks a rule.
    pub fn new(file: String, number: usize, record: Record) -> Result<Subject, ReplayError> {
        let positions = record.positions()?;
        Ok(Subject { file, number, record, positions })
    }

    /// The position before each turn and after the last.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// How many positions are to be searched: all in which somebody moves.
    pub fn searches(&self) -> usize {
        self.positions.iter().filter(|position| !position.is_over()).count()
    }

    /// The move of the turn with this index, from 0.
    pub fn played(&self, index: usize) -> Option<Move> {
        self.record.moves.get(index).map(|turn| turn.mv)
    }

    /// What tells the game from others: a checksum over its rules, its start
    /// and its moves.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(text: &str) -> Subject {
        Subject::new("a.txt".to_owned(), 1, Record::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn the_key_is_of_rules_and_moves() {
        let key = subject("d4,e6 swap a1,b1").key();
        assert_eq!(key, subject("# white: Anna\nE6,D4 swap a1,b1").key());
        for other in ["d4,e6 swap a1,b2", "d4,e6 swap", "# supply: 20,7\nd4,e6 swap a1,b1"] {
            assert_ne!(key, subject(other).key(), "{other}");
        }
    }
}
