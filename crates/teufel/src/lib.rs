//! *Teufel, Teufel* (Andreas Steiner, Hartmut Witt, 1992): a second game, in a
//! room of its own.
//!
//! Nothing here knows of Ponte del Diavolo but for the framing of the protocol and
//! the random numbers, and only the subcommand knows of this. `docs/teufel.md` has
//! the rules and the protocol. From the ground up:
//!
//! - `cells`, `card`, `table`: what lies and stands where, and who decides;
//! - `rules`, `legal`: what a step does, and which steps are legal;
//! - `game`: the dealer's game, and what each player knows of it;
//! - `line`, `show`: actions and tables as text;
//! - `policy`, `search`: who decides;
//! - `session`, `matches`, `terminal`: the protocol, matches, a game by hand.

mod card;
mod cells;
mod game;
mod legal;
mod line;
mod matches;
mod policy;
mod rules;
mod search;
mod session;
mod show;
mod table;
mod terminal;
#[cfg(test)]
mod tests;

pub use card::Colour;
pub use matches::{Match, Player};
pub use search::Limits;
pub use session::Session;
pub use terminal::play_at_terminal;
