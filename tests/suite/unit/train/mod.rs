//! Tests of the module `train`.

mod fit;
