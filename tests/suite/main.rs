//! The integration tests of the engine, in one binary: one module per subject. `unit` has the tests
//! of single modules through their public items.

mod endings;
mod framing;
mod hashes;
mod hints;
mod illegal;
mod linear;
mod notation;
mod perft;
mod play;
mod properties;
mod reasons;
mod reference;
mod refusals;
mod registries;
mod search;
mod small_boards;
mod tactics;
mod unit;
mod vectors;
