//! Engines that rest between two searches of their game, with what they
//! remember: a few, the least recently used gives way.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What rests, by what it belongs to.
#[derive(Debug)]
pub(super) struct Pool<K, T> {
    most: usize,
    resting: Mutex<HashMap<K, (Instant, T)>>,
}

impl<K: Hash + Eq + Clone, T> Pool<K, T> {
    /// Room for `most`.
    pub(super) fn new(most: usize) -> Pool<K, T> {
        Pool { most, resting: Mutex::default() }
    }

    /// Takes out what belongs to `key`.
    pub(super) fn take(&self, key: &K) -> Option<T> {
        self.lock().remove(key).map(|(_, resting)| resting)
    }

    /// Puts it to rest; what has rested longest goes when there is no room.
    pub(super) fn put(&self, key: K, resting: T) {
        let mut all = self.lock();
        let mut gone = all.insert(key, (Instant::now(), resting)).into_iter().collect::<Vec<_>>();
        while all.len() > self.most {
            let oldest = all.iter().min_by_key(|(_, (since, _))| *since);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            gone.extend(all.remove(&key));
        }
        drop(all);
    }

    /// Lets go of what has rested longer than `age`.
    pub(super) fn expire(&self, age: Duration) {
        let gone: Vec<_> = self.lock().extract_if(|_, (since, _)| since.elapsed() > age).collect();
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (Instant, T)>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_gives_way() {
        let pool = Pool::new(2);
        for key in 0..3 {
            pool.put(key, key * 10);
        }
        assert_eq!([pool.take(&0), pool.take(&1), pool.take(&1)], [None, Some(10), None]);
        pool.expire(Duration::ZERO);
        assert_eq!(pool.take(&2), None);
    }
}
