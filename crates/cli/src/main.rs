//! The program `pontifex`. All its code is in the library beside this file, so that it compiles
//! while the crates below it are still being optimised.

use std::process::ExitCode;

fn main() -> ExitCode {
    pontifex_cli::main()
}
