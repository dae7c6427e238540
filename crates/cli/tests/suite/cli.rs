//! The command line: results, exit codes, error messages.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use super::client::{pontifex, run, test_folder};

/// Runs the program, which must succeed. Returns its output.
fn run_successfully(arguments: &[&str]) -> String {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that fails. Returns the exit code and the message.
fn refusal(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments, b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("pontifex: ") && error.ends_with('\n'), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code().unwrap(), error["pontifex: ".len()..].trim_end().to_owned())
}

#[test]
fn perft_prints_counts() {
    assert_eq!(run_successfully(&["perft", "0"]), "1\n");
    assert_eq!(run_successfully(&["perft", "1"]), "4950\n");
    assert_eq!(run_successfully(&["perft", "1", "--board", "12"]), "10296\n");
    assert_eq!(run_successfully(&["perft", "1", "--board", "4", "--supply", "1,1"]), "1\n");
    // 2,016 first turns, each followed by 62 * 61 / 2 pairs or a swap.
    for (pie, swap) in [("on", 1), ("off", 0)] {
        let counted = run_successfully(&["perft", "2", "--board", "8", "--pie", pie]);
        assert_eq!(counted, format!("{}\n", 2016 * (1891 + swap)));
    }
    assert_eq!(run_successfully(&["perft", "1", "--position", "4/4/4/ww2 r - pie"]), "92\n");
    assert_eq!(
        run_successfully(&["perft", "0", "--divide", "--position", "4/4/4/ww2 r - pie"]),
        "1\n"
    );
    let position = "w1w1/4/4/4 w - -";
    assert_eq!(run_successfully(&["perft", "1", "--position", position, "--supply", "2,1"]), "2\n");
    assert_eq!(run_successfully(&["perft", "3", "--position", "4/4/4/4 w - over"]), "0\n");
}

#[test]
fn perft_divide_adds_up() {
    let position = "w1w1/4/4/4 w - -";
    let arguments = ["perft", "1", "--divide", "--position", position, "--supply", "2,1"];
    assert_eq!(run_successfully(&arguments), "pass 1\na4-c4 1\n2\n");
    let text = run_successfully(&["perft", "2", "--divide", "--board", "5"]);
    let (total, moves) = text.trim_end().rsplit_once('\n').map(|(a, b)| (b, a)).unwrap();
    let counts = moves.lines().map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>().to_string(), total);
    assert_eq!(moves.lines().count(), 300);
    assert_eq!(run_successfully(&["perft", "2", "--board", "5"]).trim_end(), total);
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["fly"], "'fly'"),
        (&["perft"], "DEPTH is missing"),
        (&["perft", "deep"], "DEPTH must be a whole number from 0, not 'deep'"),
        (&["perft", "-1"], "DEPTH must be a whole number from 0 to 4294967295, not '-1'"),
        (&["perft", "1", "--board", "13"], "--board must be a whole number from 4 to 12, not '13'"),
        (&["perft", "1", "--board", "4", "--position", "4/4/4/4 w - -"], "'--position <TEXT>'"),
        (&["perft", "1", "--position", "4/4/4 w - -"], "--position: "),
        (
            &["perft", "1", "--position", "wwww/w3/4/4 w - -"],
            "d4 would be a fifth tile of the island at c4",
        ),
        (&["perft", "1", "--threads", "2"], "there is no option --threads"),
        (&["--thread", "1"], "there is no option --thread; did you mean --threads?"),
        (&["--threads"], "--threads needs a value"),
        (&["--threads", "0"], "--threads must be a whole number from 1 to 1024, not '0'"),
        (&["gtp", "--pie", "maybe"], "--pie must be on or off, not 'maybe'"),
        (&["gtp", "--level", "11"], "--level must be max or 1 to 10, not '11'"),
        (
            &["match", "--supply", "-1,2"],
            "--supply must be standard, unlimited or TILES,BRIDGES, as in 40,15, not '-1,2'",
        ),
        (&["analyze", "--multi", "0"], "--multi must be a whole number from 1 to 100000, not '0'"),
        (
            &["gtp", "--supply", "40"],
            "--supply must be standard, unlimited or TILES,BRIDGES, as in 40,15, not '40'",
        ),
        (&["gtp", "--seed", "-1"], "--seed must be a whole number from 0, not '-1'"),
        (&["gtp", "more"], "'more' is one argument too many"),
        (&["--threads", "1", "gtp"], "options come after the subcommand: pontifex gtp ..."),
        (&["--log", "x", "perft", "1"], "options come after the subcommand: pontifex perft ..."),
        (&["completions", "tcsh"], "'tcsh'"),
        (&["openings"], "[subcommands: suite, first"),
        (&["--config", "no/such/file.toml"], "no/such/file.toml: "),
    ];
    for (arguments, part) in cases {
        let (code, error) = refusal(arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
}

#[test]
fn help_and_version() {
    assert_eq!(
        run_successfully(&["--version"]),
        format!("pontifex {}\n", env!("CARGO_PKG_VERSION"))
    );
    for arguments in [&["--help"][..], &["gtp", "--help"], &["perft", "--help"], &["help", "gtp"]] {
        assert!(run_successfully(arguments).contains("Usage: pontifex"), "{arguments:?}");
    }
    assert!(run_successfully(&["gtp", "--help"]).contains("--playouts <N>"));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run_successfully(&["completions", shell]);
        assert!(script.contains("pontifex") && script.contains("playouts"), "{shell}");
    }
}

