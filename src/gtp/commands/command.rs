//! What an entry of the command table is.

use crate::gtp::args::Args;
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;
use crate::gtp::stream::Stream;

/// A command: its usage and the function that runs it.
#[derive(Debug)]
pub(in crate::gtp) struct Command {
    /// The name and the arguments, for example `play COLOR MOVE`.
    pub(in crate::gtp) usage: &'static str,
    /// The function that runs it. A command that fails changes nothing.
    pub(in crate::gtp) run: Run,
}

/// How a command answers.
#[derive(Debug)]
pub(in crate::gtp) enum Run {
    /// With one text.
    Answer(fn(&mut Session, Args) -> Result<String, CommandError>),
    /// Line by line, while it runs.
    Stream(fn(&mut Session, Args, &mut Stream<'_>) -> Result<(), CommandError>),
}

impl Command {
    /// The name: the first word of the usage.
    pub(in crate::gtp) fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}
