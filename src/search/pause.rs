//! Searches that pause, so that a host with one thread can hear messages.
//!
//! A search is a future. It is ready at the first poll unless
//! [`Limits::slice`](super::Limits::slice) is set: then a search on the calling
//! thread is pending after each slice, and the next poll goes on. Pauses do not
//! change the result.

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Returns to the caller of `poll` once.
pub(super) async fn pause() {
    let mut has_paused = false;
    poll_fn(|context| {
        if has_paused {
            return Poll::Ready(());
        }
        has_paused = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Polls a search until it is ready.
pub fn finish<F: Future>(search: F) -> F::Output {
    let mut search = pin!(search);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(found) = search.as_mut().poll(&mut context) {
            return found;
        }
    }
}
