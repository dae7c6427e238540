//! The fields of queries, one by one, and lines that are not queries.

use pontifex::game::Move;
use serde_json::{Value, json};

use super::run_session;

#[test]
fn invalid_lines_are_answered_with_errors() {
    let mut input = b"\n  \r\n{\"id\":\"\xff\"}\n".to_vec();
    input.extend(b"[".repeat(100_000));
    input.extend(b"\n{\"id\":\"long\",\"x\":\"");
    input.resize(input.len() + (3 << 20), b'x');
    input.extend(b"\"}\n{\"id\":\"a\",\"moves\":[\"");
    input.extend("ä".repeat(100_000).as_bytes());
    input.extend(b"\"]}\n{\"id\":\"z\",\"moves\":[],\"rules\":{\"board\":6},\"maxPlayouts\":8}");
    let lines = run_session(&[], &input);
    assert_eq!(lines.len(), 5, "{lines:?}");
    let error = |line: usize| lines[line]["error"].as_str().unwrap();
    assert!(error(0).starts_with("line 3 is not JSON: "), "{}", error(0));
    assert!(error(1).starts_with("line 4 is not JSON: "), "{}", error(1));
    assert_eq!(error(2), "line 5 is longer than 1048576 bytes");
    assert!(error(3).starts_with("moves[0]: 'ä") && error(3).len() < 1100, "{}", error(3));
    assert_eq!(lines[4]["id"], "z");
}

/// Names of fields, each with the rest of a query in which it is wrong.
const WRONG: &[(&str, &str)] = &[
    ("moves", "\"moves\":\"d4,e6\""),
    ("moves", "\"moves\":[\"d4,e6\",\"d4,a1\"]"),
    ("moves", "\"moves\":[7]"),
    ("initialPosition", "\"initialPosition\":\"4/4/4 w - -\""),
    ("initialPosition", "\"initialPosition\":\"wwww/w3/4/4 w - -\""),
    ("initialPosition", "\"initialPosition\":\"4/4/4/4 w - -\",\"rules\":{\"board\":5}"),
    ("rules", "\"moves\":[],\"rules\":7"),
    ("rules", "\"moves\":[],\"rules\":{\"board\":13}"),
    ("rules", "\"moves\":[],\"rules\":{\"pie\":\"perhaps\"}"),
    ("analyzeTurns", "\"moves\":[],\"analyzeTurns\":[]"),
    ("analyzeTurns", "\"moves\":[],\"analyzeTurns\":[1]"),
    ("analyzeTurns", "\"moves\":[],\"analyzeTurns\":[-1]"),
    ("analyzeTurns", "\"moves\":[],\"analyzeTurns\":[0,0]"),
    ("maxPlayouts", "\"moves\":[],\"maxPlayouts\":0"),
    ("maxVisits", "\"moves\":[],\"maxVisits\":1.5"),
    ("maxVisits", "\"moves\":[],\"maxVisits\":1,\"maxPlayouts\":1"),
    ("maxTime", "\"moves\":[],\"maxTime\":-1"),
    ("priority", "\"moves\":[],\"priority\":\"high\""),
    ("priorities", "\"moves\":[],\"priorities\":[1]"),
    ("priorities", "\"moves\":[],\"analyzeTurns\":[0],\"priorities\":[1,2]"),
    ("reportDuringSearchEvery", "\"moves\":[],\"reportDuringSearchEvery\":0"),
    ("avoidMoves", "\"moves\":[],\"avoidMoves\":[\"d44\"]"),
    ("avoidMoves", "\"moves\":[],\"avoidMoves\":[{\"moves\":[]}]"),
    (
        "avoidMoves",
        "\"moves\":[],\"avoidMoves\":[{\"player\":\"W\",\"moves\":[],\"untilDepth\":0}]",
    ),
    ("allowMoves", "\"moves\":[\"d4,e6\"],\"allowMoves\":[\"d4,e6\"]"),
    ("allowMoves", "\"moves\":[],\"allowMoves\":{}"),
    ("avoidMoves", "\"moves\":[\"d4,e6\"],\"allowMoves\":[\"swap\"],\"avoidMoves\":[\"swap\"]"),
    ("overrideSettings", "\"moves\":[],\"overrideSettings\":7"),
    ("overrideSettings", "\"moves\":[],\"overrideSettings\":{\"maxTime\":\"long\"}"),
    (
        "overrideSettings",
        "\"moves\":[],\"overrideSettings\":{\"reportAnalysisWinratesAs\":\"GREEN\"}",
    ),
    ("overrideSettings", "\"moves\":[],\"overrideSettings\":{\"threads\":0}"),
    ("overrideSettings", "\"moves\":[],\"overrideSettings\":{\"board\":8}"),
    ("overrideSettings", "\"moves\":[],\"overrideSettings\":{\"ponder\":true}"),
    ("overrideSettings", "\"moves\":[],\"overrideSettings\":{\"memory\":100000}"),
    ("includeOwnership", "\"moves\":[],\"includeOwnership\":1"),
    ("includePVVisits", "\"moves\":[],\"includePVVisits\":\"yes\""),
    ("maxMoves", "\"moves\":[],\"maxMoves\":0"),
    ("action", "\"action\":\"fly\""),
    ("terminateId", "\"action\":\"terminate\""),
    ("turnNumbers", "\"action\":\"terminate_all\",\"turnNumbers\":1"),
];

