//! Failures of engines, and how they are reported.

use std::thread;
use std::time::{Duration, SystemTime};

use pontifex::game::{Setup, Supply};
use pontifex_tournament::{
    EngineSpec, Failure, FailureKind, GameEnd, Player, ProcessGroups, play_game,
};

use super::engines::{bad, plain, play, pontifex_with, quick_task, start};
use super::orphans::{new_mark, wait_until_gone};

/// The failure that a bad engine's game must report.
struct Expected {
    mode: &'static str,
    kind: FailureKind,
    /// A part of the detail.
    detail: &'static str,
    /// A part of the tail of stderr.
    stderr: &'static str,
    /// The beginning of the exit status.
    status: Option<&'static str>,
    stall: Duration,
}

/// Long enough for an answer on a busy machine.
const LONG_STALL: Duration = Duration::from_secs(30);
/// For engines that do not answer.
const SHORT_STALL: Duration = Duration::from_secs(8);

const EXPECTED: [Expected; 14] = {
    use FailureKind::{Crash, Framing, Illegal, Refusal, Stall, Timeout};
    const fn expect(mode: &'static str, kind: FailureKind, detail: &'static str) -> Expected {
        Expected { mode, kind, detail, stderr: "", status: None, stall: LONG_STALL }
    }
    [
        Expected {
            stderr: "out of ideas",
            status: Some("exit status: 7"),
            ..expect("crash", Crash, "the engine ended, exit status: 7")
        },
        Expected {
            status: Some("signal: 11"),
            ..expect("signal", Crash, "the engine ended, signal: 11")
        },
        Expected {
            stderr: "leaving a child behind",
            status: Some("exit status: 8"),
            ..expect("orphan", Crash, "the engine ended, exit status: 8")
        },
        expect("mute", Crash, "closed its output"),
        Expected {
            stderr: "closing down",
            status: Some("exit status: 9"),
            ..expect("farewell", Crash, "the engine ended, exit status: 9")
        },
        Expected {
            stderr: "thinking hard",
            stall: SHORT_STALL,
            ..expect("stall", Stall, "no answer to 'genmove w' within")
        },
        expect("slow", Timeout, "answered after "),
        expect("illegal", Illegal, "pass is illegal: pass is not allowed while two tiles"),
        expect("nonsense", Illegal, "'somewhere' is not a move"),
        expect("garbage", Framing, "it begins with neither = nor ?"),
        expect("wrong-id", Framing, ", expected "),
        expect("no-id", Framing, "has no id"),
        Expected {
            stall: SHORT_STALL,
            ..expect("no-blank-line", Framing, "no empty line ended the answer to 'genmove w'")
        },
        expect("refuses", Refusal, "refused the legal move"),
    ]
};

#[test]
fn every_failure_is_recorded_in_full() {
    // All at once, because most of the time is spent waiting.
    thread::scope(|scope| {
        for expected in &EXPECTED {
            scope.spawn(|| check_failure(expected));
        }
    });
}

fn check_failure(expected: &Expected) {
    let mark = new_mark();
    let groups = ProcessGroups::default();
    let spec = bad(expected.mode, &mark);
    let mut players = [start(&spec, &groups), start(&EngineSpec::builtin("good"), &groups)];
    let mut task = quick_task(5, if expected.mode == "slow" { "time=1" } else { "playouts=1" });
    task.margin = Duration::from_millis(500);
    task.stall = expected.stall;
    // Both players stay usable: the bad one is restarted and fails again.
    for starts in 1..=2 {
        let game = play(&mut players, &task);
        let GameEnd::Failure { seat: 0, failure } = &game.end else {
            panic!("{}: {:?}", expected.mode, game.end);
        };
        assert_eq!(game.winner, Some(1));
        assert_eq!(game.moves.len(), if expected.mode == "refuses" { 1 } else { 2 });
        assert_eq!(game.moves.len(), game.seconds.len());
        check_report(failure, expected);
        assert_eq!(failure.position.as_ref(), Some(&game.position));
        assert_eq!(players[0].starts(), starts);
        assert!(wait_until_gone(&mark), "{} leaves a process behind", expected.mode);
        assert!(groups.is_empty());
    }
}

