//! Tests of the module `board`.

mod cell;
mod cells;
mod geometry;
mod site;
mod sites;
