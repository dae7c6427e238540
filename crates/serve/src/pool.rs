//! A pool of idle engines with their search trees. The least recently used is
//! dropped when the pool is full.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Idle values by key.
#[derive(Debug)]
pub(super) struct Pool<K, T> {
    capacity: usize,
    idle: Mutex<HashMap<K, (Instant, T)>>,
}

impl<K: Hash + Eq + Clone, T> Pool<K, T> {
    /// A pool of up to `capacity` values.
    pub(super) fn new(capacity: usize) -> Pool<K, T> {
        Pool { capacity, idle: Mutex::default() }
    }

    /// Takes the value of `key`.
    pub(super) fn take(&self, key: &K) -> Option<T> {
        self.lock().remove(key).map(|(_, value)| value)
    }

    /// Puts a value in; drops the least recently used ones above capacity.
    pub(super) fn put(&self, key: K, value: T) {
        let mut all = self.lock();
        let mut gone = all.insert(key, (Instant::now(), value)).into_iter().collect::<Vec<_>>();
        while all.len() > self.capacity {
            let oldest = all.iter().min_by_key(|(_, (since, _))| *since);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            gone.extend(all.remove(&key));
        }
        drop(all);
    }

    /// Drops values that have been idle for longer than `age`.
    pub(super) fn expire(&self, age: Duration) {
        let gone: Vec<_> = self.lock().extract_if(|_, (since, _)| since.elapsed() > age).collect();
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (Instant, T)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_value_is_dropped() {
        let pool = Pool::new(2);
        for key in 0..3 {
            pool.put(key, key * 10);
        }
        assert_eq!([pool.take(&0), pool.take(&1), pool.take(&1)], [None, Some(10), None]);
        pool.expire(Duration::ZERO);
        assert_eq!(pool.take(&2), None);
    }
}
