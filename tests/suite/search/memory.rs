//! The memory of a search, as it reports it.

use pontifex::search::{Limits, Searcher, StopSignal};

use super::{SLOW, config, start};

#[test]
fn the_search_goes_on_when_the_tree_has_filled_its_memory() {
    // Without the limit, the trees would be several times as large.
    let cases = [(1, 1, 10_000), (1, 4, 10_000), (8, 1, 40_000), (16, 4, 80_000)];
    for (memory, threads, iterations) in cases.into_iter().take(if SLOW > 1 { 2 } else { 4 }) {
        let limit = memory << 20;
        let mut config = config(threads, memory);
        // Without rollouts, nodes are added faster.
        config.params.rollout_turns = 0.0;
        let iterations = iterations / SLOW;
        let mut searcher = Searcher::default();
        for iterations in [iterations, iterations / 8] {
            let limits = Limits { iterations: Some(iterations), ..Limits::default() };
            let report =
                searcher.search(&start(10), &config, &limits, &StopSignal::default()).finish();
            assert_eq!(report.iterations, iterations);
            assert!(report.tree_bytes <= limit, "{report:?}");
            start(10).play(report.best).unwrap();
            if SLOW == 1 && iterations > 20_000 {
                // A node takes more than 500 bytes.
                assert!(report.nodes * 500 > limit, "too few for the test: {report:?}");
                assert!(report.tree_bytes > limit / 2, "{report:?}");
            }
        }
    }
}
