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
mod position;
mod record;
mod text;
mod value;

pub use abstractplay::AbstractPlayError;
pub use format::{Format, ParseFormatError, RecordError};
pub use move_list::MoveListError;
pub use moves::{ParseMoveError, parse_moves};
pub use position::ParsePositionError;
pub use record::{Aside, Assumed, Record, RecordedMove, ReplayError, Tag};
pub use sgf::SgfError;
pub(crate) use text::plain_text;
#[doc(hidden)]
pub use text::{MAX_LINE, normalize, read_line, without_mark};
pub use text::{Spot, Text, Warning};
pub use value::{GameResult, ParseResultError, WonBy};
