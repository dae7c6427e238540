//! pontifex: an engine for Ponte del Diavolo.

use std::process::ExitCode;

fn main() -> ExitCode {
    pontifex::cli::main()
}
