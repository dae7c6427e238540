//! pontifex: rules, search and protocol for Ponte del Diavolo.
pub mod analysis;
pub mod board;
pub mod cli;
pub mod clock;
pub mod engine;
pub mod eval;
pub mod game;
pub mod gtp;
pub mod json;
pub mod notation;
pub mod render;
pub mod search;
pub mod tournament;
pub mod train;
#[cfg(feature = "web")]
pub mod web;
