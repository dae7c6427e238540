//! pontifex: rules, search and protocol for Ponte del Diavolo.
pub mod board;
pub mod game;
pub mod notation;
