//! How soon the engine is there and how little it needs before it searches.

use std::time::{Duration, Instant};

use super::client::Client;

/// Start to first answer, as controllers that start engines often feel it. The
/// quickest of some: what else the machine does only ever adds to it.
const SOON: Duration = Duration::from_millis(50);

/// Resident memory before the first search, in KiB.
const SMALL: u64 = 50 * 1024;

#[test]
fn start_up_is_quick_and_small() {
    let mut times = Vec::new();
    let mut memory = 0;
    for _ in 0..9 {
        let start = Instant::now();
        let mut client = Client::start(&["gtp"]);
        assert_eq!(client.ask("name"), "= pontifex");
        times.push(start.elapsed());
        client.ask("play w d4,e6");
        client.ask("ponte-legal_moves count");
        memory = memory.max(resident(&client).unwrap_or_default());
    }
    times.sort();
    let (quickest, median) = (times[0], times[times.len() / 2]);
    let count = times.len();
    println!(
        "first answer after {quickest:?}, median {median:?} of {count}, {memory} KiB resident"
    );
    if !cfg!(debug_assertions) {
        assert!(quickest < SOON, "{times:?}");
        assert!(memory < SMALL, "{memory} KiB");
    }
}

/// Resident memory in KiB, where the system tells.
fn resident(client: &Client) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}
