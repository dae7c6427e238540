//! pontifex: rules, search and protocol for Ponte del Diavolo.
pub mod arena;
pub mod board;
pub mod engine;
pub mod eval;
pub mod game;
pub mod notation;
pub mod search;
