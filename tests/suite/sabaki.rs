//! A session driven by a client that nobody here wrote: Sabaki's.

use std::path::Path;
use std::process::Command;

/// Runs a tool in `folder`; `None` when there is no such tool.
fn tool(folder: &Path, name: &str, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(name).args(arguments).current_dir(folder).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{name} {arguments:?}: {}\n{stdout}\n{stderr}", output.status);
    Some(stdout)
}

#[test]
fn a_session_with_sabakis_client() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sabaki");
    let lacking = |name: &str| {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "{name} is not installed, and this is CI"
        );
        println!("skipped: {name} is not installed, so Sabaki's client cannot be run");
    };
    if !folder.join("node_modules").exists()
        && tool(&folder, "npm", &["ci", "--no-audit", "--no-fund"]).is_none()
    {
        return lacking("npm");
    }
    let engine = [env!("CARGO_BIN_EXE_pontifex"), "--threads", "1", "--playouts", "20"];
    let arguments = [&["session.mjs"][..], &engine].concat();
    let Some(summary) = tool(&folder, "node", &arguments) else { return lacking("node") };
    assert!(summary.contains(" turns, "), "{summary}");
}
