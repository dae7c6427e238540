//! Streams of analysis: what a client for KataGo reads, and what ends them.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use pontifex::game::Move;

use super::client::{Client, run, test_folder};

/// A parsed report: keys may come in any order, unknown ones are ignored.
#[derive(Default, Debug)]
struct Report {
    moves: Vec<Keys>,
    root: Keys,
    ownership: Vec<f64>,
    bridges: Vec<(String, f64)>,
}

type Keys = BTreeMap<String, Vec<String>>;

/// Keys with several values.
const LISTS: [&str; 2] = ["pv", "pvVisits"];

/// Keys whose values must have a decimal point.
const FLOATS: [&str; 6] = ["winrate", "scoreLead", "prior", "lcb", "scoreMin", "scoreMax"];

impl Report {
    fn parse(line: &str) -> Report {
        assert!(line.starts_with("info "), "{line}");
        let mut report = Report::default();
        let mut words = line.split(' ').peekable();
        let mut section = "";
        while let Some(word) = words.next() {
            if ["info", "rootInfo", "ownership", "bridgeOwnership"].contains(&word) {
                section = word;
                if word == "info" {
                    report.moves.push(Keys::new());
                }
                continue;
            }
            let float = |word: &str| -> f64 {
                assert!(word.contains('.'), "{word} has no point");
                word.parse().unwrap()
            };
            let keys = match section {
                "info" => report.moves.last_mut().unwrap(),
                "rootInfo" => &mut report.root,
                "ownership" => {
                    report.ownership.push(float(word));
                    continue;
                }
                _ => {
                    report.bridges.push((word.to_owned(), float(words.next().unwrap())));
                    continue;
                }
            };
            let mut values = Vec::new();
            if LISTS.contains(&word) {
                let is_word = |word: &str| word.chars().all(char::is_alphabetic) && word.len() > 1;
                let is_key = |word: &str| is_word(word) && !["pass", "swap"].contains(&word);
                while let Some(value) = words.next_if(|word| !is_key(word)) {
                    values.push(value.to_owned());
                }
            } else {
                values.push(words.next().unwrap().to_owned());
            }
            if FLOATS.contains(&word) {
                float(&values[0]);
            }
            keys.insert(word.to_owned(), values);
        }
        report
    }
}

fn number(keys: &Keys, key: &str) -> f64 {
    keys[key][0].parse().unwrap()
}

/// Starts an engine after two turns of a game.
fn start_engine(threads: &str) -> Client {
    let mut client = Client::start(&["gtp", "--board", "6", "--threads", threads, "--pie", "off"]);
    assert_eq!(client.ask("ponte-play_sequence c3,c4 d1,e5"), "=");
    client
}

#[test]
fn a_client_for_katago_can_read_the_reports() {
    for threads in ["1", "2"] {
        let mut client = start_engine(threads);
        client.send(
            "7 ponte-analyze w 5 maxmoves 3 minmoves 3 ownership true rootInfo true pvVisits true\n",
        );
        assert_eq!(client.line(), "=7");
        let mut visits = 0.0;
        for _ in 0..4 {
            let report = Report::parse(&client.line());
            assert_eq!(report.moves.len(), 3);
            for (order, keys) in report.moves.iter().enumerate() {
                assert_eq!(keys["order"], [order.to_string()]);
                assert!(keys["move"][0].parse::<Move>().is_ok());
                assert_eq!(keys["pv"][0], keys["move"][0]);
                assert_eq!(keys["pv"].len(), keys["pvVisits"].len());
                for key in ["winrate", "prior", "lcb"] {
                    assert!((0.0..=1.0).contains(&number(keys, key)), "{key}: {keys:?}");
                }
                assert!(number(keys, "lcb") <= number(keys, "winrate"));
            }
            assert!(number(&report.root, "visits") >= visits);
            visits = number(&report.root, "visits");
            assert_eq!(report.ownership.len(), 36);
            assert!(report.ownership.iter().all(|share| (-1.0..=1.0).contains(share)));
            for (site, share) in report.bridges {
                assert!(matches!(site.parse(), Ok(Move::Bridge(..))), "{site}");
                assert!((-1.0..=1.0).contains(&share));
            }
        }
        client.send("8 name\n");
        let rest = client.answer();
        assert!(rest.lines().last().is_some_and(|last| last.starts_with("info ")), "{rest}");
        rest.lines().for_each(|line| drop(Report::parse(line)));
        assert_eq!(client.answer(), "=8 pontifex");
    }
}

