//! The server itself: connections, and an orderly end.

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
use super::sessions::{MOST_SESSIONS, Sessions};
use super::settings::Settings;
use super::store::Store;
use crate::tournament::ProcessGroups;

/// Connections at a time, sockets of pages among them.
const MOST_CONNECTIONS: usize = 400;

/// How long the head of a request may take to come; then the connection's
/// place is somebody else's.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often it is looked for what nobody needs any more.
const TIDYING: Duration = Duration::from_secs(60);

/// How long connections may take to end.
const GOODBYE: Duration = Duration::from_secs(2);

/// Serves until `stop` is done. `ready` is told the address once connections
/// are accepted; processes of engines are in `groups`.
///
/// # Errors
/// Why the folder for the games or the port cannot be had.
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
    let store = Store::open(&settings.data, MOST_SESSIONS)
        .map_err(context(format!("the games cannot be kept in {data}")))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(64)
        .thread_stack_size(4 << 20)
        .enable_all()
        .build()?;
    let address = SocketAddr::new(settings.address, settings.port);
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
            () = accept(&listener, &router) => {}
            () = tidy(&sessions) => {}
            () = stop => {}
        }
        drop(listener);
        let _ = timeout(GOODBYE, sessions.close()).await;
        io::Result::Ok(())
    })?;
    runtime.shutdown_timeout(GOODBYE);
    Ok(())
}

/// The address as a browser takes it.
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

/// Now and then, lets go of what nobody needs.
async fn tidy(sessions: &Arc<Sessions>) {
    let mut ticks = interval(TIDYING);
    loop {
        ticks.tick().await;
        let sessions = Arc::clone(sessions);
        let _ = tokio::task::spawn_blocking(move || sessions.tidy()).await;
    }
}

/// Accepts connections, as many as there are places.
async fn accept(listener: &TcpListener, router: &Router) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    // Those that are told there is no place are few, too.
    let refusals = Arc::new(Semaphore::new(MOST_CONNECTIONS / 8));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // No more files may be open, say: others will close some.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            tokio::spawn(converse(stream, router.clone(), Arc::new(place)));
        } else if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = timeout(Duration::from_secs(1), refuse(stream)).await;
                drop(place);
            });
        }
    }
}

/// Answers the requests of a connection.
async fn converse(stream: TcpStream, router: Router, place: Held) {
    let service = TowerToHyperService::new(router.layer(Extension(Arc::clone(&place))));
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 << 10);
    let _ = builder.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
    drop(place);
}

/// Says that there is no place.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    const BODY: &str = r#"{"error":"too many connections; try again in a while"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n\
         Retry-After: 10\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // What was sent here and is not read would take the answer away.
    let mut rest = [0; 1024];
    while tokio::io::AsyncReadExt::read(&mut stream, &mut rest).await? > 0 {}
    Ok(())
}
