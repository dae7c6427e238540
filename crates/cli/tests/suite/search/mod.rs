//! The cost of a search to its process: memory, and processor time for pondering.

mod memory;
mod pondering;
