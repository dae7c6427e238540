//! Statistics of self-play games.

use super::record::{Kind, Played};
use crate::game::{Color, Position};

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

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use crate::board::Size;
    use crate::search::Searcher;

    #[test]
    fn games_are_counted() {
        let settings =
            Settings { size: Size::MIN, full: 20, quick: 5, resign: 0.0, ..Settings::default() };
        let game = settings.play(0, &mut Searcher::default()).unwrap();
        let mut tally = Tally::default();
        assert!(tally.count(&game));
        assert_eq!((tally.games, tally.positions), (1, game.steps.len() as u64));
        assert!(tally.turns < tally.positions && tally.positions <= 2 * tally.turns);
        assert_eq!(tally.white + tally.red + tally.draws(), 1);
        assert_eq!(tally.clear, 0);

        // With a clear winner, rightly or wrongly predicted.
        let winner = game.replay(|_| {}).unwrap().outcome().winner();
        let seen = |clear| Played { clear: Some(clear), is_check: true, ..game.clone() };
        assert!(tally.count(&seen(Color::White)) && tally.count(&seen(Color::Red)));
        let mispredicted = if winner.is_some() { 1 } else { 2 };
        assert_eq!((tally.clear, tally.checked, tally.mispredicted), (2, 2, mispredicted));

        // An unfinished game, and one with two tiles on one cell.
        let before = tally;
        let mut part = game.clone();
        part.steps.pop();
        assert!(!tally.count(&part));
        part.steps.push(part.steps[0].clone());
        assert!(!tally.count(&part));
        assert_eq!(tally, before);
    }
}
