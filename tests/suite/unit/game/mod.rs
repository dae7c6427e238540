//! Tests of the module `game`.

mod illegal;
mod score;
mod value;
