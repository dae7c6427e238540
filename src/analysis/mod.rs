//! Single points, the purposes of moves, and the review of whole games. An [`Analysis`] is what the
//! engine thinks of a position.

pub(crate) mod points;
mod purpose;
pub mod review;

pub use crate::engine::Analysis;
pub use purpose::{Aim, Part, Purpose, Target, purposes, reasons};
