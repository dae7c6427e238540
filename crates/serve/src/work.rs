//! Answers to requests, and the slow work behind them: reading texts, converting games.

use std::fmt::Display;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pontifex::messages::one_line;
use serde::Serialize;
use serde_json::json;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most bytes of a text that is read in well under a millisecond. Such a text is read at once;
/// a longer one waits in the [`WorkQueue`].
pub(super) const SMALL_BYTES: usize = 4 << 10;

/// The most bytes of a body, and of a WebSocket message. Set by judgement: more than any record of
/// one game with variations.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// The number of texts read at a time. One of [`MAX_BYTES`] takes up to 50 MiB.
const WORK_PERMITS: usize = 2;

/// The most requests that wait for a permit; further ones are refused. Set by judgement: with
/// bodies of [`MAX_BYTES`] they hold 32 MiB.
const MAX_WAITING: usize = 32;

/// The result of a handler.
pub(super) type Answer = Result<Response, HttpRefusal>;

/// Slow work apart from searches: reading texts, converting games, changing large games. A few at a
/// time run on threads of their own, and the others queue. So the runtime's threads stay free for
/// short work, and memory is bounded.
#[derive(Clone, Debug)]
pub(super) struct WorkQueue {
    permits: Arc<Semaphore>,
    /// Permits for HTTP requests, including those that are being worked on. A WebSocket needs none:
    /// it reads no message before the last one is answered.
    requests: Arc<Semaphore>,
}

impl Default for WorkQueue {
    fn default() -> WorkQueue {
        WorkQueue {
            permits: Arc::new(Semaphore::new(WORK_PERMITS)),
            requests: Arc::new(Semaphore::new(WORK_PERMITS + MAX_WAITING)),
        }
    }
}

impl WorkQueue {
    /// Waits for a permit, which is returned when dropped; `None` when the server ends.
    pub(super) async fn acquire(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.permits).acquire_owned().await.ok()
    }

    /// Waits for a permit and runs `work`; `None` if it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let permit = self.acquire().await?;
        let work = move || {
            // Work that nobody waits for any more keeps its permit, too.
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work).await.ok()
    }

    /// Runs the work of an HTTP request.
    ///
    /// # Errors
    /// The refusal that `work` returns; 503 if too many requests wait already; 500 if `work`
    /// panics.
    pub(super) async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HttpRefusal> + Send + 'static,
    ) -> Result<T, HttpRefusal> {
        let Ok(_request) = self.requests.try_acquire() else {
            let reason = "too many conversions wait; try again in a while".to_owned();
            return Err(HttpRefusal(StatusCode::SERVICE_UNAVAILABLE, reason));
        };
        self.run(work).await.unwrap_or_else(|| Err(HttpRefusal::broken("the conversion failed")))
    }
}

/// Runs work that may wait for the file system on a blocking thread.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, HttpRefusal> + Send + 'static,
) -> Result<T, HttpRefusal> {
    tokio::task::spawn_blocking(work).await.map_err(HttpRefusal::broken)?
}

/// Runs work of more than a millisecond while the other tasks of its thread move to another. Unlike
/// a blocking thread, this works on borrowed data, such as a session under its lock.
pub(super) fn run_apart<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // Only tests have a runtime of one thread, or none.
        _ => work(),
    }
}

/// A refused request: the status, and the reason in one line.
#[derive(Clone, Debug)]
pub(super) struct HttpRefusal(pub(super) StatusCode, pub(super) String);

impl HttpRefusal {
    /// An unknown address.
    pub(super) fn not_found() -> HttpRefusal {
        HttpRefusal(StatusCode::NOT_FOUND, "there is nothing under this address".to_owned())
    }

    /// A request with an error in it.
    pub(super) fn bad(reason: impl Display) -> HttpRefusal {
        HttpRefusal(StatusCode::BAD_REQUEST, reason.to_string())
    }

    /// An error of the server's own.
    pub(super) fn broken(reason: impl Display) -> HttpRefusal {
        HttpRefusal(StatusCode::INTERNAL_SERVER_ERROR, reason.to_string())
    }
}

impl IntoResponse for HttpRefusal {
    fn into_response(self) -> Response {
        (self.0, json(&json!({"error": one_line(&self.1)}))).into_response()
    }
}

/// An answer in JSON.
pub(super) fn json(value: &impl Serialize) -> Response {
    json_text(text(value))
}

/// A value as JSON.
pub(super) fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// An answer from text that is already JSON.
pub(super) fn json_text(text: impl Into<Body>) -> Response {
    let kind = HeaderValue::from_static("application/json");
    let caching = HeaderValue::from_static("no-store");
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching)];
    (headers, text.into()).into_response()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn slow_work_waits_in_a_queue_that_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let queue = WorkQueue::default();
            let (started, starts) = channel();
            let (release, hold) = channel::<()>();
            let hold = Arc::new(std::sync::Mutex::new(hold));
            let tasks: Vec<_> = (0..WORK_PERMITS + MAX_WAITING)
                .map(|number| {
                    let (queue, started, hold) = (queue.clone(), started.clone(), hold.clone());
                    tokio::spawn(async move {
                        let work = move || {
                            started.send(number).unwrap();
                            hold.lock().unwrap().recv().map_err(HttpRefusal::broken)
                        };
                        queue.answer(work).await
                    })
                })
                .collect();
            while queue.requests.available_permits() > 0 {
                tokio::task::yield_now().await;
            }
            let refused = queue.answer(|| Ok(())).await.unwrap_err();
            assert_eq!(refused.0, StatusCode::SERVICE_UNAVAILABLE);
            let mut first: Vec<usize> = starts.iter().take(WORK_PERMITS).collect();
            first.sort_unstable();
            assert_eq!(first, [0, 1]);
            assert!(starts.try_recv().is_err(), "the others wait");
            for _ in &tasks {
                release.send(()).unwrap();
            }
            for task in tasks {
                task.await.unwrap().unwrap();
            }
            assert!(queue.answer(|| Ok(())).await.is_ok());
        });
    }
}
