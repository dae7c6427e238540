//! `match --check`.

use std::thread;
use std::time::Duration;

use pontifex_tournament::{CheckResult, CheckVerdict, EngineSpec, ProcessGroups, check};

use super::engines::{bad, plain, pontifex, swapping};
use super::orphans::{new_mark, wait_until_gone};

fn run(spec: &EngineSpec, seconds: f64) -> Vec<CheckResult> {
    let groups = ProcessGroups::default();
    let results = check(spec, &groups, Duration::from_secs_f64(seconds));
    assert!(groups.is_empty());
    assert!(results.iter().all(|result| !result.detail.contains('\n')), "{results:#?}");
    results
}

/// The checks that did not pass.
fn remarks(results: &[CheckResult]) -> Vec<(&str, CheckVerdict)> {
    let remarks = results.iter().filter(|result| result.verdict != CheckVerdict::Pass);
    remarks.map(|result| (result.name, result.verdict)).collect()
}

#[test]
fn our_own_engine_passes() {
    let arguments = ["--threads 1 --time 0.05", "--threads 1 --time 0.01"];
    thread::scope(|scope| {
        for arguments in arguments {
            scope.spawn(move || {
                let limit = Some("tc=30+0.05".parse().unwrap());
                let results = run(&EngineSpec { limit, ..pontifex(arguments) }, 30.0);
                assert_eq!(remarks(&results), [], "{results:#?}");
            });
        }
    });
    assert_eq!(remarks(&run(&EngineSpec::builtin("b"), 1.0)), []);
}

#[test]
fn a_plain_engine_passes_with_remarks() {
    // Neither supports the parameter `pie`.
    for spec in [plain(1), swapping()] {
        let limit = Some("time=20".parse().unwrap());
        let results = run(&EngineSpec { limit, ..spec }, 30.0);
        let warned = CheckVerdict::Warn;
        assert_eq!(
            remarks(&results),
            [("parameters", warned), ("plays a whole game in time", warned)],
            "{results:#?}"
        );
    }
}

/// Modes, the check that fails, and a part of its detail.
const FAILURES: [(&str, &str, &str); 10] = {
    const GAME: &str = "plays a whole game in time";
    [
        ("crash", GAME, "exit status: 7; it must answer every command"),
        ("stall", GAME, "flush the output after each"),
        ("slow", GAME, "the limit was 0.300 s, including a margin"),
        ("illegal", GAME, "pass is illegal: pass is not allowed"),
        ("nonsense", GAME, "'somewhere' is not a move"),
        ("garbage", GAME, "neither = nor ?; an answer is = or ?"),
        ("wrong-id", GAME, ", expected "),
        ("no-blank-line", GAME, "no empty line"),
        ("no-board", "board sizes", "'boardsize 10' is refused"),
        ("ignores-quit", "quits", "no answer to 'quit'"),
    ]
};

#[test]
fn failed_checks_say_what_is_wrong() {
    // All at once, because most of the time is spent waiting.
    thread::scope(|scope| {
        for (mode, name, detail) in FAILURES {
            scope.spawn(move || {
                let mark = new_mark();
                let is_silent = matches!(mode, "stall" | "no-blank-line" | "ignores-quit");
                let results = run(&bad(mode, &mark), if is_silent { 8.0 } else { 30.0 });
                let result = results.iter().find(|result| result.name == name).unwrap();
                assert_eq!(result.verdict, CheckVerdict::Fail, "{mode}: {results:#?}");
                assert!(result.detail.contains(detail), "{mode}: {result:?}");
                assert!(wait_until_gone(&mark), "{mode}");
            });
        }
    });
    let results = run(&bad("crash-at-start", ""), 30.0);
    let last = "the last line of its stderr: no such network: best.bin";
    assert!(results[0].detail.ends_with(last), "{results:?}");
    assert_eq!(results[0].verdict, CheckVerdict::Fail);
    assert!(results[1..].iter().all(|result| result.verdict == CheckVerdict::Skipped));
}
