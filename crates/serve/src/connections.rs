//! Permits for connections: how many the server gives out, and how many one address may hold.
//!
//! A connection costs a task, a socket and some kilobytes, and a WebSocket lasts for hours. Without
//! limits one program could take all sockets of the process. A limit per address keeps a single
//! peer from locking everybody else out. A peer without a permit gets an error that says when to
//! retry.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// The most connections at a time, each WebSocket included. Set by judgement: well below the 1024
/// open files that systems usually allow a process, which also needs files for games and engines.
const MAX_CONNECTIONS: usize = 400;

/// The most connections from one address. Set by judgement: a browser opens six at a time, and one
/// more for each tab, and several people may share an address.
const MAX_FROM_ONE_ADDRESS: usize = 64;

/// The most refused connections that are still open. Set by judgement: they hold sockets too, and
/// nothing obliges the peer to close them.
const MAX_REFUSED: usize = 128;

/// The permits for connections. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    /// The number of connections from each address.
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// Whether a proxy on this machine may forward the connections of many people.
    has_proxy: bool,
}

/// The permission for one connection, returned when dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    connections: Connections,
    address: IpAddr,
}

impl Connections {
    /// Counts no connection yet. With `has_proxy`, connections from this machine are exempt from
    /// the limit per address: a proxy may be forwarding many people.
    pub(super) fn new(has_proxy: bool) -> Connections {
        Connections { counts: Arc::default(), has_proxy }
    }

    /// Acquires a permit for a connection from `ip`; `None` if all are in use, or as many as one
    /// address may hold.
    pub(super) fn try_acquire(&self, ip: IpAddr) -> Option<ConnectionPermit> {
        let address = network_of(ip);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        // At most MAX_CONNECTIONS addresses, so the sum is cheap.
        let total: usize = counts.values().sum();
        let is_proxy = self.has_proxy && address.is_loopback();
        let from_address = counts.get(&address).copied().unwrap_or(0);
        if total >= MAX_CONNECTIONS || (from_address >= MAX_FROM_ONE_ADDRESS && !is_proxy) {
            return None;
        }
        counts.insert(address, from_address + 1);
        Some(ConnectionPermit { connections: self.clone(), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.connections.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// The unit that the limit per address counts: an IPv4 address, or an IPv6 network of 64 bits,
/// since one machine can use every address in it.
fn network_of(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) if !ip.is_loopback() => {
            let [a, b, c, d, ..] = ip.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        ip => ip,
    }
}

/// Connections that were refused and are still open, the oldest first.
#[derive(Debug, Default)]
pub(super) struct RefusedConnections(VecDeque<AbortHandle>);

impl RefusedConnections {
    /// Answers that there are too many connections. The connection stays open until the client has
    /// closed it, for `close_timeout` at most: closing it while a request is under way would reset
    /// it and discard the answer. If too many such connections are open, the oldest are closed
    /// first.
    pub(super) fn refuse(&mut self, stream: TcpStream, close_timeout: Duration) {
        let task = tokio::spawn(async move {
            let _ = timeout(close_timeout, send_refusal(stream)).await;
        });
        self.0.retain(|task| !task.is_finished());
        self.0.push_back(task.abort_handle());
        let surplus = self.0.len().saturating_sub(MAX_REFUSED);
        for oldest in self.0.drain(..surplus) {
            oldest.abort();
        }
    }
}

async fn send_refusal(mut stream: TcpStream) -> io::Result<()> {
    const BODY: &str = r#"{"error":"too many connections; try again in a while"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n\
         Retry-After: 10\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Reads until the peer closes its side, too, and discards what it sends.
    let mut buffer = [0; 1024];
    while stream.read(&mut buffer).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn no_address_takes_all_permits() {
        let connections = Connections::new(false);
        let acquire_all = |connections: &Connections, address: &str| -> Vec<ConnectionPermit> {
            std::iter::from_fn(|| connections.try_acquire(ip(address))).collect()
        };
        let mut permits_held = Vec::new();
        for (address, count) in [
            ("127.0.0.1", 64),
            ("192.0.2.7", 64),
            // Two addresses of one network, and an IPv4 address written as IPv6.
            ("2001:db8::1", 64),
            ("2001:db8::2", 0),
            ("::ffff:192.0.2.7", 0),
            ("::1", 64),
            ("2001:db8:0:1::1", 64),
            ("192.0.2.8", 64),
            ("192.0.2.9", 16),
            ("192.0.2.10", 0),
        ] {
            let permits = acquire_all(&connections, address);
            assert_eq!(permits.len(), count, "{address}");
            permits_held.extend(permits);
        }
        assert_eq!(permits_held.len(), MAX_CONNECTIONS);
        permits_held.truncate(10);
        assert_eq!(acquire_all(&connections, "127.0.0.1").len(), 54);
        drop(permits_held);
        assert!(connections.counts.lock().unwrap().is_empty());
        let proxied = Connections::new(true);
        let through_proxy = acquire_all(&proxied, "127.0.0.1");
        assert_eq!(through_proxy.len(), MAX_CONNECTIONS);
    }
}
