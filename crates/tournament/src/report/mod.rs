//! Reports of a tournament's results: text and JSON.

mod align;
mod crosstable;
mod json;
mod text;

pub use crate::statistics::elo::signed;
pub use align::align;
pub use crosstable::crosstable;
pub use json::to_json;
pub use text::to_text;
