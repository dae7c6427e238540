//! `pontifex review`, run as a process.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::client::{run, test_folder};

/// A game played by programs.
const GAME: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/data/records/abstract-play-8x8.json");

/// White has neither tiles nor bridges left. Red can win with their last two tiles, one for each
/// group of three, and does not.
const BLUNDER: &str = "(;FF[4]GM[PonteDelDiavolo]SZ[8]SUPPLY[8,0]PIE[off]PW[</script><b>]\
    AW[a1][b1][c1][d1][g1][h1][g4][h4]AB[a8][b8][c8][f8][g8][h8]PL[W];W[pass];B[a5,c5])";

fn review(arguments: &[&str]) -> Output {
    run(&[&["review"][..], arguments].concat(), b"")
}

/// Runs a review, which must succeed. Returns its output.
fn run_successfully(arguments: &[&str]) -> String {
    let output = review(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> &'static str {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string().leak()
}

fn path(folder: &Path, name: &str) -> &'static str {
    folder.join(name).display().to_string().leak()
}

const QUICK: [&str; 2] = ["--playouts", "40"];

/// A short game on a small board, for tests that review it many times.
const SHORT: &str = "# board: 6\nc3,c4 d2,e5 c5,a1";

/// Lines of the cache of [`SHORT`]: the settings and every position.
const SHORT_LINES: usize = 5;

