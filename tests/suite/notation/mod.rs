//! Positions and records as text, and back; the board for people to look at;
//! `convert`.

mod boardspace;
mod convert;
mod errors;
mod files;
mod fuzz;
mod games;
mod positions;
mod records;
mod render;
