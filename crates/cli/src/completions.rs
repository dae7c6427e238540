//! `pontifex completions`.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script for the arguments of `command`.
    pub(super) fn run(self, mut command: Command) -> anyhow::Result<()> {
        // Not to stdout directly: the generator panics on a closed pipe.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "pontifex", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
