//! A byte-order mark at the start of whatever the program reads is skipped.

use std::fs;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;

use serde_json::Value;

use super::client::{pontifex, run, test_folder};

const MARK: &str = "\u{feff}";

/// Runs a program on an input. Returns its output.
fn run_program(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Writes a file with a mark into a folder. Returns its path.
fn write_marked(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, MARK.to_owned() + text).unwrap();
    path.display().to_string()
}

/// An input that arrives byte by byte, as a slow pipe does.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let length = bytes.len().min(1);
        self.0.read(&mut bytes[..length])
    }
}

#[test]
fn the_first_command_keeps_its_number() {
    for program in [&["gtp"][..], &["teufel"]] {
        let answers = run_program(program, "\u{feff}7 protocol_version\n8 quit\n");
        assert_eq!(answers, "=7 2\n\n=8\n\n", "{program:?}");
    }
    // Files that were put together have marks in the middle.
    assert_eq!(run_program(&["gtp"], "\u{feff}1 quit\n\u{feff}2 name\n"), "=1\n\n");
    assert_eq!(run_program(&["gtp"], "\u{feff}# a comment\r\n\u{feff}2 name\n"), "=2 pontifex\n\n");
}

#[test]
fn a_mark_may_arrive_in_pieces() {
    let mut output = Vec::new();
    let mut session = pontifex::gtp::Session::new(pontifex::engine::Options::default());
    let input = Slow(Cursor::new("\u{feff}7 protocol_version\n".as_bytes().to_vec()));
    pontifex::gtp::run(&mut session, BufReader::with_capacity(1, input), &mut output, None)
        .unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), "=7 2\n\n");
    // The same through a real pipe: the rest of the text follows the last piece of the mark.
    let mut child = pontifex()
        .arg("engine-json")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for piece in [&b"\xef"[..], b"\xbb", b"\xbf{", b"\"id\":\"a\",\"action\":\"query_version\"}\n"]
    {
        std::io::Write::write_all(&mut stdin, piece).unwrap();
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["id"], &answer["action"]), (&"a".into(), &"query_version".into()));
}

#[test]
fn the_first_query_is_answered() {
    let query = "\u{feff}{\"id\":\"first\",\"action\":\"query_version\"}\r\n";
    let answer: Value = serde_json::from_str(&run_program(&["engine-json"], query)).unwrap();
    assert_eq!(answer["id"], "first", "{answer}");
}

#[test]
fn configurations_may_be_marked() {
    let folder = test_folder("marked-configuration");
    let config = write_marked(&folder, "engine.toml", "board = 6\n");
    let commands = "ponte-get_param board\n";
    assert_eq!(run_program(&["gtp", "--config", &config], commands), "= 6\n\n");
    // As PowerShell's `>` writes it.
    let path = folder.join("wide.toml");
    let utf_16 = "\u{feff}board = 7\r\n".encode_utf16().flat_map(u16::to_le_bytes);
    fs::write(&path, utf_16.collect::<Vec<u8>>()).unwrap();
    let path = path.display().to_string();
    assert_eq!(run_program(&["gtp", "--config", &path], commands), "= 7\n\n");
    fs::write(&path, b"board = 6 # \xff\n").unwrap();
    let refused = run(&["gtp", "--config", &path], b"");
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(error, format!("pontifex: {path}: this is not text in UTF-8: byte 13 is invalid\n"));
}

#[test]
fn files_of_matches_may_be_marked() {
    let folder = test_folder("marked-match");
    let openings = write_marked(&folder, "openings.txt", "# board: 6\na1,f6 a6,f1\n");
    let journal = folder.join("journal.jsonl").display().to_string();
    let tournament = write_marked(
        &folder,
        "match.toml",
        "board = 6\nplayouts = 1\n\n[[engine]]\nname = 'a'\ncmd = 'builtin'\n\n[[engine]]\nname = 'b'\ncmd = 'builtin'\n",
    );
    let play_match = |games: &str| {
        let arguments = [
            "match",
            "--config",
            &tournament,
            "--openings",
            &openings,
            "--journal",
            &journal,
            "--games",
            games,
        ];
        let output = run(&arguments, b"");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    };
    play_match("2");
    // An editor has marked the journal; the match continues.
    let text = fs::read_to_string(&journal).unwrap();
    write_marked(&folder, "journal.jsonl", &text);
    play_match("4");
    let longer = fs::read_to_string(&journal).unwrap();
    assert!(longer.starts_with(&(MARK.to_owned() + &text)), "{longer}");
    assert_eq!(longer.lines().count(), 5);
    run_program(&["puzzles", &journal, "--nodes", "1"], "");
}

#[test]
fn weights_and_positions_may_be_marked() {
    let folder = test_folder("marked-weights");
    let text = include_str!("../../../../src/eval/linear/weights.txt");
    let weights = write_marked(&folder, "weights.txt", text);
    let commands = "ponte-play_sequence d4,e6 c3,g6\nreg_genmove w\n";
    let answers_with = |more: &[&str]| {
        run_program(&[&["gtp", "--threads", "1", "--playouts", "50"], more].concat(), commands)
    };
    assert_eq!(answers_with(&["--weights", &weights]), answers_with(&[]));
    let position = "6/6/6/6/6/w4r w - -";
    for text in [position.to_owned(), MARK.to_owned() + position] {
        let answers =
            run_program(&["gtp"], &format!("ponte-set_position {text}\nponte-position\n"));
        assert_eq!(answers, format!("=\n\n= {position}\n\n"));
        run_program(&["analyze", "--position", &text, "--playouts", "1"], "");
    }
}
