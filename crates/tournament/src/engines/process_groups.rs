//! The process groups of running engines, so that all can be killed at once and none outlives the
//! program.
//!
//! **The problem.** An engine that keeps searching after its match occupies a core until somebody
//! notices. Killing the process that was started is not enough, because it may be a wrapper. And
//! this program may itself be killed without a chance to clean up.
//!
//! **The idea.** On Unix each engine starts in a process group of its own. Its children inherit the
//! group, so one signal reaches all of them:
//!
//! ```text
//! pontifex match                  group 100
//!   sh run-engine.sh              group 200: the leader, process 200
//!     python3 bot.py              group 200: searches
//!   sh -c 'trap ... read ...'     group 300: the watchdog, which reads "+ 200" from a pipe
//! ```
//!
//! [`ProcessGroups`] keeps the numbers of all running groups for [`ProcessGroups::kill_all`]. The
//! watchdog keeps them too. It is a small shell whose standard input is a pipe from this program.
//! When the program ends in any way, even by SIGKILL, the kernel closes the pipe. The shell then
//! reads the end of its input and kills the remaining groups. On Windows a job object does the
//! same.
//!
//! **Invariants.**
//! - No engine escapes [`ProcessGroups::kill_all`]. [`ProcessGroups::spawn`] starts and registers
//!   an engine under the lock that `kill_all` takes, and fails after `kill_all`.
//! - No other process is killed. A group's number is the process number of its leader. The system
//!   may reuse it once the leader is reaped and the group is empty. So
//!   [`ProcessGroups::kill_and_reap`] kills the group, then makes the watchdog forget the number,
//!   then reaps the leader. One gap remains. A leader that ends by itself is reaped when
//!   [`process`](super::process) asks for its status, shortly before `kill_and_reap`. Systems hand
//!   out process numbers in turn, so a reuse would need a whole cycle of numbers in that moment.
//! - No engine killed by a stop is reported as a failure. [`ProcessGroups::exit`] holds the lock
//!   until the program has ended, and nobody can report a failure without first passing through
//!   [`ProcessGroups::kill_and_reap`], which waits for that lock.
//! - No deadlock. A thread that needs two locks locks the whole set before the subset.
//!
//! **What escapes.** A process that makes a group of its own (`setsid`). Also, when this program is
//! killed, an engine that ignores the end of its input, if there is no `/bin/sh` or the system is
//! neither Unix nor Windows.

