//! Every query is answered once, in order of priority, until it is terminated.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use pontifex::eval::Random;
use serde_json::{Value, json};

use super::super::client::{Client, pontifex};
use super::{LONG_SEARCH, parse, run_session, test_turns};

/// The final answers to each turn of each query.
fn final_answers(lines: &[Value]) -> BTreeMap<(String, u64), Vec<&Value>> {
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

/// Sends queries with mixed priorities, terminates half of them and mixes in invalid lines. Every
/// turn must be answered or terminated exactly once.
fn check_answers(queries: usize) {
    let mut random = Random::new(7);
    let mut client = Client::start(&["engine-json", "--analysis-threads", "2", "--memory", "64"]);
    let (start, mut expected) = (Instant::now(), BTreeMap::new());
    let (mut invalid, mut terminated) = (0, 0);
    for (number, turn) in test_turns(queries).iter().enumerate() {
        let (id, last) = (format!("q{number}"), turn.number);
        let numbers: Vec<usize> = (2..=last).rev().take(1 + number % 3).collect();
        let is_terminated = number % 2 == 1;
        // So many that only a termination ends the search.
        let playouts = if is_terminated { 100_000_000 } else { 20 };
        // Some searches begin before they are terminated.
        let starts_early = number % 10 == 1;
        let lowest_priority = if starts_early { 10 } else { 0 };
        let priorities: Vec<u32> =
            numbers.iter().map(|_| lowest_priority + random.below(5)).collect();
        let query = json!({
            "id": id, "moves": turn.moves, "rules": turn.rules, "analyzeTurns": numbers,
            "priorities": priorities, "maxPlayouts": playouts, "includeOwnership": number % 8 == 0,
        });
        client.send(&format!("{query}\n"));
        for number in numbers {
            expected.insert((id.clone(), number as u64), is_terminated);
        }
        if is_terminated {
            let terminate = json!({ "id": "t", "action": "terminate", "terminateId": id });
            if starts_early {
                thread::sleep(Duration::from_millis(20));
            }
            client.send(&format!("{terminate}\n"));
            terminated += 1;
        }
        if number % 5 == 0 {
            let lines = ["{\"id\":", "\0", "[]", "{\"id\":\"w\"}", "{\"id\":3,\"moves\":[]}"];
            client.send(&format!("{}\n", lines[random.below(5) as usize]));
            invalid += 1;
        }
    }
    client.close();
    let lines: Vec<Value> = client.rest().iter().map(|line| parse(line)).collect();
    assert_eq!(client.wait().0, Some(0));
    let partial = |line: &&&Value| expected[&key(line)] && line["rootInfo"].is_object();
    let finals = final_answers(&lines);
    let (answers, elapsed) = (finals.values().flatten().count(), start.elapsed());
    let cut_short = finals.values().flatten().filter(partial).count();
    println!("{queries} queries, {answers} answers, {cut_short} cut short, {elapsed:.2?}");
    assert!(finals.keys().eq(expected.keys()));
    for (key, answers) in &finals {
        let [answer] = answers[..] else { panic!("{key:?}: {answers:?}") };
        let has_results = answer["rootInfo"]["visits"].as_u64().is_some();
        assert_ne!(has_results, answer["noResults"] == true, "{answer}");
        assert!(has_results || expected[key], "{answer}");
    }
    assert_eq!(lines.iter().filter(|line| line["error"].is_string()).count(), invalid);
    assert_eq!(lines.iter().filter(|line| line["action"] == "terminate").count(), terminated);
    assert_eq!(lines.len(), answers + invalid + terminated);
}

fn key(line: &Value) -> (String, u64) {
    (line["id"].as_str().unwrap().to_owned(), line["turnNumber"].as_u64().unwrap())
}

/// The answers depend only on the position and the options.
#[test]
fn answers_do_not_depend_on_their_order() {
    let lines: Vec<String> = test_turns(16)
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
        let mut answers = run_session(&["--analysis-threads", threads], input.as_bytes());
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
        // This query occupies the only thread until the last line has been read.
        query("busy", "\"maxPlayouts\":100000000,\"priority\":10"),
        query("low", "\"maxPlayouts\":5,\"priority\":-1"),
        query("a", "\"maxPlayouts\":5,\"analyzeTurns\":[1,2,3],\"priorities\":[0,9,2]"),
        query("b", "\"maxPlayouts\":5,\"priority\":2"),
        query("c", "\"maxPlayouts\":5"),
        "{\"id\":\"t\",\"action\":\"terminate\",\"terminateId\":\"busy\"}\n".to_owned(),
    ];
    let input = input.concat();
    let lines = run_session(&["--analysis-threads", "1"], input.as_bytes());
    let answers = lines.iter().filter(|line| line["isDuringSearch"] == false);
    let order: Vec<String> =
        answers.map(|line| format!("{}{}", key(line).0, key(line).1)).collect();
    assert_eq!(order, ["busy3", "a2", "a3", "b3", "a1", "c3", "low3"]);
}

