//! Queries as clients of `KataGo` send them.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::super::client;
use super::run_session;

/// Returns the answers to `queries`, in their order, with one thread and few iterations.
fn ask(options: &[&str], queries: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = queries.iter().map(|query| format!("{query}\n")).collect();
    let limits = ["--analysis-threads", "1", "--playouts", "40"];
    run_session(&[&limits, options].concat(), lines.concat().as_bytes())
}

/// The answer to a query with these fields.
fn answer(fields: &Value) -> Value {
    let mut query = json!({ "id": "a" });
    query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let mut lines = ask(&[], &[query]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0)
}

/// The field and the text of the error.
fn error(fields: &Value) -> (String, String) {
    let line = answer(fields);
    let text = |name: &str| line[name].as_str().unwrap_or_else(|| panic!("{line}")).to_owned();
    (text("field"), text("error"))
}

fn names(response: &Value) -> Vec<&str> {
    let moves = response["moveInfos"].as_array().unwrap();
    moves.iter().map(|info| info["move"].as_str().unwrap()).collect()
}

/// The query that KataGo's `query_analysis_engine_example.py` sends, on a board of `size`.
fn python_example(size: u32) -> Value {
    json!({
        "id": "0", "moves": [["b", "D4"]], "initialStones": [], "rules": "Chinese",
        "komi": 6.5, "boardXSize": size, "boardYSize": size, "includePolicy": true,
    })
}

