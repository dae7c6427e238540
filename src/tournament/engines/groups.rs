use std::collections::BTreeSet;
use std::io;
use std::process::{self, Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The process groups of all engines that run: what has to be ended before
/// the program may end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups {
    running: Arc<Mutex<Running>>,
    /// All engines, when these are some of them.
    all: Option<Arc<Mutex<Running>>>,
}

#[derive(Debug, Default)]
struct Running {
    leaders: BTreeSet<u32>,
    is_closed: bool,
}

impl ProcessGroups {
    /// A set of its own within this one: killing all of this kills its
    /// engines, too, and not the other way round. Parts have no parts.
    #[must_use]
    pub fn part(&self) -> ProcessGroups {
        let all = Some(Arc::clone(self.all.as_ref().unwrap_or(&self.running)));
        ProcessGroups { running: Arc::default(), all }
    }

    /// Kills all of them at once; from now on no engine starts.
    ///
    /// From any thread. Engines have groups of their own, so the terminal's
    /// Ctrl-C does not reach them.
    pub fn kill_all(&self) {
        drop(self.close());
    }

    /// Kills all of them and ends the process. Nothing can be said about the
    /// killed engines any more: who waits for one waits for the lock.
    pub fn exit(&self, code: i32) -> ! {
        let _running = self.close();
        process::exit(code)
    }

    /// Kills all, and lets none start; who holds the lock decides how long
    /// their ends are waited for.
    fn close(&self) -> MutexGuard<'_, Running> {
        let mut running = self.lock();
        running.is_closed = true;
        running.leaders.iter().for_each(|&leader| kill_group(leader));
        running
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.lock().leaders.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts a process in a group of its own. The lock is held meanwhile:
    /// none slips past [`ProcessGroups::kill_all`].
    pub(in crate::tournament) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
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

    /// Kills what is left of the group that `child` leads and reaps `child`.
    pub(in crate::tournament) fn end(&self, child: &mut Child) {
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

/// Sends SIGKILL to every process of the group; that it is gone is fine.
///
/// The number is the group's as long as its leader is not reaped or any other
/// member lives.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    // Group 0 would be our own.
    if leader > 1 {
        let _ = killpg(Pid::from_raw(leader as i32), Signal::SIGKILL);
    }
}

/// Elsewhere only the process itself can be ended, by its handle.
#[cfg(not(unix))]
fn kill_group(_: u32) {}
