//! The server: it accepts connections, serves them and shuts down in order.
//!
//! The server shuts down in an order that loses no game. First, no further connection is accepted.
//! Then every session is saved and closed. Only then does the runtime end, with its tasks and
//! threads. The last two steps get [`SHUTDOWN_TIMEOUT`] each, so that a disk that hangs does not
//! hold up the process forever.

use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use pontifex_tournament::ProcessGroups;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::interval;
use tokio_io_timeout::TimeoutStream;

use super::app::{AppState, Settings};
use super::connections::{Connections, RefusedConnections};
use super::guard::HostNames;
use super::routes::{SharedPermit, build_router};
use super::sessions::MAX_SESSIONS;
use super::store::Store;

/// The interval at which idle sessions and engines are dropped. A session is dropped if no page has
/// come between two ticks, that is, after one to two minutes.
const TIDY_INTERVAL: Duration = Duration::from_secs(60);

/// The longest time for saving sessions, and again for ending connections. Set by judgement:
/// somebody who presses Ctrl-C waits for it.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

struct ConnectionSettings {
    request_timeout: Duration,
    has_proxy: bool,
}

/// Serves until `stop` completes. Calls `ready` with the address once it accepts connections.
/// Engine processes are added to `groups`.
///
/// # Errors
/// When the folder for the games or the port is not available.
pub fn serve(
    settings: Settings,
    groups: ProcessGroups,
    ready: Box<dyn FnOnce(SocketAddr)>,
    stop: Pin<Box<dyn Future<Output = ()>>>,
) -> io::Result<()> {
    let context = |failure: String| {
        move |error: io::Error| io::Error::new(error.kind(), format!("{failure}: {error}"))
    };
    let folder = settings.data.display();
    if settings.data.is_file() {
        let reason = format!("--data {folder}: this is a file; a folder is needed");
        return Err(io::Error::new(io::ErrorKind::NotADirectory, reason));
    }
    let store = Store::open(&settings.data, MAX_SESSIONS)
        .map_err(context(format!("the games cannot be kept in {folder}")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        // Tasks are short: searches and files have blocking threads. Two workers leave the
        // processors to the searches, and one of the two may be busy with a large game.
        .worker_threads(2)
        // More than search slots, engines without one and slow work can use together. Files use the
        // rest.
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
        let names = Arc::new(HostNames::new(bound, &settings.allowed_hosts));
        let app = AppState::new(settings, store, groups);
        let router = build_router(Arc::clone(&app), names);
        ready(bound);
        tokio::select! {
            () = accept(&listener, &router, &connections) => {}
            () = tidy(&app) => {}
            () = stop => {}
        }
        drop(listener);
        app.close(SHUTDOWN_TIMEOUT).await;
        io::Result::Ok(())
    })?;
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    Ok(())
}

/// The URL of a server, for a browser.
pub fn url(address: SocketAddr) -> String {
    let mut reachable = address;
    if address.ip().is_unspecified() {
        reachable.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{reachable}/")
}

/// Drops idle sessions and engines every [`TIDY_INTERVAL`].
async fn tidy(app: &Arc<AppState>) {
    let mut ticks = interval(TIDY_INTERVAL);
    loop {
        ticks.tick().await;
        app.tidy().await;
    }
}

/// Accepts connections as long as there are permits, and refuses others.
async fn accept(listener: &TcpListener, router: &Router, settings: &ConnectionSettings) {
    let connections = Connections::new(settings.has_proxy);
    let mut refused = RefusedConnections::default();
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Perhaps too many files are open. Without the pause, this loop would spin.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Messages are small, and somebody waits for each.
        let _ = stream.set_nodelay(true);
        match connections.try_acquire(peer.ip()) {
            Some(permit) => {
                let permit = Arc::new(permit);
                tokio::spawn(serve_connection(
                    stream,
                    router.clone(),
                    settings.request_timeout,
                    permit,
                ));
            }
            None => refused.refuse(stream, settings.request_timeout),
        }
    }
}

/// Answers the requests of a connection, until the client sends nothing for `request_timeout` or
/// reads nothing for twice as long. A slow client is served as long as it keeps reading.
async fn serve_connection(
    stream: TcpStream,
    router: Router,
    request_timeout: Duration,
    permit: SharedPermit,
) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(2 * request_timeout));
    let service = TowerToHyperService::new(router.layer(Extension(Arc::clone(&permit))));
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(request_timeout).max_buf_size(64 << 10);
    let stream = TokioIo::new(Box::pin(stream));
    let _ = builder.serve_connection(stream, service).with_upgrades().await;
    drop(permit);
}
