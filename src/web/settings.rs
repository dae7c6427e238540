use std::net::IpAddr;
use std::path::PathBuf;

use crate::engine::Options;
use crate::tournament::EngineSpec;

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub address: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// Names under which it may be asked besides its address and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// The folder of the sessions' files.
    pub data: PathBuf,
    /// Engines to choose from, besides this one.
    pub engines: Vec<EngineSpec>,
    /// What this engine plays with: `search.threads` and `search.memory` are
    /// for all sessions together.
    pub options: Options,
}

impl Settings {
    /// Whether the server is for this machine alone. Only then it tells which
    /// games there are: elsewhere whoever plays knows his own.
    pub(super) fn is_private(&self) -> bool {
        self.address.is_loopback() && self.allowed_hosts.is_empty()
    }
}

/// What this engine is called where players are chosen.
pub const BUILT_IN: &str = "pontifex";
