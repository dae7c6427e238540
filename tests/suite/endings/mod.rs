//! The exact solver against brute force.

mod brute;
pub(crate) mod file;
mod small;
mod tiny_boards;
