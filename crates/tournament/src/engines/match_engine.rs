//! The interface of an engine that plays in a match.

use std::fmt::Debug;
use std::time::Duration;

use crate::engines::failure::{EngineError, Failure};
use pontifex::clock::{Limit, Seconds};
use pontifex::game::{Color, Move, Rules};

/// An engine that plays one side of a game.
///
/// After an error the engine is ended with [`MatchEngine::abort`].
pub(super) trait MatchEngine: Debug + Send {
    /// Name and version as the engine states them.
    fn identity(&self) -> &str;

    /// Prepares a game.
    fn new_game(&mut self, setup: &GameSetup) -> Result<(), EngineError>;

    /// Plays a legal move of either colour.
    fn play(&mut self, color: Color, mv: Move) -> Result<(), EngineError>;

    /// Sets the clock: the time, and the periods left (0 in main time).
    fn time_left(&mut self, color: Color, left: (Seconds, u32)) -> Result<(), EngineError>;

    /// The answer to `genmove` and the time it took. Processes that stay
    /// silent for longer than `patience` have stalled.
    fn genmove(
        &mut self,
        color: Color,
        patience: Duration,
    ) -> Result<(String, Duration), EngineError>;

    /// Takes the warnings about settings that the engine does not support,
    /// one line each.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Ends the engine in an orderly way.
    fn quit(self: Box<Self>) {}

    /// Kills the engine after a failure and adds what it left behind: the
    /// protocol's last lines, stderr and the exit status.
    fn abort(self: Box<Self>, _failure: &mut Failure) {}
}

/// The settings of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GameSetup {
    pub(crate) rules: Rules,
    pub(crate) limit: Limit,
    pub(crate) seed: u64,
    /// Whether the engine may get the chance to swap.
    pub(crate) may_swap: bool,
    /// How long the engine may take for each command but `genmove`.
    pub(crate) stall: Duration,
}
