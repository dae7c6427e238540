//! What Ctrl-C does: it ends the process, or first asks work to come to an
//! end by itself.

use std::io::{self, Write};
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::INTERRUPTED;
use crate::arena::ProcessGroups;

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

/// What is done after the first interrupt where games are played.
pub(super) const GAMES: &str = "finishing the running games";

/// An interrupt has come.
pub(super) fn handle() {
    if let Some((groups, ending)) = ENGINES.get() {
        if !STOP.swap(true, Ordering::Relaxed) {
            let _ = writeln!(io::stderr(), "\npontifex: {ending}; interrupt again to stop at once");
            return;
        }
        groups.kill_all();
    }
    process::exit(INTERRUPTED);
}
