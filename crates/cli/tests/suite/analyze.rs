//! `pontifex analyze`, run as a process.

use std::fs;

use serde_json::Value;

use super::client::{Client, run, test_folder};

/// A game played between people.
const GAME: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/data/records/abstract-play-pied.json");

/// Runs the program, which must succeed. Returns its output.
fn run_successfully(arguments: &[&str]) -> String {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run_successfully(
        &[&["analyze", "--json", "--threads", "1"][..], arguments].concat(),
    ))
    .unwrap()
}

fn moves(analysis: &Value) -> Vec<&str> {
    let moves = analysis["moves"].as_array().unwrap().iter();
    moves.map(|info| info["move"].as_str().unwrap()).collect()
}

#[test]
fn the_board_of_a_record_may_be_in_the_configuration() {
    let folder = test_folder("analyze-config");
    let (list, config) = (folder.join("list.txt"), folder.join("engine.toml"));
    fs::write(&list, "d4,e6").unwrap();
    fs::write(&config, "board = 8\n").unwrap();
    let [list, config] = [&list, &config].map(|path| path.to_str().unwrap());
    let board = |more: &[&str]| {
        let analysis = json(&[&[list, "--playouts", "10"], more].concat());
        analysis["position"].as_str().unwrap().split('/').count()
    };
    assert_eq!(board(&[]), 10);
    assert_eq!(board(&["--config", config]), 8);
    assert_eq!(board(&["--config", config, "--board", "9"]), 9);
}

/// The first move is the one `genmove` plays with the same limits and seed.
#[test]
fn the_first_move_is_the_one_genmove_plays() {
    let limits = ["--playouts", "150", "--seed", "5"];
    let mut client = Client::start(&[&["gtp", "--threads", "1"][..], &limits].concat());
    for turn in ["1", "2", "3", "6", "11", "17", "23", "29", "34", "38", "41"] {
        let analysis = json(&[&[GAME, "--move", turn][..], &limits].concat());
        let side = analysis["to_move"].as_str().unwrap();
        assert_eq!(client.ask(&format!("loadsgf {GAME} {turn}")), "=");
        assert_eq!(
            client.ask("ponte-position"),
            format!("= {}", analysis["position"].as_str().unwrap())
        );
        let played = client.ask(&format!("genmove {side}"));
        assert_eq!(played, format!("= {}", moves(&analysis)[0]), "turn {turn}");
    }
}

#[test]
fn json_has_the_documented_form() {
    let position = "8/8/5r2/4w3/3w4/2r5/8/8 w - -";
    let arguments = ["--position", position, "--playouts", "200", "--multi", "3"];
    let text =
        run_successfully(&[&["analyze", "--json", "--threads", "1"][..], &arguments].concat());
    assert_eq!(text.lines().count(), 1);
    assert!(text.starts_with(&format!(
        r#"{{"position":"{position}","to_move":"white","root":{{"winrate":0."#
    )));
    let analysis: Value = serde_json::from_str(&text).unwrap();
    let keys = |value: &Value, count: usize| -> Vec<String> {
        value.as_object().unwrap().keys().take(count).cloned().collect()
    };
    assert_eq!(keys(&analysis, 9), ["position", "to_move", "root", "moves"]);
    assert_eq!(keys(&analysis["root"], 3), ["winrate", "scoreLead", "visits"]);
    let infos = analysis["moves"].as_array().unwrap();
    assert_eq!(infos.len(), 3);
    for (order, info) in infos.iter().enumerate() {
        let expected = ["move", "visits", "winrate", "scoreLead", "prior", "pv"];
        assert_eq!(keys(info, 6), expected);
        assert_eq!(info["pv"][0], info["move"]);
        assert_eq!(info["order"], order);
        assert!(info["visits"].is_u64());
        for number in ["winrate", "scoreLead", "prior", "lcb"] {
            assert!(info[number].is_f64(), "{number} has no decimal point: {info}");
        }
    }
}

#[test]
fn text_shows_the_board_with_the_candidates() {
    let arguments = ["analyze", "--threads", "1", "--playouts", "200", "--multi", "4"];
    let position = ["--position", "8/8/5r2/4w3/3w4/2r5/8/8 w - -"];
    let text = run_successfully(&[&arguments[..], &position].concat());
    let board: String = text.lines().take(9).collect();
    for sign in ['1', 'w', 'r'] {
        assert!(board.contains(&format!(" {sign} ")), "{text}");
    }
    assert!(text.contains("\nWhite: win rate ") && text.contains(" visits, "), "{text}");
    assert!(!text.contains('\u{1b}'), "colours are for terminals: {text:?}");
    let rows: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("  #  move")).collect();
    assert_eq!(rows.len(), 5, "{text}");
    assert!(rows[1].trim_start().starts_with("1  "));
}