#[test]
fn the_command_line_takes_precedence_over_the_configuration_file() {
    let file = test_folder("config").join("engine.toml");
    let path = file.to_str().unwrap();
    let ask = |arguments: &[&str]| {
        let names = ["board", "supply", "pie", "threads", "time", "resign"];
        let input: String = names.map(|name| format!("ponte-get_param {name}\n")).concat();
        let output = run(arguments, input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.replace("\n\n", "").replace("= ", " ").trim().to_owned()
    };
    let text = "# mine\nboard = 8\nsupply = \"20,7\"\npie = false\nthreads = 1\ntime = 1.5\n";
    fs::write(&file, text).unwrap();
    assert_eq!(ask(&["--config", path]), "8 20,7 off 1 1.5 0");
    assert_eq!(ask(&["gtp", "--config", path, "--board", "9"]), "9 20,7 off 1 1.5 0");
    assert_eq!(ask(&["gtp", "--pie", "ON", "--config", path]), "8 20,7 on 1 1.5 0");
    fs::write(&file, "pie = \"on\"\nresign = 0.05\nthreads = 2\n").unwrap();
    assert_eq!(ask(&["--config", path]), "10 standard on 2 auto 0.05");

    let config_error = |text: &str| {
        fs::write(&file, text).unwrap();
        let (code, error) = refusal(&["--config", path]);
        assert_eq!(code, 2);
        assert!(error.contains("engine.toml: "), "{error}");
        error
    };
    let error = config_error("tempo = 1\nthreads = 1\nthread = 2\n");
    assert!(
        error.contains("'tempo', 'thread';") || error.contains("'thread', 'tempo';"),
        "{error}"
    );
    assert!(
        config_error("threads = 0\n")
            .contains("threads must be a whole number from 1 to 1024, not '0'")
    );
    assert!(config_error("pie = 1\n").contains("pie must be on or off, not '1'"));
    assert!(config_error("threads = 1\nboard = = 2\n").contains("line 2: "));
    fs::write(&file, [0xff, 0xff]).unwrap();
    assert_eq!(refusal(&["--config", path]).0, 2);
}

#[test]
fn a_broken_pipe_is_not_an_error() {
    let cases: &[&[&str]] =
        &[&["perft", "2", "--divide", "--board", "8"], &["completions", "bash"], &["gtp"]];
    for arguments in cases {
        let mut child = pontifex()
            .args(*arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..100 {
            if std::io::Write::write_all(&mut stdin, b"list_commands\n").is_err() {
                break;
            }
        }
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}: {error}");
        assert_eq!(error, "", "{arguments:?}");
        drop(stdin);
    }
}
