//! `pontifex engine-json`, run as a process: every query is answered once.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use pontifex::engine::{AnalysisRequest, Engine, Options, StopSignal};
use pontifex::eval::Random;
use pontifex::game::{Move, Position, Rules};
use pontifex::json;
use serde_json::{Value, json};

use super::client::{Client, pontifex, run};

/// A turn of a real game: the game's rules, its moves, and how many of them.
struct Turn {
    rules: Value,
    moves: Vec<String>,
    number: usize,
}

impl Turn {
    fn position(&self) -> Position {
        let size = self.rules["board"].as_u64().unwrap();
        let supply = self.rules["supply"].as_str().unwrap().parse().unwrap();
        let size = pontifex::board::Size::new(size).unwrap();
        let mut position = Position::new(Rules { size, supply, pie: true });
        for mv in &self.moves[..self.number] {
            position.play(mv.parse().unwrap()).unwrap();
        }
        position
    }
}

/// `count` turns of the test games, without first turns and ends of games.
fn turns(count: usize) -> Vec<Turn> {
    let games: Vec<Value> = include_str!("data/games.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let turn = |index: usize| {
        let game = &games[index % games.len()];
        let moves: Vec<String> = serde_json::from_value(game["moves"].clone()).unwrap();
        let number = 2 + index * 7 % moves.len().saturating_sub(3).max(1);
        let rules = json!({ "board": game["size"], "supply": game["supply"] });
        Turn { rules, moves, number }
    };
    (0..).map(turn).filter(|turn| turn.number < turn.moves.len()).take(count).collect()
}

