//! Tells the crate whether `wasm/build.mjs` has built the engine for browsers, which
//! `pontifex site` then includes. Warns if that build is stale, that is, made from other sources.

use std::fs;
use std::path::Path;

#[path = "../wasm/stamp.rs"]
mod stamp;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(engine_built, engine_is_old)");
    let root = Path::new("../..");
    for source in
        stamp::SOURCES.into_iter().chain(["wasm/dist", "crates/wasm/stamp.rs", "crates/page"])
    {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    let dist = root.join("wasm/dist");
    let Ok(engine) = fs::read(dist.join("pontifex_bg.wasm")) else { return };
    if !dist.join("pontifex.js").is_file() {
        return;
    }
    println!("cargo::rustc-cfg=engine_built");
    if !stamp::contains(&engine, &stamp::stamp(root)) {
        println!("cargo::rustc-cfg=engine_is_old");
        println!(
            "cargo::warning=wasm/dist was built from other sources: run 'node wasm/build.mjs'"
        );
    }
}
