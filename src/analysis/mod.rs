//! The engine's analysis of a position, its JSON forms, and the review of
//! whole games.

pub mod json;
pub(crate) mod points;
mod purpose;
pub mod review;

pub use json::{MoveAnalysis, PositionAnalysis, RootInfo};
pub use purpose::{Aim, Part, Purpose, Target, purposes, reasons};
