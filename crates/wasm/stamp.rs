//! The stamp of the sources of the build for browsers. That build contains it, and the program that
//! embeds the build compares it with its own sources.

use std::fs;
use std::path::{Path, PathBuf};

/// What the build for browsers is made of, as paths from the repository's root.
pub(crate) const SOURCES: [&str; 4] =
    ["src", "crates/play/src", "crates/wasm/src", "wasm/build.mjs"];

/// The stamp of the sources below `root`: a hash of their names and contents.
pub(crate) fn stamp(root: &Path) -> String {
    let mut files = Vec::new();
    for name in SOURCES {
        collect(root.join(name), &mut files);
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
#[allow(dead_code, reason = "only the program that embeds the engine asks")]
pub(crate) fn contains(engine: &[u8], stamp: &str) -> bool {
    engine.windows(stamp.len()).any(|window| window == stamp.as_bytes())
}

/// Adds the file `path`, or all files below it but hidden ones, such as those of editors.
fn collect(path: PathBuf, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path);
        return;
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with('.') {
            collect(entry.path(), files);
        }
    }
}
