//! Tests of the module `engine`.

mod params;
