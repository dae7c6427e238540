//! Text to moves, positions and records, and back.
//!
//! A [`Record`] is a game that was written down in one of the [`Format`]s, each
//! of which has its own module. For position texts see
//! [`Setup::parse`](crate::game::Setup::parse) and the `Display` of setups and
//! positions.

pub mod abstractplay;
pub mod move_list;
pub mod sgf;

mod format;
mod moves;
mod parse;
mod position;
mod record;
mod result;
mod source;
mod text;
mod value;

pub use abstractplay::AbstractPlayError;
pub use format::{Format, ParseFormatError};
pub use move_list::MoveListError;
pub use moves::{ParseMoveError, parse_moves};
pub use parse::RecordError;
pub use position::ParsePositionError;
pub use record::{Aside, Assumed, Record, RecordedMove, ReplayError, Tag};
pub use result::{GameResult, ParseResultError, WonBy};
pub use sgf::SgfError;
pub use source::Spot;
#[doc(hidden)]
pub use source::normalize;
#[doc(hidden)]
pub use text::{MAX_LINE, plain_text, read_line, without_mark};
pub use text::{Text, Warning};
