//! Openings for matches, as text: one per line, its moves separated by white
//! space; `#` begins a comment.
//!
//! ```text
//! # board: 10
//! d4,e6 c3,g6 f4,g8  # 0.512
//! e5,f7 d4,g4
//! ```
//!
//! White moves first and the pie rule is off, because each opening is played
//! with both colours. A comment `# board: N` before the first opening names the
//! board; on any other board the openings are refused.
//!
//! [`SuiteMaker`] makes such files for matches. [`FirstMaker`] makes first placements for the pie
//! rule, and [`ExplorerMaker`] counts how games begin. All three judge positions alike, by two
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
pub use text::{OpeningProblem, OpeningsError, default_openings, line, parse, read};
