//! What the engine says about moves and games beyond a search: why a move is good ([`purposes`]), and
//! the review of a game ([`review`]). `points` writes moves as single points for GoGui. An
//! [`Analysis`] is what a search says of a position.

pub(crate) mod points;
mod purpose;
pub mod review;

pub use crate::engine::Analysis;
pub use purpose::{Aim, Part, Purpose, Target, purposes, reasons};
