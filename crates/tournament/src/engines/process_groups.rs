//! The process groups of running engines, so that all can be killed at once, and
//! none outlives the program.
//!
//! **The problem.** An engine that searches after its match has ended takes a core until
//! somebody notices. Killing the process that was started is not enough:
//!
//! ```text
//! pontifex match
//!   sh run-engine.sh      what was started: the leader
//!     python3 bot.py      what searches: must be killed too
//! ```
//!
//! And the program itself may be killed without a chance to clean up.
//!
//! **The idea.** On Unix each engine starts in a process group of its own. Its children
//! inherit the group, and one signal reaches all of them. [`ProcessGroups`] has the numbers
//! of all running groups, for [`ProcessGroups::kill_all`]. A watchdog has them too: a small
//! shell whose standard input is a pipe from this program. When the program ends in any way,
//! even by SIGKILL, the kernel closes the pipe; the shell reads its end and kills what is
//! left. On Windows a job object does the same.
//!
//! **Invariants.**
//! - No engine escapes. [`ProcessGroups::spawn`] starts and registers an engine under the
//!   lock that [`ProcessGroups::kill_all`] takes, and fails once that has been called.
//! - No stranger is killed. A group's number is its leader's process number. The system may
//!   give it to somebody else once the leader is reaped and no other member is left. So
//!   [`ProcessGroups::end`] kills first, then tells the watchdog to forget the number, then
//!   reaps. A leader that ended by itself may have been reaped before. Its number stays
//!   registered for the moment until `end`; systems hand out numbers in turn, so that another
//!   process would get it only after all others had been used.
//! - No killed engine is reported as a failure when the program is being stopped.
//!   [`ProcessGroups::exit`] holds the lock until the program is gone, and whoever wants to
//!   report a failure must first get past [`ProcessGroups::end`].
//! - Locks are taken in one order, the whole set before a part, or one after the other.
//!
//! **What escapes.** A process that makes a group of its own (`setsid`) belongs to nobody
//! here. Without `/bin/sh`, and on systems other than Unix and Windows, an engine that
//! ignores the end of its input goes on when the program is killed.

use std::collections::BTreeSet;
use std::io;
use std::process::{self, Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::watchdog::Watchdog;

/// The process groups of all running engines. Clones share the set.
///
/// Engines are killed even if the program is killed itself: on Unix by a
/// watchdog process, which needs `/bin/sh`, and on Windows by a job object.
/// Elsewhere engines that ignore the end of their input go on. A program that ends by itself
/// calls [`kill_all`](ProcessGroups::kill_all) or [`exit`](ProcessGroups::exit).
#[derive(Clone, Debug, Default)]
pub struct ProcessGroups {
    running: Arc<Mutex<Running>>,
    /// The whole set, if this is a part of one. Its `leaders` include those of the part, and
    /// its watchdog watches over them.
    all: Option<Arc<Mutex<Running>>>,
}

#[derive(Debug, Default)]
struct Running {
    /// The process numbers of the engines, which are the numbers of their groups.
    leaders: BTreeSet<u32>,
    /// Whether no engine may start any more.
    is_closed: bool,
    /// For the engines of the whole set; a part has none of its own.
    watchdog: Watchdog,
}

impl ProcessGroups {
    /// A subset: killing this set kills the engines of the subset too, but
    /// not the other way round. The subset of a subset belongs to the whole
    /// set. For one job of several in a program, such as a match of a queue.
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

    /// Kills all engines and lets no more start. While the guard is held, no other thread gets
    /// past [`ProcessGroups::end`] with an engine of this set.
    fn close(&self) -> MutexGuard<'_, Running> {
        let mut running = self.lock();
        running.is_closed = true;
        running.leaders.iter().for_each(|&leader| kill_group(leader));
        // The watchdog has nothing left to do, and must not act on numbers that are about to
        // be free. That of a part belongs to the whole set, whose engines go on.
        if self.all.is_none() {
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

    /// Starts a process in a group of its own. The lock is held meanwhile, so
    /// that the process cannot escape [`ProcessGroups::kill_all`].
    ///
    /// # Errors
    /// The system's, or that the set or its whole is closed.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut all = self.all.as_ref().map(lock);
        let mut running = self.lock();
        if running.is_closed || all.as_ref().is_some_and(|all| all.is_closed) {
            return Err(io::Error::other("the match is being stopped"));
        }
        // 0 makes the process the leader of a new group with its own number.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Started before the engine: between the engine's start and the line that announces it,
        // nothing slower than a write may happen.
        all.as_mut().unwrap_or(&mut running).watchdog.prepare();
        let child = command.spawn()?;
        all.as_mut().unwrap_or(&mut running).watchdog.add(&child);
        running.leaders.insert(child.id());
        if let Some(all) = &mut all {
            all.leaders.insert(child.id());
        }
        Ok(child)
    }

    /// Kills the group that `child` leads and reaps `child`. Returns how it
    /// ended; that is not by the kill if it had begun to end before.
    pub(super) fn end(&self, child: &mut Child) -> io::Result<ExitStatus> {
        kill_group(child.id());
        // For systems without groups.
        let _ = child.kill();
        // Before the leader is reaped and its number is free for others.
        lock(self.all.as_ref().unwrap_or(&self.running)).watchdog.remove(child);
        let status = child.wait();
        if let Some(all) = &self.all {
            lock(all).leaders.remove(&child.id());
        }
        self.lock().leaders.remove(&child.id());
        status
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        lock(&self.running)
    }
}

fn lock(running: &Arc<Mutex<Running>>) -> MutexGuard<'_, Running> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends SIGKILL to every process of the group, if it still exists.
#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    // Group 0 is this program's own, and 1 would become `kill(-1)`: every process of the user.
    if leader > 1 {
        let _ = killpg(Pid::from_raw(leader as i32), Signal::SIGKILL);
    }
}

