//! A session with Sabaki's GTP client, a client that this project did not write.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// Runs a tool in `folder` and returns its output.
fn run(folder: &Path, tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{tool} {arguments:?}: {}\n{stdout}\n{stderr}", output.status);
    stdout
}

/// Runs a script of `tests/sabaki` with the engine. Installs the packages itself.
/// Without Node it says so and returns `None`, except under `CI=true`.
fn session(script: &str, options: &[&str]) -> Option<String> {
    /// Two tests must not install at the same time.
    static INSTALLED: Mutex<()> = Mutex::new(());
    let has = |tool| Command::new(tool).arg("--version").output().is_ok();
    if !(has("node") && has("npm")) && std::env::var_os("CI").is_none() {
        eprintln!("left out: this machine has no Node or npm; the test needs both");
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sabaki");
    let installing = INSTALLED.lock();
    if !folder.join("node_modules/@sabaki/go-board").exists() {
        run(&folder, "npm", &["ci", "--no-audit", "--no-fund"]);
    }
    drop(installing);
    let engine = [env!("CARGO_BIN_EXE_pontifex"), "--threads", "1", "--playouts", "20"];
    Some(run(&folder, "node", &[&[script][..], &engine, options].concat()))
}

#[test]
fn sabakis_client_plays_a_game() {
    if let Some(summary) = session("session.mjs", &[]) {
        assert!(summary.contains(" turns, "), "{summary}");
    }
}

#[test]
fn sabakis_rules_read_every_line_of_an_analysis() {
    if let Some(summary) = session("analysis.mjs", &["--points"]) {
        assert!(summary.contains(" variations"), "{summary}");
    }
}