#[test]
fn a_planted_blunder_is_the_worst_turn() {
    let folder = test_folder("review-blunder");
    let file = write(&folder, "blunder.sgf", BLUNDER);
    let review: Value =
        serde_json::from_str(&run_successfully(&[file, "--json", "--playouts", "5000"])).unwrap();
    let turns = review["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 2);
    // A forced move loses nothing and does not count.
    assert_eq!(turns[0]["forced"], true);
    assert_eq!(turns[0]["loss"]["winrate"], 0.0);
    assert_eq!(review["summary"]["white"]["turns"], 0);
    // Red gives away two islands to one.
    let turn = &turns[1];
    assert_eq!(turn["player"], "red");
    assert_eq!(turn["move"], "a5,c5");
    assert_eq!(turn["solved"], "R+1");
    assert_eq!(turn["played"]["solved"], "W+1");
    assert_eq!(turn["loss"]["winrate"], 1.0);
    assert_eq!(turn["loss"]["points"], 2.0);
    assert_eq!(turn["grade"], "blunder");
    assert_eq!(review["turning_points"], serde_json::json!([2]));
    assert_eq!(review["summary"]["red"]["blunders"], 1);
    assert_eq!(review["end"]["solved"], "W+1");
    let text = run_successfully(&[file, "--playouts", "5000"]);
    let line = text.lines().find(|line| line.starts_with("   2  R  a5,c5")).unwrap();
    assert!(line.contains(" ?? ") && line.contains(" 100.0 "), "{text}");
    assert!(text.contains("Turning points: 2 (Red, -100.0 %)\n"), "{text}");
    // Other thresholds change the grade.
    let lenient = run_successfully(&[file, "--playouts", "5000", "--thresholds", "0.5,1,1"]);
    assert!(lenient.contains("1 blunder"), "{lenient}");
}

#[test]
fn json_has_the_documented_form() {
    let text = run_successfully(&[&[GAME, GAME, "--json"][..], &QUICK].concat());
    let [first, second, table] = text.lines().collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(first, second);
    let table: Value = serde_json::from_str(table).unwrap();
    let [row, again] = table["table"].as_array().unwrap().as_slice() else { panic!("{table}") };
    assert_eq!((row, row["turns"].as_u64()), (again, Some(22)));
    let review: Value = serde_json::from_str(first).unwrap();
    assert_eq!(review["file"], GAME);
    for key in ["file", "game", "white", "red", "result", "summary"] {
        assert_eq!(row[key], review[key], "{key}");
    }
    let turns = review["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 22);
    if let Some(worst) = review["turning_points"][0].as_u64() {
        let turn = &turns[worst as usize - 1];
        for key in ["turn", "player", "move", "loss"] {
            assert_eq!(row["worst"][key], turn[key], "{key}");
        }
    }
    for (n, turn) in turns.iter().enumerate() {
        assert_eq!(turn["turn"], n + 1);
        assert_eq!(turn["moves"][0]["move"], turn["best"]);
        for number in ["winrate", "scoreLead"] {
            assert!(turn[number].is_f64(), "{number}: {turn}");
            assert!(turn["white"][number].is_f64(), "{number}: {turn}");
        }
        let loss = &turn["loss"];
        assert!(loss["winrate"].as_f64().unwrap() >= 0.0, "{loss}");
        assert!(loss["points"].as_f64().unwrap() >= 0.0, "{loss}");
        if turn["best"] == turn["move"] {
            assert_eq!(loss["winrate"], 0.0);
            assert_eq!(loss["points"], 0.0);
        }
        assert!(turn.as_object().unwrap().contains_key("solved"));
    }
    let summary = &review["summary"];
    let counted = |color: &str| summary[color]["turns"].as_u64().unwrap();
    assert!(counted("white") + counted("red") <= 22);
    for color in ["white", "red"] {
        let accuracy = summary[color]["accuracy"].as_f64().unwrap();
        assert!((0.0..=100.0).contains(&accuracy));
    }
    assert_eq!(review["end"]["over"], true);
    assert_eq!(review["result"], "R+i1");
}

#[test]
fn the_review_says_whether_red_should_swap() {
    let folder = test_folder("review-swap");
    for (moves, swapped) in [("d4,e5 swap a1,b1", true), ("a1,b1 h8,g8", false)] {
        let file = write(&folder, "opening.txt", &format!("# board: 8\n{moves}"));
        let text = run_successfully(&[&[file, "--json"][..], &QUICK].concat());
        let review: Value = serde_json::from_str(&text).unwrap();
        let opening = &review["opening"];
        assert_eq!(opening["swapped"], swapped);
        let should = opening["winrate"].as_f64().unwrap() > 0.5;
        assert_eq!(opening["should_swap"], should, "{opening}");
        if swapped {
            assert_eq!(review["turns"][2]["player"], "red");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let one = run_successfully(&[&[GAME, "--json", "--threads", "1"][..], &QUICK].concat());
    let three = run_successfully(&[&[GAME, "--json", "--threads", "3"][..], &QUICK].concat());
    assert_eq!(one, three);
}

#[test]
fn a_truncated_cache_is_continued() {
    let folder = test_folder("review-cache");
    let (cache, game) = (path(&folder, "kept.jsonl"), write(&folder, "game.txt", SHORT));
    let arguments = [&[game, "--json", "--cache", cache][..], &QUICK].concat();
    let whole = run_successfully(&arguments);
    let bytes = fs::read(cache).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), SHORT_LINES);
    let cut = [lines[..3].concat(), lines[3][..lines[3].len() / 2].to_vec()].concat();
    fs::write(cache, cut).unwrap();
    let output = review(&arguments);
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), whole);
    let again = fs::read(cache).unwrap();
    assert_eq!(again.split_inclusive(|&byte| byte == b'\n').count(), SHORT_LINES);

    // The cache is used: a search of this length would not end.
    let edited = fs::read_to_string(cache).unwrap().replacen(
        r#""playouts":"40""#,
        r#""playouts":"99999999999""#,
        1,
    );
    fs::write(cache, edited).unwrap();
    let endless = [game, "--json", "--cache", cache, "--playouts", "99999999999"];
    assert_eq!(run_successfully(&endless), whole);
}

