//! A session with Sabaki's GTP client, a client that this project did not write.

use std::path::Path;
use std::process::Command;

/// Runs a tool in `folder` and returns its output.
fn run(folder: &Path, tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{tool} {arguments:?}: {}\n{stdout}\n{stderr}", output.status);
    stdout
}

/// Installs `@sabaki/gtp` itself. Without Node it says so and ends, except
/// under `CI=true`.
#[test]
fn sabakis_client_plays_a_game() {
    let has = |tool| Command::new(tool).arg("--version").output().is_ok();
    if !(has("node") && has("npm")) && std::env::var_os("CI").is_none() {
        eprintln!("left out: this machine has no Node or npm; the test needs both");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sabaki");
    if !folder.join("node_modules").exists() {
        run(&folder, "npm", &["ci", "--no-audit", "--no-fund"]);
    }
    let engine = [env!("CARGO_BIN_EXE_pontifex"), "--threads", "1", "--playouts", "20"];
    let summary = run(&folder, "node", &[&["session.mjs"][..], &engine].concat());
    assert!(summary.contains(" turns, "), "{summary}");
}
