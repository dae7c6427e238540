//! Tests of the module `gtp`.

mod frame;
