//! The page in a real browser: runs the tests under `tests/web` with Node's test runner, against
//! the server and against the site that needs none.

use std::path::PathBuf;

use super::server::Server;
use crate::support::client::{pontifex, test_folder};
use crate::support::node::{NodeScripts, report_missing, report_missing_engine};

/// Finds the browser: `CHROMIUM` in the environment, or one of the usual places.
fn chromium() -> Option<PathBuf> {
    let chosen = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    chosen.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.is_file())
}

/// Tests that do not depend on the host of the game: of the page's looks and behaviour, and of the
/// report of `pontifex review`. They run once, with the server.
const ONCE: [&str; 13] = [
    "access",
    "editor",
    "glossary",
    "learn",
    "looking",
    "looks",
    "review",
    "reviewing",
    "sizes",
    "state",
    "taps",
    "templates",
    "texts",
];

/// Runs the tests of all files but `excluded`. `host` is the environment variable with the address
/// of the page.
fn run(host: (&str, &str), excluded: &[&str]) {
    let Some(chromium) = chromium() else { return report_missing("Chromium") };
    let Some(scripts) = NodeScripts::in_folder("tests/web") else { return };
    let env = [
        host,
        ("CHROMIUM", chromium.to_str().unwrap_or_default()),
        ("PONTIFEX", env!("CARGO_BIN_EXE_pontifex")),
    ];
    let mut files = scripts.test_files();
    let count = files.len();
    files.retain(|file| !excluded.iter().any(|name| *file == format!("{name}.test.mjs")));
    assert_eq!(count - files.len(), excluded.len(), "{files:?}");
    let options = ["--test", "--test-concurrency=4"];
    let arguments: Vec<&str> =
        options.into_iter().chain(files.iter().map(String::as_str)).collect();
    println!("{}", scripts.run(&arguments, &env));
}

#[test]
fn the_page_in_a_browser() {
    let server = Server::start("serve-browser", &[]);
    run(("PONTIFEX_URL", &format!("http://127.0.0.1:{}", server.port)), &[]);
}

/// `node wasm/build.mjs` must have been run before the build of these tests.
#[test]
fn the_page_in_a_browser_without_a_server() {
    let site = test_folder("site-browser").join("deep/inside");
    let output = pontifex().arg("site").arg(&site).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("without the engine for browsers") {
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("run 'node wasm/build.mjs'"), "{stderr}");
        return report_missing_engine();
    }
    assert!(output.status.success(), "{stderr}");
    run(("PONTIFEX_SITE", site.to_str().unwrap()), &ONCE);
}
