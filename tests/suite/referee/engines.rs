//! The engines of these tests and the games they play.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use pontifex::board::Size;
use pontifex::game::{Rules, Supply};
use pontifex::tournament::{
    EngineSpec, GameTask, Limit, PlayedGame, Player, ProcessGroups, play_game,
};

/// Whether the fixtures can run. Without Python the tests that need it do
/// nothing but say so; where everything must be tested that is a failure.
pub(crate) fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let has_python = python.is_ok_and(|status| status.success());
    if !has_python {
        let missing = "python3 is missing: the engines of these tests cannot run";
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{missing}");
        eprintln!("{missing}, SKIPPED");
    }
    has_python
}

fn fixture(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/engines").join(file)
}

/// The engine that fails in one way; `mark` is found in its command line.
pub(super) fn bad(mode: &str, mark: &str) -> EngineSpec {
    EngineSpec::process(mode, &format!("python3 '{}' {mode} {mark}", fixture("bad.py").display()))
}

/// The foreign engine.
pub(super) fn plain(seed: u32) -> EngineSpec {
    EngineSpec::process("plain", &format!("python3 '{}' {seed}", fixture("plain.py").display()))
}

/// The same, which swaps.
pub(super) fn swapping() -> EngineSpec {
    EngineSpec::process("plain", &format!("python3 '{}' 1 swaps", fixture("plain.py").display()))
}

/// The binary under test as an engine of its own.
pub(super) fn pontifex(arguments: &str) -> EngineSpec {
    let line = format!("'{}' gtp {arguments}", env!("CARGO_BIN_EXE_pontifex"));
    EngineSpec::process("pontifex", &line)
}

/// The same with a parameter.
pub(super) fn pontifex_with(name: &str, value: &str) -> EngineSpec {
    EngineSpec { params: vec![(name.to_owned(), value.to_owned())], ..pontifex("") }
}

/// Starts an engine.
pub(super) fn start(spec: &EngineSpec, groups: &ProcessGroups) -> Player {
    Player::start(spec, groups, Duration::from_secs(30)).expect("the engine starts")
}

/// A quick game on a small board, seat 0 with a limit of its own.
pub(super) fn task(size: u64, limit: &str) -> GameTask {
    let rules = Rules { size: Size::new(size).unwrap(), supply: Supply::Standard, pie: false };
    GameTask {
        rules,
        opening: Vec::new(),
        limits: [limit.parse().unwrap(), Limit::Iterations { count: 1 }],
        margin: Duration::from_millis(100),
        stall: Duration::from_secs(30),
        seed: 7,
    }
}

/// Plays a game; the first player has seat 0.
pub(super) fn play(players: &mut [Player; 2], task: &GameTask) -> PlayedGame {
    let [first, second] = players;
    play_game([first, second], task)
}
