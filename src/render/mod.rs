//! Boards as text, SVG and PNG.

mod candidates;
mod draw;
mod picture;
mod png;
mod text;

pub use picture::{Candidate, Picture};
pub use png::{PngError, png};
pub use text::{Mark, marked, text};
pub(crate) use text::{color_name, count, turn_line};
