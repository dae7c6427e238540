//! Tests of the module `engine`.

mod analysis;
mod params;
