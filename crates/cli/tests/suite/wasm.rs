//! The engine for JavaScript: runs the tests under `wasm/test` with Node's test runner.
//! `node wasm/build.mjs` builds what they test.

use std::fs;

use crate::client::test_folder;
use crate::root;
use crate::support::node::{NodeScripts, report_missing_engine};

/// The module of the build script that checks whether the engine was built from the same sources.
#[allow(dead_code, unreachable_pub, missing_docs)]
#[path = "../../../wasm/stamp.rs"]
mod stamp;

#[test]
fn a_build_for_browsers_from_other_sources_is_noticed() {
    let root = test_folder("wasm-stamp");
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        stamp::stamp(&root)
    };
    write("wasm/build.mjs", "build");
    write("crates/cli/src/main.rs", "one");
    write("src/lib.rs", "one");
    let stamp = write("src/game/moves.rs", "one");
    let engine = format!("\0asm...{stamp}...");
    let is_current = |stamp: String| stamp::contains(engine.as_bytes(), &stamp);
    assert!(is_current(stamp));
    // The program alone has changed, or an editor is at work.
    assert!(is_current(write("crates/cli/src/main.rs", "two")));
    assert!(is_current(write("crates/page/main.js", "two")));
    assert!(is_current(write("src/game/.moves.rs.swp", "two")));
    assert!(!is_current(write("src/game/moves.rs", "two")));
    assert!(is_current(write("src/game/moves.rs", "one")));
    assert!(!is_current(write("src/game/new.rs", "")));
    fs::remove_file(root.join("src/game/new.rs")).unwrap();
    assert!(!is_current(write("wasm/build.mjs", "other flags")));
    assert!(!stamp::contains(b"\0asm", &stamp::stamp(&root)), "a build without a stamp");
}

#[test]
fn the_npm_package_in_node_and_chromium() {
    if !root().join("wasm/dist/pontifex_bg.wasm").is_file() {
        return report_missing_engine();
    }
    // The browser of the page's tests also runs the package.
    if NodeScripts::in_folder("tests/web").is_none() {
        return;
    }
    let Some(scripts) = NodeScripts::in_folder("wasm") else { return };
    println!("{}", scripts.run(&["--test", "--test-concurrency=2"], &[]));
}
