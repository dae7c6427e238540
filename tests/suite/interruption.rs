//! Searches that end when they are told to, and processes with them.

use std::thread;
use std::time::{Duration, Instant};

use super::client::{Client, run};

/// How soon an interrupted search must have answered.
const PROMPT: Duration = Duration::from_millis(200);

/// Does it in time, at least once in three attempts: other tests and other
/// programs want the processor, too.
fn promptly(interrupt: fn() -> Duration) {
    let mut times = Vec::new();
    while times.last().is_none_or(|&time| time > PROMPT) {
        assert!(times.len() < 3, "{times:?}");
        times.push(interrupt());
    }
}

/// An engine that would think for a minute about White's first move, on a board
/// for which it knows none.
fn thinking() -> Client {
    let mut client = Client::start(&["gtp", "--board", "8", "--threads", "2", "--time", "60"]);
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
    promptly(|| {
        let mut client = thinking();
        let start = Instant::now();
        client.send("2 stop\n");
        let (first, second) = (client.answer(), client.answer());
        assert!(is_move(&first), "{first}");
        assert_eq!(second, "=2");
        let elapsed = start.elapsed();
        assert!(client.ask("3 ponte-status").starts_with("=3 to_move red"));
        elapsed
    });
}

#[test]
fn stop_ends_one_search_and_not_the_next() {
    let mut client = Client::start(&["gtp", "--board", "8", "--threads", "1", "--time", "60"]);
    client.send("stop\n1 genmove w\nstop\n2 ponte-set_param playouts 20\n3 genmove r\n");
    let answers: Vec<String> = (0..5).map(|_| client.answer()).collect();
    assert_eq!([&answers[0], &answers[2], &answers[3]], ["=", "=", "=2"]);
    assert!(is_move(&answers[1]), "{}", answers[1]);
    assert!(answers[4].starts_with("=3 "), "{}", answers[4]);
}

#[test]
fn quit_ends_a_search_and_the_process() {
    promptly(|| {
        let mut client = thinking();
        let start = Instant::now();
        client.send("2 quit\n");
        let (first, second) = (client.answer(), client.answer());
        assert!(is_move(&first), "{first}");
        assert_eq!(second, "=2");
        let (code, _) = client.wait();
        let elapsed = start.elapsed();
        assert_eq!(code, Some(0));
        assert_eq!(client.rest(), [""; 0]);
        elapsed
    });
}

#[test]
fn the_end_of_input_ends_a_search_and_the_process() {
    promptly(|| {
        let mut client = thinking();
        let start = Instant::now();
        client.close();
        let answer = client.answer();
        assert!(is_move(&answer), "{answer}");
        let (code, _) = client.wait();
        let elapsed = start.elapsed();
        assert_eq!(code, Some(0));
        elapsed
    });
}

/// What is piped in at once is answered as if it were typed.
#[test]
fn piped_searches_of_fixed_length_are_reproducible() {
    let arguments = ["gtp", "--threads", "1", "--playouts", "50", "--board", "8"];
    let mut client = Client::start(&arguments);
    let typed = format!("{}\n\n{}\n\n", client.ask("genmove w"), client.ask("genmove r"));
    let piped = run(&arguments, b"genmove w\ngenmove r\n");
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), typed);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_process_with_130() {
    let mut client = thinking();
    let kill = std::process::Command::new("kill").args(["-INT", &client.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(client.wait().0, Some(130));
}