/// Any input ends an analysis after a last report, and requests are answered.
#[test]
fn any_input_ends_an_analysis() {
    for (input, answers) in [
        ("\n", &[][..]),
        ("# a comment\n", &[]),
        ("# interrupt\n", &[]),
        ("stop\n", &["="]),
        ("9 fly\n", &["?9 unknown command"]),
        ("name\n10 name\n", &["= pontifex", "=10 pontifex"]),
        ("quit\n", &["="]),
        ("", &[]),
    ] {
        let mut client = start_engine("2");
        client.send("ponte-analyze interval 2 maxmoves 1\n");
        assert_eq!(client.line(), "=");
        assert!(client.line().starts_with("info "));
        if input.is_empty() {
            client.close();
        } else {
            client.send(input);
        }
        let rest = client.answer();
        assert!(!rest.is_empty() && rest.lines().all(|line| line.starts_with("info ")), "{rest}");
        for answer in answers {
            assert_eq!(client.answer(), *answer, "after {input:?}");
        }
        if !["", "quit\n"].contains(&input) {
            assert!(client.ask("ponte-status").starts_with("= to_move white turn 3 "));
            client.close();
        }
        assert_eq!(client.wait().0, Some(0));
        assert_eq!(client.rest(), [""; 0]);
    }
}

#[test]
fn an_analysis_ignores_the_limit_of_playouts() {
    let arguments = ["gtp", "--board", "6", "--pie", "off", "--playouts", "5", "--threads", "1"];
    let mut client = Client::start(&arguments);
    client.send("ponte-analyze 5 maxmoves 1 rootInfo true\n");
    assert_eq!(client.line(), "=");
    let mut last = 0.0;
    while last < 500.0 {
        last = number(&Report::parse(&client.line()).root, "visits");
    }
    client.send("name\n");
    client.answer();
    assert_eq!(client.answer(), "= pontifex");
}

/// After the result is proved, reports stop, but the answer ends with the next input.
#[test]
fn a_proved_position_keeps_the_stream_open() {
    let mut client = Client::start(&["gtp", "--supply", "2,1", "--board", "4", "--threads", "1"]);
    client.ask("ponte-play_sequence a4,c4 a1,b1");
    client.send("ponte-analyze interval 3000 minmoves 2\n");
    assert_eq!(client.line(), "=");
    let report = Report::parse(&client.line());
    assert_eq!(report.moves[0]["move"], ["a4-c4"]);
    assert_eq!(report.moves[0]["proved"], ["win"]);
    assert_eq!(report.moves.len(), 2);
    assert!(client.is_silent(Duration::from_millis(300)));
    assert_eq!(client.ask("name"), "");
    assert_eq!(client.answer(), "= pontifex");
}

#[test]
fn analyses_and_other_commands_are_answered_in_order() {
    let mut input = String::new();
    for id in 0..200 {
        let interruption = ["", "\n", "# interrupt\n", "stop\n"][id % 4];
        input = format!("{input}{id}0 ponte-analyze 1 maxmoves 1\n{id}1 komi 0\n{interruption}");
    }
    input += "1 ponte-analyze maxmoves 1";
    let output = run(&["--board", "5", "--pie", "off", "--threads", "2"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut answers = text.split_terminator("\n\n");
    let mut next = || answers.next().unwrap();
    for id in 0..200 {
        let analysis = next().strip_prefix(&format!("={id}0\n")).unwrap();
        assert!(analysis.lines().all(|line| line.starts_with("info move ")), "{analysis}");
        assert_eq!(next(), format!("={id}1"));
        if id % 4 == 3 {
            assert_eq!(next(), "=");
        }
    }
    assert!(next().starts_with("=1\ninfo move "));
    assert_eq!(answers.next(), None);
}

#[test]
fn other_input_does_not_end_genmove_analyze() {
    let mut client = start_engine("2");
    client.ask("ponte-set_param playouts 3000");
    client.send("3 ponte-genmove_analyze w 1 maxmoves 1 rootInfo true\n4 ponte-history\n\n");
    let answer = client.answer();
    let mut lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines.remove(0), "=3");
    let played = lines.pop().unwrap().strip_prefix("play ").unwrap();
    let report = Report::parse(lines.last().unwrap());
    assert_eq!(report.moves[0]["move"], [played]);
    assert!(number(&report.root, "visits") > 1000.0);
    assert_eq!(client.answer(), format!("=4 c3,c4 d1,e5 {played}"));
}

#[test]
fn stop_and_quit_end_genmove_analyze() {
    for (input, continues) in [("stop\n", true), ("# interrupt\n", true), ("quit\n", false)] {
        let mut client = start_engine("2");
        client.ask("ponte-set_param time 60");
        client.send("ponte-genmove_analyze w 2 maxmoves 1\n");
        assert_eq!(client.line(), "=");
        assert!(client.line().starts_with("info "));
        client.send(input);
        assert!(client.answer().lines().last().unwrap().starts_with("play "));
        if input != "# interrupt\n" {
            assert_eq!(client.answer(), "=");
        }
        if continues {
            assert!(client.ask("ponte-status").starts_with("= to_move red "));
        }
    }
}

#[test]
fn the_log_records_every_report() {
    let log = test_folder("stream-log").join("traffic.log");
    let arguments = ["--log", log.to_str().unwrap(), "--board", "5", "--pie", "off"];
    let output = run(&arguments, b"5 ponte-analyze maxmoves 1\nname\n");
    let text = fs::read_to_string(&log).unwrap();
    let sent: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(" < ")).map(|(_, line)| line).collect();
    let printed = String::from_utf8(output.stdout).unwrap();
    let printed: Vec<&str> = printed.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(sent, printed);
    assert!(printed.len() >= 3, "{printed:?}");
}
