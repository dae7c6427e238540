//! How the program ends: exit codes and error messages, and what ends it early.
//!
//! | exit code | when |
//! |---|---|
//! | 0 | done, or the output is a broken pipe |
//! | 1 | another error |
//! | 2 | wrong usage or unreadable input, [`UsageError`] |
//! | 3 | an engine cannot play, [`UnusableEngine`] |
//! | 10, 11 | verdicts of `match --sprt-exit` |
//! | 128 + signal | a signal ended the program; 130 is Ctrl-C |
//!
//! An error is one line on standard error. Three things end a program early:
//!
//! - **Ctrl-C.** By default it ends the process with code 130. A command that should keep its
//!   results so far calls [`defer_interrupt`]: the first Ctrl-C then only sets a flag, which the
//!   command polls, and the second one ends the process. Two at once are one: `timeout -s INT`
//!   signals its child and then the process group.
//! - **SIGTERM and SIGHUP** end the process. A command that runs engines kills them first, with
//!   [`kill_engines_when_terminated`]. They would not get these signals: each engine has a process
//!   group of its own, so that Ctrl-C at the terminal does not kill it in the middle of a game.
//! - **A broken pipe.** When a pipe loses its reader, the next write fails, which is not an error.
//!   But an engine may search for hours before it writes, so [`exit_on_broken_pipe`] watches the
//!   output.
//!
//! Ctrl-C and a broken pipe can coincide. In `pontifex match ... | head` the signal goes to both
//! programs, and `head` may be gone before this process has received its own signal. The exit code
//! must still be 130. So an exit on a broken pipe waits a moment ([`await_interrupt`]), and the
//! signal handler sets [`SIGINT_SEEN`] directly: the thread of `ctrlc` may run late.
//!
//! The flags are relaxed atomics: each is a single fact, and no other data depends on it.

use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use pontifex::engine::StopSignal;
use pontifex::messages::tell;
use pontifex_tournament::ProcessGroups;
use thiserror::Error;

/// The exit code after an interrupt, as in shells.
pub(super) const INTERRUPTED: i32 = 130;

/// The message on the first interrupt while games are played.
pub(super) const FINISHING_GAMES: &str = "finishing the running games";

// The state of interrupts. A process runs one command, so there is one of each.

/// Set once a command defers interrupts; until then an interrupt ends the process at once.
static DEFERRAL: OnceLock<Deferral> = OnceLock::new();

/// How interrupts are deferred.
struct Deferral {
    /// The engines to kill on the second interrupt; none if the command runs none.
    engines: ProcessGroups,
    /// The message on the first interrupt: what the command does until it ends.
    ending: &'static str,
}

/// Set by the first interrupt, if the command has deferred it. `match --check` sets it beforehand,
/// so that the first interrupt kills its engine and ends the process.
static FINISHING: AtomicBool = AtomicBool::new(false);

/// When the first interrupt came, if the command has deferred it.
static FIRST_INTERRUPT: OnceLock<Instant> = OnceLock::new();

/// Interrupts that follow the first one within this time belong to it. Set by judgement: long for a
/// thread on a busy machine, short for a person.
const SAME_INTERRUPT: Duration = Duration::from_millis(200);

/// The signal that stops the searches of [`defer_interrupt_of_search`].
static SEARCH_STOP: LazyLock<StopSignal> = LazyLock::new(StopSignal::default);

/// Set directly by the signal handler of an interrupt. The thread of `ctrlc` may run late on a busy
/// machine.
static SIGINT_SEEN: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Wrong usage or unreadable input: exit code 2. All other errors except [`UnusableEngine`] have
/// exit code 1.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// An engine that cannot play: exit code 3.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UnusableEngine(pub(super) String);

/// Whether an error, or any of its causes, is a broken pipe.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().is_some_and(|io: &io::Error| io.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(is_broken)
}

/// Prints an error on stderr and returns the exit code. A broken pipe is not an error.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(help) = error.downcast_ref::<clap::Error>() {
        let _ = help.print();
        return ExitCode::SUCCESS;
    }
    if is_broken_pipe(error) {
        await_interrupt();
        return code_so_far();
    }
    tell(format_args!("{error:#}"));
    ExitCode::from(code(error))
}

/// The exit code of an error.
pub(super) fn code(error: &anyhow::Error) -> u8 {
    match error {
        error if error.is::<UsageError>() => 2,
        error if error.is::<UnusableEngine>() => 3,
        _ => 1,
    }
}

/// Handles interrupts from now on. If that fails, an interrupt still ends the process, but with the
/// default exit code of the system.
pub(super) fn handle_interrupts() {
    if ctrlc::set_handler(handle_interrupt).is_err() {
        return;
    }
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&SIGINT_SEEN));
}

/// Waits a moment for an interrupt. The signal that ended the reader of the output may still be on
/// its way to this process, and it decides the exit code. Set by judgement: long for a signal on a
/// busy machine, short for a person.
fn await_interrupt() {
    thread::sleep(Duration::from_millis(100));
}

