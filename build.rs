//! Tells the crate whether `wasm/build.mjs` has built the engine for browsers,
//! which `pontifex site` then contains, and whether that was from the same
//! sources.
//!
//! The build for browsers contains a stamp of its sources. The program's build
//! looks for the stamp that they have now, and warns if it is not there.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders of `src` that the build for browsers does not contain, as in
/// `lib.rs`.
const NOT_IN_BROWSERS: [&str; 6] = ["cli", "json", "teufel", "tournament", "train", "web"];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(engine_built, engine_is_old)");
    println!("cargo::rerun-if-changed=build.rs");
    let has = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    if !has("WEB") && !has("WASM") {
        return;
    }
    for sources in ["src", "wasm/build.mjs"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    let stamp = stamp(Path::new("."));
    if has("WASM") {
        println!("cargo::rustc-env=PONTIFEX_STAMP={stamp}");
    }
    // The build for browsers itself does not depend on an earlier one.
    if !has("WEB") {
        return;
    }
    println!("cargo::rerun-if-changed=wasm/dist");
    let dist = Path::new("wasm/dist");
    let Ok(engine) = fs::read(dist.join("pontifex_bg.wasm")) else { return };
    if dist.join("pontifex.js").is_file() {
        println!("cargo::rustc-cfg=engine_built");
        if !contains(&engine, &stamp) {
            println!("cargo::rustc-cfg=engine_is_old");
            println!(
                "cargo::warning=wasm/dist was built from other sources: run 'node wasm/build.mjs'"
            );
        }
    }
}

/// The stamp of the sources of the build for browsers below `root`: a hash of
/// their names and contents.
pub fn stamp(root: &Path) -> String {
    let mut files = vec![root.join("wasm/build.mjs")];
    for path in entries(&root.join("src")) {
        if !NOT_IN_BROWSERS.iter().any(|name| path.ends_with(name)) {
            collect(path, &mut files);
        }
    }
    files.sort();
    // FNV-1a, which is the same in every version of Rust.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy();
        add(name.replace('\\', "/").as_bytes());
        add(&[0]);
        add(&fs::read(&file).unwrap_or_default());
        add(&[0]);
    }
    format!("pontifex sources {hash:016x}")
}

/// Whether an engine for browsers contains the stamp.
pub fn contains(engine: &[u8], stamp: &str) -> bool {
    engine.windows(stamp.len()).any(|window| window == stamp.as_bytes())
}

/// Adds the file `path`, or all files below it.
fn collect(path: PathBuf, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for path in entries(&path) {
            collect(path, files);
        }
    } else {
        files.push(path);
    }
}

/// What is in a folder, without hidden files, such as those of editors.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    entries.map(|entry| entry.path()).collect()
}
