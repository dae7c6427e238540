//! Statistics of self-play games.

use super::record::{Kind, Played};
use pontifex::game::{Color, Position};

/// Counts of self-play games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Turns.
    pub turns: u64,
    /// Positions before a step.
    pub positions: u64,
    /// Positions searched in full, which train policy and value.
    pub full: u64,
    /// Positions searched quickly, which train the value.
    pub quick: u64,
    /// Games that White won.
    pub white: u64,
    /// Games that Red won.
    pub red: u64,
    /// Games whose result was clear before the end.
    pub clear: u64,
    /// Of those, games played on with full strength.
    pub checked: u64,
    /// Of those, games that did not end as predicted.
    pub mispredicted: u64,
}

impl Tally {
    /// Counts a game. Returns `false` and counts nothing if the game is not
    /// legal or not finished.
    pub fn count(&mut self, game: &Played) -> bool {
        let mut turns = 0;
        let end = game.replay(|step| turns += u64::from(!step.position.is_half_turn()));
        let Some(end) = end.filter(Position::is_over) else { return false };
        let winner = end.outcome().winner();
        let of_kind = |kind| game.steps.iter().filter(|step| step.kind == kind).count() as u64;
        self.games += 1;
        self.turns += turns;
        self.positions += game.steps.len() as u64;
        self.full += of_kind(Kind::Full);
        self.quick += of_kind(Kind::Quick);
        self.white += u64::from(winner == Some(Color::White));
        self.red += u64::from(winner == Some(Color::Red));
        if game.clear.is_some() {
            self.clear += 1;
            self.checked += u64::from(game.is_check);
            self.mispredicted += u64::from(game.is_check && winner != game.clear);
        }
        true
    }

    /// Drawn games.
    pub fn draws(&self) -> u64 {
        self.games - self.white - self.red
    }
}
