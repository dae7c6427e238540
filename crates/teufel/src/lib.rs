//! *Teufel, Teufel* (Andreas Steiner, Hartmut Witt, 1992): a second game, in a crate of its own.
//!
//! It shares nothing with Ponte del Diavolo but the framing of the protocol and the random numbers.
//! `docs/teufel.md` has the rules and the protocol. Its cards are hidden, so the search is of
//! another kind than Ponte's.
//!
//! **Who knows what** is the theme of the crate. The dealer's `Game` knows all cards and what each
//! player has seen. A player gets a `View`, and the search deals the cards that it does not know at
//! random. Which steps are legal depends only on what all see, so a refusal reveals nothing, and a
//! step that is legal in one deal is legal in the real game.
//!
//! From the ground up:
//!
//! - `board`, `table`: the parts of the game, where they are, and whose decision it is;
//! - `rules`: what a step does, and which steps are legal;
//! - `game`: the dealer's game, and what each player knows of it;
//! - `policy`, `search`: how players decide;
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
