//! Self-play: training games, as `pontifex selfplay` makes them.
//!
//! ```text
//!   number ─┐
//!           ├─► playing: one game ─► record: Played ─► file: appended when it is over
//!   Settings┘   (any thread)         as bytes            │
//!       └──────────── Header: the first line of the file ┘
//! ```
//!
//! A quarter of the turns is searched in full, with noise at the root, and trains the policy. The
//! others are searched quickly and train the value only (Wu, "Accelerating Self-Play Learning in
//! Go", 2019, "playout cap randomization"). Every game begins with some random turns, then draws
//! steps in proportion to their visits. After the result is clear, tiny searches play the rest, to
//! get points and islands at the end.
//!
//! [`Settings`] and a number determine a game. [`run`] plays many games in parallel and adds each
//! to a [`DataFile`] when it is over; [`Tally`] counts them.
//!
//! So runs are easy to interrupt and to distribute. A run needs no state but the file: the numbers
//! in it are finished, the others remain. Machines that share the numbers play the same games that
//! one machine would have played.

mod file;
mod playing;
mod record;
mod settings;

pub use file::{DataError, DataFile, Games, is_file_of_games, read};
pub use playing::{JobError, run};
pub use record::{Kind, Played, PlayedStep, ReplayedStep, Tally};
pub use settings::{Header, Settings};
