//! What a search costs a process: memory, and the time of pondering.

mod memory;
mod pondering;
