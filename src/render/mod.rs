//! A board for people to look at.

mod text;

pub use text::text;
