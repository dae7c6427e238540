//! Pondering: thinking in the opponent's time.

use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;

/// Starts an engine that ponders after White's second turn. Its searches in the opponent's time are
/// endless, so any command that waited for the end of one would exceed the client's timeout.
fn start_pondering(threads: &str) -> Client {
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

/// Processor time of the process in ticks of 10 ms; `None` where the system does not report it.
fn cpu_time(client: &Client) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", client.id())).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?)
}

/// Waits until the engine thinks, or until it does not. Panics after a minute if that does not
/// happen. Always succeeds where the system does not report processor time.
fn assert_thinks(client: &Client, expected: bool, when: &str) {
    /// Long enough for a busy machine.
    const TIMEOUT: Duration = Duration::from_secs(60);
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        let Some(before) = cpu_time(client) else { return };
        thread::sleep(Duration::from_millis(150));
        let Some(after) = cpu_time(client) else { return };
        if (after > before + 2) == expected {
            return;
        }
    }
    panic!("expected to think: {expected}, {when}");
}

#[test]
fn the_engine_ponders_between_its_move_and_the_opponents() {
    for threads in ["1", "2"] {
        let mut client = start_pondering(threads);
        assert_thinks(&client, true, "in the opponent's time");
        let legal = client.ask("ponte-legal_moves");
        let reply = legal.lines().last().expect("Red has moves");
        assert_eq!(client.ask(&format!("play r {reply}")), "=");
        assert_thinks(&client, false, "before it is asked for a move");
        assert!(client.ask("genmove w").starts_with("= "));
        assert_thinks(&client, true, "in the opponent's time");
        assert_eq!(client.ask("ponte-set_param ponder off"), "=");
        assert_thinks(&client, false, "with pondering off");
        assert!(client.ask("genmove r").starts_with("= "));
        assert_thinks(&client, false, "with pondering off");
    }
}

#[test]
fn every_command_is_answered_while_pondering() {
    let mut client = start_pondering("2");
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
        let answered = client.ask(command);
        assert!(answered.starts_with(answer), "{command}: {answered}");
    }
    assert_thinks(&client, true, "after other commands");
}

#[test]
fn commands_that_change_the_game_or_the_search_end_pondering() {
    for command in [
        "undo",
        "clear_board",
        "boardsize 6",
        "ponte-set_param threads 3",
        "ponte-set_param seed 5",
    ] {
        let mut client = start_pondering("2");
        assert_thinks(&client, true, "in the opponent's time");
        assert_eq!(client.ask(command), "=");
        assert_thinks(&client, false, command);
        let color = if command.starts_with("ponte") { "r" } else { "w" };
        assert!(client.ask(&format!("genmove {color}")).starts_with("= "), "{command}");
    }
}

#[test]
fn quit_and_the_end_of_input_end_the_process() {
    for quits in [true, false] {
        let mut client = start_pondering("2");
        assert_thinks(&client, true, "in the opponent's time");
        if quits {
            assert_eq!(client.ask("quit"), "=");
        } else {
            client.close();
        }
        assert_eq!(client.wait().0, Some(0));
    }
}

#[test]
fn the_end_of_the_game_ends_pondering() {
    let mut client = start_pondering("1");
    for command in ["ponte-set_param supply 2,1", "boardsize 4", "ponte-play_sequence a4,c4 a1,b1"]
    {
        assert_eq!(client.ask(command), "=");
    }
    assert_eq!(client.ask("genmove w"), "= a4-c4");
    assert_eq!(client.ask("play r pass"), "=");
    assert!(client.ask("ponte-status").contains(" over "));
    assert_thinks(&client, false, "after the end of the game");
}
