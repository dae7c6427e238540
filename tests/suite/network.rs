//! The network from outside: where it comes from, what is refused.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, folder, run};

const BUILT_IN: &[u8] = include_bytes!("../../src/eval/network/network.bin");

/// What is said on stderr before the exit with 2.
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

/// What the engine says its network is.
fn net(arguments: &[&str]) -> String {
    let output = run(arguments, b"ponte-get_param net\nponte-get_param evaluator\n");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A copy of the network that is built in, and where it is.
fn write_built_in(folder: &Path) -> String {
    let file = folder.join("My First.bin");
    fs::write(&file, BUILT_IN).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Files that are no network, by name.
fn write_unusable(folder: &Path) -> [(&'static str, &'static str); 5] {
    fs::write(folder.join("Foreign.bin"), "(;FF[4])\n").unwrap();
    fs::write(folder.join("Empty.bin"), "").unwrap();
    fs::write(folder.join("Cut off.bin"), &BUILT_IN[..BUILT_IN.len() - 1]).unwrap();
    let mut damaged = BUILT_IN.to_vec();
    damaged[BUILT_IN.len() / 2] ^= 4;
    fs::write(folder.join("Damaged.bin"), damaged).unwrap();
    [
        ("Foreign.bin", "not a network of `pontifex train`: "),
        ("Empty.bin", "not a network of `pontifex train`: "),
        ("Cut off.bin", "the network is damaged: "),
        ("Damaged.bin", "the network is damaged: its checksum is "),
        ("missing.bin", ""),
    ]
}

#[test]
fn a_network_is_taken_from_the_command_line_or_the_configuration() {
    let folder = folder("Networks Here");
    let path = &write_built_in(&folder);
    assert_eq!(net(&["--evaluator", "network"]), "= built-in\n\n= network\n\n");
    // Whoever names a network wants to see it play, unless he says otherwise.
    assert_eq!(net(&["--net", path]), format!("= {path}\n\n= network\n\n"));
    let expected = format!("= {path}\n\n= linear\n\n");
    assert_eq!(net(&["gtp", "--evaluator", "linear", "--net", path]), expected);
    assert_eq!(net(&["gtp", "--net", path, "--evaluator", "linear"]), expected);
    let config = folder.join("engine.toml");
    fs::write(&config, format!("net = '{path}'\nevaluator = \"playout\"\n")).unwrap();
    let config = config.to_str().unwrap();
    assert_eq!(net(&["--config", config]), format!("= {path}\n\n= playout\n\n"));
    let expected = "= built-in\n\n= playout\n\n";
    assert_eq!(net(&["--config", config, "--net", "built-in"]), expected);
    let expected = format!("= {path}\n\n= playout\n\n");
    assert_eq!(net(&["--config", config, "--net", path]), expected);
    // Of what the command line says otherwise, nothing in the file counts.
    fs::write(config, "net = 'missing.bin'\n").unwrap();
    let expected = "= built-in\n\n= linear\n\n";
    assert_eq!(net(&["--config", config, "--net", "built-in"]), expected);
    for (name, reason) in write_unusable(&folder) {
        let path = folder.join(name);
        let path = path.to_str().unwrap();
        let error = refusal(&["--net", path]);
        let start = format!("pontifex: --net cannot be '{path}': {reason}");
        assert!(error.starts_with(&start), "{error}");
        let error = refusal(&["bench", "network", "--net", path]);
        assert!(error.starts_with(&format!("pontifex: --net {path}: {reason}")), "{error}");
        fs::write(config, format!("net = '{path}'\n")).unwrap();
        let error = refusal(&["--config", config]);
        assert!(error.contains(&format!("engine.toml: net cannot be '{path}': {reason}")));
    }
}

#[test]
fn a_network_is_set_by_the_protocol_or_nothing_changes() {
    let folder = folder("network-protocol");
    write_built_in(&folder);
    let mut client = Client::start_in(&folder, &["gtp", "--threads", "1"]);
    assert_eq!(client.ask("ponte-get_param evaluator"), "= linear");
    assert_eq!(client.ask("ponte-set_param net  My First.bin "), "=");
    assert_eq!(client.ask("ponte-get_param net"), "= My First.bin");
    assert_eq!(client.ask("ponte-get_param evaluator"), "= network");
    for (name, reason) in write_unusable(&folder) {
        let answer = client.ask(&format!("ponte-set_param net {name}"));
        let start = format!("? syntax error: net cannot be '{name}': {reason}");
        assert!(answer.starts_with(&start), "{answer}");
        assert_eq!(client.ask("ponte-get_param net"), "= My First.bin");
    }
    let params = client.ask("ponte-list_params");
    assert!(params.contains("\nnet string built-in My First.bin FILE|built-in\n"), "{params}");
    assert_eq!(client.ask("boardsize 5"), "=");
    for evaluator in ["network", "linear", "playout"] {
        assert_eq!(client.ask(&format!("ponte-set_param evaluator {evaluator}")), "=");
        assert_eq!(client.ask("ponte-set_param playouts 20"), "=");
        assert_eq!(client.ask("clear_board"), "=");
        assert!(client.ask("genmove w").contains(','));
    }
}

#[test]
fn a_network_is_named_by_a_query_and_an_evaluator_beside_it_decides() {
    let folder = folder("network-json");
    let net = &write_built_in(&folder);
    let settings = [
        json!({ "evaluator": "linear" }),
        json!({ "evaluator": "network" }),
        json!({ "net": net }),
        json!({ "evaluator": "linear", "net": net }),
        json!({ "net": net, "evaluator": "linear" }),
    ];
    let query = |overrides: &Value| {
        let query = json!({ "id": "a", "moves": [], "rules": { "board": 6 }, "maxPlayouts": 50,
                            "overrideSettings": overrides });
        let output = run(&["engine-json", "--threads", "1"], format!("{query}\n").as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let winrate = answer["rootInfo"]["winrate"].as_f64();
        winrate.unwrap_or_else(|| panic!("{answer}"))
    };
    let [linear, network, named, before, after] = settings.each_ref().map(query);
    assert_ne!(linear.to_bits(), network.to_bits());
    let same = [(named, network), (before, linear), (after, linear)];
    assert!(same.iter().all(|(a, b)| a.to_bits() == b.to_bits()), "{same:?}");

    let query = r#"{"id":"a","moves":[],"overrideSettings":{"net":"missing.bin"}}"#;
    let output = run(&["engine-json", "--threads", "1"], format!("{query}\n").as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(error.contains("net cannot be 'missing.bin'"), "{answer}");
}

#[test]
fn bench_network_says_the_same_on_all_processors() {
    let output = run(&["bench", "network", "--seconds", "0.01"], b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let signatures: Vec<&str> =
        text.lines().map(|line| line.split_once(" signature ").unwrap().1).collect();
    assert!(text.starts_with("instructions portable values_per_second "), "{text}");
    assert!(signatures.iter().all(|&signature| signature == signatures[0]), "{text}");
}
