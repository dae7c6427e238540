//! The process groups of running engines, so that all can be killed at once, and
//! none outlives the program.

use std::collections::BTreeSet;
use std::io;
use std::process::{self, Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::watchdog::Watchdog;

/// The process groups of all running engines, which must be killed before the
/// program ends. Clones share the set.
///
/// Engines are killed even if the program is killed itself: on Unix by a
/// watchdog process, which needs `/bin/sh`, and on Windows by a job object.
/// Elsewhere engines that ignore the end of their input go on.
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
    /// For the engines of the whole set; a part has none of its own.
    watchdog: Watchdog,
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
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        let mut all = self.all.as_ref().map(lock);
        let mut running = self.lock();
        if running.is_closed || all.as_ref().is_some_and(|all| all.is_closed) {
            return Err(io::Error::other("the match is being stopped"));
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
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
        let _ = child.kill();
        // Its number is free for others once it is reaped.
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

/// A shell that outlives the program for a moment, to kill its engines.
///
/// The parent-death signal of Linux would reach only the engine itself, not the
/// children of a wrapper script. It is also sent when the thread that started
/// the engine ends, and needs unsafe code.
#[cfg(unix)]
mod watchdog {
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, ChildStdin, Command, Stdio};

    /// Keeps the groups of the lines `+ GROUP`, until `- GROUP`, and kills those
    /// left when the input ends. The signals that end a program reach it too
    /// late or not at all: it ignores them, and has a group of its own.
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
        /// Starts the shell if it is not running. Without one, engines are on
        /// their own.
        pub(super) fn prepare(&mut self) {
            if self.shell.is_none() {
                self.shell = start().ok();
            }
        }

        /// Watches over an engine that leads a group of its own.
        pub(super) fn add(&mut self, engine: &Child) {
            self.say('+', engine);
        }

        /// Forgets an engine, before it is reaped.
        pub(super) fn remove(&mut self, engine: &Child) {
            self.say('-', engine);
        }

        /// Writes a line, in one piece.
        fn say(&mut self, sign: char, engine: &Child) {
            if let Some((_, Some(input))) = &mut self.shell {
                let _ = input.write_all(format!("{sign} {}\n", engine.id()).as_bytes());
            }
        }
    }

    impl Drop for Watchdog {
        fn drop(&mut self) {
            let Some((mut shell, input)) = self.shell.take() else { return };
            // The engines have been ended or killed: their numbers may belong to
            // others by now.
            let _ = shell.kill();
            drop(input);
            let _ = shell.wait();
        }
    }

    fn start() -> io::Result<(Child, Option<ChildStdin>)> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT]).process_group(0).stdin(Stdio::piped());
        // Whoever waits for the end of the program's output must not wait for it.
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
        /// Creates the job if there is none. Without one, engines are on their
        /// own.
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
