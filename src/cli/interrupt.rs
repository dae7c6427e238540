//! Handling Ctrl-C: it ends the process, or at first only asks running work to
//! finish.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};

use super::exit::INTERRUPTED;
use crate::engine::StopSignal;
use crate::tournament::ProcessGroups;

/// Set by the first interrupt, if it only asks the work to finish.
static STOP: AtomicBool = AtomicBool::new(false);

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
    std::thread::spawn(move || {
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

/// The signal that stops the searches of [`ask_searches`].
static SEARCHES: LazyLock<StopSignal> = LazyLock::new(StopSignal::default);

/// Makes the first interrupt only request the returned stop signal. The second one
/// ends the process. `ending` tells the user what happens in between.
pub(super) fn ask_searches(ending: &'static str) -> &'static StopSignal {
    ask_first(&ProcessGroups::default(), ending);
    &SEARCHES
}

/// Whether the first interrupt has come.
pub(super) fn has_come() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// What happens after the first interrupt while games are played.
pub(super) const GAMES: &str = "finishing the running games";

/// Handles an interrupt.
pub(super) fn handle() {
    if let Some((groups, ending)) = ENGINES.get() {
        if !STOP.swap(true, Ordering::Relaxed) {
            SEARCHES.request();
            let _ = writeln!(io::stderr(), "\npontifex: {ending}; interrupt again to stop at once");
            return;
        }
        groups.exit(INTERRUPTED);
    }
    process::exit(INTERRUPTED);
}
