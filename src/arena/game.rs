//! The referee: one game between two engines.

use std::time::Duration;

use super::failure::Failure;
use super::limit::Limit;
use super::player::Player;
use crate::game::{Color, IllegalMove, Move, Position, Rules, Score};

/// A game to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameTask {
    /// Size, supply, and the pie rule: with `pie` the engines open and swap
    /// by themselves, without it the colours are those of the seats.
    pub rules: Rules,
    /// Moves that are made before the engines think.
    pub opening: Vec<Move>,
    /// What each seat may use; seat 0 opens as White.
    pub limits: [Limit; 2],
    /// How much longer than the limit an answer may take.
    pub margin: Duration,
    /// How long after its time an engine that says nothing is given up; the
    /// deadline itself where no clock runs.
    pub stall: Duration,
    /// What engines that know the parameter `seed` get.
    pub seed: u64,
}

impl GameTask {
    /// Whether the opening can be played and leaves something to play.
    ///
    /// # Errors
    /// Which move (counted from 0) breaks which rule.
    pub fn check_opening(&self) -> Result<(), (usize, IllegalMove)> {
        let mut position = Position::new(self.rules);
        for (number, &mv) in self.opening.iter().enumerate() {
            position.play(mv).map_err(|reason| (number, reason))?;
        }
        Ok(())
    }
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame {
    /// All moves, those of the opening included.
    pub moves: Vec<Move>,
    /// Seconds that each move took, 0 for those of the opening.
    pub seconds: Vec<f64>,
    /// The scores of White and Red on the last position.
    pub scores: [Score; 2],
    /// The last position, as position text.
    pub position: String,
    /// The colour each seat has in the end: after a swap seat 0 is Red.
    pub colors: [Color; 2],
    /// The seat that has won, `None` in a draw.
    pub winner: Option<usize>,
    /// Why it is over.
    pub end: GameEnd,
    /// By how many seconds each seat's moves took longer than they should:
    /// below 0 where it answered earlier. Only where the limit is a time for
    /// one move.
    pub overheads: [Vec<f64>; 2],
    /// Seconds from the first command to the last answer.
    pub wall: f64,
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// By the rules: the score decides.
    Score,
    /// A seat has resigned.
    Resignation {
        /// The seat.
        seat: usize,
    },
    /// A seat's engine has failed and loses.
    Failure {
        /// The seat.
        seat: usize,
        /// How it failed.
        failure: Box<Failure>,
    },
}

/// Plays a game. Seat 0 opens as White.
///
/// An engine that fails loses, and is started anew at its next game.
///
/// # Panics
/// When the opening breaks a rule; [`GameTask::check_opening`] says so before.
pub fn play_game(players: [&mut Player; 2], task: &GameTask) -> PlayedGame {
    let _ = (players, task);
    unimplemented!()
}
