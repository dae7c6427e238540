use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use directories::ProjectDirs;

use super::exit::{INTERRUPTED, UsageError};
use super::interrupt::ask_first;
use super::options::ServeOptions;
use crate::tournament::{EngineCommand, EngineSpec, ProcessGroups};
use crate::web::{BUILT_IN, Settings, serve, url};

/// The board in a web browser, on this machine
///
/// Prints the address of the page. Games are kept: they are there again after
/// a reload of the page and a restart of the server. Ctrl-C ends it.
///
/// Others can reach it only with --address, and need --allow-host for every
/// name they reach it by. It has no passwords: whoever knows a game's address
/// can play in it.
#[derive(Args, Debug)]
pub(super) struct Serve {
    /// Port to listen at; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Address to listen at; 0.0.0.0 is every one of this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// A name that leads to this server, besides its address and localhost;
    /// may be given several times
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Show the page in the browser
    #[arg(long)]
    open: bool,
    /// Folder for the games [default: the system's place for a user's data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// An engine to choose as player: 'name=A cmd="./a gtp" dir=.
    /// param.threads=1'; may be given several times
    #[arg(long, value_name = "SPEC")]
    engine: Vec<EngineSpec>,
    #[command(flatten)]
    options: ServeOptions,
}

/// How often it is looked whether an interrupt has come.
const GLANCE: Duration = Duration::from_millis(50);

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let settings = Settings {
            address: self.address,
            port: self.port,
            allowed_hosts: self.allow_host,
            data: self.data.map_or_else(usual_folder, Ok)?,
            engines: checked(self.engine)?,
            options: self.options.resolve()?,
        };
        let groups = ProcessGroups::default();
        let interrupt = ask_first(&groups, "saving the games");
        let is_shown = self.open;
        let ready = |address| {
            let url = url(address);
            let _ = writeln!(io::stdout(), "{url}");
            let _ = io::stdout().flush();
            if is_shown && let Err(error) = open::that_detached(&url) {
                let _ = writeln!(io::stderr(), "pontifex: no browser can be started: {error}");
            }
        };
        let served = serve(settings, groups.clone(), ready, stopped(interrupt));
        groups.kill_all();
        served?;
        let is_interrupted = interrupt.load(Ordering::Relaxed);
        Ok(ExitCode::from(if is_interrupted { INTERRUPTED as u8 } else { 0 }))
    }
}

/// Waits for an interrupt, or for the system to ask for the end.
async fn stopped(interrupt: &AtomicBool) {
    let interrupted = async {
        while !interrupt.load(Ordering::Relaxed) {
            tokio::time::sleep(GLANCE).await;
        }
    };
    tokio::select! {
        () = interrupted => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

/// Where the games are when nothing else is said.
fn usual_folder() -> anyhow::Result<PathBuf> {
    let folders = ProjectDirs::from("", "", "pontifex")
        .context("there is no home folder for the games; --data DIR says where they are kept")?;
    Ok(folders.data_dir().join("sessions"))
}

/// The engines, all of them with names of their own and there to be started.
fn checked(engines: Vec<EngineSpec>) -> Result<Vec<EngineSpec>, UsageError> {
    let mut names = vec![BUILT_IN, "human"];
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
