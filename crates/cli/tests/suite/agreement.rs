//! All front ends show the same numbers: `analyze`, `engine-json`, the GTP streams and `review` on
//! positions of real games, with one thread and fixed iterations. Only the number of decimals
//! differs.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::client::{Client, run, test_folder};
use pontifex::board::Size;
use pontifex::game::{Position, Rules, Setup, Supply};

const PLAYOUTS: &str = "300";
const OPTIONS: [&str; 6] = ["--playouts", PLAYOUTS, "--threads", "1", "--seed", "1"];

/// Games of engines, one JSON object a line, and endings of such games with their values.
const GAMES: &str = include_str!("../../../../tests/suite/data/games.jsonl");
const ENDINGS: &str = include_str!("../../../../tests/suite/data/endings.txt");

/// A position whose winner is proved, but not its value.
const PROVED: &str =
    "1ww5/4rrrr/4ww2/ww1ww1rr/1w1rr1rr/3wr1w1/rr1wr1w1/rr1ww1w1 r b2-d4,e1-g1,e5-g3 -";

/// Openings, middle games and endings.
fn sample_positions() -> Vec<String> {
    let mut texts = vec![PROVED.to_owned()];
    for line in GAMES.lines().step_by(17) {
        let game: Value = serde_json::from_str(line).unwrap();
        let mut position = Position::new(rules(&game));
        let moves = game_moves(&game);
        for (number, mv) in moves.iter().enumerate() {
            position.play(mv.parse().unwrap()).unwrap();
            // The front ends assume the standard supply.
            let text = position.to_string();
            let is_legal = Setup::parse(&text, Supply::Standard, false)
                .is_ok_and(|setup| setup.validate().is_ok());
            if number % (moves.len() / 6) == 1 && is_legal && !position.is_over() {
                texts.push(text);
            }
        }
    }
    texts.truncate(32);
    let endings = ENDINGS.lines().filter(|line| !line.starts_with('#'));
    let endings = endings.filter_map(|line| line.splitn(4, ' ').nth(3));
    let missing = 50 - texts.len();
    texts.extend(endings.step_by(9).take(missing).map(str::to_owned));
    assert_eq!(texts.len(), 50);
    texts
}

fn rules(game: &Value) -> Rules {
    Rules {
        size: Size::new(game["size"].as_u64().unwrap()).unwrap(),
        supply: game["supply"].as_str().unwrap().parse().unwrap(),
        pie: false,
    }
}

