//! The memory of a search, as the system measures it.

use crate::client::Client;

/// Divides iterations in debug builds, which are about thirty times slower.
const SLOWDOWN: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// Memory of a process outside the limit, in MiB: the program, stacks, tables of the board, and a
/// small solver for each thread.
const OVERHEAD: u64 = 24;

/// Peak resident memory of the process in MiB; `None` where the system does not report it.
fn peak_memory(client: &Client) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib >> 10)
}

/// Peak memory of a process after two searches with `--memory` and `--playouts` as given.
fn peak_after(memory: &str, playouts: u64) -> Option<u64> {
    let playouts = (playouts / SLOWDOWN).to_string();
    let arguments = ["gtp", "--threads", "2", "--memory", memory, "--playouts", &playouts];
    let mut client = Client::start(&arguments);
    client.ask("ponte-set_param tune rollout_turns=0");
    client.ask("ponte-play_sequence d4,e6 c3,g6");
    for color in ["w", "r"] {
        let answer = client.ask(&format!("genmove {color}"));
        assert!(answer.starts_with("= "), "{answer}");
    }
    let peak = peak_memory(&client);
    println!("--memory {memory}: {peak:?} MiB");
    peak
}

#[test]
fn a_process_stays_within_its_memory() {
    for (memory, playouts) in [(1, 60_000), (16, 30_000)] {
        let Some(peak) = peak_after(&memory.to_string(), playouts) else {
            println!("skipped: this system does not report the memory of a process");
            return;
        };
        assert!(peak <= memory + OVERHEAD, "{peak} MiB with --memory {memory}");
    }
    // A short search does not allocate all its memory.
    if let Some(peak) = peak_after("1024", 10_000) {
        assert!(peak <= 64, "{peak} MiB for a short search");
    }
}
