//! No process is left behind.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, panic, process};

use pontifex_tournament::{EngineSpec, FailureKind, GameEnd, Player, ProcessGroups};

use super::engines::{bad, play, quick_task, start};

/// A unique word for the command lines of a test's engines and their children.
pub(crate) fn new_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("mark-{}-{}-", process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Waits until no living process has the mark in its command line. Returns `false` if one still
/// does after half a minute.
pub(crate) fn wait_until_gone(mark: &str) -> bool {
    let start = Instant::now();
    // A process that has been killed may take a moment to vanish.
    while start.elapsed() < Duration::from_secs(30) {
        if count_running(mark) == 0 {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Counts the living processes with the mark in their command line. A zombie's command line is
/// empty.
fn count_running(mark: &str) -> usize {
    if let Ok(processes) = fs::read_dir("/proc") {
        let lines = processes.flatten().flat_map(|entry| fs::read(entry.path().join("cmdline")));
        return lines.filter(|line| String::from_utf8_lossy(line).contains(mark)).count();
    }
    let list = process::Command::new("ps").args(["-axo", "command"]).output().unwrap();
    String::from_utf8_lossy(&list.stdout).lines().filter(|line| line.contains(mark)).count()
}

/// Waits until `count` living processes have the mark in their command line.
pub(crate) fn wait_for(mark: &str, count: usize) {
    let start = Instant::now();
    while count_running(mark) != count {
        assert!(start.elapsed() < Duration::from_secs(30), "{} of {count}", count_running(mark));
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_engine_that_ignores_quit_is_ended_with_its_children() {
    let mark = new_mark();
    let groups = ProcessGroups::default();
    let spec = bad("ignores-quit", &mark);
    let mut players = [start(&spec, &groups), start(&EngineSpec::builtin("good"), &groups)];
    assert_eq!(play(&mut players, &quick_task(4, "playouts=1")).end, GameEnd::Score);
    // The engine and its child.
    wait_for(&mark, 2);
    players.into_iter().for_each(Player::quit);
    assert!(wait_until_gone(&mark), "a process is left");
    assert!(groups.is_empty());
}

#[test]
fn a_panic_leaves_no_engine_behind() {
    let mark = new_mark();
    let groups = ProcessGroups::default();
    let spec = bad("ignores-quit", &mark);
    let panicked = thread::scope(|scope| {
        let work = || {
            let _player = start(&spec, &groups);
            // The engine and its child.
            wait_for(&mark, 2);
            panic::resume_unwind(Box::new("on purpose"));
        };
        scope.spawn(work).join().is_err()
    });
    assert!(panicked);
    assert!(wait_until_gone(&mark), "a process is left");
    assert!(groups.is_empty());
}

#[test]
fn all_engines_can_be_killed_at_once_from_another_thread() {
    let mark = new_mark();
    let groups = ProcessGroups::default();
    let spec = bad("stall", &mark);
    let mut players = [start(&spec, &groups), start(&EngineSpec::builtin("good"), &groups)];
    let game = thread::scope(|scope| {
        let game = scope.spawn(|| play(&mut players, &quick_task(6, "playouts=1")));
        thread::sleep(Duration::from_millis(200));
        groups.kill_all();
        game.join().unwrap()
    });
    let GameEnd::Failure { seat: 0, failure } = &game.end else { panic!("{:?}", game.end) };
    assert_eq!(failure.kind, FailureKind::Crash);
    assert_eq!(failure.exit_status.as_deref(), Some("signal: 9 (SIGKILL)"));
    assert!(wait_until_gone(&mark), "a process is left");
    assert!(groups.is_empty());
    let failure = Player::start(&spec, &groups, Duration::from_secs(1)).unwrap_err();
    assert!(failure.detail.contains("the match is being stopped"), "{failure}");
}
