//! Openings for matches, as text: one per line, its moves separated by white space; `#` begins a
//! comment.
//!
//! ```text
//! # board: 10
//! d4,e6 c3,g6 f4,g8  # 0.512
//! e5,f7 d4,g4
//! ```
//!
//! White moves first. The pie rule is off, because each opening is played with both colours anyway.
//! A comment `# board: N` above the first opening names the board, and the openings are refused on
//! any other board.
//!
//! [`SuiteMaker`] makes such files for matches. [`FirstMaker`] makes first placements for the pie
//! rule. [`ExplorerMaker`] counts how games begin. All three evaluate a position by the mean of two
//! searches, and treat positions that are equal under [symmetry](Canonical) as one.

mod candidate;
mod explorer;
mod first;
mod suite;
pub(super) mod text;

pub use candidate::Canonical;
pub use explorer::{Beginning, Explorer, ExplorerMaker, Extent};
pub use first::FirstMaker;
pub use suite::{MakeError, SuiteMaker};
pub use text::{OpeningProblem, OpeningsError, default_openings, format_opening, parse, read};
