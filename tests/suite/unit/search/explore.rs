//! Tests of `src/search/training.rs`.

use pontifex::search::Searcher;

use super::{config, start};

#[test]
fn without_exploration_no_visit_is_pruned() {
    let position = start(5);
    let mut searcher = Searcher::default();
    let explored = searcher.explore(&position, &config(), 200, None).unwrap();
    let sum: u32 = explored.visits.iter().map(|&(_, visits)| visits).sum();
    assert_eq!(u64::from(sum), explored.iterations);
    searcher.clear();
    assert_eq!(searcher.explore(&position, &config(), 200, None), Some(explored));
}

#[test]
fn a_proved_ending_reports_its_exact_value() {
    let mut position = start(4);
    let mut searcher = Searcher::default();
    let mut proved = 0;
    while !position.is_over() {
        let explored = searcher.explore(&position, &config(), 200, None).unwrap();
        if let Some(value) = explored.bounds.exact() {
            let value = value.seen_by(position.side());
            assert_eq!((explored.winrate, explored.lead), (value.win_rate(), value.points()));
            proved += 1;
        }
        position.make(explored.best);
    }
    assert!(proved > 0);
}
