use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Arguments;

/// Print a script that completes pontifex's arguments in a shell
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<()> {
        // Written at once: the generator panics when nobody reads.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "pontifex", &mut script);
        Ok(io::stdout().write_all(&script)?)
    }
}
