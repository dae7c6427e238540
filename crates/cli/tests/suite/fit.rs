//! `pontifex fit`.

use std::fs;
use std::path::Path;

use super::client::{run, test_folder};
use crate::root;

/// Runs the program, which must succeed. Returns its output.
fn run_successfully(arguments: &[&str]) -> String {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Plays a match on a small board. Returns the path of its records.
fn play_match(folder: &Path) -> String {
    let records = folder.join("games.sgf").display().to_string();
    let journal = folder.join("journal.jsonl").display().to_string();
    let engines = ["--engine", "name=a cmd=builtin", "--engine", "name=b cmd=builtin"];
    let options = ["--board", "6", "--playouts", "8", "--games", "8", "--records", &records];
    let mut arguments = vec!["match", "--journal", &journal];
    arguments.extend(engines.iter().chain(&options));
    run_successfully(&arguments);
    records
}

#[test]
fn unusable_files_are_refused() {
    let folder = test_folder("fit-wrong");
    let game = folder.join("game.sgf");
    fs::write(&game, "(;GM[PonteDelDiavolo]SZ[6];W[a1,b1])").unwrap();
    let (game, missing) = (game.to_str().unwrap(), folder.join("missing.txt"));
    let missing = missing.to_str().unwrap();
    for (arguments, message) in [
        (["fit", game, "--output", game].as_slice(), "--output would overwrite "),
        (&["fit", game, "--measure", "--weights", missing], "missing.txt: "),
    ] {
        let output = run(arguments, b"");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
    assert!(fs::read_to_string(game).unwrap().contains("W[a1,b1]"));
    // A missing folder is noticed before anything is fitted.
    let nowhere = folder.join("no/such/weights.txt");
    let output = run(&["fit", game, "--output", nowhere.to_str().unwrap()], b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("cannot write ") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn fitted_weights_are_better_than_none() {
    let folder = test_folder("fit");
    let records = play_match(&folder);
    let weights = folder.join("weights.txt").display().to_string();
    let fit = ["fit", &records, "--output", &weights, "--hold-out", "4", "--epochs", "2"];
    let report = run_successfully(&fit);
    assert!(report.starts_with("2 games\n"), "{report}");
    let text = fs::read_to_string(&weights).unwrap();
    assert!(text.starts_with("# "), "{text:.400}");
    assert!(text.contains("\nvalue own.points "), "{text:.400}");

    // Deterministic.
    assert_eq!(run_successfully(&fit), report);
    assert_eq!(fs::read_to_string(&weights).unwrap(), text);

    let report = run_successfully(&["fit", &records, "--measure", "--weights", &weights]);
    let loss = |name: &str| -> f64 {
        let line = report.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    assert!(report.starts_with("8 games\n"), "{report}");
    assert!(loss("linear") < loss("even"), "{report}");
    // A fit can start from weights.
    let more = ["fit", &records, "--output", &weights, "--weights", &weights, "--part", "value"];
    run_successfully(&more);

    // A fit of one part leaves the others unchanged.
    let kinds = ["value ", "blend ", "step ", "unit ", "hidden "];
    for (part, fitted) in [("blend", &kinds[1..2]), ("prior", &kinds[2..])] {
        let before = fs::read_to_string(&weights).unwrap();
        run_successfully(&[&more[..6], &["--part", part]].concat());
        let after = fs::read_to_string(&weights).unwrap();
        for kind in kinds {
            let lines = |text: &str| -> Vec<String> {
                text.lines().filter(|line| line.starts_with(kind)).map(str::to_owned).collect()
            };
            let is_unchanged = lines(&after) == lines(&before);
            assert_eq!(is_unchanged, !fitted.contains(&kind), "{kind}after a fit of {part}");
        }
    }
}

#[test]
fn a_low_rate_stays_close_to_the_start() {
    let folder = test_folder("fit-rate");
    let records = play_match(&folder);
    let path = |name: &str| folder.join(name).display().to_string();
    let start = path("start.txt");
    run_successfully(&["fit", &records, "--output", &start, "--epochs", "1"]);
    let numbers = |path: &str| -> Vec<f64> {
        let text = fs::read_to_string(path).unwrap();
        text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let distance = |rate: &str| -> f64 {
        let fitted = path("fitted.txt");
        let fit = ["fit", &records, "--output", &fitted, "--weights", &start, "--epochs", "1"];
        run_successfully(&[&fit[..], &["--part", "prior", "--rate", rate]].concat());
        let (before, after) = (numbers(&start), numbers(&fitted));
        before.iter().zip(&after).map(|(a, b)| (a - b).abs()).sum()
    };
    let [low, high] = ["0.001", "0.03"].map(distance);
    assert!(low > 0.0 && low < high / 5.0, "{low} {high}");
    for (option, value) in
        [("--rate", "0"), ("--rate", "nan"), ("--decay", "-1"), ("--smoothness", "inf")]
    {
        let output = run(&["fit", &records, "--measure", &format!("{option}={value}")], b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(option) && error.contains("must be a number from "), "{error}");
    }
}

#[test]
fn unusable_games_and_weights_are_refused_in_one_line() {
    let folder = test_folder("unfit");
    let path = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let endless = path("endless.sgf", "(;GM[PonteDelDiavolo]SZ[6];W[a1,b2])");
    let illegal = path("illegal.sgf", "(;GM[PonteDelDiavolo]SZ[6]RE[W+R];W[a1,a1])");
    let won = path("won.sgf", "(;GM[PonteDelDiavolo]SZ[6]RE[W+R];W[a1,b2])");
    let odd = path("weights.txt", "value fame 1\n");
    let out = folder.join("out.txt").display().to_string();
    let missing = folder.join("missing.sgf").display().to_string();
    for (arguments, message) in [
        (vec!["fit", &endless, "--output", &out], "game 1: it was not played to its end"),
        (vec!["fit", &illegal, "--output", &out], "game 1: move 1 (a1,a1) is illegal"),
        (vec!["fit", &missing, "--output", &out], "missing.sgf: "),
        (vec!["fit", &odd, "--output", &out], "weights.txt: "),
        (vec!["fit", &won], "--output"),
        (vec!["fit", &won, "--measure", "--weights", &odd], "no feature is called 'fame'"),
    ] {
        let output = run(&arguments, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(message), "{error}");
    }
    // One resigned game is enough.
    run_successfully(&["fit", &won, "--output", &out, "--epochs", "1"]);
}

#[test]
fn selfplay_games_can_be_fitted() {
    let folder = test_folder("fit-selfplay");
    let path = |name: &str| folder.join(name).display().to_string();
    let (games, weights) = (path("small.games"), path("weights.txt"));
    let play = ["selfplay", "--output", &games, "--games", "6", "--full", "16", "--quick", "8"];
    run_successfully(&[&play[..], &["--board", "6", "--threads", "1"]].concat());
    let fit = ["fit", &games, "--output", &weights, "--hold-out", "3", "--epochs", "1"];
    assert!(run_successfully(&fit).starts_with("2 games\n"));
    assert!(fs::read_to_string(&weights).unwrap().contains("\nvalue own.points "));

    let mut bytes = fs::read(&games).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&games, bytes).unwrap();
    let output = run(&fit, b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("small.games") && error.contains("damaged"), "{error}");
}

#[test]
fn measuring_uses_the_weights_for_the_board() {
    let folder = test_folder("fit-large");
    let games = folder.join("large.games").display().to_string();
    let play = ["selfplay", "--output", &games, "--games", "2", "--full", "8", "--quick", "4"];
    run_successfully(&[&play[..], &["--board", "12"]].concat());
    // Two rows of leaf blends, then four of priors; built-in weights come first.
    let rows = |weights: &[&str]| -> Vec<String> {
        let report = run_successfully(&[&["fit", &games, "--measure"], weights].concat());
        let (_, rows) = report.split_once("blend ").unwrap();
        let figures = |line: &str| line.split_whitespace().rev().take(5).collect::<String>();
        let rows = rows.lines().filter(|line| !line.starts_with("prior"));
        rows.skip(1).map(figures).collect()
    };
    let weights = |name: &str| {
        let path = root().join("src/eval/linear").join(name);
        path.display().to_string()
    };
    let (own, other) = (weights("weights-large.txt"), weights("weights.txt"));
    let built_in = rows(&[]);
    assert_eq!(rows(&["--weights", &own]), built_in);
    let measured = rows(&["--weights", &other]);
    assert_eq!((&measured[2], &measured[3]), (&built_in[2], &built_in[3]));
    for n in [1, 4, 5] {
        assert_ne!(measured[n], built_in[n]);
    }
}
