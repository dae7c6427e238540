//! Tests of the analysis as a value, `src/search/analysis.rs`.

use pontifex::analysis::review::ReviewPlan;
use pontifex::engine::{Analysis, AnalysisRequest, Engine, Options, StopSignal};
use pontifex::game::{Move, Rules, Setup, Supply};

fn analyzed(text: &str, playouts: u64) -> Analysis {
    let setup = Setup::parse(text, Supply::Standard, true).unwrap();
    let position = setup.validate().unwrap();
    let mut options = Options { playouts, ..Options::default() };
    options.rules = Rules { size: position.size(), ..Rules::default() };
    options.search.threads = 1;
    let mut engine = Engine::new(options);
    engine.set_position(position).unwrap();
    let stop = &StopSignal::default();
    engine.analyze(&AnalysisRequest::default(), false, stop, &mut |_| {}).finish().unwrap()
}

#[test]
fn an_analysis_is_read_as_it_was_written() {
    let analysis = analyzed("6/6/2w3/3r2/6/1w2r1 w - -", 200);
    assert!(analysis.moves.len() > 3);
    let text = serde_json::to_string(&analysis).unwrap();
    let read: Analysis = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let numbers = |analysis: &Analysis| (analysis.moves[1].winrate, analysis.moves[1].lcb);
    assert_eq!((numbers(&read), read.root), (numbers(&analysis), analysis.root));
    assert!(text.starts_with(r#"{"position":"6/6/2w3/3r2/6/1w2r1 w - -","to_move":"white""#));
}

#[test]
fn a_review_keeps_the_best_moves_and_the_one_played() {
    let text = "6/6/2w3/3r2/6/1w2r1 w - -";
    let analysis = analyzed(text, 200);
    let (first, fourth) = (analysis.moves[0].mv, analysis.moves[3].mv);
    let before = Setup::parse(text, Supply::Standard, true).unwrap().validate().unwrap();
    let mut after = before;
    after.play(fourth).unwrap();
    let plan = ReviewPlan::new(vec![before, after], vec![fourth], 1);
    let mut search = plan.next_search().unwrap();
    search.take(&analysis);
    let after_best = search.next_position().unwrap().to_string();
    search.take(&analyzed(&after_best, 50));
    let kept = search.finish().unwrap().analysis;
    let moves: Vec<Move> = kept.moves.iter().map(|candidate| candidate.mv).collect();
    assert_eq!(moves, [first, fourth]);
    assert_eq!(kept.find(fourth).unwrap().order, 3);
}

#[test]
fn a_proved_win_has_win_rate_1_except_before_a_swap() {
    let last = analyzed("rr3r/5r/2rww1/3w2/6/wwww2 r d1-d3 last", 20_000);
    let (root, best) = (&last.root, &last.moves[0]);
    assert_eq!(root.bounds, best.bounds);
    assert_eq!(root.bounds.winner(), root.bounds.exact().unwrap().winner());
    assert!([0.0, 1.0].contains(&root.winrate));
    let pie = analyzed("4/4/1ww1/4 r - pie", 500);
    let swap = pie.find(Move::Swap).unwrap();
    assert!(pie.root.bounds.exact().is_none() && swap.bounds.exact().is_none());
}
