//! Thinking in the opponent's time.

use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;

/// How soon any command is answered while the engine ponders.
const AT_ONCE: Duration = Duration::from_millis(100);

/// An engine that ponders about White's second turn.
fn pondering(threads: &str) -> Client {
    let arguments =
        ["gtp", "--board", "8", "--memory", "16", "--threads", threads, "--playouts", "100"];
    let mut client = Client::start(&arguments);
    assert_eq!(client.ask("ponte-set_param ponder on"), "=");
    assert_eq!(client.ask("play w d4,e6"), "=");
    assert_eq!(client.ask("play r swap"), "=");
    assert_eq!(client.ask("play r a1,a2"), "=");
    assert!(client.ask("genmove w").starts_with("= "));
    client
}

/// The time that the process has had of the processors, in hundredths of a
/// second, where the system tells.
fn cpu_time(client: &Client) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.id())).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?)
}

/// Whether the engine thinks, where the system tells.
fn thinks(client: &Client) -> Option<bool> {
    let before = cpu_time(client)?;
    thread::sleep(Duration::from_millis(250));
    Some(cpu_time(client)? > before + 2)
}

fn assert_thinks(client: &Client, expected: bool, when: &str) {
    // On a crowded machine it may not have had its turn at once.
    let mut last = None;
    for _ in 0..10 {
        last = thinks(client);
        if last.is_none_or(|thinks| thinks == expected) {
            return;
        }
        assert!(expected, "it thinks {when}");
    }
    panic!("it does not think {when}: {last:?}");
}

/// Asks, and is answered at once, at least once in three attempts.
fn ask_at_once(client: &mut Client, command: &str) -> String {
    let start = Instant::now();
    let answer = client.ask(command);
    let mut times = vec![start.elapsed()];
    while times.last().is_some_and(|&time| time > AT_ONCE) {
        // Again with another engine.
        assert!(times.len() < 3, "{command}: {times:?}");
        let mut other = pondering("2");
        let start = Instant::now();
        other.ask(command);
        times.push(start.elapsed());
    }
    answer
}

#[test]
fn it_thinks_after_its_move_until_the_opponents() {
    for threads in ["1", "2"] {
        let mut client = pondering(threads);
        assert_thinks(&client, true, "in the opponent's time");
        let legal = client.ask("ponte-legal_moves");
        let reply = legal.lines().last().expect("Red has moves");
        assert_eq!(ask_at_once(&mut client, &format!("play r {reply}")), "=");
        assert_thinks(&client, false, "when nobody asks for a move");
        assert!(client.ask("genmove w").starts_with("= "));
        assert_thinks(&client, true, "in the opponent's time");
        assert_eq!(ask_at_once(&mut client, "ponte-set_param ponder off"), "=");
        assert_thinks(&client, false, "with pondering off");
        assert!(client.ask("genmove r").starts_with("= "));
        assert_thinks(&client, false, "with pondering off");
    }
}

#[test]
fn every_command_is_answered_at_once() {
    let mut client = pondering("2");
    for (command, answer) in [
        ("name", "= pontifex"),
        ("ponte-get_param ponder", "= on"),
        ("ponte-status", "= to_move red turn 5 "),
        ("ponte-legal_moves count", "= cells "),
        ("time_left r 10 0", "="),
        ("showboard", "="),
        ("fly", "? unknown command"),
        ("stop", "="),
        ("final_score", "? cannot score"),
    ] {
        let answered = ask_at_once(&mut client, command);
        assert!(answered.starts_with(answer), "{command}: {answered}");
    }
    assert_thinks(&client, true, "while others ask");
}

#[test]
fn what_changes_the_game_or_the_search_ends_it() {
    for command in [
        "undo",
        "clear_board",
        "boardsize 6",
        "ponte-set_param threads 3",
        "ponte-set_param seed 5",
    ] {
        let mut client = pondering("2");
        assert_thinks(&client, true, "in the opponent's time");
        assert_eq!(ask_at_once(&mut client, command), "=");
        assert_thinks(&client, false, command);
        // And it can go on from there.
        let color = if command.starts_with("ponte") { "r" } else { "w" };
        assert!(client.ask(&format!("genmove {color}")).starts_with("= "), "{command}");
    }
}

#[test]
fn quit_and_the_end_of_input_end_it_and_the_process() {
    for quits in [true, false] {
        let mut times = Vec::new();
        while times.last().is_none_or(|&time| time > 2 * AT_ONCE) {
            assert!(times.len() < 3, "{times:?}");
            let mut client = pondering("2");
            thread::sleep(Duration::from_millis(50));
            let start = Instant::now();
            if quits {
                assert_eq!(client.ask("quit"), "=");
            } else {
                client.close();
            }
            assert_eq!(client.wait().0, Some(0));
            times.push(start.elapsed());
        }
    }
}

#[test]
fn the_end_of_the_game_ends_it() {
    let mut client = pondering("1");
    for command in ["ponte-set_param supply 2,1", "boardsize 4", "ponte-play_sequence a4,c4 a1,b1"]
    {
        assert_eq!(client.ask(command), "=");
    }
    assert_eq!(client.ask("genmove w"), "= a4-c4");
    assert_eq!(client.ask("play r pass"), "=");
    assert!(client.ask("ponte-status").contains(" over "));
    assert_thinks(&client, false, "after the end of the game");
}
