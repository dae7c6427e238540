//! Tests of `src/engines/spec.rs`.

use std::path::PathBuf;

use pontifex_tournament::{EngineCommand, EngineSpec};

#[test]
fn path_errors_say_what_is_missing() {
    let dir = Some(PathBuf::from("/no/such/folder"));
    let in_dir = |line: &str, dir| {
        let command = EngineCommand::Process { line: line.to_owned(), dir };
        EngineSpec { command, ..EngineSpec::builtin("A") }
    };
    for (spec, words) in [
        (EngineSpec::process("A", "./no-engine gtp"), "there is no file"),
        (EngineSpec::process("A", "no-such-engine"), "'no-such-engine' is in PATH"),
        (EngineSpec::process("A", "/"), "/ is not an executable file"),
        (EngineSpec::process("A", "''"), "the command line is empty"),
        (EngineSpec::process("A", "'"), "is not closed"),
        (in_dir("./a 'b c'", Some(PathBuf::from("/"))), "there is no file /a"),
        (in_dir("./a", dir), "there is no folder /no/such/folder"),
    ] {
        let error = spec.check_path().unwrap_err().to_string();
        assert!(error.starts_with("engine A: ") && error.contains(words), "{error}");
    }
    assert_eq!(EngineSpec::builtin("A").check_path(), Ok(()));
}