#[test]
fn a_search_reports_while_it_runs_and_ends_when_it_is_terminated() {
    let mut client = Client::start(&["engine-json", "--analysis-threads", "1"]);
    client.send(&format!("{{\"id\":\"a\",{LONG_SEARCH},\"reportDuringSearchEvery\":0.05}}\n"));
    client.send(&format!("{{\"id\":\"b\",{LONG_SEARCH}}}\n"));
    for _ in 0..3 {
        let report = parse(&client.line());
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
        lines.push(parse(&client.line()));
    }
    let b: Vec<&Value> = lines.iter().filter(|line| line["id"] == "b").collect();
    assert_eq!(b, [&json!({"id":"b","turnNumber":3,"isDuringSearch":false,"noResults":true})]);
    assert!(lines.iter().all(|line| line["id"] != "a" || line["isDuringSearch"] == true));
    client.send("{\"id\":\"v\",\"action\":\"terminate_all\"}\n");
    client.close();
    let rest: Vec<Value> = client.rest().iter().map(|line| parse(line)).collect();
    let final_answers: Vec<&Value> =
        rest.iter().filter(|line| line["isDuringSearch"] == false).collect();
    assert_eq!(final_answers.len(), 1, "{rest:?}");
    assert!(final_answers[0]["rootInfo"]["visits"].as_u64().unwrap() > 0, "{rest:?}");
    assert_eq!(client.wait().0, Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupt_terminates_all_queries_and_the_process() {
    let mut client = Client::start(&["engine-json", "--analysis-threads", "1"]);
    client.send(&format!("{{\"id\":\"a\",{LONG_SEARCH},\"reportDuringSearchEvery\":0.05}}\n"));
    client.send(&format!("{{\"id\":\"b\",{LONG_SEARCH},\"analyzeTurns\":[1,3]}}\n{{\"id\":\"v\",\"action\":\"clear_cache\"}}\n"));
    // Everything has been read when the action is acknowledged.
    while parse(&client.line())["id"] != "v" {}
    crate::client::signal("-INT", &[client.id()]);
    let lines: Vec<Value> = client.rest().iter().map(|line| parse(line)).collect();
    let finals = final_answers(&lines);
    let keys: Vec<String> = finals.keys().map(|(id, turn)| format!("{id}{turn}")).collect();
    assert_eq!(keys, ["a3", "b1", "b3"]);
    assert!(finals.values().all(|answers| answers.len() == 1), "{lines:?}");
    assert_eq!(client.wait().0, Some(130));
}

#[test]
fn a_broken_pipe_ends_the_process_without_an_error() {
    let mut child = pontifex()
        .args(["engine-json", "--analysis-threads", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    writeln!(
        stdin,
        "{{\"id\":\"a\",{LONG_SEARCH}}}\n{{\"id\":\"b\",\"action\":\"query_version\"}}"
    )
    .unwrap();
    // The input stays open.
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
