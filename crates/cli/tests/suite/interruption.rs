//! Interrupting searches and ending the process.

use std::thread;
use std::time::{Duration, Instant};

use super::client::{Client, run};

/// Starts an engine that searches for White's first move for ten minutes unless interrupted. The
/// built-in openings have none for this board.
///
/// The client waits half a minute for an answer, so a test that gets one shows that the search was
/// interrupted.
fn start_search() -> Client {
    let mut client = Client::start(&["gtp", "--board", "8", "--threads", "2", "--time", "600"]);
    assert_eq!(client.ask("name"), "= pontifex");
    client.send("1 genmove w\n");
    thread::sleep(Duration::from_millis(300));
    client
}

fn is_move(answer: &str) -> bool {
    answer.strip_prefix("=1 ").is_some_and(|mv| mv.parse::<pontifex::game::Move>().is_ok())
}

#[test]
fn stop_ends_a_search() {
    let mut client = start_search();
    client.send("2 stop\n");
    let (first, second) = (client.answer(), client.answer());
    assert!(is_move(&first), "{first}");
    assert_eq!(second, "=2");
    assert!(client.ask("3 ponte-status").starts_with("=3 to_move red"));
}

#[test]
#[ignore = "measures time, on an idle machine"]
fn stop_ends_a_search_within_200_ms() {
    let mut client = start_search();
    let start = Instant::now();
    client.send("2 stop\n");
    assert!(is_move(&client.answer()));
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_millis(200), "{elapsed:?}");
}

#[test]
fn stop_ends_only_the_search_before_it() {
    let mut client = Client::start(&["gtp", "--board", "8", "--threads", "1", "--time", "600"]);
    client.send("stop\n1 genmove w\nstop\n2 ponte-set_param playouts 20\n3 genmove r\n");
    let answers: Vec<String> = (0..5).map(|_| client.answer()).collect();
    assert_eq!([&answers[0], &answers[2], &answers[3]], ["=", "=", "=2"]);
    assert!(is_move(&answers[1]), "{}", answers[1]);
    assert!(answers[4].starts_with("=3 "), "{}", answers[4]);
}

#[test]
fn quit_ends_a_search_and_the_process() {
    let mut client = start_search();
    client.send("2 quit\n");
    let (first, second) = (client.answer(), client.answer());
    assert!(is_move(&first), "{first}");
    assert_eq!(second, "=2");
    assert_eq!(client.wait().0, Some(0));
    assert_eq!(client.rest(), [""; 0]);
}

#[test]
fn the_end_of_input_ends_a_search_and_the_process() {
    let mut client = start_search();
    client.close();
    let answer = client.answer();
    assert!(is_move(&answer), "{answer}");
    assert_eq!(client.wait().0, Some(0));
}

/// Piped input gives the same answers as typed input. After the end of the input a search may
/// continue for a second, which can be too short on a busy machine, so the test tries again.
#[test]
fn piped_input_gives_the_same_moves_as_typed_input() {
    let arguments = ["gtp", "--threads", "1", "--playouts", "50", "--board", "8"];
    let mut client = Client::start(&arguments);
    let typed = format!("{}\n\n{}\n\n", client.ask("genmove w"), client.ask("genmove r"));
    let piped = || run(&arguments, b"genmove w\ngenmove r\n").stdout;
    assert!((0..5).any(|_| piped() == typed.as_bytes()), "{typed}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_process_with_exit_code_130() {
    let mut client = start_search();
    crate::client::signal("-INT", &[client.id()]);
    assert_eq!(client.wait().0, Some(130));
}
