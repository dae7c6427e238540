//! The engines of the referee's tests, which need `python3`, and their games.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pontifex::board::Size;
use pontifex::game::{Rules, Supply};
use pontifex_tournament::{
    Adjudication, EngineSpec, GameTask, Limit, PlayedGame, Player, ProcessGroups, play_game,
};

fn fixture(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/engines").join(file)
}

/// An engine that fails in one way. `mark` appears in its command line.
pub(super) fn bad(mode: &str, mark: &str) -> EngineSpec {
    EngineSpec::process(mode, &format!("python3 '{}' {mode} {mark}", fixture("bad.py").display()))
}

/// A correct engine that shares no code with the project.
pub(super) fn plain(seed: u32) -> EngineSpec {
    EngineSpec::process("plain", &format!("python3 '{}' {seed}", fixture("plain.py").display()))
}

/// The engine of [`plain`], but it swaps.
pub(super) fn swapping() -> EngineSpec {
    EngineSpec::process("plain", &format!("python3 '{}' 1 swaps", fixture("plain.py").display()))
}

/// The binary under test as an external engine.
pub(super) fn pontifex(arguments: &str) -> EngineSpec {
    let line = format!("'{}' gtp {arguments}", env!("CARGO_BIN_EXE_pontifex"));
    EngineSpec::process("pontifex", &line)
}

/// The binary under test as an external engine with a parameter.
pub(super) fn pontifex_with(name: &str, value: &str) -> EngineSpec {
    EngineSpec { params: vec![(name.to_owned(), value.to_owned())], ..pontifex("") }
}

/// Starts an engine.
pub(super) fn start(spec: &EngineSpec, groups: &ProcessGroups) -> Player {
    Player::start(spec, groups, Duration::from_secs(30)).expect("the engine starts")
}

/// A quick game on a small board, with a limit for seat 0.
pub(super) fn quick_task(size: u64, limit: &str) -> GameTask {
    let rules = Rules { size: Size::new(size).unwrap(), supply: Supply::Standard, pie: false };
    GameTask {
        rules,
        opening: Vec::new(),
        limits: [limit.parse().unwrap(), Limit::Iterations { count: 1 }],
        margin: Duration::from_millis(100),
        stall: Duration::from_secs(30),
        seed: 7,
        evaluations: false,
        adjudication: Adjudication::default(),
    }
}

/// Plays a game; the first player has seat 0.
pub(super) fn play(players: &mut [Player; 2], task: &GameTask) -> PlayedGame {
    let [first, second] = players;
    play_game([first, second], task)
}