use std::collections::BTreeSet;
use std::io;
use std::process::{self, Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::watchdog::Watchdog;

/// The process groups of all running engines. Clones share the set.
///
/// If this program is killed, its engines are killed too: on Unix by a watchdog process, which
/// needs `/bin/sh`, and on Windows by a job object. On other systems an engine that ignores the end
/// of its input keeps running. A program that ends by itself calls
/// [`kill_all`](ProcessGroups::kill_all) or [`exit`](ProcessGroups::exit).
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups {
    running: Arc<Mutex<RunningGroups>>,
    /// The whole set, if this is a subset. Its `leaders` include those of the subset, and its
    /// watchdog is responsible for them.
    whole: Option<Arc<Mutex<RunningGroups>>>,
}

#[derive(Debug, Default)]
struct RunningGroups {
    /// The process numbers of the engines, which are the numbers of their groups.
    leaders: BTreeSet<u32>,
    /// Whether no engine may start any more.
    is_closed: bool,
    /// Never started in a subset: its engines are in the watchdog of the whole set.
    watchdog: Watchdog,
}

impl ProcessGroups {
    /// A subset, for one of several jobs in a program, such as a match of a queue. Killing this set
    /// kills the engines of the subset too, but not the other way round. A subset of a subset
    /// belongs directly to the whole set.
    #[must_use]
    pub fn subset(&self) -> ProcessGroups {
        let whole = Some(Arc::clone(self.whole.as_ref().unwrap_or(&self.running)));
        ProcessGroups { running: Arc::default(), whole }
    }

    /// Kills all engines and prevents further starts. It may be called from any thread.
    ///
    /// A program must call it on Ctrl-C. The terminal sends that signal to the program's own group
    /// only, and engines run in others.
    pub fn kill_all(&self) {
        drop(self.close());
    }

    /// Kills all engines and exits with `code`. Holds the lock until the end, so that no other
    /// thread can report the killed engines as failures.
    pub fn exit(&self, code: i32) -> ! {
        let _running = self.close();
        process::exit(code)
    }

    /// Kills all engines and prevents further starts. While the guard is held, no other thread
    /// returns from [`ProcessGroups::kill_and_reap`] with an engine of this set.
    fn close(&self) -> MutexGuard<'_, RunningGroups> {
        let mut running = self.lock();
        running.is_closed = true;
        running.leaders.iter().for_each(|&leader| kill_group(leader));
        // The watchdog has nothing left to do, and must not act on numbers that are about to be
        // free. A subset has no watchdog, and that of the whole set still has engines.
        if self.whole.is_none() {
            running.watchdog = Watchdog::default();
        }
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

    /// Starts a process in a group of its own. Holds the lock meanwhile, so that the process cannot
    /// escape [`ProcessGroups::kill_all`].
    ///
    /// # Errors
    /// The system's, or that this set or the whole set is closed.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut whole = self.whole.as_ref().map(lock);
        let mut running = self.lock();
        if running.is_closed || whole.as_ref().is_some_and(|whole| whole.is_closed) {
            return Err(io::Error::other("the match is being stopped"));
        }
        // 0 makes the process the leader of a new group with its own number.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // The watchdog starts before the engine. An engine is unprotected from its start until its
        // number is written, so nothing slower than a write may come between.
        whole.as_mut().unwrap_or(&mut running).watchdog.prepare();
        let child = command.spawn()?;
        whole.as_mut().unwrap_or(&mut running).watchdog.add(&child);
        running.leaders.insert(child.id());
        if let Some(whole) = &mut whole {
            whole.leaders.insert(child.id());
        }
        Ok(child)
    }

    /// Kills the group that `child` leads and reaps `child`. Returns its exit status: its own if it
    /// was already ending, otherwise that of the kill.
    pub(super) fn kill_and_reap(&self, child: &mut Child) -> io::Result<ExitStatus> {
        kill_group(child.id());
        // Systems without groups need this.
        let _ = child.kill();
        // Must come before `wait`, which frees the number for other processes.
        lock(self.whole.as_ref().unwrap_or(&self.running)).watchdog.remove(child);
        let status = child.wait();
        if let Some(whole) = &self.whole {
            lock(whole).leaders.remove(&child.id());
        }
        self.lock().leaders.remove(&child.id());
        status
    }

    fn lock(&self) -> MutexGuard<'_, RunningGroups> {
        lock(&self.running)
    }
}

fn lock(running: &Arc<Mutex<RunningGroups>>) -> MutexGuard<'_, RunningGroups> {
    // A panic elsewhere must not keep the engines from being killed. The set stays usable, as every
    // change to it is a single insertion, removal or assignment.
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends SIGKILL to every process of the group, if it still exists.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    // Group 0 would be this program's own. Group 1 would become `kill(-1)`, which reaches every
    // process of the user.
    if leader > 1 {
        let _ = killpg(Pid::from_raw(leader as i32), Signal::SIGKILL);
    }
}

/// Elsewhere only the process itself can be killed, by its handle.
#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// A shell that outlives the program for a moment, to kill its engines.
///
/// The parent-death signal of Linux (`PR_SET_PDEATHSIG`) is no substitute. It reaches only the
/// process that was started and not the children of a wrapper script, is sent as soon as the
/// starting thread ends, and needs unsafe code.
#[cfg(unix)]
mod watchdog {
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};

    /// Reads lines: `+ GROUP` adds a group, `- GROUP` removes it. At the end of its input the
    /// script kills the remaining groups.
    ///
    /// It must outlive the program, so it ignores the signals that usually end one. `groups` has a
    /// space on both sides of every number, as in ` 12 345 `, so that 12 does not match in 123. The
    /// inner `case` skips a number that is not in the list: the expansions would otherwise double
    /// the list. Plain POSIX shell, because `/bin/sh` may be `dash`.
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups=\"$groups$group \" ;;
    -) case $groups in
         *\" $group \"*) groups=\"${groups%% $group *} ${groups#* $group }\" ;;
       esac ;;
  esac
