//! Values that several formats write in the same way, and the words of their
//! error messages.

use crate::board::Size;

pub(super) const SIZE: &str = "a board size from 4 to 12";
pub(super) const SUPPLY: &str = "a supply: standard, unlimited or TILES,BRIDGES, as in 40,15";
pub(super) const SWITCH: &str = "on or off";
pub(super) const RESULT: &str =
    "a result: W+5, R+i1, W+b2, 0, W+R (resigned), R+T (time), W+F (forfeit), W+ or Void";

/// Parses a board size.
pub(super) fn size(text: &str) -> Option<Size> {
    Size::new(text.parse().ok()?).ok()
}

/// Parses `on` or `off`.
pub(super) fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Whether a text leaves the result open.
pub(super) fn is_open_result(text: &str) -> bool {
    matches!(text.trim(), "" | "?")
}
