//! Text to moves, positions and records, and back.
//!
//! A [`Record`] is a game that was written down in one of the [`FORMATS`]: SGF, Abstract Play's
//! JSON, move lists, positions. Each format has its own module, and [`Record::read`] detects it.
//! For position texts see [`Setup::parse`](crate::game::Setup::parse) and the `Display` of setups
//! and positions.
//!
//! Readers are lenient and writers strict. A damaged text is read with a [`Warning`] if its meaning
//! is clear. Written text is exact: reading it again gives the same record as far as the format can
//! express it. Readers do not check moves: an illegal one is found when the record is replayed.

pub mod abstractplay;
pub mod move_list;
pub mod position;
pub mod sgf;

mod error;
mod format;
mod moves;
mod record;
mod text;
mod value;

pub use error::{Problem, RecordError};
pub use format::{FORMATS, Format, UnknownFormat};
pub use moves::{ParseMoveError, parse_moves};
pub use position::ParsePositionError;
pub use record::{DefaultRules, Record, RecordedMove, ReplayError, Tag, VariationMove};
pub(crate) use text::plain_text;
#[doc(hidden)]
pub use text::{MAX_LINE, normalize, read_line, without_mark};
pub use text::{Spot, Text, Warning};
pub use value::{GameResult, ParseResultError, WonBy};
