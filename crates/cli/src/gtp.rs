//! `pontifex gtp`.

use std::io::{self, BufReader, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::exit;
use super::options::EngineOptions;
use pontifex::gtp::{Session, TrafficLog, run};

/// Run the engine on stdin and stdout, for controllers or by hand
#[derive(Args, Debug)]
pub(super) struct Gtp {
    /// Append all traffic to FILE, with the time of each line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Use single-point moves from the start, for GoGui and Sabaki; the pie rule
    /// is then off unless --pie on is given
    #[arg(long)]
    points: bool,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Gtp {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut options = self.engine.resolve()?;
        // After a swap, such controllers ask the wrong player for Red's move.
        options.rules.pie &= !self.points || self.engine.gives("pie")?;
        let mut session = Session::new(options);
        session.set_points(self.points);
        let open = |path: PathBuf| {
            TrafficLog::open(&path).with_context(|| format!("cannot write {}", path.display()))
        };
        let log = self.log.map(open).transpose()?;
        if io::stdin().is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "pontifex {}, an engine for Ponte del Diavolo. Enter GTP commands, for example\n\
                 showboard, genmove w or list_commands; quit ends the session.",
                env!("CARGO_PKG_VERSION")
            );
        }
        exit::end_unread();
        let input = BufReader::new(io::stdin());
        run(&mut session, input, io::stdout(), log).context("cannot write to stdout")
    }
}
