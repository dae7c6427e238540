//! The JSON game record of the site Abstract Play (schema `gamerecord`).
//!
//! `moves` is an array of rounds, and a round is an array of White's move and
//! Red's. An entry is a text, an object with `move` and perhaps `result` (a
//! comment, if it is a text), or `null` if the player has no move in the round.
//! A last entry of `resign`, `timeout`, `draw` or `abandoned` ends a game early.
//!
//! A swap is not among the moves. The site exchanges the players instead, as if
//! the second player had made the first move, and sets `pie-invoked` (elsewhere
//! `pied`) in the header. Reading therefore inserts `swap` after the first move,
//! and writing removes it. The first of `players` has White at the end.
//!
//! The site plays with unlimited supply and the pie rule. A variant that contains
//! `8x8`, `12x12` or the like names the board; without one it is 10×10, whatever
//! `Default board` is called in the site's language. Results are 1 for a win and 0
//! for a loss. An additional object `pontifex` in the header holds what the format
//! cannot express: `supply`, `pie`, `start` (position text), `result`, `comment`.

mod error;
mod read;
mod schema;
mod write;

pub use error::AbstractPlayError;
pub(in crate::notation) use read::{read, read_all};
pub use write::{write, write_all};
