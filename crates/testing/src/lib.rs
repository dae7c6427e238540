//! What the tests of several crates share.

pub mod damage;
pub mod random_games;
pub mod reference_rules;
pub mod scripts;
