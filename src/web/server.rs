//! The server: connections, and an orderly shutdown.

use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{interval, timeout};

use super::app::AppState;
use super::guard::Names;
use super::routes::{Held, router};
use super::sessions::{MAX_SESSIONS, Sessions};
use super::settings::Settings;
use super::store::Store;
use crate::tournament::ProcessGroups;

/// The most connections at a time, each `WebSocket` included.
const MAX_CONNECTIONS: usize = 400;

/// The interval at which idle sessions and engines are dropped.
const TIDY_INTERVAL: Duration = Duration::from_secs(60);

/// The longest time for saving sessions and ending connections.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves until `stop` completes. Calls `ready` with the address once it accepts
/// connections. Engine processes are added to `groups`.
///
/// # Errors
/// When the folder for the games or the port is not available.
pub fn serve(
    settings: Settings,
    groups: ProcessGroups,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
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
    let request_timeout = settings.request_timeout;
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
            () = accept(&listener, &router, request_timeout) => {}
            () = tidy(&sessions) => {}
            () = stop => {}
        }
        drop(listener);
        let _ = timeout(SHUTDOWN_TIMEOUT, sessions.close()).await;
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
        let sessions = Arc::clone(sessions);
        let _ = tokio::task::spawn_blocking(move || sessions.tidy()).await;
    }
}

/// Accepts up to [`MAX_CONNECTIONS`] connections and refuses more.
async fn accept(listener: &TcpListener, router: &Router, request_timeout: Duration) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // The number of connections being refused is limited, too.
    let refusals = Arc::new(Semaphore::new(MAX_CONNECTIONS / 8));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // For example, too many files are open.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            tokio::spawn(converse(stream, router.clone(), request_timeout, Arc::new(place)));
        } else if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = timeout(Duration::from_secs(1), refuse(stream)).await;
                drop(place);
            });
        }
    }
}

/// Answers the requests of a connection.
async fn converse(stream: TcpStream, router: Router, request_timeout: Duration, place: Held) {
    let service = TowerToHyperService::new(router.layer(Extension(Arc::clone(&place))));
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(request_timeout).max_buf_size(64 << 10);
    let _ = builder.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
    drop(place);
}

/// Answers that there are too many connections.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    const BODY: &str = r#"{"error":"too many connections; try again in a while"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n\
         Retry-After: 10\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Closing with unread data would discard the answer.
    let mut rest = [0; 1024];
    while tokio::io::AsyncReadExt::read(&mut stream, &mut rest).await? > 0 {}
    Ok(())
}
