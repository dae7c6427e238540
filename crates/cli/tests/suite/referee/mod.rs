//! One game between two engines: correct ones, external ones, and engines that fail in every way.

mod check;
pub(crate) mod engines;
mod failures;
mod games;
pub(crate) mod orphans;
