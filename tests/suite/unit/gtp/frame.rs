//! Tests of `src/gtp/frame.rs`.

use pontifex::gtp::{Request, frame};

/// An empty `id` stands for no number.
#[track_caller]
fn assert_parts(line: &[u8], id: &str, command: &str, arguments: &str) {
    let request = Request::parse(line).unwrap();
    assert_eq!(request.id.unwrap_or_default(), id);
    assert_eq!((request.command.as_str(), request.arguments.as_str()), (command, arguments));
}

#[test]
fn requests_are_parsed() {
    assert_parts(b"name", "", "name", "");
    assert_parts(b"  12   play  w   a1,b2  \n", "12", "play", "w   a1,b2");
    assert_parts(b"0 name", "0", "name", "");
    assert_parts(b"007 name", "007", "name", "");
    assert_parts(b"-1 name", "", "-1", "name");
    assert_parts(b"1a name", "", "1a", "name");
    assert_parts(b"5", "5", "", "");
    assert_parts(b"5 6 name", "5", "6", "name");
}

#[test]
fn control_characters_are_removed_and_tabs_are_spaces() {
    assert_parts(b"na\x00m\x07e\r\n", "", "name", "");
    assert_parts(b"\t3\tplay\tw\ta1,b2\t", "3", "play", "w a1,b2");
    assert_parts(b"play\x7f w", "", "play", "w");
}

#[test]
fn comments_and_blank_lines_are_no_requests() {
    for line in [&b""[..], b"\n", b"\r\n", b" \t ", b"# 1 name", b"  #", b"\x00\x01\x1b"] {
        assert_eq!(Request::parse(line), None, "{line:?}");
    }
    assert_parts(b"name#comment", "", "name", "");
}

#[test]
fn invalid_utf8_is_replaced() {
    assert_parts(b"4 na\xffme \xc3", "4", "na\u{fffd}me", "\u{fffd}");
    let long = vec![b'x'; 1 << 20];
    assert_eq!(Request::parse(&long).map(|request| request.command.len()), Some(1 << 20));
}

#[test]
fn only_the_last_line_of_an_answer_is_empty() {
    assert_eq!(frame(None, Ok("a\n\nb\n")), "= a\nb\n\n");
    assert_eq!(frame(Some("1"), Ok("\n\n a \n \n\tb\r\n")), "=1 \n a\n b\n\n");
    assert_eq!(frame(Some("1"), Ok("\n \n\r\n")), "=1\n\n");
    assert_eq!(frame(None, Err("x\u{85}y\u{2028}z\x0b\x1b")), "? x y z \\u{1b}\n\n");
}
