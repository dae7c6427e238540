//! Tests of the module `search`.

mod explore;
mod params;
mod searcher;
