//! The protocol of the real binary: transcripts and the examples of protocol.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pontifex::engine::{Options, PARAMS};
use pontifex::gtp::Session;

use super::client::{Client, run, test_folder};
use super::transcript::{parse, replay};
use crate::root;

/// The transcripts by name.
fn transcripts() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/data/transcripts");
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    fs::read_dir(folder).unwrap().map(read).collect()
}

fn protocol_md() -> String {
    fs::read_to_string(root().join("protocol.md")).unwrap()
}

/// The examples of protocol.md: code blocks marked `gtp`.
fn protocol_examples() -> Vec<String> {
    let text = protocol_md();
    let blocks = text.split("```gtp\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

fn commands() -> Vec<String> {
    let mut session = Session::new(Options::default());
    let answer = session.answer_line(b"list_commands").unwrap();
    answer[2..].split_whitespace().map(str::to_owned).collect()
}

#[test]
fn transcripts_replay() {
    for (name, text) in transcripts() {
        replay(&name, &text);
    }
}

#[test]
fn examples_of_protocol_md_replay() {
    let examples = protocol_examples();
    assert!(examples.len() >= 10, "only {} examples", examples.len());
    for (number, text) in examples.iter().enumerate() {
        replay(&format!("protocol-md-{number}"), text);
    }
}

/// For every command there is a successful answer and, if it can fail, an error.
#[test]
fn transcripts_cover_every_command() {
    let mut seen = BTreeSet::new();
    for text in transcripts().values() {
        for exchange in parse(text) {
            let mut words = exchange.command.split_whitespace();
            let command = words.find(|word| word.parse::<u64>().is_err());
            let sign = exchange.answers.concat().first().and_then(|line| line.chars().next());
            if let (Some(command), Some(sign)) = (command, sign) {
                seen.insert((command.to_owned(), sign));
            }
        }
    }
    for command in commands() {
        assert!(seen.contains(&(command.clone(), '=')), "no transcript has a successful {command}");
        if !matches!(command.as_str(), "quit" | "stop") {
            assert!(
                seen.contains(&(command.clone(), '?')),
                "no transcript has a failing {command}"
            );
        }
    }
}

#[test]
fn protocol_md_documents_every_command_with_an_example() {
    let (text, examples) = (protocol_md(), protocol_examples().concat());
    for command in commands() {
        assert!(text.contains(&format!("`{command}")), "{command} is not described");
        let words = examples.lines().filter_map(|line| line.strip_prefix("> "));
        let mut words = words.flat_map(|line| line.split(' ').take(2));
        assert!(words.any(|word| word == command), "{command} has no example");
    }
}

/// The table of parameters matches the registry.
#[test]
fn protocol_md_lists_the_registry() {
    let text = protocol_md();
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    for param in PARAMS {
        let default = match param.name {
            "threads" => "all cores".to_owned(),
            "tune" => "those built in".to_owned(),
            _ => param.default_value(),
        };
        let range = param.kind.range().replace('|', "\\|");
        let kind = param.kind.name();
        let row = format!("| `{}` | {kind} | {default} | `{range}` | {} |", param.name, param.help);
        assert!(rows.contains(&row.as_str()), "protocol.md lacks the row\n{row}");
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let lines = |line: fn(u32) -> String| (0..2000).map(line).collect::<Vec<_>>().concat();
    let input = lines(|id| format!("{id} known_command play\n"));
    let output = run(&["gtp"], input.as_bytes());
    let expected = lines(|id| format!("={id} true\n\n"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_last_line_without_a_line_feed_is_answered() {
    let output = run(&[], b"1 name");
    assert_eq!(output.stdout, b"=1 pontifex\n\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn nothing_is_answered_after_quit() {
    let output = run(&[], b"1 name\n2 quit\n3 name\n");
    assert_eq!(output.stdout, b"=1 pontifex\n\n=2\n\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn control_characters_and_invalid_utf8_are_harmless() {
    let output =
        run(&[], b"1 na\x00me\r\n\r\n\x1b\x07\n2\tkomi\t0\r\n3 \xff\xfe\n\xc3 # \xff\n4 name");
    let expected =
        "=1 pontifex\n\n=2\n\n?3 unknown command\n\n? unknown command\n\n=4 pontifex\n\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn an_overlong_line_is_refused_and_the_next_is_answered() {
    let mut input = b"1 play w ".to_vec();
    input.resize(5 << 20, b'x');
    input.extend(b"\n2 name # ");
    input.resize(10 << 20, b'y');
    input.extend(b"\n3 name\n");
    let output = run(&[], &input);
    let answers = String::from_utf8(output.stdout).unwrap();
    let expected = "?1 syntax error: the line is longer than 1048576 bytes\n\n\
                    =2 pontifex\n\n=3 pontifex\n\n";
    assert_eq!(answers, expected);
}

#[test]
fn records_are_saved_and_loaded() {
    let folder = test_folder("records");
    let mut client = Client::start_in(&folder, &["gtp"]);
    client.ask("boardsize 8");
    client.ask("ponte-play_sequence a1,b3 swap d4,e6 a1-b3");
    let position = client.ask("ponte-position");
    assert_eq!(client.ask("printsgf a game.sgf"), "=");
    let printed = client.ask("printsgf");
    assert!(printed.starts_with("= (;"), "{printed}");
    client.ask("boardsize 10");
    assert_eq!(client.ask("loadsgf a game.sgf"), "=");
    assert_eq!(client.ask("ponte-position"), position);
    assert_eq!(client.ask("ponte-history"), "= a1,b3 swap d4,e6 a1-b3");
    assert_eq!(client.ask("loadsgf a game.sgf 3"), "=");
    assert_eq!(client.ask("ponte-history"), "= a1,b3 swap");
    assert_eq!(client.ask("loadsgf a game.sgf 99"), "=");
    assert_eq!(client.ask("ponte-position"), position);
    assert!(client.ask("printsgf no/such/folder/x.sgf").starts_with("? cannot save file: "));
    fs::write(folder.join("moves.txt"), "a1,b2 c3,d4 a1,a2\n").unwrap();
    let refusal = client.ask("loadsgf moves.txt 2");
    assert!(refusal.starts_with("? cannot load file: moves.txt: "), "{refusal}");
    assert_eq!(client.ask("ponte-position"), position);
    fs::write(folder.join("moves.txt"), "a1,b2 c3,d4 a2,b1\n").unwrap();
    assert_eq!(client.ask("loadsgf moves.txt 3"), "=");
    assert_eq!(client.ask("ponte-history"), "= a1,b2 c3,d4");
    fs::write(folder.join("noise.txt"), [0xff_u8, 0, 13, 200]).unwrap();
    assert!(client.ask("loadsgf noise.txt").starts_with("? cannot load file: noise.txt: "));
    assert!(client.ask("loadsgf .").starts_with("? cannot load file: .: "));
}

#[test]
fn the_log_records_all_traffic() {
    let folder = test_folder("log");
    let log = folder.join("traffic.log");
    let arguments = ["gtp", "--log", log.to_str().unwrap()];
    run(&arguments, b"1 name\n\n# hello\nponte-set_param threads 0\nlist_commands\nquit\n");
    run(&arguments, b"name");
    let text = fs::read_to_string(&log).unwrap();
    let mut traffic = Vec::new();
    for line in text.lines() {
        let (time, message) = line.split_at(24);
        let shape: String =
            time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00T00:00:00.000Z", "{line}");
        traffic.push(message);
    }
    let lines_with = |sign: &str| -> Vec<&str> {
        traffic.iter().filter_map(|line| line.strip_prefix(sign)).collect()
    };
    let received = lines_with(" >");
    assert_eq!(
        received,
        [
            " 1 name",
            " ",
            " # hello",
            " ponte-set_param threads 0",
            " list_commands",
            " quit",
            " name"
        ]
    );
    let sent = lines_with(" <");
    assert_eq!(
        sent[..2],
        [" =1 pontifex", " ? syntax error: threads must be a whole number from 1 to 1024, not '0'"]
    );
    assert_eq!(sent.len(), 2 + commands().len() + 2);
    assert_eq!(sent.last(), Some(&" = pontifex"));
    let refused = run(&["--log", "no/such/folder/log"], b"name");
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.starts_with("pontifex: cannot write no/such/folder/log: "), "{error}");
}
