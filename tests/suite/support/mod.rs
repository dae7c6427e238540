//! Helpers of several tests: the binary behind pipes, transcripts, random games.

pub(crate) mod client;
pub(crate) mod random_games;
pub(crate) mod scripts;
pub(crate) mod transcript;
