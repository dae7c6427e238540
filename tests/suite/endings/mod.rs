//! The solver of exact endings is right: against brute force.

mod brute;
pub(crate) mod file;
mod small;
mod tiny_boards;
