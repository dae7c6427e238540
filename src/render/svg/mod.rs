//! Boards as SVG.

mod board;
mod candidates;
mod draw;
mod layout;
mod picture;
mod sheet;

pub use picture::{Candidate, Picture};
