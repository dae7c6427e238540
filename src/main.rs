//! pontifex
fn main() {}