#[test]
fn wrong_fields_are_named() {
    let lines: Vec<String> =
        WRONG.iter().map(|(_, rest)| format!("{{\"id\":\"a\",{rest}}}\n")).collect();
    let input = lines.concat();
    let lines = run_session(&[], input.as_bytes());
    assert_eq!(lines.len(), WRONG.len());
    for ((field, rest), line) in WRONG.iter().zip(&lines) {
        assert_eq!(
            (line["field"].as_str(), line["id"].as_str()),
            (Some(*field), Some("a")),
            "{rest}: {line}"
        );
        assert!(line["error"].as_str().is_some_and(|error| !error.is_empty()), "{rest}: {line}");
    }
    assert_eq!(run_session(&[], b"{\"moves\":[]}")[0]["field"], "id");
}

#[test]
fn restrictions_are_those_of_the_side_to_move() {
    let ask = |rest: &str| {
        let query = format!(
            "{{\"id\":\"a\",\"moves\":[\"a1,b3\",\"c5,d2\"],\"rules\":{{\"board\":6}},\"maxPlayouts\":400,{rest}}}"
        );
        let line = run_session(&["--analysis-threads", "1"], query.as_bytes()).remove(0);
        let moves = line["moveInfos"].as_array().unwrap().clone();
        moves.iter().map(|info| info["move"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let two = "[\"e5,f1\",\"a6,f6\"]";
    let sorted = |mut moves: Vec<String>| {
        moves.sort();
        moves
    };
    assert_eq!(sorted(ask(&format!("\"allowMoves\":{two}"))), ["a6,f6", "e5,f1"]);
    let white = format!("\"allowMoves\":[{{\"player\":\"W\",\"moves\":{two},\"untilDepth\":1}}]");
    assert_eq!(sorted(ask(&white)), ["a6,f6", "e5,f1"]);
    let red = white.replace("\"W\"", "\"R\"");
    assert!(ask(&red).len() > 2);
    let rest = format!("{white},\"avoidMoves\":[\"F6,A6\",\"pass\"]");
    assert_eq!(ask(&rest), ["e5,f1"]);
    assert_eq!(ask("\"maxMoves\":1").len(), 1);
}

#[test]
fn ownership_is_that_of_the_side_to_move_from_the_top_left() {
    // White has an island in the upper left corner, Red two tiles.
    let ask = |side: &str| {
        let query = format!(
            "{{\"id\":\"a\",\"initialPosition\":\"ww4/ww4/6/6/6/3r1r {side} - -\",\"maxPlayouts\":50,\"includeOwnership\":true}}"
        );
        let line = run_session(&["--analysis-threads", "1"], query.as_bytes()).remove(0);
        assert_eq!(line["rootInfo"]["currentPlayer"], if side == "w" { "W" } else { "B" });
        let cells = line["ownership"].as_array().unwrap().clone();
        assert_eq!(cells.len(), 36);
        assert!(cells.iter().all(Value::is_f64));
        for (bridge, share) in line["bridgeOwnership"].as_object().unwrap() {
            assert!(matches!(bridge.parse(), Ok(Move::Bridge(..))), "{bridge}");
            assert!(share.is_f64(), "{bridge}: {share}");
        }
        [0, 1, 6, 7].map(|cell: usize| cells[cell].as_f64().unwrap())
    };
    assert_eq!((ask("w"), ask("r")), ([1.0; 4], [-1.0; 4]));
}

/// The document lists every field and no others.
#[test]
fn engine_json_md_has_every_field() {
    let text = include_str!("../../../../../docs/engine-json.md");
    let warning =
        run_session(&[], b"{\"id\":\"a\",\"moves\":[],\"maxPlayouts\":1,\"koni\":7}").remove(0);
    assert_eq!((&warning["field"], &warning["id"]), (&json!("koni"), &json!("a")));
    let fields = warning["warning"].as_str().unwrap().split_once("there are ").unwrap().1;
    let section = text.split("\n## ").find(|section| section.starts_with("Queries")).unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let rows = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    assert_eq!(rows.collect::<Vec<_>>(), fields.split(' ').collect::<Vec<_>>());
}
