//! What handlers of requests share: reading a body, and slow work.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::refusal::Refusal;
use crate::notation::without_mark;

/// The most bytes of a body, and of a WebSocket message.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// The longest time for receiving a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// The result of a handler.
pub(super) type Answer = Result<Response, Refusal>;

/// Runs slow work on a blocking thread.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(Refusal::bad),
        Err(error) => Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

/// The body of a request, which must be JSON: forms of other servers' pages
/// cannot send JSON. A byte-order mark is skipped.
pub(super) async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let reason = "Content-Type must be application/json".to_owned();
        return Err(Refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    match tokio::time::timeout(BODY_TIMEOUT, axum::body::to_bytes(body, MAX_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes.slice_ref(without_mark(&bytes))),
        Ok(Err(_)) => {
            let reason = format!("a body has {MAX_BYTES} bytes at most");
            Err(Refusal(StatusCode::PAYLOAD_TOO_LARGE, reason))
        }
        Err(_) => Err(Refusal(StatusCode::REQUEST_TIMEOUT, "the body did not come".to_owned())),
    }
}
