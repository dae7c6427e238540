//! Helpers shared by the tests: the binary behind pipes, transcripts, scripts for Node.

use std::path::{Path, PathBuf};

pub(crate) mod client;
pub(crate) mod node;
pub(crate) mod transcript;

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli").to_owned()
}
