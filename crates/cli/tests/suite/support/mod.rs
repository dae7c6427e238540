//! Helpers of several tests: the binary behind pipes, transcripts, random games,
//! a second implementation of the rules, scripts for Node.

pub(crate) mod client;
pub(crate) mod node;
pub(crate) mod random_games;
pub(crate) mod reference_rules;
pub(crate) mod scripts;
pub(crate) mod transcript;