/// Makes the first interrupt only set the returned flag. The second one kills the engines in
/// `groups` and ends the process. `ending` tells the user what happens in between.
pub(super) fn defer_interrupt(groups: &ProcessGroups, ending: &'static str) -> &'static AtomicBool {
    // A process runs only one such job, so this is set once and cannot fail.
    let _ = DEFERRAL.set(Deferral { engines: groups.clone(), ending });
    &FINISHING
}

/// Kills the engines when the process gets SIGTERM or SIGHUP. The engines have process groups of
/// their own, which these signals do not reach.
#[cfg(unix)]
pub(super) fn kill_engines_when_terminated(groups: &ProcessGroups) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;
    // Under `nohup` SIGHUP is ignored, and a handler here would undo that.
    let handled = [SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = Signals::new(handled) else { return };
    let groups = groups.clone();
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // The exit code that shells report for a program ended by a signal.
            groups.exit(128 + signal);
        }
    });
}

/// Does nothing: other systems have no such signals.
#[cfg(not(unix))]
pub(super) fn kill_engines_when_terminated(_: &ProcessGroups) {}

/// Whether the process ignores a signal because its parent does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    use nix::libc::{SIG_IGN, sigaction};
    let mut action = std::mem::MaybeUninit::<sigaction>::zeroed();
    // SAFETY: a null pointer for the new action changes nothing, and `action` has room for the
    // current one.
    #[expect(unsafe_code, reason = "there is no safe interface")]
    unsafe {
        nix::libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == SIG_IGN
    }
}

/// Ends the process quietly as soon as its standard output is a broken pipe, as a failed write
/// would. For commands that write no files. A thread waits for this, at no cost.
///
/// After an interrupt the exit code is 130, otherwise 0. Linux reports the loss of the reader of a
/// pipe, socket or terminal. Elsewhere only pipes are watched: a socket whose peer will write no
/// more looks like a closed one.
#[cfg(unix)]
pub(super) fn exit_on_broken_pipe() {
    use std::fs::{File, FileType};
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let Ok(output) = io::stdout().as_fd().try_clone_to_owned().map(File::from) else { return };
    let kind = output.metadata().map(|data| data.file_type());
    let is_watched =
        |kind: FileType| kind.is_fifo() || cfg!(target_os = "linux") && !kind.is_file();
    if !kind.is_ok_and(is_watched) {
        return;
    }
    let watch = move || {
        loop {
            // Errors and hang-ups are always reported, but some systems report nothing if no event
            // is requested. The event requested here never occurs.
            let mut watched = [PollFd::new(output.as_fd(), PollFlags::POLLRDBAND)];
            match poll(&mut watched, PollTimeout::NONE) {
                Err(Errno::EINTR | Errno::EAGAIN) => {}
                Err(_) => return,
                Ok(_) => {
                    let closed = PollFlags::POLLERR | PollFlags::POLLHUP;
                    if watched[0].revents().is_some_and(|events| events.intersects(closed)) {
                        await_interrupt();
                        exit(status_so_far());
                    }
                    return;
                }
            }
        }
    };
    // Without the thread, the next write ends the process.
    let _ = thread::Builder::new().name("output".to_owned()).spawn(watch);
}

/// Does nothing: on other systems the next write ends the process.
#[cfg(not(unix))]
pub(super) fn exit_on_broken_pipe() {}

/// Makes the first interrupt only request the returned stop signal. The second one ends the
/// process. `ending` tells the user what happens in between.
pub(super) fn defer_interrupt_of_search(ending: &'static str) -> &'static StopSignal {
    defer_interrupt(&ProcessGroups::default(), ending);
    &SEARCH_STOP
}

/// The exit code of a command that was not refused: 130 after an interrupt, otherwise 0.
pub(super) fn code_so_far() -> ExitCode {
    ExitCode::from(status_so_far() as u8)
}

/// [`code_so_far`] as a number, for [`process::exit`].
fn status_so_far() -> i32 {
    // Only `FINISHING` is set where the system has no signals.
    let is_interrupted = FINISHING.load(Ordering::Relaxed) || SIGINT_SEEN.load(Ordering::Relaxed);
    if is_interrupted { INTERRUPTED } else { 0 }
}

/// Handles an interrupt, in a thread of the `ctrlc` crate.
fn handle_interrupt() {
    if let Some(Deferral { ending, .. }) = DEFERRAL.get() {
        if !FINISHING.swap(true, Ordering::Relaxed) {
            let _ = FIRST_INTERRUPT.set(Instant::now());
            SEARCH_STOP.request();
            let _ = writeln!(io::stderr(), "\npontifex: {ending}; interrupt again to stop at once");
            return;
        }
        if FIRST_INTERRUPT.get().is_some_and(|first| first.elapsed() < SAME_INTERRUPT) {
            return;
        }
    }
    exit(INTERRUPTED);
}

/// Kills the engines, if there are any, and ends the process.
fn exit(code: i32) -> ! {
    match DEFERRAL.get() {
        Some(deferral) => deferral.engines.exit(code),
        None => process::exit(code),
    }
}
