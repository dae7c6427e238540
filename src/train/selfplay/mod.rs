//! Training games: what `pontifex selfplay` does.
//!
//! A quarter of the turns is searched in full, with noise at the root, and
//! trains the policy; the rest is searched quickly and trains the value only
//! (Wu, "Accelerating Self-Play Learning in Go", 2019, "rollout cap
//! randomization"). Every game begins with some random turns, and goes on
//! with turns drawn by their visits. Once the result is clear the rest is
//! played out with hardly any search, for the points and islands at the end.
//!
//! [`Settings`] say how games are played and make a file's [`Header`]; a game
//! follows from them and its number (`playing`). [`run`] plays many side by
//! side and adds each, once it is over, to a [`DataFile`] (`file`, `reader`),
//! as bytes (`record`); [`Tally`] counts what there is.

mod file;
mod header;
mod job;
mod playing;
mod reader;
mod record;
mod settings;
mod tally;

pub use file::DataFile;
pub use header::Header;
pub use job::{JobError, run};
pub use reader::{DataError, Games, is_file_of_games, read};
pub use record::{Kind, Played, PlayedStep, ReplayedStep};
pub use settings::Settings;
pub use tally::Tally;
