//! Reports of a tournament's results: text and JSON.

mod crosstable;
mod json;
mod text;

pub use crosstable::crosstable;
pub use json::to_json;
pub use text::to_text;
