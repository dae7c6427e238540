//! Places for connections: how many the server has, and how many one address may take.
//!
//! A connection costs a task, a socket and some kilobytes, and a WebSocket lasts for hours.
//! Without limits one program could take all sockets of the process. A limit for each
//! address keeps a single peer from locking everybody else out. A peer without a place gets
//! an answer that says so and when to try again.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// The most connections at a time, each `WebSocket` included. Chosen: well below the 1024 open
/// files that systems usually allow a process, which also needs files for games and engines.
const MAX_CONNECTIONS: usize = 400;

/// The most connections from one address. Chosen: a browser opens six at a time, and one more
/// for each tab, and several people may share an address.
const MAX_FROM_ONE_ADDRESS: usize = 64;

/// The most refused connections that are still open. Chosen: they hold sockets too, and
/// nothing obliges the peer to close them.
const MAX_REFUSED: usize = 128;

/// The places for connections. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    /// The number of connections from each address.
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// Whether many people may come from this machine's own address.
    has_proxy: bool,
}

/// A place for one connection, free again once it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: Connections,
    address: IpAddr,
}

impl Connections {
    /// With `has_proxy`, connections from this machine are exempt from the limit per address:
    /// a proxy may be forwarding many people.
    pub(super) fn new(has_proxy: bool) -> Connections {
        Connections { taken: Arc::default(), has_proxy }
    }

    /// A place for a connection from `ip`; `None` if all are taken, or as many as
    /// one address may have.
    pub(super) fn place(&self, ip: IpAddr) -> Option<Place> {
        let address = network_of(ip);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        // At most MAX_CONNECTIONS addresses, so the sum is cheap.
        let all: usize = taken.values().sum();
        let is_proxy = self.has_proxy && address.is_loopback();
        let own = taken.get(&address).copied().unwrap_or(0);
        if all >= MAX_CONNECTIONS || (own >= MAX_FROM_ONE_ADDRESS && !is_proxy) {
            return None;
        }
        taken.insert(address, own + 1);
        Some(Place { connections: self.clone(), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.connections.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
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
pub(super) struct Refused(VecDeque<AbortHandle>);

impl Refused {
    /// Answers that there are too many connections. The connection stays open until the client
    /// has closed it, for `close_timeout` at most: closing it while a request is under way would
    /// reset it and discard the answer. If too many such connections are open, the oldest are
    /// closed first.
    pub(super) fn refuse(&mut self, stream: TcpStream, close_timeout: Duration) {
        let task = tokio::spawn(async move {
            let _ = timeout(close_timeout, answer(stream)).await;
        });
        self.0.retain(|task| !task.is_finished());
        self.0.push_back(task.abort_handle());
        let surplus = self.0.len().saturating_sub(MAX_REFUSED);
        for oldest in self.0.drain(..surplus) {
            oldest.abort();
        }
    }
}

async fn answer(mut stream: TcpStream) -> io::Result<()> {
    const BODY: &str = r#"{"error":"too many connections; try again in a while"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n\
         Retry-After: 10\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Until the peer has closed its side too; what it sends is dropped.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn no_address_takes_all_places() {
        let connections = Connections::new(false);
        let take = |connections: &Connections, address: &str| -> Vec<Place> {
            std::iter::from_fn(|| connections.place(ip(address))).collect()
        };
        let mut held = Vec::new();
        for (address, count) in [
            ("127.0.0.1", 64),
            ("192.0.2.7", 64),
            // Two addresses of one network, and one written in another way.
            ("2001:db8::1", 64),
            ("2001:db8::2", 0),
            ("::ffff:192.0.2.7", 0),
            ("::1", 64),
            ("2001:db8:0:1::1", 64),
            ("192.0.2.8", 64),
            ("192.0.2.9", 16),
            ("192.0.2.10", 0),
        ] {
            let places = take(&connections, address);
            assert_eq!(places.len(), count, "{address}");
            held.extend(places);
        }
        assert_eq!(held.len(), MAX_CONNECTIONS);
        held.truncate(10);
        assert_eq!(take(&connections, "127.0.0.1").len(), 54);
        drop(held);
        assert!(connections.taken.lock().unwrap().is_empty());
        let proxied = Connections::new(true);
        let through_proxy = take(&proxied, "127.0.0.1");
        assert_eq!(through_proxy.len(), MAX_CONNECTIONS);
    }
}
