//! `pontifex serve` and `pontifex site`: the board in a web browser, from a server or as files that
//! need none.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::{ArgMatches, Args};
use directories::ProjectDirs;

use super::exit::defer_interrupt;
use super::exit::{INTERRUPTED, UsageError};
use super::named_files::print;
use super::options::SERVE;
use pontifex::messages::tell;
use pontifex_serve::{BUILT_IN, ENGINE_IS_OLD, RESERVED, Settings, serve, url, write_site};
use pontifex_tournament::{EngineCommand, EngineSpec, ProcessGroups};

/// The board in a web browser, on this machine
///
/// Prints the address of the page. Games are saved: they survive a reload of the page and a restart
/// of the server. Ctrl-C ends it.
///
/// Only --address lets other machines reach it, and each host name they use needs --allow-host.
/// There are no passwords: whoever knows a game's address can play in it.
#[derive(Args, Debug)]
#[command(args = SERVE.args())]
pub(super) struct Serve {
    /// Port to listen on; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Address to listen on; 0.0.0.0 is every address of this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// A host name to accept, besides the address and localhost; repeatable
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Folder for the games [default: in the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// An engine to choose as a player: 'name=A cmd="./a gtp" dir=. param.threads=1'; repeatable
    #[arg(long, value_name = "SPEC")]
    engine: Vec<EngineSpec>,
}

/// Polling interval for interrupts, whose handler cannot wake a task. Set by judgement: nobody
/// notices a twentieth of a second.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Serve {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let settings = Settings {
            address: self.address,
            port: self.port,
            allowed_hosts: self.allow_host,
            data: self.data.map_or_else(default_folder, Ok)?,
            engines: check_engines(self.engine)?,
            options: SERVE.resolve(matches)?.options,
            request_timeout: Settings::REQUEST_TIMEOUT,
        };
        let groups = ProcessGroups::default();
        let interrupt = defer_interrupt(&groups, "saving the games");
        let opens_browser = self.open;
        let ready = move |address| {
            let page_url = url(address);
            let _ = writeln!(io::stdout(), "{page_url}");
            let _ = io::stdout().flush();
            if opens_browser && let Err(error) = open::that_detached(&page_url) {
                tell(format_args!("no browser can be started: {error}"));
            }
        };
        let result =
            serve(settings, groups.clone(), Box::new(ready), Box::pin(wait_for_stop(interrupt)));
        groups.kill_all();
        result?;
        let is_interrupted = interrupt.load(Ordering::Relaxed);
        Ok(ExitCode::from(if is_interrupted { INTERRUPTED as u8 } else { 0 }))
    }
}

/// Waits for an interrupt or a termination signal.
async fn wait_for_stop(interrupt: &AtomicBool) {
    let interrupted = async {
        while !interrupt.load(Ordering::Relaxed) {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    };
    tokio::select! {
        () = interrupted => {}
        () = wait_for_sigterm() => {}
    }
}

#[cfg(unix)]
async fn wait_for_sigterm() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        // Without a handler the signal ends the process by itself.
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn wait_for_sigterm() {
    std::future::pending().await
}

/// The default folder for the games.
fn default_folder() -> anyhow::Result<PathBuf> {
    let folders = ProjectDirs::from("", "", "pontifex")
        .context("there is no home folder for the games; --data DIR says where they are kept")?;
    Ok(folders.data_dir().join("sessions"))
}

/// Checks that the engines have distinct names and existing files.
fn check_engines(engines: Vec<EngineSpec>) -> Result<Vec<EngineSpec>, UsageError> {
    let mut names = RESERVED.to_vec();
    for spec in &engines {
        if names.contains(&spec.name.as_str()) {
            let text =
                format!("--engine: the name '{}' is taken, name=... gives another", spec.name);
            return Err(UsageError(text));
        }
        if spec.command == EngineCommand::Builtin {
            let text = format!("--engine: cmd=builtin is there already, as {BUILT_IN}");
            return Err(UsageError(text));
        }
        names.push(&spec.name);
        spec.check_path().map_err(|error| UsageError(format!("--engine: {error}")))?;
    }
    Ok(engines)
}

/// Write the board with the engine inside, as files for any web host
///
/// The page runs without a server: the engine is in it as WebAssembly, games stay in the browser,
/// and after the first visit it works without a network. The files may lie in any folder of a web
/// host; see docs/site.md.
#[derive(Args, Debug)]
pub(super) struct Site {
    /// The folder to write to; made if it is not there, older files in it are replaced
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