fn session(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let output = run(&[&["engine-json"], arguments].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The final answers to each turn of each query.
fn finals(lines: &[Value]) -> BTreeMap<(String, u64), Vec<&Value>> {
    let mut finals = BTreeMap::new();
    for line in lines.iter().filter(|line| line["isDuringSearch"] == false) {
        let key = (line["id"].as_str().unwrap().to_owned(), line["turnNumber"].as_u64().unwrap());
        finals.entry(key).or_insert_with(Vec::new).push(line);
    }
    finals
}

#[test]
fn every_turn_is_answered_or_terminated_once() {
    check_answers(60);
}

#[test]
#[ignore = "slow: 500 queries"]
fn every_turn_of_many_queries_is_answered_or_terminated_once() {
    check_answers(500);
}

/// Sends queries with mixed priorities, terminates half of them and mixes in
/// invalid lines. Every turn must be answered or terminated exactly once.
fn check_answers(queries: usize) {
    let mut random = Random::new(7);
    let mut client = Client::start(&["engine-json", "--analysis-threads", "2", "--memory", "64"]);
    let (start, mut asked) = (Instant::now(), BTreeMap::new());
    let (mut wrong, mut terminated) = (0, 0);
    for (number, turn) in turns(queries).iter().enumerate() {
        let (id, last) = (format!("q{number}"), turn.number);
        let numbers: Vec<usize> = (2..=last).rev().take(1 + number % 3).collect();
        let is_terminated = number % 2 == 1;
        // Searches that only a termination ends.
        let playouts = if is_terminated { 100_000_000 } else { 20 };
        // Some searches begin before they are terminated.
        let is_begun = number % 10 == 1;
        let lowest = if is_begun { 10 } else { 0 };
        let priorities: Vec<u32> = numbers.iter().map(|_| lowest + random.below(5)).collect();
        let query = json!({
            "id": id, "moves": turn.moves, "rules": turn.rules, "analyzeTurns": numbers,
            "priorities": priorities, "maxPlayouts": playouts, "includeOwnership": number % 8 == 0,
        });
        client.send(&format!("{query}\n"));
        for number in numbers {
            asked.insert((id.clone(), number as u64), is_terminated);
        }
        if is_terminated {
            let terminate = json!({ "id": "t", "action": "terminate", "terminateId": id });
            if is_begun {
                thread::sleep(Duration::from_millis(20));
            }
            client.send(&format!("{terminate}\n"));
            terminated += 1;
        }
        if number % 5 == 0 {
            let lines = ["{\"id\":", "\0", "[]", "{\"id\":\"w\"}", "{\"id\":3,\"moves\":[]}"];
            client.send(&format!("{}\n", lines[random.below(5) as usize]));
            wrong += 1;
        }
    }
    client.close();
    let lines: Vec<Value> = client.rest().iter().map(|line| parsed(line)).collect();
    assert_eq!(client.wait().0, Some(0));
    let partial = |line: &&&Value| asked[&key(line)] && line["rootInfo"].is_object();
    let finals = finals(&lines);
    let (answers, elapsed) = (finals.values().flatten().count(), start.elapsed());
    let begun = finals.values().flatten().filter(partial).count();
    println!("{queries} queries, {answers} answers, {begun} cut short, {elapsed:.2?}");
    assert!(finals.keys().eq(asked.keys()));
    for (key, answers) in &finals {
        let [answer] = answers[..] else { panic!("{key:?}: {answers:?}") };
        let has_results = answer["rootInfo"]["visits"].as_u64().is_some();
        assert_ne!(has_results, answer["noResults"] == true, "{answer}");
        assert!(has_results || asked[key], "{answer}");
    }
    assert_eq!(lines.iter().filter(|line| line["error"].is_string()).count(), wrong);
    assert_eq!(lines.iter().filter(|line| line["action"] == "terminate").count(), terminated);
    assert_eq!(lines.len(), answers + wrong + terminated);
}

fn key(line: &Value) -> (String, u64) {
    (line["id"].as_str().unwrap().to_owned(), line["turnNumber"].as_u64().unwrap())
}

/// Queries against plain searches of the same positions.
struct Comparison {
    turns: Vec<Turn>,
    options: Options,
    /// The queries, one per line.
    input: String,
}

impl Comparison {
    const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    fn new(positions: usize) -> Comparison {
        let mut options = Options { playouts: 800, ..Options::default() };
        (options.search.threads, options.search.memory) = (1, 512);
        let query = |(number, turn): (usize, &Turn)| {
            let moves = &turn.moves[..turn.number];
            format!(
                "{}\n",
                json!({ "id": number.to_string(), "moves": moves, "rules": turn.rules })
            )
        };
        let turns = turns(positions);
        let input = turns.iter().enumerate().map(query).collect();
        Comparison { turns, options, input }
    }

    /// Answers all queries, two positions at a time; the time it took.
    fn query(&self) -> Duration {
        let (start, mut output) = (Instant::now(), Vec::new());
        let mut options = self.options.clone();
        options.search.memory *= 2;
        let input = Cursor::new(self.input.clone());
        json::run(options, Self::THREADS, input, &mut output, &AtomicBool::new(false)).unwrap();
        let answered = String::from_utf8(output).unwrap().matches("\"moveInfos\":[{").count();
        assert_eq!(answered, self.turns.len());
        start.elapsed()
    }

    /// Searches all positions on two threads; the time it took.
    fn search(&self) -> Duration {
        let (start, next) = (Instant::now(), AtomicUsize::new(0));
        let work = || {
            let mut engine = Engine::new(self.options.clone());
            while let Some(turn) = self.turns.get(next.fetch_add(1, Relaxed)) {
                engine.set_position(turn.position());
                let (request, stop) = (AnalysisRequest::default(), StopSignal::default());
                engine.analyze(&request, false, &stop, &mut |_| {}).unwrap();
            }
        };
        thread::scope(|scope| {
            scope.spawn(work);
            scope.spawn(work);
        });
        start.elapsed()
    }
}

/// Queries as a library call, without a process.
#[test]
fn a_session_in_memory_answers_all_queries() {
    Comparison::new(4).query();
}

#[test]
#[ignore = "measures time: needs an idle machine"]
fn queries_cost_little_beside_the_searches() {
    let comparison = Comparison::new(400);
    // Alternating rounds and the best of each: other programs interfere.
    let (mut queries, mut plain) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        (queries, plain) = (queries.min(comparison.query()), plain.min(comparison.search()));
    }
    let ratio = plain.as_secs_f64() / queries.as_secs_f64();
    println!("400 positions: queries {queries:.2?}, searches {plain:.2?}, {ratio:.3}");
    assert!(ratio >= 0.9, "{ratio}");
}

/// The answers depend only on the position and the options.
#[test]
fn answers_do_not_depend_on_their_order() {
    let lines: Vec<String> = turns(16)
        .iter()
        .enumerate()
        .map(|(number, turn)| {
            let avoid = if number % 3 == 0 { vec![&turn.moves[turn.number]] } else { vec![] };
            let query = json!({
                "id": number.to_string(), "moves": turn.moves, "rules": turn.rules,
                "analyzeTurns": [turn.number], "maxPlayouts": 150, "avoidMoves": avoid,
                "includeOwnership": true, "includePVVisits": true,
            });
            format!("{query}\n")
        })
        .collect();
    let answers = |threads: &str, lines: Vec<&str>| {
        let input = lines.concat();
        let mut answers = session(&["--analysis-threads", threads], input.as_bytes());
        answers.sort_by_key(key);
        answers
    };
    let forward = answers("1", lines.iter().map(String::as_str).collect());
    assert_eq!(forward.len(), lines.len());
    assert_eq!(forward, answers("2", lines.iter().rev().map(String::as_str).collect()));
}

#[test]
fn higher_priorities_come_first_and_earlier_queries_before_later_ones() {
    let query = |id: &str, rest: &str| {
        format!("{{\"id\":\"{id}\",\"moves\":[\"d4,e6\",\"swap\",\"c3,g6\"],{rest}}}\n")
    };
    let input = [
        // The only thread is busy with it until the last line has been read.
        query("busy", "\"maxPlayouts\":100000000,\"priority\":10"),
        query("low", "\"maxPlayouts\":5,\"priority\":-1"),
        query("a", "\"maxPlayouts\":5,\"analyzeTurns\":[1,2,3],\"priorities\":[0,9,2]"),
        query("b", "\"maxPlayouts\":5,\"priority\":2"),
        query("c", "\"maxPlayouts\":5"),
        "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"busy\"}\n".to_owned(),
    ];
    let input = input.concat();
    let lines = session(&["--analysis-threads", "1"], input.as_bytes());
    let answers = lines.iter().filter(|line| line["isDuringSearch"] == false);
    let order: Vec<String> =
        answers.map(|line| format!("{}{}", key(line).0, key(line).1)).collect();
    assert_eq!(order, ["busy3", "a2", "a3", "b3", "a1", "c3", "low3"]);
}

const LONG: &str = "\"moves\":[\"d4,e6\",\"swap\",\"c3,g6\"],\"maxTime\":60";

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_search_reports_on_its_way_and_ends_when_it_is_terminated() {
    let mut client = Client::start(&["engine-json", "--analysis-threads", "1"]);
    client.send(&format!("{{\"id\":\"a\",{LONG},\"reportDuringSearchEvery\":0.05}}\n"));
    client.send(&format!("{{\"id\":\"b\",{LONG}}}\n"));
    for _ in 0..3 {
        let report = parsed(&client.line());
        assert_eq!((&report["id"], &report["isDuringSearch"]), (&json!("a"), &json!(true)));
        assert!(report["rootInfo"]["visits"].as_u64().unwrap() > 0, "{report}");
    }
    // Another turn of the query: terminates nothing.
    client.send(
        "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"a\",\"turnNumbers\":[2]}\n",
    );
    client.send("{\"id\":\"u\",\"action\":\"terminate\",\"terminateId\":\"b\"}\n");
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &Value| line["id"] != "u") {
        lines.push(parsed(&client.line()));
    }
    let b: Vec<&Value> = lines.iter().filter(|line| line["id"] == "b").collect();
    assert_eq!(b, [&json!({"id":"b","turnNumber":3,"isDuringSearch":false,"noResults":true})]);
    assert!(lines.iter().all(|line| line["id"] != "a" || line["isDuringSearch"] == true));
    client.send("{\"id\":\"v\",\"action\":\"terminate_all\"}\n");
    client.close();
    let rest: Vec<Value> = client.rest().iter().map(|line| parsed(line)).collect();
    let end: Vec<&Value> = rest.iter().filter(|line| line["isDuringSearch"] == false).collect();
    assert_eq!(end.len(), 1, "{rest:?}");
    assert!(end[0]["rootInfo"]["visits"].as_u64().unwrap() > 0, "{rest:?}");
    assert_eq!(client.wait().0, Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupt_terminates_all_queries_and_the_process() {
    let mut client = Client::start(&["engine-json", "--analysis-threads", "1"]);
    client.send(&format!("{{\"id\":\"a\",{LONG},\"reportDuringSearchEvery\":0.05}}\n"));
    client.send(&format!("{{\"id\":\"b\",{LONG},\"analyzeTurns\":[1,3]}}\n{{\"id\":\"v\",\"action\":\"clear_cache\"}}\n"));
    // Everything has been read when the action is acknowledged.
    while parsed(&client.line())["id"] != "v" {}
    let kill = std::process::Command::new("kill").args(["-INT", &client.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let lines: Vec<Value> = client.rest().iter().map(|line| parsed(line)).collect();
    let finals = finals(&lines);
    let keys: Vec<String> = finals.keys().map(|(id, turn)| format!("{id}{turn}")).collect();
    assert_eq!(keys, ["a3", "b1", "b3"]);
    assert!(finals.values().all(|answers| answers.len() == 1), "{lines:?}");
    assert_eq!(client.wait().0, Some(130));
}

#[test]
fn a_closed_output_ends_the_process_without_an_error() {
    let mut child = pontifex()
        .args(["engine-json", "--analysis-threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{{\"id\":\"a\",{LONG}}}\n{{\"id\":\"b\",\"action\":\"query_version\"}}")
        .unwrap();
    // The input stays open.
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn invalid_lines_are_answered_with_errors() {
    let mut input = b"\n  \r\n{\"id\":\"\xff\"}\n".to_vec();
    input.extend(b"[".repeat(100_000));
    input.extend(b"\n{\"id\":\"long\",\"x\":\"");
    input.resize(input.len() + (3 << 20), b'x');
    input.extend(b"\"}\n{\"id\":\"a\",\"moves\":[\"");
    input.extend("ä".repeat(100_000).as_bytes());
    input.extend(b"\"]}\n{\"id\":\"z\",\"moves\":[],\"rules\":{\"board\":6},\"maxPlayouts\":8}");
    let lines = session(&[], &input);
    assert_eq!(lines.len(), 5, "{lines:?}");
    let error = |line: usize| lines[line]["error"].as_str().unwrap();
    assert!(error(0).starts_with("line 3 is not JSON: "), "{}", error(0));
    assert!(error(1).starts_with("line 4 is not JSON: "), "{}", error(1));
    assert_eq!(error(2), "line 5 is longer than 1048576 bytes");
    assert!(error(3).starts_with("moves[0]: 'ä") && error(3).len() < 1100, "{}", error(3));
    assert_eq!(lines[4]["id"], "z");
}

#[test]
fn wrong_fields_are_named() {
    let cases = [
        ("moves", "\"moves\":\"d4,e6\""),
        ("moves", "\"moves\":[\"d4,e6\",\"d4,a1\"]"),
        ("moves", "\"moves\":[7]"),
        ("initialPosition", "\"initialPosition\":\"4/4/4 w - -\""),
        ("initialPosition", "\"initialPosition\":\"wwww/w3/4/4 w - -\""),
        ("initialPosition", "\"initialPosition\":\"4/4/4/4 w - -\",\"rules\":{\"board\":5}"),
        ("rules", "\"moves\":[],\"rules\":\"standard\""),
        ("rules", "\"moves\":[],\"rules\":{\"board\":13}"),
        ("rules", "\"moves\":[],\"rules\":{\"threads\":1}"),
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
        ("avoidMoves", "\"moves\":[],\"avoidMoves\":[\"d4\"]"),
        ("avoidMoves", "\"moves\":[],\"avoidMoves\":[{\"moves\":[]}]"),
        (
            "avoidMoves",
            "\"moves\":[\"d4,e6\"],\"avoidMoves\":[{\"player\":\"R\",\"moves\":[\"swap\"],\"untilDepth\":2}]",
        ),
        ("allowMoves", "\"moves\":[\"d4,e6\"],\"allowMoves\":[\"d4,e6\"]"),
        ("allowMoves", "\"moves\":[],\"allowMoves\":{}"),
        ("avoidMoves", "\"moves\":[\"d4,e6\"],\"allowMoves\":[\"swap\"],\"avoidMoves\":[\"swap\"]"),
        ("overrideSettings", "\"moves\":[],\"overrideSettings\":{\"tempo\":1}"),
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
    let lines: Vec<String> =
        cases.iter().map(|(_, rest)| format!("{{\"id\":\"a\",{rest}}}\n")).collect();
    let input = lines.concat();
    let lines = session(&[], input.as_bytes());
    assert_eq!(lines.len(), cases.len());
    for ((field, rest), line) in cases.iter().zip(&lines) {
        assert_eq!(
            (line["field"].as_str(), line["id"].as_str()),
            (Some(*field), Some("a")),
            "{rest}: {line}"
        );
        assert!(line["error"].as_str().is_some_and(|error| !error.is_empty()), "{rest}: {line}");
    }
    assert_eq!(session(&[], b"{\"moves\":[]}")[0]["field"], "id");
}

#[test]
fn restrictions_are_those_of_the_side_to_move() {
    let ask = |rest: &str| {
        let query = format!(
            "{{\"id\":\"a\",\"moves\":[\"a1,b3\",\"c5,d2\"],\"rules\":{{\"board\":6}},\"maxPlayouts\":60,{rest}}}"
        );
        let line = session(&["--analysis-threads", "1"], query.as_bytes()).remove(0);
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
        let line = session(&["--analysis-threads", "1"], query.as_bytes()).remove(0);
        assert_eq!(line["rootInfo"]["currentPlayer"], side.to_uppercase());
        let cells = line["ownership"].as_array().unwrap().clone();
        assert_eq!(cells.len(), 36);
        assert!(cells.iter().all(Value::is_f64));
        for (bridge, share) in line["bridgeOwnership"].as_object().unwrap() {
            assert!(matches!(bridge.parse(), Ok(Move::Bridge(..))) && share.is_f64());
        }
        [0, 1, 6, 7].map(|cell: usize| cells[cell].as_f64().unwrap())
    };
    assert_eq!((ask("w"), ask("r")), ([1.0; 4], [-1.0; 4]));
}

/// The document lists every field and no others.
#[test]
fn engine_json_md_has_every_field() {
    let text = include_str!("../../docs/engine-json.md");
    let warning =
        session(&[], b"{\"id\":\"a\",\"moves\":[],\"maxPlayouts\":1,\"komi\":7}").remove(0);
    assert_eq!((&warning["field"], &warning["id"]), (&json!("komi"), &json!("a")));
    let known = warning["warning"].as_str().unwrap().split_once("there are ").unwrap().1;
    let section = text.split("\n## ").find(|section| section.starts_with("Queries")).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.collect::<Vec<_>>(), known.split(' ').collect::<Vec<_>>());
}
