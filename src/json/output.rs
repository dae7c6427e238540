//! The lines of answers on their way to the writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::Value;

/// The sending end of the answers. Sending never waits for the client, which
/// may itself be waiting to write.
#[derive(Clone, Debug)]
pub(super) struct Output {
    messages: Sender<Message>,
    /// Lines that have not been written yet.
    unwritten: Arc<AtomicUsize>,
}

/// A message to the writer.
#[derive(Debug)]
pub(super) enum Message {
    Line(String),
    /// A worker has ended.
    WorkerEnded,
}

impl Output {
    /// Number of unwritten lines from which on reports of running searches are
    /// dropped.
    const MOST_UNWRITTEN: usize = 1000;

    /// Both ends of the answers.
    pub(super) fn new() -> (Output, Receiver<Message>) {
        let (messages, received) = channel();
        (Output { messages, unwritten: Arc::default() }, received)
    }

    /// Sends a line; does nothing if the writer has ended.
    pub(super) fn send(&self, line: &Value) {
        self.unwritten.fetch_add(1, Relaxed);
        let _ = self.messages.send(Message::Line(line.to_string()));
    }

    /// Says that a worker has ended.
    pub(super) fn worker_ended(&self) {
        let _ = self.messages.send(Message::WorkerEnded);
    }

    /// Counts a line as written.
    pub(super) fn written(&self) {
        self.unwritten.fetch_sub(1, Relaxed);
    }

    /// Whether the client keeps up with reading.
    pub(super) fn is_read(&self) -> bool {
        self.unwritten.load(Relaxed) < Self::MOST_UNWRITTEN
    }
}
