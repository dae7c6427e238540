//! The server: connections, an orderly shutdown, and the places for
//! connections. Their number is bounded, and of these each address has a share.
//! A client without a place gets an answer that says so.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use pontifex_tournament::ProcessGroups;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{interval, timeout};
use tokio_io_timeout::TimeoutStream;

use super::app::AppState;
use super::app::Settings;
use super::guard::Names;
use super::routes::{Held, router};
use super::sessions::{MAX_SESSIONS, Sessions};
use super::store::Store;

/// The interval at which idle sessions and engines are dropped.
const TIDY_INTERVAL: Duration = Duration::from_secs(60);

/// The longest time for saving sessions and ending connections.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// The settings of connections.
struct ConnectionSettings {
    request_timeout: Duration,
    has_proxy: bool,
}

/// Serves until `stop` completes. Calls `ready` with the address once it accepts
/// connections. Engine processes are added to `groups`.
///
/// # Errors
/// When the folder for the games or the port is not available.
pub fn serve(
    settings: Settings,
    groups: ProcessGroups,
    ready: Box<dyn FnOnce(SocketAddr)>,
    stop: Pin<Box<dyn Future<Output = ()>>>,
) -> io::Result<()> {
    let context = |what: String| {
        move |error: io::Error| io::Error::new(error.kind(), format!("{what}: {error}"))
    };
    let data = settings.data.display().to_string();
    let store = Store::open(&settings.data, MAX_SESSIONS)
        .map_err(context(format!("the games cannot be kept in {data}")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(64)
        .thread_stack_size(4 << 20)
        .enable_all()
        .build()?;
    let address = SocketAddr::new(settings.address, settings.port);
    let connections = ConnectionSettings {
        request_timeout: settings.request_timeout,
        has_proxy: !settings.allowed_hosts.is_empty(),
    };
    runtime.block_on(async {
        let listener = TcpListener::bind(address)
            .await
            .map_err(context(format!("cannot listen at {address}")))?;
        let bound = listener.local_addr()?;
        let names = Arc::new(Names::new(bound, &settings.allowed_hosts));
        let sessions = Arc::new(Sessions::new(AppState::new(settings, store, groups)));
        let router = router(Arc::clone(&sessions), names);
        ready(bound);
        tokio::select! {
            () = accept(&listener, &router, &connections) => {}
            () = tidy(&sessions) => {}
            () = stop => {}
        }
        drop(listener);
        sessions.close(SHUTDOWN_TIMEOUT).await;
        io::Result::Ok(())
    })?;
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    Ok(())
}

/// The URL of a server, for a browser.
pub fn url(address: SocketAddr) -> String {
    let mut shown = address;
    if address.ip().is_unspecified() {
        shown.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{shown}/")
}

/// Drops idle sessions and engines from time to time.
async fn tidy(sessions: &Arc<Sessions>) {
    let mut ticks = interval(TIDY_INTERVAL);
    loop {
        ticks.tick().await;
        sessions.tidy().await;
    }
}

/// Accepts connections as long as there are places, and refuses others.
async fn accept(listener: &TcpListener, router: &Router, settings: &ConnectionSettings) {
    let connections = Connections::new(settings.has_proxy);
    let mut refused = Refused::default();
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // For example, too many files are open.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        match connections.place(from.ip()) {
            Some(place) => {
                let place = Arc::new(place);
                tokio::spawn(converse(stream, router.clone(), settings.request_timeout, place));
            }
            None => refused.refuse(stream, settings.request_timeout),
        }
    }
}

/// Answers the requests of a connection, until the client sends nothing for
/// `request_timeout` or reads nothing for twice as long. A slow client that
/// reads on is served.
async fn converse(stream: TcpStream, router: Router, request_timeout: Duration, place: Held) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(2 * request_timeout));
    let service = TowerToHyperService::new(router.layer(Extension(Arc::clone(&place))));
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(request_timeout).max_buf_size(64 << 10);
    let stream = TokioIo::new(Box::pin(stream));
    let _ = builder.serve_connection(stream, service).with_upgrades().await;
    drop(place);
}

/// The most connections at a time, each `WebSocket` included.
const MAX_CONNECTIONS: usize = 400;

/// The most connections from one address. A browser needs six, and one for each
/// tab.
const MAX_FROM_ONE_ADDRESS: usize = 64;

/// The most refused connections that are still open.
const MAX_REFUSED: usize = 128;

/// The places for connections. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    /// The number of connections from each address.
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
    /// Whether many people may come from this machine's own address.
    has_proxy: bool,
}

/// A place, free again once it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: Connections,
    address: IpAddr,
}

impl Connections {
    /// With `has_proxy`, connections from this machine have no share: they may
    /// come from a proxy and stand for many people.
    pub(super) fn new(has_proxy: bool) -> Connections {
        Connections { taken: Arc::default(), has_proxy }
    }

    /// A place for a connection from `ip`; `None` if all are taken, or as many as
    /// one address may have.
    pub(super) fn place(&self, ip: IpAddr) -> Option<Place> {
        let address = network(ip);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
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

/// What counts as one address: of IPv6, the network of 64 bits, in which one
/// machine may have as many addresses as it likes.
fn network(ip: IpAddr) -> IpAddr {
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
    /// Answers that there are too many connections. The connection stays open
    /// until the client has closed it, for `patience` at most: closing it while
    /// a request is under way would reset it and discard the answer. Of many such
    /// connections, the oldest are closed sooner.
    pub(super) fn refuse(&mut self, stream: TcpStream, patience: Duration) {
        let task = tokio::spawn(async move {
            let _ = timeout(patience, answer(stream)).await;
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
