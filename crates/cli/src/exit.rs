//! How the program ends: exit codes and error messages; and what ends it early:
//! Ctrl-C, which may at first only ask running work to finish, other signals,
//! and that nobody reads the output any more.

use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use pontifex::engine::StopSignal;
use pontifex::messages::tell;
use pontifex_tournament::ProcessGroups;
use thiserror::Error;

/// The exit code after an interrupt, as in shells.
pub(super) const INTERRUPTED: i32 = 130;

/// Wrong usage or unreadable input: exit code 2. All other errors except
/// [`EngineError`] have exit code 1.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// An engine that cannot play: exit code 3.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct EngineError(pub(super) String);

/// Converts an error of clap. Requests for help or the version stay clap errors,
/// which [`report`] prints; all others become one line.
pub(super) fn explain(error: clap::Error) -> anyhow::Error {
    if !error.use_stderr() {
        return error.into();
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    if let (ErrorKind::ArgumentConflict, Some(ContextValue::String(subcommand))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        let hint = format!("options come after the subcommand: pontifex {subcommand} ...");
        return UsageError(format!("{}; {hint}", text.lines().next().unwrap_or(text))).into();
    }
    let is_message = |paragraph: &&str| {
        !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information")
    };
    let paragraphs: Vec<&str> = text.split("\n\n").map(str::trim).filter(is_message).collect();
    UsageError(format!("{} (see --help)", paragraphs.join("; "))).into()
}

/// Whether an error says that nobody reads the output any more.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().is_some_and(|io: &io::Error| io.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(is_broken)
}

/// Prints an error on stderr and returns the exit code. A closed output pipe is
/// not an error.
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
        error if error.is::<EngineError>() => 3,
        _ => 1,
    }
}

/// Set by the first interrupt, if it only asks the work to finish.
static STOP: AtomicBool = AtomicBool::new(false);

/// Set by the signal of an interrupt itself. The thread that handles it may come late on a
/// busy machine.
static INTERRUPT: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Handles interrupts from now on. If that fails, an interrupt still ends the process, but
/// with the default exit code of the system.
pub(super) fn handle_interrupts() {
    if ctrlc::set_handler(handle).is_err() {
        return;
    }
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&INTERRUPT));
}

/// Waits a moment: the signal that ended the reader of the output may be on its way to this
/// process, whose exit code it then decides.
fn await_interrupt() {
    thread::sleep(Duration::from_millis(100));
}

/// The engines to kill on the second interrupt, and the message on the first.
static ENGINES: OnceLock<(ProcessGroups, &str)> = OnceLock::new();

/// Makes the first interrupt only set the returned flag. The second one kills the
/// engines in `groups` and ends the process. `ending` tells the user what happens
/// in between.
pub(super) fn ask_first(groups: &ProcessGroups, ending: &'static str) -> &'static AtomicBool {
    // A process runs only one such job, so this is set once.
    let _ = ENGINES.set((groups.clone(), ending));
    &STOP
}

/// Kills the engines when the process gets SIGTERM or SIGHUP. The engines have
/// process groups of their own, which these signals do not reach.
#[cfg(unix)]
pub(super) fn end_with(groups: &ProcessGroups) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;
    // `nohup` ignores SIGHUP.
    let handled = [SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = Signals::new(handled) else { return };
    let groups = groups.clone();
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            groups.exit(128 + signal);
        }
    });
}

/// Does nothing: other systems have no such signals.
#[cfg(not(unix))]
pub(super) fn end_with(_: &ProcessGroups) {}

/// Whether the process ignores a signal, as inherited from its parent.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    use nix::libc::{SIG_IGN, sigaction};
    let mut action = std::mem::MaybeUninit::<sigaction>::zeroed();
    // SAFETY: a null pointer for the new action changes nothing, and `action` has
    // room for the current one.
    #[expect(unsafe_code, reason = "there is no safe interface")]
    unsafe {
        nix::libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == SIG_IGN
    }
}

/// Ends the process quietly as soon as nobody can read its standard output any
/// more, as a failed write would: for commands that have no other product.
///
/// After an interrupt its exit code is 130, otherwise 0. Linux tells when the
/// reader of a pipe, socket or terminal goes. Elsewhere only pipes are watched: a
/// socket whose peer will write no more looks like one that is closed.
#[cfg(unix)]
pub(super) fn end_unread() {
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
            // What is of interest is reported unasked, but some systems report
            // nothing if nothing is asked for. This event never comes.
            let mut watched = [PollFd::new(output.as_fd(), PollFlags::POLLRDBAND)];
            match poll(&mut watched, PollTimeout::NONE) {
                Err(Errno::EINTR | Errno::EAGAIN) => {}
                Err(_) => return,
                Ok(_) => {
                    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
                    if watched[0].revents().is_some_and(|events| events.intersects(gone)) {
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
pub(super) fn end_unread() {}

/// The signal that stops the searches of [`ask_searches`].
static SEARCHES: LazyLock<StopSignal> = LazyLock::new(StopSignal::default);

/// Makes the first interrupt only request the returned stop signal. The second one
/// ends the process. `ending` tells the user what happens in between.
pub(super) fn ask_searches(ending: &'static str) -> &'static StopSignal {
    ask_first(&ProcessGroups::default(), ending);
    &SEARCHES
}

/// The exit code of a command that did what it could: 130 after an interrupt.
pub(super) fn code_so_far() -> ExitCode {
    ExitCode::from(status_so_far() as u8)
}

fn status_so_far() -> i32 {
    let is_interrupted = STOP.load(Ordering::Relaxed) || INTERRUPT.load(Ordering::Relaxed);
    if is_interrupted { INTERRUPTED } else { 0 }
}

/// What happens after the first interrupt while games are played.
pub(super) const GAMES: &str = "finishing the running games";

/// Handles an interrupt.
fn handle() {
    if let Some((_, ending)) = ENGINES.get()
        && !STOP.swap(true, Ordering::Relaxed)
    {
        SEARCHES.request();
        let _ = writeln!(io::stderr(), "\npontifex: {ending}; interrupt again to stop at once");
        return;
    }
    exit(INTERRUPTED);
}

/// Ends the process, and its engines.
fn exit(code: i32) -> ! {
    match ENGINES.get() {
        Some((groups, _)) => groups.exit(code),
        None => process::exit(code),
    }
}
