//! The engine for JavaScript: runs the tests under `wasm/test` with Node's test
//! runner. `node wasm/build.mjs` builds what they test.

use std::path::Path;

use crate::support::node::{NodeScripts, lacking_engine};

#[test]
fn the_npm_package_in_node_and_chromium() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("wasm/dist/pontifex_bg.wasm").is_file() {
        return lacking_engine();
    }
    // The browser of the page's tests also runs the package.
    if NodeScripts::in_folder("tests/web").is_none() {
        return;
    }
    let Some(scripts) = NodeScripts::in_folder("wasm") else { return };
    println!("{}", scripts.run(&["--test", "--test-concurrency=2"], &[]));
}
