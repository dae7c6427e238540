//! What Ctrl-C does: it ends the process, or first asks work to come to an
//! end by itself.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};

use super::exit::INTERRUPTED;
use crate::engine::StopSignal;
use crate::tournament::ProcessGroups;

/// Set by the first interrupt of work that ends by itself.
static STOP: AtomicBool = AtomicBool::new(false);

/// The engines that a second interrupt must end, and what the first one
/// waits for.
static ENGINES: OnceLock<(ProcessGroups, &str)> = OnceLock::new();

/// From now on the first interrupt only sets the flag that is returned; the
/// second kills the engines in `groups` and ends the process. `ending` is what
/// is done in between.
pub(super) fn ask_first(groups: &ProcessGroups, ending: &'static str) -> &'static AtomicBool {
    // A process plays one match, or games of the engine against itself.
    let _ = ENGINES.set((groups.clone(), ending));
    &STOP
}

/// When the system asks the process to end, or its terminal is gone, its
/// engines end with it: they have groups of their own, where such signals do
/// not reach them.
#[cfg(unix)]
pub(super) fn end_with(groups: &ProcessGroups) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    use signal_hook::iterator::Signals;
    // With `nohup` a terminal may go.
    let heard = [SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = Signals::new(heard) else { return };
    let groups = groups.clone();
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            groups.exit(128 + signal);
        }
    });
}

/// There are no such signals.
#[cfg(not(unix))]
pub(super) fn end_with(_: &ProcessGroups) {}

/// Whether the process was started with that signal switched off.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    use nix::libc::{SIG_IGN, sigaction};
    let mut action = std::mem::MaybeUninit::<sigaction>::zeroed();
    // SAFETY: nothing is changed, and there is room for what is told.
    #[expect(unsafe_code, reason = "there is no safe way to ask")]
    unsafe {
        nix::libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == SIG_IGN
    }
}

/// What searches hear that end by themselves.
static SEARCHES: LazyLock<StopSignal> = LazyLock::new(StopSignal::default);

/// From now on the first interrupt ends the searches that hear the signal
/// that is returned; the second ends the process. `ending` is what is done in
/// between.
pub(super) fn ask_searches(ending: &'static str) -> &'static StopSignal {
    ask_first(&ProcessGroups::default(), ending);
    &SEARCHES
}

/// Whether work that ends by itself has been interrupted.
pub(super) fn has_come() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// What is done after the first interrupt where games are played.
pub(super) const GAMES: &str = "finishing the running games";

/// An interrupt has come.
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
