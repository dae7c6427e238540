//! The reports of a tournament.

use std::fs::{self, File};
use std::process::Command;

use pontifex::notation::{DefaultRules, GameResult, Record, Tag};
use serde_json::{Value, json};

use super::{FAST, json as json_of, run_fast, sorted_games, stderr};
use crate::client::{run, test_folder};
use crate::support::node::report_missing;
use crate::support::root;

#[test]
fn json_has_the_documented_form() {
    let result = json_of(&run_fast(&["--games", "6", "--json", "--sprt", "elo0=0,elo1=20"]));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&result), ["games", "pairings", "engines", "sprt", "failures"]);
    let pairing = &result["pairings"][0];
    assert_eq!(
        keys(pairing),
        [
            "a",
            "b",
            "games",
            "wins",
            "draws",
            "losses",
            "pentanomial",
            "elo",
            "elo_low",
            "elo_high",
            "elo_error",
            "nelo",
            "nelo_low",
            "nelo_high",
            "los",
            "margin",
            "margin_low",
            "margin_high"
        ]
    );
    let engine = &result["engines"][0];
    assert_eq!(
        keys(engine),
        [
            "name",
            "rating",
            "games",
            "points",
            "moves",
            "seconds",
            "median_overhead",
            "worst_overhead",
            "failures"
        ]
    );
    assert_eq!((&engine["name"], &engine["games"]), (&json!("A"), &json!(6)));
    assert_eq!(keys(&engine["rating"]), ["elo", "low", "high"]);
    assert_eq!((&pairing["a"], &pairing["b"]), (&json!("A"), &json!("B")));
    let count = |key: &str| pairing[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 6);
    let pairs = pairing["pentanomial"].as_array().unwrap();
    assert_eq!(pairs.len(), 5);
    assert_eq!(pairs.iter().map(|pairs| pairs.as_u64().unwrap()).sum::<u64>(), 3);
    assert!(["elo", "elo_error", "nelo", "los", "margin"].iter().all(|key| pairing[key].is_f64()));
    assert_eq!(keys(&result["sprt"]), ["llr", "lower", "upper", "result"]);
    assert_eq!(result["sprt"]["result"], "continue");
    assert_eq!(result["failures"], json!({"crash": 0, "stall": 0, "timeout": 0, "illegal": 0}));
    // Without a test, and with a perfect score.
    let weak = ["--engine", "name=C cmd=builtin playouts=400", "--format", "gauntlet"];
    let result = json_of(&run_fast(&[&weak[..], &["--games", "2", "--json"]].concat()));
    assert_eq!((&result["sprt"], &result["games"]), (&Value::Null, &json!(4)));
    assert!(result["pairings"][1]["elo"].is_f64(), "{result}");
}

#[test]
fn formats_play_their_pairings() {
    let folder = test_folder("formats");
    let third = ["--engine", "name=C cmd=builtin", "--games", "2"];
    for (format, expected) in
        [("round-robin", &["A B", "A C", "B C"][..]), ("gauntlet", &["A B", "A C"])]
    {
        let journal = folder.join(format);
        let more = ["--format", format, "--journal", journal.to_str().unwrap()];
        let output = run_fast(&[&third[..], &more].concat());
        let table = String::from_utf8(output.stdout).unwrap();
        assert!(table.contains("A - B: 2 games") && table.contains("  Elo"), "{table}");
        let games = sorted_games(&journal);
        assert_eq!(games.len(), 2 * expected.len());
        for pairing in expected {
            let key = pairing.replace('A', "\"A\"").replace('B', "\"B\"").replace('C', "\"C\"");
            assert_eq!(games.iter().filter(|(game, _)| game.starts_with(&key)).count(), 2);
        }
    }
}

/// A few games suffice: the error rates of the statistics are simulated in `tournament_statistics`.
#[test]
fn an_engine_is_not_stronger_than_itself() {
    let sprt = ["--sprt", "elo0=0,elo1=20", "--concurrency", "2", "--json", "--games", "16"];
    let result = json_of(&run_fast(&sprt));
    assert_ne!(result["sprt"]["result"], "H1", "{result}");
    assert_eq!(result["games"], 16);
    let number = |key: &str| result["pairings"][0][key].as_f64().unwrap();
    assert!(number("elo").abs() < number("elo_error"), "{result}");
}

