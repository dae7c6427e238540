//! Tests of `src/gtp/run.rs`.

use pontifex::engine::Options;
use pontifex::gtp::Session;

#[test]
fn long_errors_are_truncated() {
    let mut session = Session::new(Options::default());
    let line = format!("play w {}", "ä".repeat(100_000));
    let answer = session.answer_line(line.as_bytes()).unwrap();
    assert!(answer.starts_with("? syntax error: "), "{answer}");
    assert!(answer.chars().count() < 520, "{}", answer.len());
}
