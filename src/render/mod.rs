//! Boards as text, SVG and PNG.
//!
//! [`text()`] is for terminals and [`Picture::to_svg`] for pages and files. [`png()`] makes pixels
//! of an SVG picture, so that no picture is drawn in two ways.

mod candidates;
mod draw;
mod picture;
mod png;
mod text;

pub use picture::{Candidate, Picture};
pub use png::{PngError, png};
pub use text::{Mark, marked, text};
pub(crate) use text::{color_name, count, turn_line};
