//! Tests of the module `gtp`.

mod frame;
mod session;
