//! Evaluations of moves, and games that end early by a rule or a proof.

use std::fs;
use std::path::{Path, PathBuf};

use pontifex::board::Size;
use pontifex::game::{Color, Position, Rules, Supply};
use pontifex_testing::brute::Brute;
use serde_json::Value;

use super::{sorted_games, stderr};
use crate::client::{run, test_folder};

/// Plays a match of two built-in engines. Returns its journal.
fn play(name: &str, more: &[&str]) -> PathBuf {
    let journal = test_folder(&format!("adjudication-{name}")).join("games.jsonl");
    let engines = ["match", "--engine", "name=A cmd=builtin", "--engine", "name=B cmd=builtin"];
    let limits = ["--playouts", "60", "--journal", journal.to_str().unwrap()];
    let output = run(&[&engines[..], &limits, more].concat(), b"");
    assert!(output.status.success(), "{}", stderr(&output));
    journal
}

fn entries(journal: &Path) -> Vec<Value> {
    let text = fs::read_to_string(journal).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The win rates of the moves of one seat after the opening, in order.
fn win_rates(entry: &Value, seat: usize) -> Vec<f64> {
    let opening = entry["opening_moves"].as_u64().unwrap() as usize;
    let all = entry["evaluations"].as_array().unwrap();
    assert_eq!(all.len(), entry["seconds"].as_array().unwrap().len());
    assert!(all[..opening].iter().all(Value::is_null), "{entry}");
    let moves_of_seat = (opening..all.len()).filter(|number| number % 2 == seat);
    moves_of_seat.map(|number| all[number][0].as_f64().unwrap()).collect()
}

/// The last `count` numbers, or all if there are fewer.
fn last(rates: &[f64], count: usize) -> &[f64] {
    &rates[rates.len().saturating_sub(count)..]
}

#[test]
fn evaluations_are_recorded_and_change_no_move() {
    let more = ["--board", "6", "--games", "4"];
    let plain = play("plain", &more);
    let evaluated = play("evaluated", &[&more[..], &["--evaluations"]].concat());
    assert_eq!(sorted_games(&plain), sorted_games(&evaluated));
    assert!(entries(&plain).iter().all(|entry| entry.get("evaluations").is_none()));
    for entry in entries(&evaluated) {
        for rate in win_rates(&entry, 0).into_iter().chain(win_rates(&entry, 1)) {
            assert!((0.0..=1.0).contains(&rate), "{entry}");
        }
    }
    // The reports of a process have the same numbers, rounded.
    let engine_argument = |name| format!("name={name} cmd='{}' param.threads=1", gtp_command());
    let journal = test_folder("adjudication-gtp").join("games.jsonl");
    let records = journal.with_extension("sgf");
    let (a, b) = (engine_argument("A"), engine_argument("B"));
    let arguments = ["match", "--engine", &a, "--engine", &b, "--playouts", "60", "--evaluations"];
    let files = ["--journal", journal.to_str().unwrap(), "--records", records.to_str().unwrap()];
    let output = run(&[&arguments[..], &files, &more].concat(), b"");
    assert!(output.status.success(), "{}", stderr(&output));
    let (processes, builtins) = (sorted_entries(&journal), sorted_entries(&evaluated));
    assert_eq!((processes.len(), builtins.len()), (4, 4));
    for (process, builtin) in processes.iter().zip(builtins) {
        assert_eq!(process["moves"], builtin["moves"]);
        for seat in [0, 1] {
            for (own, other) in win_rates(process, seat).into_iter().zip(win_rates(&builtin, seat))
            {
                assert!((own - other).abs() <= 0.00006, "{own} {other}");
            }
        }
    }
    let records = fs::read_to_string(&records).unwrap();
    assert!(records.contains("; White's win rate "));
    assert!(records.contains("; Red's win rate "));
}

fn gtp_command() -> String {
    format!("{} gtp", env!("CARGO_BIN_EXE_pontifex"))
}

/// The games of a journal in the order of the schedule.
fn sorted_entries(journal: &Path) -> Vec<Value> {
    let mut all = entries(journal);
    all.sort_by_key(|entry| (entry["round"].as_u64(), entry["white"].to_string()));
    all
}

#[test]
fn a_game_that_an_engine_expects_to_lose_is_adjudicated() {
    for (rule, twosided) in
        [("movecount=2,winrate=0.1", false), ("movecount=2,winrate=0.1,twosided=true", true)]
    {
        let journal = play(
            if twosided { "twosided" } else { "resign" },
            &["--board", "8", "--games", "8", "--resign", rule],
        );
        let mut adjudicated = 0;
        for entry in entries(&journal).iter().filter(|entry| entry["reason"] == "adjudication") {
            adjudicated += 1;
            // Nobody swaps: seat 0 is White.
            let result = entry["result"].as_str().unwrap();
            let (winner, loser) = if result == "W+" { (0, 1) } else { (1, 0) };
            assert!(["W+", "R+"].contains(&result), "{entry}");
            let (won, lost) = (win_rates(entry, winner), win_rates(entry, loser));
            assert!(lost.len() >= 2 && last(&lost, 2).iter().all(|&rate| rate <= 0.1), "{entry}");
            let agrees = won.len() >= 2 && last(&won, 2).iter().all(|&rate| rate >= 0.9);
            assert!(!twosided || agrees, "{entry}");
        }
        assert!(adjudicated > 0, "{rule}");
    }
}

#[test]
fn a_game_that_both_expect_to_be_drawn_is_drawn() {
    let rule = "movenumber=6,movecount=2,winrate=0.2";
    let journal = play("draw", &["--board", "8", "--games", "8", "--draw", rule]);
    let mut adjudicated = 0;
    for entry in entries(&journal).iter().filter(|entry| entry["reason"] == "adjudication") {
        adjudicated += 1;
        assert_eq!((&entry["result"], &entry["winner"]), (&"0".into(), &Value::Null));
        assert!(entry["seconds"].as_array().unwrap().len() >= 6 + 3);
        for seat in [0, 1] {
            let rates = win_rates(entry, seat);
            assert!(last(&rates, 2).iter().all(|rate| (rate - 0.5).abs() <= 0.2), "{entry}");
        }
    }
    assert!(adjudicated > 0);
}

#[test]
fn a_proof_ends_a_game_with_the_right_result() {
    let journal = play("proof", &["--board", "5", "--games", "20", "--proof", "2000"]);
    let rules = Rules { size: Size::new(5).unwrap(), supply: Supply::Standard, pie: false };
    let mut proved = 0;
    for entry in entries(&journal).iter().filter(|entry| entry["reason"] == "proof") {
        let mut position = Position::new(rules);
        for mv in entry["moves"].as_str().unwrap().split(' ') {
            position.play(mv.parse().unwrap()).unwrap();
        }
        let Some(value) = Brute::new(3_000_000).value(&position) else { continue };
        proved += 1;
        let result = match value.winner() {
            Some(Color::White) => "W+",
            Some(Color::Red) => "R+",
            None => "0",
        };
        assert_eq!(entry["result"], result, "{position}");
        assert!(!position.is_over());
    }
    assert!(proved > 3, "{proved}");
}

#[test]
fn impossible_rules_are_refused() {
    for (option, value, message) in [
        ("--resign", "movecount=3,winrate=0.6", "winrate=0.6 is not a number from 0 to below 0.5"),
        ("--resign", "moves=3", "'moves=3' is not one of movecount=3,winrate=0.02,twosided=false"),
        ("--draw", "movecount=0", "movecount=0 is not a number from 1 to 1000"),
        ("--draw", "movecount=1,movecount=2", "movecount is given twice"),
        ("--proof", "0", "--proof must be a whole number from 1, not '0'"),
    ] {
        let output = run(&["match", option, value], b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}
