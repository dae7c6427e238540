//! Tests of the module `engine`.

mod analysis;
mod options;
mod params;
