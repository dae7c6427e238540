//! The page in a real browser: runs the tests under `tests/web` with Node's
//! test runner, against the server and against the site that needs none.

use std::path::PathBuf;

use super::server::Server;
use crate::support::client::{folder, pontifex};
use crate::support::node::{NodeScripts, lacking, lacking_engine};

/// Finds the browser: `CHROMIUM` in the environment, or one of the usual
/// places.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.is_file())
}

/// Tests of what the page does and looks like whoever hosts the game, and of the report of
/// `pontifex review`, which has no host. They run once, with the server.
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

/// Runs the tests of all files but `left_out`; `host` is the variable that says where the
/// page is.
fn run(host: (&str, &str), left_out: &[&str]) {
    let Some(chromium) = chromium() else { return lacking("Chromium") };
    let Some(scripts) = NodeScripts::in_folder("tests/web") else { return };
    let env = [
        host,
        ("CHROMIUM", chromium.to_str().unwrap_or_default()),
        ("PONTIFEX", env!("CARGO_BIN_EXE_pontifex")),
    ];
    let mut files = scripts.test_files();
    let count = files.len();
    files.retain(|file| !left_out.iter().any(|name| *file == format!("{name}.test.mjs")));
    assert_eq!(count - files.len(), left_out.len(), "{files:?}");
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
    let site = folder("site-browser").join("deep/inside");
    let output = pontifex().arg("site").arg(&site).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    if told.contains("without the engine for browsers") {
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("run 'node wasm/build.mjs'"), "{told}");
        return lacking_engine();
    }
    assert!(output.status.success(), "{told}");
    run(("PONTIFEX_SITE", site.to_str().unwrap()), &ONCE);
}
