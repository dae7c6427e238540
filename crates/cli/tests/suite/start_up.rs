//! Start-up: the time to the first answer, and the memory before the first search.

use std::time::{Duration, Instant};

use super::client::Client;

/// The maximum time from start to first answer.
const MAX_TIME: Duration = Duration::from_millis(50);

/// The maximum resident memory before the first search, in KiB.
#[cfg(target_os = "linux")]
const MAX_MEMORY: u64 = 50 * 1024;

#[test]
#[ignore = "measures time in a release build, on an idle machine"]
fn the_first_answer_is_quick() {
    // The minimum of several runs: other load can only add time.
    let time = |_| {
        let start = Instant::now();
        let mut client = Client::start(&["gtp"]);
        assert_eq!(client.ask("name"), "= pontifex");
        start.elapsed()
    };
    let times: Vec<Duration> = (0..9).map(time).collect();
    assert!(times.iter().any(|&time| time < MAX_TIME), "{times:?}");
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(debug_assertions, ignore = "the limit is that of release builds")]
fn an_engine_that_has_not_searched_is_small() {
    let mut client = Client::start(&["gtp"]);
    client.ask("play w d4,e6");
    client.ask("ponte-legal_moves count");
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let memory: u64 = line.split_whitespace().next().unwrap().parse().unwrap();
    assert!(memory < MAX_MEMORY, "{memory} KiB");
}
