//! One game between two engines: good ones, foreign ones, and all that can go
//! wrong with bad ones.

mod check;
pub(crate) mod engines;
mod failures;
mod games;
mod orphans;
