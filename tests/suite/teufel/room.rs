//! The room stands alone: what it uses, and who uses it.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let inner = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(inner).filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

#[test]
fn the_room_and_the_rest_do_not_know_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = fs::read_to_string(&path).unwrap();
        if name.starts_with("teufel/") {
            let is_own = |used: &&str| {
                used.starts_with("gtp::{Request, frame};") || used.starts_with("eval::Random;")
            };
            assert_eq!(text.split("crate::").skip(1).find(|used| !is_own(used)), None, "{name}");
        } else if !["lib.rs", "cli/mod.rs", "cli/arguments.rs", "cli/teufel.rs"].contains(&&*name) {
            assert!(!text.contains("teufel"), "{name} knows the room");
        }
    }
}