#[test]
fn moves_can_be_avoided_or_allowed() {
    let position = ["--position", "8/8/5r2/4w3/3w4/2r5/8/8 w - -", "--playouts", "100"];
    let allowed = json(&[&position[..], &["--allow", "a1,b1,C1,D1,h8,g8"]].concat());
    let mut allowed_moves = moves(&allowed);
    allowed_moves.sort_unstable();
    assert_eq!(allowed_moves, ["a1,b1", "c1,d1", "g8,h8"]);
    let free = json(&position);
    let best = moves(&free)[0];
    let avoided = json(&[&position[..], &["--avoid", best]].concat());
    assert!(!moves(&avoided).is_empty(), "{avoided}");
    assert!(!moves(&avoided).contains(&best), "{best}: {avoided}");
}

#[test]
fn a_search_can_run_until_the_result_is_proved() {
    let position = "rr3r/5r/2rww1/3w2/6/wwww2 r d1-d3 last";
    let solved = json(&["--position", position, "--until-solved"]);
    assert_eq!(solved["moves"][0]["solved"], solved["root"]["solved"]);
    let winner = solved["root"]["winner"].as_str().unwrap();
    let value = solved["root"]["solved"].as_str().unwrap();
    assert_eq!(value.starts_with('W'), winner == "white", "{value} {winner}");
    let text = run_successfully(&["analyze", "--position", position, "--until-solved"]);
    assert!(text.contains(&format!(", proved {value}\n")), "{text}");
}

/// The picture shows the moves of the table, in a file or on standard output.
#[test]
fn the_best_moves_are_drawn() {
    let limits = ["--move", "9", "--multi", "3", "--playouts", "150", "--seed", "5"];
    let analyze = |more: &[&str]| {
        run_successfully(&[&["analyze", GAME, "--threads", "1"][..], &limits, more].concat())
    };
    let path = test_folder("analyze-svg").join("best.svg");
    let name = path.to_str().unwrap();
    analyze(&["--svg", name]);
    let svg = fs::read_to_string(&path).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let drawn: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("data-move")).collect();
    for mv in moves(&json(&[&[GAME][..], &limits].concat())) {
        assert!(drawn.contains(&mv), "{mv} is not in {drawn:?}\n{svg}");
    }
    assert_eq!(analyze(&["--svg", "-"]), svg);
}

/// Ctrl-C ends the search and prints the results so far.
#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_results_so_far() {
    // A busy machine may take a while to start the process.
    let analysis = [1, 4, 16].into_iter().find_map(|seconds| {
        let child = super::client::pontifex()
            .args(["analyze", "--until-solved", "--json", "--position"])
            .arg("10/10/10/10/4w5/3r6/3w6/2r7/10/10 w - -")
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        crate::client::signal("-INT", &[child.id()]);
        let output = child.wait_with_output().unwrap();
        // Without a code, the signal came before the process could handle it.
        assert_eq!(output.status.code()?, 130, "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).ok()
    });
    assert!(!moves(&analysis.unwrap()).is_empty());
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_2() {
    let folder = test_folder("analyze");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string().leak() as &str
    };
    let (short, bad) = (file("short.txt", "d4,e6 c3,g6"), file("bad.txt", "d4,e6 d4,g6"));
    let position = "8/8/5r2/4w3/3w4/2r5/8/8 w - -";
    for (arguments, message) in [
        (vec![], "FILE is missing"),
        (vec!["--position", "8/8 w - -"], "--position: "),
        (vec!["--position", "4/4/4/4 w - over"], "the game is over: 0"),
        (vec![GAME], "the game is over: W+4; its turns, for --move, are 1 to 41"),
        (
            vec![short, "--move", "4"],
            "--move must be from 1 to 3, not 4: the record has 2 moves, 3 is its end",
        ),
        (vec![short, "--move", "0"], "'0'"),
        (vec![bad], "move 2 (d4,g6) is illegal"),
        (vec!["no/such.sgf"], "no/such.sgf: "),
        (vec!["--position", position, "--allow", "d4,e6,c3"], "'c3' is not a move"),
        (vec!["--position", position, "--allow", "d4,a1"], "--allow: a1,d4 is illegal: "),
        (vec!["--position", position, "--time", "1", "--until-solved"], "--until-solved"),
    ] {
        let output = run(&[&["analyze"][..], &arguments].concat(), b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(message), "{arguments:?}: {error}");
    }
}
