//! Weights from a file instead of the built-in ones.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, run, test_folder};

const BUILT_IN: &str = include_str!("../../../../src/eval/linear/weights.txt");

/// Writes unusable files. Returns their names and the expected errors.
fn write_unusable(folder: &Path) -> [(&'static str, String); 7] {
    fs::write(folder.join("Foreign.txt"), "(;FF[4])\n").unwrap();
    fs::write(folder.join("Huge.txt"), BUILT_IN.repeat(10)).unwrap();
    fs::write(folder.join("Long.txt"), "x".repeat(1000)).unwrap();
    fs::write(folder.join("Empty.txt"), "# nothing\n").unwrap();
    fs::write(folder.join("Binary.txt"), [b'v', 0xff, 0xfe]).unwrap();
    fs::write(folder.join("Cut off.txt"), &BUILT_IN[..BUILT_IN.len() - 9]).unwrap();
    let foreign = "not weights written by `pontifex fit`";
    [
        ("Foreign.txt", "line 1: '(;FF[4])' is not one of value, ".to_owned()),
        ("Empty.txt", foreign.to_owned()),
        ("Binary.txt", foreign.to_owned()),
        ("Huge.txt", foreign.to_owned()),
        ("Long.txt", format!("line 1: '{}' is not one of value, ", "x".repeat(40))),
        ("Cut off.txt", format!("line {}: ", BUILT_IN.lines().count())),
        ("missing.txt", String::new()),
    ]
}

/// The answers of an engine with these arguments to a few commands.
fn play(arguments: &[&str]) -> String {
    let commands = "ponte-play_sequence d4,e6 c3,g6 d4-e6\nreg_genmove r\nponte-history\n";
    let mut all = vec!["gtp", "--threads", "1", "--playouts", "300"];
    all.extend(arguments);
    let output = run(&all, commands.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn weights_of_a_file_are_used() {
    let folder = test_folder("Weights Here");
    let same = folder.join("The Same.txt").display().to_string();
    fs::write(&same, BUILT_IN).unwrap();
    // Invert the prior.
    let inverted = |line: &str| match line.strip_prefix("step ") {
        Some(rest) => format!("step {}", rest.replace(" -", " +").replace(" 0.", " -0.")),
        None => line.to_owned(),
    };
    let other = folder.join("other.txt").display().to_string();
    fs::write(&other, BUILT_IN.lines().map(inverted).collect::<Vec<_>>().join("\n")).unwrap();

    let usual = play(&[]);
    assert_eq!(play(&["--weights", &same]), usual);
    assert_ne!(play(&["--weights", &other]), usual);
    assert_ne!(
        play(&["--weights", &other, "--evaluator", "rollout"]),
        play(&["--evaluator", "rollout"])
    );
    // The built-in weights depend on the size of the board, a file's do not.
    let large = ["--board", "12"];
    let answers_with = |weights: &str| play(&[&large[..], &["--weights", weights]].concat());
    assert_ne!(answers_with(&same), play(&large));
    assert_ne!(answers_with(&same), answers_with(&other));
    let config = folder.join("engine.toml");
    fs::write(&config, format!("weights = '{other}'\n")).unwrap();
    let config = config.to_str().unwrap();
    assert_eq!(play(&["--config", config]), play(&["--weights", &other]));
    assert_eq!(play(&["--config", config, "--weights", "built-in"]), usual);
}

#[test]
fn unusable_weights_are_refused_and_change_nothing() {
    let folder = test_folder("weights-refused");
    fs::write(folder.join("The Same.txt"), BUILT_IN).unwrap();
    let mut client = Client::start_in(&folder, &["gtp", "--threads", "1"]);
    assert_eq!(client.ask("ponte-set_param weights  The Same.txt "), "=");
    for (name, reason) in write_unusable(&folder) {
        let answer = client.ask(&format!("ponte-set_param weights {name}"));
        let start = format!("? syntax error: weights cannot be '{name}': {reason}");
        assert!(answer.starts_with(&start), "{answer}");
        assert_eq!(client.ask("ponte-get_param weights"), "= The Same.txt");
        let path = folder.join(name).display().to_string();
        let output = run(&["--weights", &path], b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        let start = format!("pontifex: --weights cannot be '{path}': {reason}");
        assert!(error.starts_with(&start) && error.lines().count() == 1, "{error}");
    }
    assert_eq!(client.ask("ponte-get_param evaluator"), "= linear");
    let params = client.ask("ponte-list_params");
    let line = "\nweights string built-in The Same.txt FILE|built-in\n";
    assert!(params.contains(line), "{params}");
}

#[test]
fn queries_can_set_weights() {
    let folder = test_folder("weights-json");
    let other = folder.join("other.txt");
    fs::write(&other, BUILT_IN.replace("\nunit ", "\n# unit ")).unwrap();
    let winrate = |overrides: Value| {
        let query = json!({ "id": "a", "moves": [], "rules": { "board": 6 }, "maxPlayouts": 50,
                            "overrideSettings": overrides });
        let output = run(&["engine-json", "--threads", "1"], format!("{query}\n").as_bytes());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        answer["rootInfo"]["winrate"].as_f64().ok_or(answer["error"].to_string())
    };
    let usual = winrate(json!({})).unwrap();
    assert_eq!(winrate(json!({ "weights": "built-in" })), Ok(usual));
    assert_ne!(winrate(json!({ "weights": other })).unwrap().to_bits(), usual.to_bits());
    let error = winrate(json!({ "weights": "missing.txt" })).unwrap_err();
    assert!(error.contains("weights cannot be 'missing.txt'"), "{error}");
}

#[test]
fn files_of_games_with_other_weights_are_not_continued() {
    let folder = test_folder("weights-selfplay");
    let [games, other] = ["some.games", "other.txt"].map(|name| folder.join(name));
    fs::write(&other, BUILT_IN.replacen("0.", "0.1", 1)).unwrap();
    let [games, other] = [&games, &other].map(|path| path.to_str().unwrap());
    let play = |more: &[&str]| {
        let start = ["selfplay", "--output", games, "--games", "1", "--board", "5"];
        let limits = ["--full", "4", "--quick", "2"];
        run(&[&start[..], &limits, more].concat(), b"")
    };
    assert_eq!(play(&[]).status.code(), Some(0));
    let output = play(&["--weights", other]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("has games of other settings: weights is "), "{error}");
}
