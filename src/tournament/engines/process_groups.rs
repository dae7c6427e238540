//! The process groups of running engines, so that all can be killed at once.

use std::collections::BTreeSet;
use std::io;
use std::process::{self, Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The process groups of all running engines, which must be killed before the
/// program ends. Clones share the set.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups {
    running: Arc<Mutex<Running>>,
    /// The enclosing set, if this is a part of one.
    all: Option<Arc<Mutex<Running>>>,
}

#[derive(Debug, Default)]
struct Running {
    leaders: BTreeSet<u32>,
    is_closed: bool,
}

impl ProcessGroups {
    /// A subset: killing this set kills the engines of the subset too, but
    /// not the other way round. The subset of a subset belongs to the whole
    /// set.
    #[must_use]
    pub fn part(&self) -> ProcessGroups {
        let all = Some(Arc::clone(self.all.as_ref().unwrap_or(&self.running)));
        ProcessGroups { running: Arc::default(), all }
    }

    /// Kills all engines and lets no more start. It may be called from any
    /// thread.
    ///
    /// Engines run in groups of their own, so the terminal's Ctrl-C does not
    /// reach them.
    pub fn kill_all(&self) {
        drop(self.close());
    }

    /// Kills all engines and exits. The lock is held until then, so that no
    /// other thread can report the killed engines as failures.
    pub fn exit(&self, code: i32) -> ! {
        let _running = self.close();
        process::exit(code)
    }

    /// Kills all engines and lets no more start. While the lock is held, no
    /// thread can reap a killed engine.
    fn close(&self) -> MutexGuard<'_, Running> {
        let mut running = self.lock();
        running.is_closed = true;
        running.leaders.iter().for_each(|&leader| kill_group(leader));
        running
    }

    /// The number of running engines.
    pub fn len(&self) -> usize {
        self.lock().leaders.len()
    }

    /// Whether no engine is running.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts a process in a group of its own. The lock is held meanwhile, so
    /// that the process cannot escape [`ProcessGroups::kill_all`].
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut all = self.all.as_ref().map(lock);
        let mut running = self.lock();
        if running.is_closed || all.as_ref().is_some_and(|all| all.is_closed) {
            return Err(io::Error::other("the match is being stopped"));
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        running.leaders.insert(child.id());
        if let Some(all) = &mut all {
            all.leaders.insert(child.id());
        }
        Ok(child)
    }

    /// Kills the group that `child` leads and reaps `child`.
    pub(super) fn end(&self, child: &mut Child) {
        kill_group(child.id());
        let _ = child.kill();
        let _ = child.wait();
        if let Some(all) = &self.all {
            lock(all).leaders.remove(&child.id());
        }
        self.lock().leaders.remove(&child.id());
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        lock(&self.running)
    }
}

fn lock(running: &Arc<Mutex<Running>>) -> MutexGuard<'_, Running> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends SIGKILL to every process of the group, if it still exists.
///
/// The number identifies the group until its leader is reaped and all other
/// members have ended.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    // Group 0 is this process's own.
    if leader > 1 {
        let _ = killpg(Pid::from_raw(leader as i32), Signal::SIGKILL);
    }
}

/// Elsewhere only the process itself can be killed, by its handle.
#[cfg(not(unix))]
fn kill_group(_: u32) {}
