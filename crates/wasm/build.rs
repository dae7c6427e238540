//! Gives the crate the stamp of its sources, which the build for browsers contains.

use std::path::Path;

mod stamp;

fn main() {
    let root = Path::new("../..");
    for source in stamp::SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    println!("cargo::rerun-if-changed=stamp.rs");
    println!("cargo::rustc-env=PONTIFEX_STAMP={}", stamp::stamp(root));
}
