use std::time::Duration;

use pontifex::tournament::{CheckResult, CheckVerdict, EngineSpec, ProcessGroups, check};

use super::engines::{bad, has_python, plain, pontifex, swapping};
use super::orphans::{is_gone, mark};

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
fn our_own_engine_is_fit() {
    for arguments in ["--threads 1", "--threads 1 --time 0.01"] {
        let mut spec = pontifex(arguments);
        spec.limit = Some("tc=2+0.05".parse().unwrap());
        let results = run(&spec, 30.0);
        assert_eq!(remarks(&results), [], "{results:#?}");
    }
    assert_eq!(remarks(&run(&EngineSpec::builtin("b"), 1.0)), []);
}

#[test]
fn a_plain_engine_is_fit_with_remarks() {
    if !has_python() {
        return;
    }
    // Nobody can tell either of them to play without the pie rule.
    for spec in [plain(1), swapping()] {
        let results = run(&spec, 30.0);
        let warned = CheckVerdict::Warn;
        assert_eq!(
            remarks(&results),
            [("parameters", warned), ("plays a whole game in time", warned)],
            "{results:#?}"
        );
    }
}

#[test]
fn what_is_wrong_with_an_engine_is_said() {
    if !has_python() {
        return;
    }
    let game = "plays a whole game in time";
    for (mode, name, verdict, detail) in [
        ("crash", game, CheckVerdict::Fail, "exit status: 7; it must answer every command"),
        ("stall", game, CheckVerdict::Fail, "flush the output after each"),
        ("slow", game, CheckVerdict::Fail, "s of 0.200 s"),
        ("illegal", game, CheckVerdict::Fail, "pass is illegal: pass is not allowed"),
        ("nonsense", game, CheckVerdict::Fail, "'somewhere' is not a move"),
        ("garbage", game, CheckVerdict::Fail, "neither = nor ?; an answer is = or ?"),
        ("wrong-id", game, CheckVerdict::Fail, " is due"),
        ("no-blank-line", game, CheckVerdict::Fail, "no empty line"),
        ("no-board", "board sizes", CheckVerdict::Fail, "boardsize 10 is refused"),
        ("ignores-quit", "quits", CheckVerdict::Fail, "no answer to 'quit'"),
    ] {
        let mark = mark();
        let silent = matches!(mode, "stall" | "no-blank-line" | "ignores-quit");
        let results = run(&bad(mode, &mark), if silent { 3.0 } else { 30.0 });
        let result = results.iter().find(|result| result.name == name).unwrap();
        assert_eq!(result.verdict, verdict, "{mode}: {results:#?}");
        assert!(result.detail.contains(detail), "{mode}: {result:?}");
        assert!(is_gone(&mark), "{mode}");
    }
    let results = run(&bad("crash-at-start", ""), 30.0);
    assert!(results[0].detail.ends_with("its last words: no such network: best.bin"));
    assert_eq!(results[0].verdict, CheckVerdict::Fail);
    assert!(results[1..].iter().all(|result| result.verdict == CheckVerdict::Skipped));
}