fn game_moves(game: &Value) -> Vec<&str> {
    game["moves"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

/// Runs the program, which must succeed. Returns its output.
fn run_successfully(arguments: &[&str], input: &str) -> String {
    let output = run(&[arguments, &OPTIONS].concat(), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Parses a line of `ponte-analyze`: the values of each `info` by key, and those of the root.
fn parse_infos(line: &str) -> (Vec<HashMap<String, String>>, HashMap<String, String>) {
    let (moves, root) = line.split_once(" rootInfo ").unwrap();
    let values = |text: &str| {
        let (numbers, pv) = text.split_once(" pv ").unwrap_or((text, ""));
        let words: Vec<&str> = numbers.split_whitespace().collect();
        let mut keys: HashMap<String, String> =
            words.chunks_exact(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect();
        keys.insert("pv".to_owned(), pv.to_owned());
        keys
    };
    let moves = moves.split("info ").filter(|text| !text.is_empty());
    (moves.map(|text| values(text.trim())).collect(), values(root))
}

/// Checks that a number of GTP is the JSON number, rounded.
fn assert_same_number(
    gtp: &HashMap<String, String>,
    json: &Value,
    key: &str,
    decimals: usize,
    context: &str,
) {
    let number = json[key].as_f64().unwrap();
    let difference = (gtp[key].parse::<f64>().unwrap() - number).abs();
    assert!(
        difference <= 0.51 * 10f64.powi(-(decimals as i32)),
        "{context}: {key} {} is {number}",
        gtp[key]
    );
}

/// Checks the lines of GTP against the JSON of a root and its moves or points.
fn check_gtp(line: &str, root: &Value, moves: &[Value], context: &str) {
    let (infos, root_info) = parse_infos(line);
    assert_same_number(&root_info, root, "winrate", 4, context);
    assert_same_number(&root_info, root, "scoreLead", 2, context);
    assert_eq!(root_info["visits"], root["visits"].to_string(), "{context}");
    assert_eq!(infos.len(), moves.len(), "{context}");
    for (gtp, json) in infos.iter().zip(moves) {
        let context = &format!("{context}, {}", gtp["move"]);
        assert_eq!(gtp["move"], json["move"].as_str().unwrap(), "{context}");
        for key in ["visits", "order"] {
            assert_eq!(gtp[key], json[key].to_string(), "{context}");
        }
        for (key, decimals) in [("winrate", 4), ("scoreLead", 2), ("prior", 4), ("lcb", 4)] {
            assert_same_number(gtp, json, key, decimals, context);
        }
        let pv: Vec<&str> =
            json["pv"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(gtp["pv"], pv.join(" "), "{context}");
        assert_eq!(gtp.contains_key("proved"), is_proved(json), "{context}");
    }
}

fn is_proved(info: &Value) -> bool {
    !info["winner"].is_null() || info["solved"] == "0"
}

/// Checks that win rates agree with proofs and bounds, and that no move which may be won ranks
/// below one that is proved to lose.
fn check_consistency(to_move: &str, root: &Value, moves: &[Value], context: &str) {
    for info in moves.iter().chain([root]) {
        if let Some(winner) = info["winner"].as_str() {
            assert_eq!(
                info["winrate"],
                f64::from(u8::from(winner == to_move)),
                "{context}: {info}"
            );
        }
        if let Some(lcb) = info["lcb"].as_f64() {
            assert!(lcb <= info["winrate"].as_f64().unwrap(), "{context}: {info}");
        }
    }
    let loses = |info: &Value| info["winner"].as_str().is_some_and(|winner| winner != to_move);
    let first_lost = moves.iter().position(loses).unwrap_or(moves.len());
    assert!(moves[first_lost..].iter().all(loses), "{context}: {moves:?}");
}

/// The last report of a search, and the move played.
fn last_report(answer: &str) -> (String, String) {
    let mut lines = answer.lines().rev().map(str::to_owned);
    let played = lines.next().unwrap();
    (lines.next().unwrap(), played)
}

#[test]
fn all_front_ends_show_the_same_numbers() {
    let positions = sample_positions();
    let analyses: Vec<Value> = positions
        .par_iter()
        .map(|text| {
            let arguments = ["analyze", "--json", "--multi", "100000", "--position", text];
            serde_json::from_str(&run_successfully(&arguments, "")).unwrap()
        })
        .collect();

    // engine-json: by moves, and by points.
    let mut queries = String::new();
    for (number, text) in positions.iter().enumerate() {
        for points in [false, true] {
            let id = format!("{number} {points}");
            let query = json!({"id": id, "initialPosition": text, "points": points});
            let _ = writeln!(queries, "{query}");
        }
    }
    let answers: HashMap<String, Value> = run_successfully(&["engine-json"], &queries)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|answer| (answer["id"].as_str().unwrap().to_owned(), answer))
        .collect();

    // GTP: by moves, and by points. At the end of its input the engine would cut searches short.
    let mut client = Client::start(&[&["gtp"], &OPTIONS[..]].concat());
    let mut streams = Vec::new();
    for text in &positions {
        let side = text.split(' ').nth(1).unwrap();
        for command in ["ponte-genmove_analyze", "kata-genmove_analyze"] {
            assert_eq!(client.ask(&format!("ponte-set_position {text}")), "=", "{text}");
            streams
                .push(last_report(&client.ask(&format!("{command} {side} 1000000 rootInfo true"))));
        }
    }

    let mut proved = 0;
    for (number, analysis) in analyses.iter().enumerate() {
        let context = &positions[number];
        let (root, moves) = (&analysis["root"], analysis["moves"].as_array().unwrap());
        let to_move = analysis["to_move"].as_str().unwrap();
        check_consistency(to_move, root, moves, context);
        proved += usize::from(is_proved(root));
        for key in ["winrate", "scoreLead", "visits", "solved", "winner"] {
            let answer = &answers[&format!("{number} false")];
            assert_eq!(answer["rootInfo"][key], root[key], "{context}: {key}");
        }
        let infos = answers[&format!("{number} false")]["moveInfos"].as_array().unwrap();
        assert_eq!(infos.len(), moves.len(), "{context}");
        for (info, candidate) in infos.iter().zip(moves) {
            for (key, value) in candidate.as_object().unwrap() {
                assert_eq!(info[key], *value, "{context}: {key}");
            }
        }
        let (line, played) = &streams[2 * number];
        check_gtp(line, root, moves, context);
        assert_eq!(*played, format!("play {}", moves[0]["move"].as_str().unwrap()), "{context}");

        let by_points = &answers[&format!("{number} true")];
        let points = by_points["moveInfos"].as_array().unwrap();
        check_consistency(to_move, &by_points["rootInfo"], points, context);
        let (line, played) = &streams[2 * number + 1];
        check_gtp(line, &by_points["rootInfo"], points, context);
        assert_eq!(*played, format!("play {}", points[0]["move"].as_str().unwrap()), "{context}");
    }
    assert!(proved > 5 && proved < positions.len(), "{proved} are proved");
}

/// The review searches each position of a game as `analyze` does.
#[test]
fn a_review_has_the_numbers_of_an_analysis() {
    let folder = test_folder("agreement-review");
    let game: Value = serde_json::from_str(GAMES.lines().next().unwrap()).unwrap();
    let Rules { size, supply, .. } = rules(&game);
    let record = folder.join("game.txt");
    let head = format!("# board: {size}\n# supply: {supply}\n# pie: off\n");
    fs::write(&record, head + &game_moves(&game).join(" ")).unwrap();
    let supply = &supply.to_string();
    let record = record.to_str().unwrap();
    let review: Value =
        serde_json::from_str(&run_successfully(&["review", record, "--json", "--multi", "5"], ""))
            .unwrap();
    let turns = review["turns"].as_array().unwrap();
    for turn in turns.iter().step_by(turns.len().div_ceil(8)) {
        let position = turn["position"].as_str().unwrap();
        let supply = ["--supply", supply, "--pie", "off"];
        let arguments =
            [&["analyze", "--json", "--multi", "5", "--position", position][..], &supply].concat();
        let analysis: Value = serde_json::from_str(&run_successfully(&arguments, "")).unwrap();
        for key in ["winrate", "scoreLead", "visits", "solved", "winner"] {
            assert_eq!(turn[key], analysis["root"][key], "{position}: {key}");
        }
        let moves = analysis["moves"].as_array().unwrap();
        assert_eq!(turn["moves"].as_array().unwrap()[..moves.len()], moves[..], "{position}");
    }
}
