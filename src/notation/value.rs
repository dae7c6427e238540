//! Values that several formats write the same way, and how their errors name
//! what is allowed.

use crate::board::Size;

pub(super) const SIZE: &str = "a board size from 4 to 12";
pub(super) const SUPPLY: &str = "a supply: standard, unlimited or TILES,BRIDGES, as in 40,15";
pub(super) const SWITCH: &str = "on or off";
pub(super) const RESULT: &str =
    "a result: W+5, R+i1, W+b2, 0, W+R (resigned), R+T (time), W+F (forfeit), W+ or Void";

/// A board's edge length.
pub(super) fn size(text: &str) -> Option<Size> {
    Size::new(text.parse().ok()?).ok()
}

/// `on` or `off`.
pub(super) fn switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Whether a result is left open, in words or without.
pub(super) fn is_open_result(text: &str) -> bool {
    matches!(text.trim(), "" | "?")
}
