//! Single points, the purposes of moves, and the review of whole games. What the
//! engine thinks of a position is an [`Analysis`].

pub(crate) mod points;
mod purpose;
pub mod review;

pub use crate::engine::Analysis;
pub use purpose::{Aim, Part, Purpose, Target, purposes, reasons};
