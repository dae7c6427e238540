//! Boards as text, SVG and PNG.

mod png;
mod svg;
mod text;

pub use png::{PngError, png};
pub use svg::{Candidate, Picture};
pub use text::{Mark, marked, text};
pub(crate) use text::{color_name, count, turn_line};
