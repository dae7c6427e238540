//! `pontifex site`: the static site.

use std::path::PathBuf;

use clap::Args;

use super::named_files::print;
use pontifex::messages::tell;
use pontifex_serve::{ENGINE_IS_OLD, write_site};

/// Write the board with the engine inside, as files for any web space
///
/// The page runs without a server: the engine is in it as WebAssembly, games
/// stay in the browser, and after the first visit it works without a network.
/// The files may lie in any folder of a web space; see docs/site.md.
#[derive(Args, Debug)]
pub(super) struct Site {
    /// The folder to write to; made if it is not there, older files in it are
    /// replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Site {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let (files, bytes) = write_site(&self.folder)?;
        if ENGINE_IS_OLD {
            tell(
                "the engine for browsers was built from other sources than this program: run \
                 'node wasm/build.mjs' in the repository, then build pontifex again",
            );
        }
        let size = bytes as f64 / 1e6;
        print(format!("{}: {files} files, {size:.1} MB\n", self.folder.display()).as_bytes())
    }
}