#[test]
fn other_settings_other_games_and_damage_cause_new_searches() {
    let folder = test_folder("review-stale");
    let (cache, game) = (path(&folder, "kept.jsonl"), write(&folder, "game.txt", SHORT));
    let arguments_with = |playouts: &'static str| {
        [game, "--json", "--cache", cache, "--playouts", playouts].map(str::to_owned)
    };
    let run = |arguments: &[String]| {
        let output = review(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (first, _) = run(&arguments_with("40"));
    let (other, message) = run(&arguments_with("30"));
    assert!(message.contains("playouts 40 -> 30") && message.lines().count() == 1, "{message}");
    assert_eq!(other, run_successfully(&[game, "--json", "--playouts", "30"]));
    run(&arguments_with("40"));

    let mut bytes = fs::read(cache).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(cache, &bytes).unwrap();
    let (again, message) = run(&arguments_with("40"));
    assert!(message.contains("damaged") && message.lines().count() == 1, "{message}");
    assert_eq!(again, first);
    assert_eq!(fs::read(folder.join("kept.jsonl.damaged")).unwrap(), bytes);
    let (again, message) = run(&arguments_with("40"));
    assert_eq!((again, message.as_str()), (first, ""));

    fs::write(cache, "something else").unwrap();
    let (_, message) = run(&arguments_with("40"));
    assert!(message.contains("not a usable cache of pontifex review"), "{message}");

    let weights = include_str!("../../../../src/eval/linear/weights.txt");
    let weights = write(&folder, "weights.txt", weights);
    let with_weights =
        [&arguments_with("40")[..], &["--weights".to_owned(), weights.to_owned()]].concat();
    let (_, message) = run(&with_weights);
    assert!(message.contains("weights built-in -> ") && message.lines().count() == 1, "{message}");
    // Other weights under the same name.
    fs::write(weights, fs::read_to_string(weights).unwrap() + "#").unwrap();
    let (_, message) = run(&with_weights);
    assert!(message.contains("weights.txt ") && message.lines().count() == 1, "{message}");

    let short = write(&folder, "short.txt", "# board: 8\nd4,e5 c3,c4");
    let arguments = [short, "--json", "--cache", cache, "--playouts", "40"].map(str::to_owned);
    let alone = run_successfully(&[short, "--json", "--playouts", "40"]);
    assert_eq!(run(&arguments).0, alone);
}

/// A resumed review prints the same as an uninterrupted one.
#[cfg(unix)]
#[test]
fn an_interrupted_review_continues_where_it_stopped() {
    let folder = test_folder("review-interrupt");
    let cache = path(&folder, "kept.jsonl");
    let lines = || fs::read_to_string(cache).map_or(0, |text| text.lines().count());
    // On a busy machine, a short review may end before it is interrupted.
    let interrupted = ["1000", "10000", "100000"].into_iter().find_map(|playouts| {
        let _ = fs::remove_file(cache);
        let arguments = ["review", GAME, "--json", "--playouts", playouts, "--threads", "2"];
        let child = super::client::pontifex()
            .args(arguments)
            .args(["--cache", cache])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        while lines() < 3 {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        crate::client::signal("-INT", &[child.id()]);
        let output = child.wait_with_output().unwrap();
        (output.status.code() != Some(0)).then_some((arguments, output))
    });
    let (arguments, output) = interrupted.unwrap();
    let with_cache = [&arguments[..], &["--cache", cache]].concat();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(output.stdout.is_empty() && message.contains("positions are done"), "{message}");
    let line_count = lines();
    assert!((3..23).contains(&line_count), "{line_count}");
    let resumed = run(&with_cache, b"");
    assert_eq!(lines(), 23);
    assert_eq!(resumed.stdout, run(&arguments, b"").stdout);
}

#[test]
fn the_annotated_record_is_readable() {
    let folder = test_folder("review-sgf");
    let sgf = path(&folder, "annotated.sgf");
    run_successfully(&[&[GAME, "--sgf", sgf][..], &QUICK].concat());
    assert!(folder.join("annotated.sgf.cache").exists());
    let text = fs::read_to_string(sgf).unwrap();
    assert_eq!(text.matches("SBKV[").count(), 23);
    assert!(text.matches("\n(;").count() > 1, "no variations: {text}");
    let moves = |file: &str| {
        let output = run(&["convert", "--to", "moves", file], b"");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let record = pontifex::notation::Record::parse(&text).unwrap();
        record.moves.iter().map(|recorded| recorded.mv).collect::<Vec<_>>()
    };
    assert_eq!(moves(sgf), moves(GAME));
    let again = pontifex::notation::Record::parse(&text).unwrap();
    assert!(
        again
            .moves
            .iter()
            .all(|recorded| recorded.comment.contains(" before this move: win rate "))
    );
}

/// The JSON data in a page.
fn embedded_json(page: &str) -> &str {
    let (_, data) =
        page.split_once(r#"<script type="application/json" id="review-data">"#).unwrap();
    data.split_once("</script>").unwrap().0
}

#[test]
fn the_page_holds_all_games_and_escapes_them() {
    let folder = test_folder("review-html");
    let html = path(&folder, "games.html");
    let blunder = write(&folder, "blunder.sgf", BLUNDER);
    let text = run_successfully(&[&[GAME, blunder, "--json", "--html", html][..], &QUICK].concat());
    let page = fs::read_to_string(html).unwrap();
    let reviews: Vec<Value> = serde_json::from_str(embedded_json(&page)).unwrap();
    let printed: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reviews, printed[..2]);
    assert_eq!(reviews[1]["white"], "</script><b>");
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<b>"));
    // Every element that the script looks up by name exists.
    let (_, script) = page.rsplit_once("<script>").unwrap();
    let names = script.split("at(\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    for name in names {
        assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
    }
}

#[test]
fn a_file_on_standard_output_replaces_the_text() {
    let page = run_successfully(&[&[GAME, "--html", "-"][..], &QUICK].concat());
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    let record = run_successfully(&[&[GAME, "--sgf", "-"][..], &QUICK].concat());
    assert!(record.starts_with("(;FF[4]") && record.ends_with(")\n"), "{record}");
    assert!(!Path::new("-").exists());
    assert!(!Path::new("-.cache").exists());
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_2() {
    let folder = test_folder("review-refused");
    let file = |name: &str, text: &str| write(&folder, name, text);
    let (empty, bad) = (file("empty.pos", "4/4/4/4 w - -"), file("bad.txt", "d4,e6 d4,g6"));
    let (text, copy) = (path(&folder, "a.html"), file("copy.txt", "d4,e6 c3,g6"));
    for (arguments, message) in [
        (vec![], "FILE is missing"),
        (vec![empty], "game 1: it has no moves to review"),
        (vec![bad], "bad.txt: game 1: move 2 (d4,g6) is illegal"),
        (vec!["no/such.sgf"], "no/such.sgf: "),
        (vec![GAME, "--game", "2"], "--game 2: no file has that many games"),
        (vec![GAME, "--thresholds", "0.2,0.1,0.3"], "three rising numbers"),
        (vec![copy, "--sgf", copy], "--sgf would overwrite "),
        (vec![copy, "--cache", copy], "the cache would overwrite "),
        (vec![copy, "--sgf", text, "--html", text], "--sgf would overwrite "),
        (vec![GAME, "--ponder", "on"], "--ponder"),
        (vec![GAME, "--html", "-", "--sgf", "-"], "standard output takes one of "),
        (vec![GAME, "--html", "-", "--json"], "standard output takes one of "),
        (vec![GAME, "--html", "/no/such/x.html"], "--html: cannot write /no/such/x.html: there is"),
        (vec![GAME, "--sgf", "tests"], "--sgf: cannot write tests: it is a folder"),
    ] {
        let output = review(&arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(message), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_to_string(copy).unwrap(), "d4,e6 c3,g6");
}

#[test]
fn unreadable_games_are_reported_and_the_others_are_reviewed() {
    let folder = test_folder("review-batch");
    let (good, bad) = (write(&folder, "good.txt", SHORT), write(&folder, "bad.txt", "d4,e6 d4,g6"));
    let html = path(&folder, "games.html");
    let arguments = [&[bad, good, "no/such.sgf", good, "--html", html][..], &QUICK].concat();
    let output = review(&arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("bad.txt: game 1: move 2 (d4,g6) is illegal"), "{error}");
    assert!(error.contains("no/such.sgf: ") && error.lines().count() == 2, "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("turn     played").count(), 2);
    let table = text.lines().rev().take(3).collect::<Vec<_>>();
    assert!(table[2].starts_with("game ") && table[2].ends_with("worst move"), "{text}");
    assert_eq!(table[0], table[1]);
    let reviews: Vec<Value> =
        serde_json::from_str(embedded_json(&fs::read_to_string(html).unwrap())).unwrap();
    assert_eq!(reviews.len(), 2);
}

#[test]
fn the_games_of_a_match_are_reviewed() {
    let folder = test_folder("review-journal");
    let journal = path(&folder, "match.jsonl");
    let engines = ["--engine", "name=A cmd=builtin", "--engine", "name=B cmd=builtin"];
    let more = ["--board", "5", "--playouts", "3", "--games", "2", "--journal", journal];
    let played = run(&[&["match"][..], &engines, &more].concat(), b"");
    assert_eq!(played.status.code(), Some(0), "{played:?}");
    let text = run_successfully(&[&[journal, "--json"][..], &QUICK].concat());
    assert_eq!(text.lines().count(), 3);
    let second = run_successfully(&[&[journal, "--json", "--game", "2"][..], &QUICK].concat());
    assert_eq!(second.lines().next(), text.lines().nth(1));
    let review: Value = serde_json::from_str(second.trim()).unwrap();
    assert_eq!((&review["white"], &review["board"]), (&Value::from("B"), &Value::from(5)));
}
