//! Time controls: how a game gives time to its players.

/// How time is given. All times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum TimeControl {
    /// No clock runs.
    #[default]
    None,
    /// A fixed time for each move.
    Move(f64),
    /// A fixed time for all moves.
    Absolute(f64),
    /// Main time and an increment after each move.
    Fischer {
        /// Main time.
        main: f64,
        /// Added after each move.
        increment: f64,
    },
    /// Main time, then periods. A period starts anew once its moves are made
    /// in time and is lost otherwise.
    ByoYomi {
        /// Main time.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Periods at the start; 1 in Canadian byo-yomi.
        periods: u32,
        /// Moves to make in each period; 1 in Japanese byo-yomi.
        moves: u32,
    },
}
