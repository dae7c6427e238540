//! The memory that a search takes, by its own account and by the system's.

use pontifex::search::{Limits, Searcher, StopSignal};

use super::{SLOW, config, start};
use crate::client::Client;

/// What a process takes beyond its limit, in MiB: the program itself, stacks,
/// tables of the board, and a small solver for each thread.
const REST: u64 = 24;

#[test]
fn the_tree_stays_within_its_memory_and_the_search_goes_on() {
    // So many iterations that the tree would be several times as large.
    let cases =
        [(1, 1, 10_000), (1, 4, 10_000), (16, 1, 80_000), (16, 4, 80_000), (64, 4, 400_000)];
    for (memory, threads, iterations) in cases.into_iter().take(if SLOW > 1 { 2 } else { 5 }) {
        let limit = memory << 20;
        let mut config = config(threads, memory);
        // Static evaluations alone: more nodes in less time.
        config.params.rollout_turns = 0.0;
        let iterations = iterations / SLOW;
        let mut searcher = Searcher::default();
        for iterations in [iterations, iterations / 8] {
            let limits = Limits { iterations: Some(iterations), ..Limits::default() };
            let report = searcher.search(&start(10), &config, &limits, &StopSignal::default());
            assert_eq!(report.iterations, iterations);
            assert!(report.tree_bytes <= limit, "{report:?}");
            start(10).play(report.best).unwrap();
            if SLOW == 1 && iterations > 50_000 {
                // A node has more than 500 bytes.
                assert!(report.nodes * 500 > limit, "too few for the test: {report:?}");
                assert!(report.tree_bytes > limit / 2, "{report:?}");
            }
        }
    }
}

/// The most that was ever resident of the process, in MiB, where the system
/// tells.
fn peak(client: &Client) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib >> 10)
}

/// Searches a few positions with so much memory; the peak.
fn peak_after(memory: &str, playouts: u64) -> Option<u64> {
    let playouts = (playouts / SLOW).to_string();
    let arguments = ["gtp", "--threads", "2", "--memory", memory, "--playouts", &playouts];
    let mut client = Client::start(&arguments);
    client.ask("ponte-set_param tune rollout_turns=0");
    client.ask("ponte-play_sequence d4,e6 c3,g6");
    for color in ["w", "r"] {
        let answer = client.ask(&format!("genmove {color}"));
        assert!(answer.starts_with("= "), "{answer}");
    }
    let peak = peak(&client);
    println!("--memory {memory}: {peak:?} MiB");
    peak
}

#[test]
fn a_process_stays_within_its_memory() {
    for (memory, playouts) in [(1, 10_000), (16, 60_000), (64, 150_000)] {
        let Some(peak) = peak_after(&memory.to_string(), playouts) else {
            println!("skipped: this system does not tell the memory of a process");
            return;
        };
        assert!(peak <= memory + REST, "{peak} MiB with --memory {memory}");
    }
    // What is not needed is not taken.
    if let Some(peak) = peak_after("1024", 10_000) {
        assert!(peak <= 64, "{peak} MiB for a short search");
    }
}
