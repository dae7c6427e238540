//! Tests of `src/search`.

use pontifex::board::{Cell, Cells, Size};
use pontifex::eval::{Random, rollout};
use pontifex::game::{Move, Position, Rules};
use pontifex::search::{
    AnalysisRequest, Config, Limits, Params, SearchResult, Searcher, StopSignal, Updates,
};

use super::start;

/// Debug builds are about thirty times slower, so tests divide their iterations by this.
const SLOW: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

/// Searches without rollouts, which are fast in debug builds, too.
fn config() -> Config {
    let params = Params { rollout_turns: 0.0, ..Params::default() };
    Config { params, ..super::config() }
}

fn search(
    searcher: &mut Searcher,
    position: &Position,
    config: &Config,
    count: u64,
) -> SearchResult {
    let limits = Limits { iterations: Some(count), ..Limits::default() };
    searcher.search(position, config, &limits, &StopSignal::default()).finish()
}

/// Earlier searches leave no trace, although the memory is used again.
#[test]
fn a_cleared_searcher_repeats_a_new_one() {
    // So little memory that nodes are lost and the tables are full.
    let config = Config { memory: 1, ..super::config() };
    let positions: Vec<Position> = (4..=7).map(start).collect();
    let found = |searcher: &mut Searcher, position: &Position| {
        let report = search(searcher, position, &config, 600 / SLOW);
        (report.best, report.winrate.to_bits(), report.bounds, report.iterations, report.nodes)
    };
    let expected: Vec<_> =
        positions.iter().map(|position| found(&mut Searcher::default(), position)).collect();
    let mut searcher = Searcher::default();
    let rounds = if cfg!(debug_assertions) { 3 } else { 10 };
    for round in 0..rounds * 30 {
        let which = round * round % positions.len();
        if round % 30 < 4 {
            assert_eq!(found(&mut searcher, &positions[which]), expected[which], "{round}");
        }
        searcher.clear();
    }
}

#[test]
fn a_report_shows_the_proved_result() {
    let (mut random, mut searcher) = (Random::new(5), Searcher::default());
    let mut seen = [0; 2];
    for _ in 0..20 {
        let mut position = start(5);
        rollout(&mut position, 3, &mut random);
        while !position.is_over() {
            searcher.clear();
            let report = search(&mut searcher, &position, &config(), 40);
            if let Some(value) = report.bounds.exact() {
                let value = value.seen_by(position.side());
                let proved = (f64::from(value.win_rate()), f64::from(value.points()));
                assert_eq!((report.winrate, report.lead), proved, "{position}");
                seen[usize::from(report.winrate > 0.5)] += 1;
            }
            position.play(report.best).unwrap();
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn an_opening_is_found_when_all_usual_ones_are_avoided() {
    let size = Size::new(4).unwrap();
    let position = Position::new(Rules { size, ..Rules::default() });
    let inner: Cells =
        ["b2", "b3", "c2", "c3"].map(|cell| cell.parse::<Cell>().unwrap()).into_iter().collect();
    let is_inner = |mv: &Move| match mv {
        Move::Tiles(a, b) => inner.contains(*a) || inner.contains(*b),
        _ => false,
    };
    let avoid: Vec<Move> = position.moves().into_iter().filter(is_inner).collect();
    let request = AnalysisRequest { avoid, ..AnalysisRequest::default() };
    assert!(request.permits_any(&position));
    let limits = Limits { iterations: Some(200), ..Limits::default() };
    let (stop, config) = (StopSignal::default(), config());
    let updates = Updates { request: &request, send: &mut |_| {} };
    let analysis =
        Searcher::default().analyze(&position, &config, &limits, &stop, updates).finish();
    assert!(analysis.moves.len() > 1);
    for candidate in &analysis.moves {
        assert!(position.check(candidate.mv).is_ok() && request.permits(candidate.mv));
    }
}

#[test]
fn the_value_of_the_swap_does_not_depend_on_the_allowed_moves() {
    let mut position = Position::new(Rules { size: Size::new(6).unwrap(), ..Rules::default() });
    position.play("c3,d4".parse().unwrap()).unwrap();
    let (stop, config) = (StopSignal::default(), config());
    let worth = |allow: &[&str], iterations| {
        let allow = allow.iter().map(|mv| mv.parse().unwrap()).collect();
        let request = AnalysisRequest { allow, ..AnalysisRequest::default() };
        let limits = Limits { iterations: Some(iterations), ..Limits::default() };
        let updates = Updates { request: &request, send: &mut |_| {} };
        let analysis =
            Searcher::default().analyze(&position, &config, &limits, &stop, updates).finish();
        let swap = analysis.moves.iter().find(|candidate| candidate.mv == Move::Swap);
        let other = analysis.moves.iter().find(|candidate| candidate.mv != Move::Swap);
        (swap.unwrap().winrate, other.map(|other| other.winrate), analysis.moves[0].mv)
    };
    let (all, best, _) = worth(&[], 400);
    // Two corners: one of the worst moves.
    let (alone, corner, first) = worth(&["swap", "a1,f6"], 1600);
    assert!((alone - all).abs() < 1e-12, "{alone} {all}");
    let (best, corner) = (best.unwrap(), corner.unwrap());
    assert!(corner < best - 0.02, "{corner} {best}");
    assert_eq!(first == Move::Swap, all > corner);
}
