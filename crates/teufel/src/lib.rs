//! *Teufel, Teufel* (Andreas Steiner, Hartmut Witt, 1992): a second game, in a
//! room of its own.
//!
//! Nothing here knows of Ponte del Diavolo but for the framing of the protocol and
//! the random numbers, and only the subcommand knows of this. `docs/teufel.md` has
//! the rules and the protocol. From the ground up:
//!
//! - `board`, `table`: what lies and stands where, and who decides;
//! - `rules`: what a step does, and which steps are legal;
//! - `game`: the dealer's game, and what each player knows of it;
//! - `policy`, `search`: who decides;
//! - `session`, `matches`: the protocol, a game by hand, and matches.

mod board;
mod game;
mod matches;
mod policy;
mod rules;
mod search;
mod session;
mod table;
#[cfg(test)]
mod tests;

pub use board::{Colour, ParseError};
pub use matches::{Match, Player};
pub use search::Limits;
pub use session::{Session, play_at_terminal};