done
for group in $groups; do kill -KILL -$group; done";

    /// The shell and the pipe to it; none before the first engine is started. The kernel closes the
    /// pipe when the program ends in any way, even by SIGKILL.
    #[derive(Debug, Default)]
    pub(super) struct Watchdog {
        shell: Option<(Child, Option<ChildStdin>)>,
    }

    impl Watchdog {
        /// Starts the shell unless it runs already. Without `/bin/sh` engines still play, but
        /// survive if this program is killed.
        pub(super) fn prepare(&mut self) {
            if self.shell.is_none() {
                self.shell = start().ok();
            }
        }

        /// Adds an engine, which must lead a group of its own.
        pub(super) fn add(&mut self, engine: &Child) {
            self.write_line('+', engine);
        }

        /// Forgets an engine. It must not have been reaped yet.
        pub(super) fn remove(&mut self, engine: &Child) {
            self.write_line('-', engine);
        }

        /// Writes a line with one call, because the program may be killed between two. A write to a
        /// shell that has ended fails, and the match continues without it.
        fn write_line(&mut self, sign: char, engine: &Child) {
            if let Some((_, Some(input))) = &mut self.shell {
                let _ = input.write_all(format!("{sign} {}\n", engine.id()).as_bytes());
            }
        }
    }

    impl Drop for Watchdog {
        fn drop(&mut self) {
            let Some((mut shell, input)) = self.shell.take() else { return };
            // The shell must be killed before its input ends, or it would still kill its groups.
            // The engines have ended, and other processes may have their numbers.
            let _ = shell.kill();
            drop(input);
            let _ = shell.wait();
        }
    }

    fn start() -> io::Result<(Child, Option<ChildStdin>)> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT]).process_group(0).stdin(Stdio::piped());
        // A shell that inherited the program's output would keep it open, and readers of that
        // output would wait for the shell to end.
        let mut shell = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let input = shell.stdin.take();
        Ok((shell, input))
    }
}

/// A job object, which ends its processes and their children when its last handle is closed.
#[cfg(windows)]
mod watchdog {
    use std::os::windows::io::AsRawHandle;
    use std::process::Child;

    use win32job::{ExtendedLimitInfo, Job};

    /// The job; none before the first engine is started. Only this program has a handle to it,
    /// which Windows closes when the program ends in any way.
    #[derive(Debug, Default)]
    pub(super) struct Watchdog {
        job: Option<Job>,
    }

    impl Watchdog {
        /// Creates the job unless there is one. Without a job engines still play, but survive if
        /// this program is killed.
        pub(super) fn prepare(&mut self) {
            if self.job.is_none() {
                let mut limits = ExtendedLimitInfo::new();
                self.job = Job::create_with_limit_info(limits.limit_kill_on_job_close()).ok();
            }
        }

        /// Adds an engine to the job.
        pub(super) fn add(&mut self, engine: &Child) {
            if let Some(job) = &self.job {
                let _ = job.assign_process(engine.as_raw_handle() as isize);
            }
        }

        /// Does nothing: a job forgets processes that have ended.
        pub(super) fn remove(&mut self, _: &Child) {}
    }
}

/// Does nothing: other systems have neither process groups nor jobs.
#[cfg(not(any(unix, windows)))]
mod watchdog {
    use std::process::Child;

    #[derive(Debug, Default)]
    pub(super) struct Watchdog;

    impl Watchdog {
        pub(super) fn prepare(&mut self) {}

        pub(super) fn add(&mut self, _: &Child) {}

        pub(super) fn remove(&mut self, _: &Child) {}
    }
}
