//! The settings of a server.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use pontifex::engine::Options;
use pontifex_tournament::EngineSpec;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 picks a free one.
    pub port: u16,
    /// Host names to accept besides its address and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// The folder of the sessions' files.
    pub data: PathBuf,
    /// Engines to choose from, besides the built-in one.
    pub engines: Vec<EngineSpec>,
    /// Options of the built-in engine; `search.threads` and `search.memory` are
    /// shared by all sessions.
    pub options: Options,
    /// A connection that sends no complete request head for this long is
    /// closed, and one that takes nothing of an answer for twice as long.
    pub request_timeout: Duration,
}

impl Settings {
    /// The usual [`Settings::request_timeout`].
    pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

    /// Whether the server is for this machine alone. Other servers do not list
    /// their games: whoever knows a game's id may play in it.
    pub(super) fn is_private(&self) -> bool {
        self.address.is_loopback() && self.allowed_hosts.is_empty()
    }
}

/// The built-in engine's name where players are chosen.
pub const BUILT_IN: &str = pontifex_play::BUILT_IN;
