//! The page in a real browser: runs the tests under `tests/web` with Node's
//! test runner, four files at a time.

use std::path::PathBuf;

use super::server::Server;
use crate::support::node::{NodeScripts, lacking};

/// Finds the browser: `CHROMIUM` in the environment, or one of the usual
/// places.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.is_file())
}

#[test]
fn the_page_in_a_browser() {
    let Some(chromium) = chromium() else { return lacking("Chromium") };
    let Some(scripts) = NodeScripts::in_folder("web") else { return };
    let server = Server::start("serve-browser", &[]);
    let url = format!("http://127.0.0.1:{}", server.port);
    let env = [
        ("PONTIFEX_URL", url.as_str()),
        ("CHROMIUM", chromium.to_str().unwrap_or_default()),
        ("PONTIFEX", env!("CARGO_BIN_EXE_pontifex")),
    ];
    println!("{}", scripts.run(&["--test", "--test-concurrency=4"], &env));
}
