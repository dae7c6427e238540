//! *Teufel, Teufel* (Andreas Steiner, Hartmut Witt, 1992): a second game, in a
//! room of its own.
//!
//! Two to six players with hidden cards. Nothing here knows of Ponte del Diavolo
//! except for the framing of the protocol and the random numbers, and nothing
//! outside knows of this but the subcommand. `docs/teufel.md` has the rules and
//! the protocol. The modules stand in the order in which they build on each other.

mod card;
mod cells;
mod game;
mod knowledge;
mod legal;
mod line;
mod matches;
mod player;
mod policy;
mod rules;
mod search;
mod session;
mod show;
mod table;
mod terminal;

pub use card::{Card, Colour, Letters};
pub use cells::{Cell, Cells};
pub use game::{Game, View};
pub use legal::Refusal;
pub use matches::Match;
pub use player::Player;
pub use rules::Step;
pub use search::{Limits, search};
pub use session::Session;
pub use table::{Decision, Table};
pub use terminal::play_at_terminal;
