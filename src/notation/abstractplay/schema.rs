//! Fixed words of the format.

/// The name of the game.
pub(super) const GAME: &str = "Ponte del Diavolo";

/// Names of unknown players: the schema requires names.
pub(super) const NO_NAMES: [&str; 2] = ["White", "Red"];

/// An entry among the moves that ends the game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Resign,
    Timeout,
    Draw,
    Abandoned,
}

impl Ending {
    pub(super) const ALL: [Ending; 4] =
        [Ending::Resign, Ending::Timeout, Ending::Draw, Ending::Abandoned];

    /// The entry as text.
    pub(super) fn word(self) -> &'static str {
        match self {
            Ending::Resign => "resign",
            Ending::Timeout => "timeout",
            Ending::Draw => "draw",
            Ending::Abandoned => "abandoned",
        }
    }
}
