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

/// The engines that a second interrupt must end.
static ENGINES: OnceLock<ProcessGroups> = OnceLock::new();

/// From now on the first interrupt only sets the flag that is returned; the
/// second kills the engines in `groups` and ends the process.
pub(super) fn ask_first(groups: &ProcessGroups) -> &'static AtomicBool {
    // A process plays one match, or games of the engine against itself.
    let _ = ENGINES.set(groups.clone());
    &STOP
}

/// An interrupt has come.
pub(super) fn handle() {
    if let Some(groups) = ENGINES.get() {
        if !STOP.swap(true, Ordering::Relaxed) {
            let _ = writeln!(
                io::stderr(),
                "\npontifex: finishing the running games; interrupt again to stop at once"
            );
            return;
        }
        groups.kill_all();
    }
    process::exit(INTERRUPTED);
}
