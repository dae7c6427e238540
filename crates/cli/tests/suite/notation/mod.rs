//! Records that the program reads and writes.

mod convert;
mod texts;