fn check_report(failure: &Failure, expected: &Expected) {
    let Expected { mode, kind, detail, stderr, status, .. } = expected;
    assert_eq!((&*failure.engine, failure.kind), (*mode, *kind), "{failure:?}");
    assert!(failure.detail.contains(detail), "{failure:?}");
    assert!(!failure.detail.contains('\n'));
    let position = Setup::parse(failure.position.as_ref().unwrap(), Supply::Standard, false);
    position.unwrap().validate().unwrap();
    let command = failure.command.as_ref().unwrap();
    assert!(command == "genmove w" || *mode == "refuses" && command.starts_with("play b "));
    let lines = &failure.last_lines;
    let sent = lines.iter().rfind(|line| line.starts_with("> ")).unwrap();
    assert!(sent.ends_with(&**command), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("< =")), "{lines:?}");
    assert!(failure.stderr_tail.iter().any(|line| line.contains(stderr)) || stderr.is_empty());
    match status {
        Some(status) => assert!(failure.exit_status.as_ref().unwrap().starts_with(status)),
        None => assert_eq!(failure.exit_status, None),
    }
    let json = serde_json::to_string(failure).unwrap();
    assert!(json.contains(&format!(r#""kind":"{kind}""#)), "{json}");
    assert_eq!(serde_json::from_str::<Failure>(&json).unwrap(), *failure);
    assert!(failure.report().lines().count() > 4);
}

/// Guards against a wait of six seconds after the output was closed.
#[test]
fn an_engine_that_closes_its_output_causes_no_delay() {
    let groups = ProcessGroups::default();
    let mut players =
        [start(&bad("mute", ""), &groups), start(&EngineSpec::builtin("good"), &groups)];
    let mut delay = || {
        let game = play(&mut players, &quick_task(5, "playouts=1"));
        let GameEnd::Failure { seat: 0, failure } = &game.end else { panic!("{:?}", game.end) };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let closing_time =
            failure.stderr_tail.iter().find_map(|line| line.strip_prefix("closing at "));
        now.as_secs_f64() - closing_time.unwrap().parse::<f64>().unwrap()
    };
    // The shortest of several delays: other load can only add time.
    assert!((0..10).any(|_| delay() < 4.0));
}

#[test]
fn an_engine_that_does_not_start_is_reported() {
    let groups = ProcessGroups::default();
    let start = |spec: &EngineSpec, stall| {
        let failure = Player::start(spec, &groups, stall).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Start);
        failure
    };
    let mark = new_mark();
    let failure = start(&bad("crash-at-start", &mark), LONG_STALL);
    assert_eq!(failure.stderr_tail, ["no such network: best.bin"]);
    assert_eq!(failure.exit_status.as_deref(), Some("exit status: 3"));
    assert_eq!(failure.command.as_deref(), Some("protocol_version"));
    let failure = start(&bad("stall-at-start", &mark), Duration::from_millis(500));
    assert!(failure.detail.contains("no answer to 'protocol_version' within"));
    let failure = start(&EngineSpec::process("none", "./no-such-engine"), LONG_STALL);
    assert!(failure.detail.contains("cannot be started"), "{failure}");
    assert!(wait_until_gone(&mark), "a process is left");
    assert!(groups.is_empty());
}

#[test]
fn wrong_parameters_are_found_at_the_start() {
    let groups = ProcessGroups::default();
    let tempo = vec![("tempo".to_owned(), "1".to_owned())];
    let mut engines = vec![
        (
            pontifex_with("threads", "many"),
            "threads must be a whole number from 1 to 1024, not 'many'",
        ),
        (pontifex_with("tempo", "1"), "there is no parameter 'tempo'"),
        (
            EngineSpec { params: tempo.clone(), ..EngineSpec::builtin("tempo") },
            "there is no parameter 'tempo'",
        ),
    ];
    let plain = EngineSpec { params: tempo, ..plain(1) };
    engines.push((plain, "does not know ponte-set_param, which param.tempo=1 needs"));
    for (spec, detail) in engines {
        let failure = Player::start(&spec, &groups, LONG_STALL).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Start, "{failure:?}");
        assert!(failure.detail.contains(detail), "{failure:?}");
        assert!(groups.is_empty());
    }
}

#[test]
fn an_engine_that_refuses_the_board_cannot_start_a_game() {
    let groups = ProcessGroups::default();
    let mut bad = start(&bad("no-board", ""), &groups);
    let mut good = start(&EngineSpec::builtin("good"), &groups);
    let game = play_game([&mut good, &mut bad], &quick_task(6, "playouts=1"));
    let GameEnd::Failure { seat: 1, failure } = &game.end else { panic!("{:?}", game.end) };
    assert_eq!(failure.kind, FailureKind::Start, "{failure:?}");
    assert_eq!(failure.detail, "refused 'boardsize 6': unacceptable size");
    assert_eq!((game.winner, game.moves.len()), (Some(0), 0));
}

#[test]
fn an_endless_line_is_not_an_answer() {
    let mark = new_mark();
    let groups = ProcessGroups::default();
    let spec = bad("endless-line", &mark);
    let mut players = [start(&spec, &groups), start(&EngineSpec::builtin("good"), &groups)];
    let game = play(&mut players, &quick_task(6, "playouts=1"));
    let GameEnd::Failure { seat: 0, failure } = &game.end else { panic!("{:?}", game.end) };
    assert_eq!(failure.kind, FailureKind::Framing);
    assert!(wait_until_gone(&mark));
}

#[test]
fn a_flood_on_stderr_is_harmless() {
    let groups = ProcessGroups::default();
    let mut players =
        [start(&bad("flood", ""), &groups), start(&EngineSpec::builtin("good"), &groups)];
    let game = play(&mut players, &quick_task(6, "playouts=1"));
    assert_eq!(game.end, GameEnd::Score);
}
