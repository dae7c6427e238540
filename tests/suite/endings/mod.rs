//! The exact solver against brute force.

pub(crate) mod file;
mod small;
mod tiny_boards;
