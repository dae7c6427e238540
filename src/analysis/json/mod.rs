//! Analyses as JSON. The building blocks (`parts`, [`rounded`]) serve every
//! form: the responses of `engine-json`, [`PositionAnalysis`] and the messages
//! of the page.
//!
//! [`PositionAnalysis`]: super::PositionAnalysis

mod number;
mod parts;

pub use number::rounded;
pub use parts::{move_info, root_info, solved, winner};
