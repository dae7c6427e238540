//! Tests of the module `eval`.

mod linear;
