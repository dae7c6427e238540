use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::options::EngineOptions;
use crate::gtp::{Session, TrafficLog, run};

/// The engine on stdin and stdout, for controllers and by hand
#[derive(Args, Debug)]
pub(super) struct Gtp {
    /// Write all traffic to the end of FILE, with the time of every line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Moves are single points from the start, as GoGui's window makes them
    #[arg(long)]
    points: bool,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Gtp {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut session = Session::new(self.engine.resolve()?);
        session.set_points(self.points);
        let open = |path: PathBuf| {
            TrafficLog::open(&path).with_context(|| format!("cannot write {}", path.display()))
        };
        let log = self.log.map(open).transpose()?;
        if io::stdin().is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "pontifex {}, an engine for Ponte del Diavolo, listens for GTP commands.\n\
                 Type showboard, genmove w or list_commands; quit ends it.",
                env!("CARGO_PKG_VERSION")
            );
        }
        let input = BufReader::new(io::stdin());
        run(&mut session, input, io::stdout(), log).context("cannot write to stdout")
    }
}
