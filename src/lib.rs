//! pontifex: rules, search and protocol for Ponte del Diavolo.
pub mod arena;
pub mod board;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod game;
pub mod gtp;
pub mod json;
pub mod notation;
pub mod render;
pub mod review;
pub mod search;
pub mod train;
#[cfg(feature = "web")]
pub mod web;
