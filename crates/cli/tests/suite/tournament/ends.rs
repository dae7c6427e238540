//! How a match ends: exit codes, interrupts and failing engines.

use std::process::Stdio;
use std::time::Duration;

use super::{FAST, json, lines, run_fast, start, stderr, wait_until};
use crate::client::{pontifex, run, test_folder};

#[test]
fn wrong_usage_is_2() {
    for (more, error) in [
        (&["--games", "3"][..], "even number"),
        (&["--games", "2", "--rounds", "1"], "cannot be used with"),
        (&["--time", "1"], "cannot be used with"),
        (&["--engine", "name=A cmd=builtin"], "two engines are called A"),
        (&["--format", "match", "--engine", "name=C cmd=builtin"], "match needs two engines"),
        (&["--sprt", "elo0=0"], "elo1 is missing"),
        (&["--sprt-exit"], "--sprt-exit needs --sprt"),
        (&["--engine", "name=C cmd=builtin", "--sprt", "elo0=0,elo1=5"], "--sprt tests two"),
        (&["--shard", "3/2"], "is not a shard"),
        (&["--seed", "x"], "--seed"),
        (&["--concurrency", "0"], "from 1 to 1024"),
    ] {
        let output = run_fast(more);
        assert_eq!(output.status.code(), Some(2), "{more:?} {}", stderr(&output));
        assert!(stderr(&output).contains(error), "{more:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    let output = run(&["match"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("engines are missing"), "{}", stderr(&output));
}

#[test]
fn sprt_options_of_merged_journals_are_checked() {
    let journal = test_folder("untested").join("journal.jsonl");
    let path = journal.to_str().unwrap();
    let three = ["--engine", "name=C cmd=builtin", "--games", "2", "--journal", path];
    assert!(run_fast(&three).status.success());
    for (more, error) in [
        (&["--sprt-exit"][..], "--sprt-exit needs --sprt"),
        (&["--sprt", "elo0=0,elo1=5"], "--sprt tests two"),
    ] {
        let output = run(&[&["match", "--merge", path][..], more].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{more:?} {}", stderr(&output));
        assert!(stderr(&output).contains(error), "{more:?}: {}", stderr(&output));
    }
}

#[test]
fn wrong_paths_are_reported_before_the_first_game() {
    let journal = test_folder("wrong-path").join("journal.jsonl");
    let engine = "name=B cmd=./no/such/engine";
    let arguments =
        ["match", "--engine", "name=A cmd=builtin", "--engine", engine, "--playouts", "3"];
    let output = run(&[&arguments[..], &["--journal", journal.to_str().unwrap()]].concat(), b"");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("there is no file"), "{}", stderr(&output));
    assert!(!journal.exists());
    assert!(output.stdout.is_empty(), "{output:?}");
    let output = run_fast(&["--engine", "name=C cmd=builtin param.threads=many"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("threads must be a whole number from 1 to 1024, not 'many'"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn engines_that_never_start_end_the_run_with_3() {
    let arguments = ["match", "--engine", "name=A cmd=builtin", "--engine", "name=B cmd=false"];
    let more = ["--board", "6", "--playouts", "3", "--games", "100", "--json"];
    let output = run(&[&arguments[..], &more].concat(), b"");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("does not start"), "{}", stderr(&output));
    let result = json(&output);
    assert_eq!(result["games"], result["failures"]["crash"]);
    // The next game may have begun before the third failure was counted.
    assert!((3..=4).contains(&result["games"].as_u64().unwrap()), "{result}");
}

#[cfg(unix)]
#[test]
fn games_of_an_engine_that_did_not_start_are_played_again() {
    let folder = test_folder("mended");
    let (journal, engine) = (folder.join("journal.jsonl"), folder.join("engine"));
    let write = |script: &str| {
        std::fs::write(&engine, format!("#!/bin/sh\n{script}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&engine, mode).unwrap();
    };
    let cmd = format!("name=B cmd='sh {}'", engine.display());
    let arguments = ["match", "--engine", "name=A cmd=builtin", "--engine", &cmd];
    let more = ["--board", "6", "--playouts", "3", "--games", "10", "--json", "--journal"];
    let arguments = [&arguments[..], &more, &[journal.to_str().unwrap()]].concat();
    write("exit 7");
    // Also with all games at a time.
    let at_once = [&arguments[..], &["--concurrency", "10"]].concat();
    assert_eq!(run(&at_once, b"").status.code(), Some(3));
    assert_eq!(lines(&journal), 1);
    let output = run(&arguments, b"");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    // The failures are in the report, but not in the journal.
    assert!(json(&output)["failures"]["crash"].as_u64().unwrap() >= 3);
    assert_eq!(lines(&journal), 1);
    // An engine that fails once and then starts has lost that game.
    let (once, binary) = (folder.join("once"), env!("CARGO_BIN_EXE_pontifex"));
    let once = once.display();
    write(&format!("test -e '{once}' || {{ : > '{once}'; exit 7; }}\nexec '{binary}' gtp"));
    let output = run(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let result = json(&output);
    assert_eq!((&result["games"], &result["failures"]["crash"]), (&10.into(), &1.into()));
    assert_eq!(lines(&journal), 11);
}

#[cfg(unix)]
#[test]
fn engines_are_asked_to_quit_when_all_games_are_over() {
    let folder = test_folder("asked-to-quit");
    let (engine, quit) = (folder.join("engine"), folder.join("quit"));
    // The engine logs `quit`, and the shell continues after it.
    let script = format!(
        "'{}' gtp --log '{}'\n",
        env!("CARGO_BIN_EXE_pontifex"),
        folder.join("log").display()
    );
    std::fs::write(&engine, format!("{script}: > '{}'\n", quit.display())).unwrap();
    let cmd = format!("name=B cmd='sh {}'", engine.display());
    let arguments = ["match", "--engine", "name=A cmd=builtin", "--engine", &cmd];
    let more = ["--board", "6", "--playouts", "3", "--games", "2"];
    let output = run(&[&arguments[..], &more].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // The shell that started the engine was not killed.
    assert!(quit.exists());
    let log = std::fs::read_to_string(folder.join("log")).unwrap();
    assert!(log.contains("quit"), "{log}");
}

#[cfg(unix)]
#[test]
fn engines_end_with_a_match_that_gets_a_signal() {
    for (name, code, mark) in [("-TERM", 143, "pontifex-ended"), ("-HUP", 129, "pontifex-hung-up")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        if name == "-HUP"
            && ignored.is_some_and(|mask| mask.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']))
        {
            // The tests run under nohup: matches ignore the signal.
            continue;
        }
        let engine = format!("name=B cmd='sh -c \"sleep 1000; : {mark}\"'");
        let arguments =
            ["match", "--engine", "name=A cmd=builtin", "--engine", &engine, "--playouts", "3"];
        let mut child = start(&arguments);
        wait_until("the engine", || is_running(mark));
        crate::client::signal(name, &[child.id()]);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        wait_until("the end of the engine", || !is_running(mark));
    }
}

#[cfg(unix)]
#[test]
fn with_nohup_a_match_survives_the_terminal() {
    let mark = "pontifex-no-hang-up";
    let engine = format!("name=B cmd='sh -c \"sleep 1000; : {mark}\"'");
    let mut child = std::process::Command::new("nohup")
        .arg(env!("CARGO_BIN_EXE_pontifex"))
        .args(["match", "--engine", "name=A cmd=builtin", "--engine", &engine, "--playouts", "3"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the engine", || is_running(mark));
    crate::client::signal("-HUP", &[child.id()]);
    std::thread::sleep(Duration::from_millis(200));
    assert!(is_running(mark));
    crate::client::signal("-TERM", &[child.id()]);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    wait_until("the end of the engine", || !is_running(mark));
}

#[test]
fn verdicts_are_exit_codes() {
    const TEST: &str = "elo0=0,elo1=100,alpha=0.2,beta=0.2";
    let strong = ["--engine", "name=A cmd=builtin playouts=200", "--engine", "name=B cmd=builtin"];
    let weak = ["--engine", "name=B cmd=builtin", "--engine", "name=A cmd=builtin playouts=200"];
    let rest = ["--board", "6", "--playouts", "2", "--sprt", TEST, "--json"];
    for (engines, games, code, verdict) in
        [(strong, "2000", 0, "H1"), (weak, "2000", 10, "H0"), (weak, "2", 11, "continue")]
    {
        let more = ["--sprt-exit", "--games", games];
        let output = run(&[&["match"][..], &engines, &rest, &more].concat(), b"");
        assert_eq!(json(&output)["sprt"]["result"], verdict);
        assert_eq!(output.status.code(), Some(code));
    }
}

#[cfg(unix)]
#[test]
fn one_interrupt_finishes_the_running_games() {
    finishes_the_running_games("interrupted", 1);
}

/// `timeout -s INT` signals its child and then the process group.
#[cfg(unix)]
#[test]
fn two_interrupts_at_once_count_as_one() {
    finishes_the_running_games("interrupted-twice-at-once", 2);
}

#[cfg(unix)]
fn finishes_the_running_games(folder: &str, interrupts: usize) {
    let journal = test_folder(folder).join("journal.jsonl");
    let more = ["--games", "100000", "--concurrency", "2", "--json"];
    let arguments = [&FAST[..], &more, &["--journal", journal.to_str().unwrap()]].concat();
    let child = pontifex()
        .args(&arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("some games", || lines(&journal) > 5);
    crate::client::signal("-INT", &vec![child.id(); interrupts]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!(json(&output)["games"], lines(&journal) - 1);
}

#[cfg(unix)]
#[test]
fn two_interrupts_stop_at_once() {
    let journal = test_folder("interrupted-twice").join("journal.jsonl");
    let mark = "pontifex-two-interrupts";
    // An engine that never answers and ignores the end of its input.
    let engine = format!("name=B cmd='sh -c \"sleep 1000; : {mark}\"'");
    let arguments =
        ["match", "--engine", "name=A cmd=builtin", "--engine", &engine, "--playouts", "3"];
    let mut child = start(&[&arguments[..], &["--journal", journal.to_str().unwrap()]].concat());
    wait_until("the engine", || is_running(mark));
    crate::client::signal("-INT", &[child.id()]);
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "one interrupt waits for the game");
    // Signals that come before the first one is handled count as one.
    wait_until("the end of the match", || {
        crate::client::signal("-INT", &[child.id()]);
        std::thread::sleep(Duration::from_millis(100));
        child.try_wait().unwrap().is_some()
    });
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait_until("the end of the engine", || !is_running(mark));
    assert_eq!(lines(&journal), 1);
}

/// An engine that ignores the end of its input, and its child, do not outlive a match that is
/// killed.
#[cfg(unix)]
#[test]
fn engines_end_with_a_match_that_is_killed() {
    let program =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/engines/bad.py");
    let mark = "pontifex-killed-referee";
    let engine_argument = |name: &str| {
        format!("name={name} cmd=\"python3 '{}' ignores-quit {mark}\"", program.display())
    };
    let (a, b) = (engine_argument("A"), engine_argument("B"));
    let arguments = ["match", "--engine", &a, "--engine", &b, "--board", "4", "--games", "1000"];
    let mut child = start(&[&arguments[..], &["--playouts", "1"]].concat());
    // Each of the two has a child.
    wait_until("the engines", || count_running(mark) == 4);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the end of the engines", || !is_running(mark));
}

/// Whether an engine with `mark` in its command line is running.
#[cfg(unix)]
fn is_running(mark: &str) -> bool {
    count_running(mark) > 0
}

/// The number of processes with `mark` in their command lines, without matches.
#[cfg(unix)]
fn count_running(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let own = std::process::id().to_string();
    processes
        .filter(|process| process.file_name().to_str() != Some(&own))
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .filter(|line| {
            let line = String::from_utf8_lossy(line);
            line.contains(mark) && !line.contains("--engine")
        })
        .count()
}

/// Every bad engine and how its games end, the slowest first.
const BAD: [(&str, &str); 19] = [
    ("stall-at-start", "start"),
    ("stall", "stall"),
    ("no-blank-line", "framing"),
    ("slow", "timeout"),
    ("ignores-quit", "score"),
    ("crash-at-start", "start"),
    ("no-board", "start"),
    ("crash", "crash"),
    ("signal", "crash"),
    ("orphan", "crash"),
    ("mute", "crash"),
    ("illegal", "illegal"),
    ("nonsense", "illegal"),
    ("refuses", "refusal"),
    ("garbage", "framing"),
    ("wrong-id", "framing"),
    ("no-id", "framing"),
    ("endless-line", "framing"),
    ("flood", "score"),
];

#[cfg(unix)]
#[test]
fn tournaments_with_bad_engines_account_for_every_game() {
    let journal = test_folder("bad-engines").join("journal.jsonl");
    let program =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/engines/bad.py");
    let mark = "pontifex-bad-tournament";
    let mut arguments = ["match", "--engine", "name=good cmd=builtin"].map(String::from).to_vec();
    for (mode, _) in BAD {
        let limit = if mode == "slow" { "time=1" } else { "playouts=1" };
        let program = program.display();
        arguments.push("--engine".to_owned());
        arguments.push(format!("name={mode} cmd=\"python3 '{program}' {mode} {mark}\" {limit}"));
    }
    let rest = ["--format", "gauntlet", "--games", "2", "--board", "5", "--playouts", "1"];
    let more = ["--stall", "15", "--margin", "500", "--concurrency", "12", "--json", "--journal"];
    arguments.extend(rest.into_iter().chain(more).map(String::from));
    arguments.push(journal.display().to_string());
    let output = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"");
    // Two engines never started; all other games were played.
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    wait_until("the end of the engines", || !is_running(mark));
    let result = json(&output);
    assert_eq!(result["games"], 2 * BAD.len());
    assert_eq!(lines(&journal), 1 + 2 * BAD.len());
    let text = std::fs::read_to_string(&journal).unwrap();
    let games: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    for (mode, reason) in BAD {
        let games: Vec<_> = games.iter().filter(|game| game["b"] == mode).collect();
        assert_eq!(games.len(), 2, "{mode}");
        for game in games {
            assert_eq!(game["reason"], reason, "{mode}: {game}");
            if reason != "score" {
                assert_eq!(
                    (&game["winner"], &game["failure"]["engine"]),
                    (&"good".into(), &mode.into())
                );
            }
        }
    }
    let count = |kinds: &[&str]| 2 * BAD.iter().filter(|(_, kind)| kinds.contains(kind)).count();
    assert_eq!(
        result["failures"],
        serde_json::json!({
            "crash": count(&["start", "crash"]),
            "stall": count(&["stall"]),
            "timeout": count(&["timeout"]),
            "illegal": count(&["illegal", "refusal", "framing"]),
        })
    );
}