/// The query that `KaTrain` sends after `moves`.
fn katrain(moves: &Value) -> Value {
    json!({
        "rules": "chinese", "priority": 1, "analyzeTurns": [moves.as_array().unwrap().len()],
        "maxVisits": 40, "komi": 6.5, "boardXSize": 8, "boardYSize": 8,
        "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true,
        "initialStones": [], "initialPlayer": "W", "moves": moves,
        "overrideSettings":
            { "reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 8.0 },
        "reportDuringSearchEvery": 1.0, "id": "QUERY:1",
    })
}

/// The query that lizzieyzy sends.
fn lizzie() -> Value {
    json!({
        "id": "1", "maxVisits": 41, "includePVVisits": true, "includeOwnership": false,
        "includeMovesOwnership": false, "komi": 7.5, "boardXSize": 10, "boardYSize": 10,
        "rules": { "scoring": "AREA", "ko": "SIMPLE", "tax": "NONE", "suicide": false },
        "moves": [["W", "D4"], ["W", "E6"]], "analyzeTurns": [2],
        "overrideSettings": { "reportAnalysisWinratesAs": "SIDETOMOVE" },
    })
}

#[test]
fn the_python_example_is_answered() {
    let lines = ask(&["--points", "--no-warnings"], &[python_example(19), python_example(10)]);
    let [refused, answered] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(refused["field"], "boardXSize", "{refused}");
    // Red has placed the first of two tiles.
    assert_eq!(answered["rootInfo"]["currentPlayer"], "B");
    assert_eq!(answered["turnNumber"], 1);
    let policy: Vec<f64> = serde_json::from_value(answered["policy"].clone()).unwrap();
    assert_eq!(policy.len(), 101);
    // D4, an occupied cell, and the pass.
    assert_eq!((policy[63], policy[100]), (-1.0, -1.0));
    let sum: f64 = policy.iter().filter(|&&share| share > 0.0).sum();
    assert!((sum - 1.0).abs() < 0.01, "{sum}");
    assert!(names(answered).iter().all(|name| name.len() <= 3 && *name != "D4"), "{answered}");
}

#[test]
fn katrain_is_answered() {
    let points = json!([["W", "D4"], ["W", "E6"], ["B", "C3"], ["B", "G6"], ["W", "B6"]]);
    for count in [0, 2, 4, 5] {
        let moves = Value::from(&points.as_array().unwrap()[..count]);
        let mut lines = ask(&["--points"], &[katrain(&moves)]);
        lines.retain(|line| line["isDuringSearch"] != true);
        let [warning, response] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((&warning["field"], &warning["id"]), (&json!("rules"), &json!("QUERY:1")));
        let text = warning["warning"].as_str().unwrap();
        assert!(text.contains("'chinese'") && text.contains("wideRootNoise"), "{text}");
        let mover = if count == 2 { "B" } else { "W" };
        assert_eq!(response["rootInfo"]["currentPlayer"], mover);
        assert_eq!(response["ownership"].as_array().unwrap().len(), 64);
        assert_eq!(response["policy"].as_array().unwrap().len(), 65);
        for (order, info) in response["moveInfos"].as_array().unwrap().iter().enumerate() {
            let name = info["move"].as_str().unwrap();
            assert!(name == "pass" || name.starts_with(|c: char| c.is_ascii_uppercase()), "{name}");
            assert_eq!((&info["order"], &info["pv"][0]), (&json!(order), &info["move"]));
            for field in ["visits", "edgeVisits", "winrate", "scoreLead", "scoreMean"] {
                assert!(info[field].is_number(), "{field}: {info}");
            }
            for field in ["prior", "lcb", "utility", "utilityLcb", "scoreStdev"] {
                assert!(info[field].is_number(), "{field}: {info}");
            }
        }
        let has_ownership = |info: &&Value| info["ownership"].is_array();
        let with_ownership =
            response["moveInfos"].as_array().unwrap().iter().filter(has_ownership).count();
        assert!(count == 0 || with_ownership > 0, "{response}");
    }
}

#[test]
fn lizzie_is_answered() {
    let lines = ask(&[], &[lizzie()]);
    let [warning, response] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(warning["field"], "rules");
    assert!(warning["warning"].as_str().unwrap().ends_with("scoring ko tax suicide"), "{warning}");
    // Its moves are points, so those of the answer are points, too. lizzieyzy needs `scoreStdev`.
    assert!(names(response).iter().all(|name| *name == "pass" || name.len() <= 3), "{response}");
    assert!(response["moveInfos"][0]["scoreStdev"].is_f64(), "{response}");
    assert!(response["moveInfos"][0]["pvVisits"].is_array(), "{response}");
    assert!(response["ownership"].is_null());
}

#[test]
fn pairs_and_single_points_are_the_same_game_as_a_list() {
    let rest = json!({ "analyzeTurns": [2], "maxVisits": 60, "boardXSize": 8 });
    let answer_after = |moves: Value, number: usize| {
        let mut query = rest.clone();
        (query["moves"], query["analyzeTurns"]) = (moves, json!([number]));
        let mut response = answer(&query);
        response.as_object_mut().unwrap().remove("turnNumber");
        response
    };
    let list = answer_after(json!(["d4,e6", "c3,g6"]), 2);
    assert_eq!(answer_after(json!([["W", "d4,e6"], ["B", "c3,g6"]]), 2), list);
    assert_eq!(answer_after(json!([["white", "E6,D4"], "c3,g6"]), 2), list);
    let points = answer_after(json!([["w", "E6"], ["w", "d4"], ["b", "C3"], ["r", "G6"]]), 4);
    assert_eq!(points["rootInfo"], list["rootInfo"]);
    let swapped = answer_after(json!([["W", "D4"], ["W", "E6"], ["B", "pass"]]), 3);
    assert_eq!(swapped["rootInfo"], answer_after(json!(["d4,e6", "swap"]), 2)["rootInfo"]);
    // There is no column I in capitals.
    let i4 = answer(&json!({ "moves": [["W", "J4"]], "includePolicy": true }));
    assert_eq!(i4["policy"][6 * 10 + 8], -1.0);
}

#[test]
fn the_first_pair_says_who_begins() {
    let mover = |fields: &Value| answer(fields)["rootInfo"]["currentPlayer"].clone();
    assert_eq!(mover(&json!({ "moves": [] })), "W");
    assert_eq!(mover(&json!({ "moves": [], "initialPlayer": "B" })), "B");
    assert_eq!(mover(&json!({ "moves": [["B", "d4,e6"]] })), "W");
    assert_eq!(mover(&json!({ "moves": [["W", "d4,e6"]], "initialPlayer": "w" })), "B");
    assert_eq!(
        error(&json!({ "moves": [["B", "d4,e6"], ["B", "c3,g6"]] })),
        ("moves".to_owned(), "moves[1]: red cannot play c3,g6: it is white's turn".to_owned())
    );
    assert_eq!(error(&json!({ "moves": [["B", "d4,e6"]], "initialPlayer": "W" })).0, "moves");
    assert_eq!(
        error(&json!({ "initialPosition": "4/4/4/4 w - -", "initialPlayer": "B" })).0,
        "initialPlayer"
    );
}

#[test]
fn boards_have_the_requested_size() {
    let size = |x: Value, y: Value| json!({ "moves": [], "boardXSize": x, "boardYSize": y });
    let mut eight = size(json!(8), json!(8));
    eight["includeOwnership"] = true.into();
    assert_eq!(answer(&eight)["ownership"].as_array().unwrap().len(), 64);
    assert_eq!(error(&size(json!(8), json!(9))).0, "boardYSize");
    for (x, y, field) in [(19, 19, "boardXSize"), (3, 3, "boardXSize"), (8, 13, "boardYSize")] {
        assert_eq!(error(&size(json!(x), json!(y))).0, field);
    }
    assert_eq!(error(&size(json!("8"), json!(8))).0, "boardXSize");
    let both = json!({ "moves": [], "boardXSize": 8, "rules": { "board": 9 } });
    assert_eq!(error(&both).0, "boardXSize");
    let text = json!({ "initialPosition": "4/4/4/4 w - -", "boardXSize": 8 });
    assert_eq!(error(&text).0, "initialPosition");
}

#[test]
fn initial_stones_are_tiles() {
    let stones = answer(&json!({
        "moves": [], "boardXSize": 6, "boardYSize": 6, "initialPlayer": "B",
        "initialStones": [["W", "A6"], ["W", "b6"], ["B", "D1"]],
    }));
    let text = answer(&json!({ "initialPosition": "ww4/6/6/6/6/3r2 r - -", "boardXSize": 6 }));
    assert_eq!(stones, text);
    for (stones, part) in [
        (json!([["W", "A6"], ["B", "A6"]]), "initialStones[1]: a6 has a tile already"),
        (json!([["W", "Z6"]]), "initialStones[0]: 'Z6' is not a point"),
        (json!([["G", "A6"]]), "initialStones[0] must be a move, or a pair"),
        (json!(["A6"]), "initialStones[0]: the player is missing"),
        (json!([["W", "A7"]]), "a7 is not on the 6x6 board"),
    ] {
        let (field, text) =
            error(&json!({ "moves": [], "boardXSize": 6, "initialStones": stones }));
        assert!(field == "initialStones" && text.contains(part), "{field}: {text}");
    }
}

#[test]
fn a_query_has_one_warning_at_most() {
    let query = json!({
        "id": "a", "moves": [], "komi": 7.5, "whiteHandicapBonus": "N", "rules": "tromp-taylor",
        "rootPolicyTemperature": 1.1, "includeNoResultValue": true, "includeOwnershipStdev": false,
        "overrideSettings": { "wideRootNoise": 0.04, "antiMirror": true, "playouts": 3 },
        "avoidMoves": [{ "player": "B", "moves": ["pass"], "untilDepth": 5 }],
    });
    let lines = ask(&[], std::slice::from_ref(&query));
    let [warning, response] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(warning.as_object().unwrap().keys().collect::<Vec<_>>(), ["warning", "field", "id"]);
    let text = warning["warning"].as_str().unwrap();
    for part in ["'tromp-taylor'", "wideRootNoise", "antiMirror", "untilDepth", "NoResult"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let ignored = text.split("; there are ").next().unwrap();
    assert!(!ignored.contains("komi"), "{ignored}");
    assert!(!ignored.contains("Handicap"), "{ignored}");
    assert!(!ignored.contains("Stdev"), "{ignored}");
    assert_eq!(response["isDuringSearch"], false);
    let quiet = json!({
        "id": "a", "moves": [], "komi": 7.5, "rules": "standard", "includeOwnershipStdev": false,
        "overrideSettings": { "wideRootNoise": 0.0 },
    });
    assert_eq!(ask(&[], &[quiet]).len(), 1);
    assert_eq!(ask(&["--no-warnings"], &[query]).len(), 1);
}

#[test]
fn win_rates_are_those_of_the_requested_side() {
    let ask_as = |side: Value| {
        let settings = json!({ "reportAnalysisWinratesAs": side });
        answer(&json!({
            "initialPosition": "ww4/ww4/6/6/6/3r1r w - -", "includeOwnership": true,
            "overrideSettings": settings,
        }))
    };
    let (mover, white, black) =
        (ask_as(Value::Null), ask_as(json!("WHITE")), ask_as(json!("black")));
    assert_eq!(mover, white);
    assert_eq!(ask_as(json!("SIDETOMOVE")), white);
    let number = |value: &Value| value.as_f64().unwrap();
    let infos = |response: &Value| response["moveInfos"].as_array().unwrap().clone();
    let pairs = infos(&white).into_iter().zip(infos(&black));
    for (white, black) in pairs.chain([(white["rootInfo"].clone(), black["rootInfo"].clone())]) {
        assert!((number(&white["winrate"]) + number(&black["winrate"]) - 1.0).abs() < 1e-4);
        for field in ["scoreLead", "utility"] {
            assert!((number(&white[field]) + number(&black[field])).abs() < 1e-9, "{field}");
        }
    }
    assert_eq!((&white["ownership"][0], &black["ownership"][0]), (&json!(1.0), &json!(-1.0)));
}

#[test]
fn limits_of_the_query_override_those_of_the_settings() {
    let visits = |fields: &Value| answer(fields)["rootInfo"]["visits"].as_u64().unwrap();
    let moves = json!(["d4,e6", "swap"]);
    let settings = json!({ "maxVisits": 20, "maxTime": 1e20 });
    assert!(visits(&json!({ "moves": moves, "overrideSettings": settings })) < 30);
    let both = json!({ "moves": moves, "overrideSettings": settings, "maxVisits": 90 });
    assert!(visits(&both) >= 80);
    let length = |fields: &Value| answer(fields)["moveInfos"][0]["pv"].as_array().unwrap().len();
    assert_eq!(length(&json!({ "moves": moves, "analysisPVLen": 1, "maxVisits": 500 })), 2);
}

#[test]
fn points_forbid_and_allow_the_moves_that_play_them() {
    let ask_with = |rest: Value| {
        let mut query = json!({
            "moves": ["a1,b3", "c5,d2"], "rules": { "board": 6 }, "maxVisits": 200,
        });
        query.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        answer(&query)
    };
    let allowed = json!([{ "player": "W", "moves": ["E5", "F1", "A6"], "untilDepth": 1 }]);
    let mut moves: Vec<String> =
        names(&ask_with(json!({ "allowMoves": allowed }))).into_iter().map(str::to_owned).collect();
    moves.sort();
    assert_eq!(moves, ["a6,e5", "a6,f1", "e5,f1"]);
    let avoided = ask_with(json!({ "avoidMoves": ["e5", "F1"] }));
    assert!(names(&avoided).iter().all(|name| !name.contains("e5") && !name.contains("f1")));
    let response = ask_with(json!({ "allowMoves": allowed, "avoidMoves": ["F1"], "points": true }));
    // Either point may be played first.
    assert_eq!(names(&response), ["A6", "E5"]);
    assert_eq!(response["moveInfos"][0]["pv"].as_array().unwrap()[..2], ["A6", "E5"]);
    assert_eq!(response["moveInfos"][1]["pv"].as_array().unwrap()[..2], ["E5", "A6"]);
    // The first point has been played.
    let half = json!([["W", "A1"], ["W", "B3"], ["B", "C5"], ["B", "D2"], ["W", "E5"]]);
    let response = ask_with(json!({ "moves": half, "allowMoves": allowed }));
    let mut moves = names(&response);
    moves.sort_unstable();
    assert_eq!(moves, ["A6", "F1"]);
}

#[test]
fn wrong_points_are_named() {
    for (moves, part) in [
        (json!([["W", "D4"], ["W", "D4"]]), "moves[1]: D4 is illegal: d4 is named twice"),
        (json!([["W", "D4"], ["W", "pass"]]), "moves[1]: 'pass' is not a point, and after d4"),
        (json!([["W", "D4"], ["B", "E6"]]), "moves[1]: red cannot play E6: it is white's turn"),
        (json!([["W", "M12"]]), "moves[0]: M12 is illegal: l12 is not on the 10x10 board"),
        (json!([["W", "I4"]]), "moves[0]: "),
        (json!([["W", "pass"]]), "moves[0]: pass is illegal"),
        (json!([["W"]]), "moves[0] must be a move, or a pair"),
        (json!([["W", 4]]), "moves[0] must be a move, or a pair"),
        (json!({ "W": "d4,e6" }), "moves must be a list, not an object"),
    ] {
        let (field, text) = error(&json!({ "moves": moves }));
        assert!(field == "moves" && text.starts_with(part), "{field}: {text}");
    }
}

#[test]
fn malformed_lines_between_queries_change_no_answer() {
    let moves = json!([["W", "D4"], ["W", "E6"]]);
    let wrong = [
        "{\"id\":\"x\",\"moves\":[[\"W\",\"D4\"",
        "nonsense",
        "[]",
        "{\"id\":7,\"moves\":[]}",
        "{\"id\":\"x\",\"moves\":[[\"G\",\"D4\"]]}",
        "{\"id\":\"x\",\"rules\":\"Chinese\"}",
    ];
    let mut input = String::new();
    for (number, wrong) in wrong.iter().enumerate() {
        for mut query in [python_example(10), katrain(&moves), lizzie()] {
            query["id"] = format!("{number} {}", query["id"]).into();
            query["maxVisits"] = 5.into();
            input.extend([query.to_string(), "\n".into(), (*wrong).to_owned(), "\n".into()]);
        }
    }
    let lines = run_session(&["--no-warnings"], input.as_bytes());
    let count = |predicate: &dyn Fn(&&Value) -> bool| lines.iter().filter(predicate).count();
    assert_eq!(count(&|line| line["error"].is_string()), 3 * wrong.len());
    assert_eq!(count(&|line| line["moveInfos"].is_array()), 3 * wrong.len());
    let mut ids: Vec<&str> = lines
        .iter()
        .filter(|line| line["moveInfos"].is_array())
        .map(|line| line["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3 * wrong.len());
}

#[test]
fn the_models_are_the_evaluator() {
    let lines = ask(&[], &[json!({ "id": "m", "action": "query_models" })]);
    assert_eq!(lines[0]["models"][0]["name"], "linear");
    assert_eq!((&lines[0]["id"], &lines[0]["action"]), (&json!("m"), &json!("query_models")));
}

/// The script that the document gives to clients.
#[cfg(unix)]
#[test]
fn the_script_for_clients_stands_in_for_katago() {
    let text = include_str!("../../../../../docs/engine-json.md");
    let script = text.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = client::test_folder("katago");
    std::fs::write(folder.join("katago"), script).unwrap();
    let binary = client::pontifex().get_program().to_owned();
    let path = std::path::Path::new(&binary).parent().unwrap().to_owned();
    let path = format!("{}:{}", path.display(), std::env::var("PATH").unwrap());
    let mut process = Command::new("sh")
        .args(["katago", "analysis", "-config", "analysis.cfg", "-model", "model.bin.gz"])
        .current_dir(&folder)
        .env("PATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut query = python_example(10);
    query["maxVisits"] = 5.into();
    writeln!(process.stdin.take().unwrap(), "{query}").unwrap();
    let output = process.wait_with_output().unwrap();
    let response: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success() && response["moveInfos"].is_array(), "{response}");
}
