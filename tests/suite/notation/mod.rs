//! Positions and records as text, and the subcommand `convert`.

mod boardspace;
mod errors;
mod files;
mod fuzz;
mod games;
mod points;
mod positions;
mod records;
mod render;
