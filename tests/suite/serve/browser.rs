//! The page in a real browser: runs the tests under `tests/web` with Node's
//! test runner, four files at a time.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::server::Server;

/// Finds the browser: `CHROMIUM` in the environment, or one of the usual
/// places.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.is_file())
}

/// Runs a tool in `folder`; `None` if it is not installed.
fn tool(folder: &Path, name: &str, arguments: &[&str], env: &[(&str, &str)]) -> Option<()> {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(folder).envs(env.iter().copied());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => panic!("{name}: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{name} {arguments:?}: {}\n{stdout}\n{stderr}", output.status);
    println!("{stdout}");
    Some(())
}

#[test]
fn the_page_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web");
    let lacking = |what: &str| {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "{what} is not there, and this is CI"
        );
        println!("skipped: {what} is not there, so the page cannot be tested in a browser");
    };
    if !folder.join("package.json").is_file() {
        return lacking("tests/web");
    }
    let Some(chromium) = chromium() else { return lacking("Chromium") };
    if !folder.join("node_modules").exists()
        && tool(&folder, "npm", &["ci", "--no-audit", "--no-fund"], &[]).is_none()
    {
        return lacking("npm");
    }
    let server = Server::start("serve-browser", &[]);
    let url = format!("http://127.0.0.1:{}", server.port);
    let env = [
        ("PONTIFEX_URL", url.as_str()),
        ("CHROMIUM", chromium.to_str().unwrap_or_default()),
        ("PONTIFEX", env!("CARGO_BIN_EXE_pontifex")),
    ];
    if tool(&folder, "node", &["--test", "--test-concurrency=4"], &env).is_none() {
        lacking("node");
    }
}