/// Elsewhere only the process itself can be killed, by its handle.
#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// A shell that outlives the program for a moment, to kill its engines.
///
/// The parent-death signal of Linux (`PR_SET_PDEATHSIG`) would reach only the engine itself,
/// not the children of a wrapper script. It is also sent when the thread that started
/// the engine ends, and needs unsafe code.
#[cfg(unix)]
mod watchdog {
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};

    /// Keeps the groups of the lines `+ GROUP`, until `- GROUP`, and kills those
    /// left when the input ends.
    ///
    /// It must outlive the program, so it ignores the signals that end a program, and has a
    /// group of its own, which Ctrl-C does not reach. `groups` has a space around every
    /// number: ` 12 345 `. The `case` makes sure that a number is in it before the text on both
    /// sides is joined, and keeps 12 from matching in 123. POSIX shell only; `dash` is enough.
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

    /// The shell, while it is needed. The kernel closes its input when the
    /// program ends in any way, even by SIGKILL.
    #[derive(Debug, Default)]
    pub(super) struct Watchdog {
        shell: Option<(Child, Option<ChildStdin>)>,
    }

    impl Watchdog {
        /// Starts the shell if none was started. Without `/bin/sh` engines still play, but
        /// nothing watches over them.
        pub(super) fn prepare(&mut self) {
            if self.shell.is_none() {
                self.shell = start().ok();
            }
        }

        /// Watches over an engine that leads a group of its own.
        pub(super) fn add(&mut self, engine: &Child) {
            self.write_line('+', engine);
        }

        /// Forgets an engine, before it is reaped.
        pub(super) fn remove(&mut self, engine: &Child) {
            self.write_line('-', engine);
        }

        /// Writes a line, in one piece: the program may be killed between two writes. If the
        /// shell is gone, the match goes on without it.
        fn write_line(&mut self, sign: char, engine: &Child) {
            if let Some((_, Some(input))) = &mut self.shell {
                let _ = input.write_all(format!("{sign} {}\n", engine.id()).as_bytes());
            }
        }
    }

    impl Drop for Watchdog {
        fn drop(&mut self) {
            let Some((mut shell, input)) = self.shell.take() else { return };
            // Killed before its input ends, so that it does nothing more: the engines have been
            // ended or killed, and their numbers may belong to others by now.
            let _ = shell.kill();
            drop(input);
            let _ = shell.wait();
        }
    }

    fn start() -> io::Result<(Child, Option<ChildStdin>)> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT]).process_group(0).stdin(Stdio::piped());
        // Whoever waits for the end of the program's output must not wait for the shell, which
        // would inherit it.
        let mut shell = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let input = shell.stdin.take();
        Ok((shell, input))
    }
}

/// A job object, which ends its processes and their children when its last
/// handle is closed.
#[cfg(windows)]
mod watchdog {
    use std::os::windows::io::AsRawHandle;
    use std::process::Child;

    use win32job::{ExtendedLimitInfo, Job};

    /// The job, once there was an engine. Only this program has a handle, which
    /// Windows closes when the program ends in any way.
    #[derive(Debug, Default)]
    pub(super) struct Watchdog {
        job: Option<Job>,
    }

    impl Watchdog {
        /// Creates the job if there is none. Without a job engines still play, but nothing
        /// watches over them.
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

        /// Does nothing: a job forgets what has ended.
        pub(super) fn remove(&mut self, _: &Child) {}
    }
}

/// Nothing watches over engines on other systems.
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
