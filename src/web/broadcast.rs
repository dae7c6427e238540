//! What all clients of a session should know, the newest of each kind: a slow
//! client skips what is old, and nothing piles up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::watch;

/// The kinds of news, in the order they are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The game as it stands.
    State,
    /// Something has gone wrong that nobody asked for.
    Notice,
    /// The clocks.
    Clock,
    /// What a thinking engine thinks.
    Thinking,
    /// What an analysis found.
    Analysis,
    /// What a review found.
    Review,
}

const KINDS: usize = 6;

/// The newest of each kind. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Broadcast {
    board: Arc<Mutex<[Posted; KINDS]>>,
    version: watch::Sender<u64>,
}

#[derive(Clone, Debug, Default)]
struct Posted {
    version: u64,
    /// Who may post: the number of the job, see [`Broadcast::job`].
    job: u64,
    text: Option<Arc<str>>,
}

/// A job's right to post, until another job of the kind begins.
#[derive(Clone, Debug)]
pub(super) struct Poster {
    broadcast: Broadcast,
    kind: Kind,
    job: u64,
}

/// What one client has read.
#[derive(Debug)]
pub(super) struct Reader {
    broadcast: Broadcast,
    version: watch::Receiver<u64>,
    read: [u64; KINDS],
}

impl Default for Broadcast {
    fn default() -> Broadcast {
        Broadcast { board: Arc::default(), version: watch::Sender::new(0) }
    }
}

impl Broadcast {
    /// Posts a message; its number, for [`Reader::skip`].
    pub(super) fn post(&self, kind: Kind, message: &Value) -> u64 {
        self.put(kind, None, message)
    }

    /// Begins a job: earlier ones cannot post any more, and what they posted
    /// is taken down.
    pub(super) fn job(&self, kind: Kind) -> Poster {
        let mut board = self.lock();
        let posted = &mut board[kind as usize];
        posted.job += 1;
        posted.text = None;
        Poster { broadcast: self.clone(), kind, job: posted.job }
    }

    /// The newest messages for one client; those of now count as new.
    pub(super) fn reader(&self) -> Reader {
        let version = self.version.subscribe();
        Reader { broadcast: self.clone(), version, read: [0; KINDS] }
    }

    fn put(&self, kind: Kind, job: Option<u64>, message: &Value) -> u64 {
        let text: Arc<str> = message.to_string().into();
        let mut board = self.lock();
        if job.is_some_and(|job| job != board[kind as usize].job) {
            return 0;
        }
        self.version.send_modify(|version| {
            *version += 1;
            let posted = &mut board[kind as usize];
            (posted.version, posted.text) = (*version, Some(text));
        });
        board[kind as usize].version
    }

    fn lock(&self) -> MutexGuard<'_, [Posted; KINDS]> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Poster {
    /// Posts, if the job is still the newest.
    pub(super) fn post(&self, message: &Value) {
        self.broadcast.put(self.kind, Some(self.job), message);
    }
}

impl Reader {
    /// Waits until there is something new; `false` when there never will be.
    pub(super) async fn news(&mut self) -> bool {
        self.version.changed().await.is_ok()
    }

    /// What is new, in the order it should be sent.
    pub(super) fn read(&mut self) -> Vec<Arc<str>> {
        self.version.mark_unchanged();
        let board = self.broadcast.lock();
        let mut news = Vec::new();
        for (posted, read) in board.iter().zip(&mut self.read) {
            if posted.version > *read {
                *read = posted.version;
                news.extend(posted.text.clone());
            }
        }
        news
    }

    /// The client knows the message of this number from elsewhere.
    pub(super) fn skip(&mut self, kind: Kind, version: u64) {
        let read = &mut self.read[kind as usize];
        *read = version.max(*read);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reader_gets_the_newest_of_each_kind_and_nothing_of_old_jobs() {
        let broadcast = Broadcast::default();
        let mut reader = broadcast.reader();
        let old = broadcast.job(Kind::Analysis);
        for number in 0..3 {
            old.post(&number.into());
            broadcast.post(Kind::State, &(10 + number).into());
        }
        assert_eq!(reader.read(), ["12".into(), "2".into()]);
        assert!(reader.read().is_empty());
        let new = broadcast.job(Kind::Analysis);
        old.post(&4.into());
        assert!(reader.read().is_empty());
        new.post(&5.into());
        let known = broadcast.post(Kind::State, &6.into());
        reader.skip(Kind::State, known);
        assert_eq!(reader.read(), ["5".into()]);
    }
}
