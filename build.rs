//! Tells the crate whether `wasm/build.mjs` has built the engine for browsers,
//! which `pontifex site` then contains.

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(engine_built)");
    println!("cargo::rerun-if-changed=build.rs");
    // The build for browsers itself does not depend on an earlier one.
    if std::env::var_os("CARGO_FEATURE_WEB").is_none() {
        return;
    }
    println!("cargo::rerun-if-changed=wasm/dist");
    let is_built = |name: &str| Path::new("wasm/dist").join(name).is_file();
    if is_built("pontifex.js") && is_built("pontifex_bg.wasm") {
        println!("cargo::rustc-cfg=engine_built");
    }
}