#[test]
fn records_can_be_read_and_replayed() {
    let folder = test_folder("match-records");
    let file = folder.join("games.sgf");
    let journal = folder.join("journal.jsonl");
    let common = ["--pie", "play", "--journal", journal.to_str().unwrap()];
    let play = |games: &str, records: &str| {
        let output = run_fast(&[&common[..], &["--games", games, "--records", records]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    play("6", file.to_str().unwrap());
    play("10", file.to_str().unwrap());
    play("10", folder.join("each").to_str().unwrap());
    let text = fs::read_to_string(&file).unwrap();
    let records = Record::parse_all(&text, &DefaultRules::default()).unwrap();
    assert_eq!(records.len(), 10);
    assert_eq!(fs::read_dir(folder.join("each")).unwrap().count(), 10);
    let mut swaps = 0;
    for record in &records {
        let end = record.position_after(record.moves.len()).unwrap();
        assert_eq!(record.result, Some(GameResult::Played(end.outcome())));
        let swapped = record.moves[1].mv == pontifex::game::Move::Swap;
        swaps += usize::from(swapped);
        let mut players = [record.tag(Tag::White).unwrap(), record.tag(Tag::Red).unwrap()];
        players.sort_unstable();
        assert_eq!(players, ["A", "B"]);
    }
    let journal = fs::read_to_string(&journal).unwrap();
    assert_eq!(journal.matches("\"swapped\":true").count(), swaps);
    assert!(swaps > 0, "nobody swaps");
}

#[test]
fn tournament_files_have_the_names_of_options() {
    let folder = test_folder("tournament-file");
    let file = folder.join("tournament.toml");
    fs::write(
        &file,
        "board = 6\nplayouts = 3\ngames = 8\njson = true\npie = \"off\"\n\
         [[engine]]\nname = \"A\"\ncmd = \"builtin\"\nparam = { threads = 1 }\n\
         [[engine]]\nname = \"B\"\ncmd = \"builtin\"\nplayouts = 5\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let result = json_of(&run(&["match", "--config", file], b""));
    assert_eq!(result["games"], 8);
    let result = json_of(&run(&["match", "--config", file, "--games", "2"], b""));
    assert_eq!(result["games"], 2);
    for (text, error) in [
        ("boord = 6", "boord"),
        ("boord = false", "boord"),
        ("games = 3", "not an even number"),
        ("board = ", "line 1"),
        ("[[engine]]\nname = \"A\"", "cmd"),
        ("[[engine]]\ncmd = \"builtin\"\nspeed = 3", "speed"),
        ("time = 1\nplayouts = 2", "cannot be used with"),
    ] {
        fs::write(file, text).unwrap();
        let output = run(&["match", "--config", file], b"");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(stderr(&output).contains(error), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    }
}

#[test]
fn time_use_is_reported() {
    let output = run(
        &[&FAST[..7], &["--time", "0.01", "--margin", "60000", "--games", "2", "--supply", "4,2"]]
            .concat(),
        b"",
    );
    let table = String::from_utf8(output.stdout).unwrap();
    let engine = table.lines().find(|line| line.starts_with("A  ")).unwrap_or_default();
    assert_eq!(engine.matches(" ms").count(), 2, "{table}");
    assert!(engine.ends_with("none"), "{table}");
}

/// `tests/match/recompute.py` knows the formulas of `docs/match.md` and no code of this program.
#[test]
fn a_reader_can_recompute_every_number() {
    if Command::new("python3").arg("--version").output().is_err() {
        return report_missing("python3");
    }
    let folder = test_folder("match-recomputed");
    let engine_argument =
        |name: &str, playouts: u32| format!("name={name} cmd=builtin playouts={playouts}");
    let [strong, even, weak] =
        [engine_argument("strong", 60), engine_argument("even", 40), engine_argument("weak", 1)];
    let cases: [(&str, &[&str], &str); 4] = [
        ("pair", &[&strong, &even], "30"),
        ("lopsided", &[&strong, &weak], "6"),
        ("everybody", &[&strong, &even, &weak], "12"),
        ("one", &[&even, &weak], "2"),
    ];
    for (name, engines, games) in cases {
        let journal = folder.join(format!("{name}.jsonl"));
        let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
        let format = if name == "everybody" { "round-robin" } else { "match" };
        let mut arguments = vec!["match", "--board", "5", "--format", format, "--games", games];
        arguments.extend(engines);
        arguments.extend(["--journal", journal.to_str().unwrap(), "--json"]);
        let output = run(&arguments, b"");
        let report = folder.join(format!("{name}.json"));
        fs::write(&report, &output.stdout).unwrap();
        let script = root().join("tests/match/recompute.py");
        let report_file = File::open(&report).unwrap();
        let check =
            Command::new("python3").arg(script).arg(&journal).stdin(report_file).output().unwrap();
        let text = String::from_utf8_lossy(&check.stdout);
        assert!(check.status.success(), "{name}: {text}{}", stderr(&check));
        assert!(text.contains("all numbers agree"), "{name}: {text}");
    }
}
