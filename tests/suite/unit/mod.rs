//! Tests of single modules through their public items.

mod analysis;
mod board;
mod clock;
mod engine;
mod eval;
mod game;
mod gtp;
mod notation;
mod search;
