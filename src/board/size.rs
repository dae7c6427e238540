//! Board sizes.

use std::fmt;

use thiserror::Error;

/// The edge length of a square board, 4 to 12 cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(u8);

/// The number is not a board size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("board size {0} is outside 4..12")]
pub struct SizeError(
    /// The number.
    pub u64,
);

impl Size {
    /// The smallest board.
    pub const MIN: Size = Size(4);
    /// The largest board, the published large one.
    pub const MAX: Size = Size(12);
    /// The published board.
    pub const STANDARD: Size = Size(10);

    /// The size with edges of `n` cells.
    ///
    /// # Errors
    /// [`SizeError`] if `n` is outside 4..=12.
    pub const fn new(n: u64) -> Result<Size, SizeError> {
        if n < Self::MIN.0 as u64 || n > Self::MAX.0 as u64 {
            return Err(SizeError(n));
        }
        Ok(Size(n as u8))
    }

    /// The edge length in cells.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// All sizes, smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Size> {
        (Self::MIN.0..=Self::MAX.0).map(Size)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
