//! Tests of `src/analysis/json.rs`.

use pontifex::analysis::PositionAnalysis;
use pontifex::engine::{AnalysisRequest, Engine, Options, StopSignal};
use pontifex::game::{Move, Rules, Setup, Supply};

fn analyzed(text: &str, playouts: u64) -> PositionAnalysis {
    let setup = Setup::parse(text, Supply::Standard, true).unwrap();
    let position = setup.validate().unwrap();
    let mut options = Options { playouts, ..Options::default() };
    options.rules = Rules { size: position.size(), ..Rules::default() };
    options.search.threads = 1;
    let mut engine = Engine::new(options);
    engine.set_position(position).unwrap();
    let stop = &StopSignal::default();
    let analysis = engine.analyze(&AnalysisRequest::default(), false, stop, &mut |_| {}).unwrap();
    PositionAnalysis::of(&position, &analysis)
}

#[test]
fn an_analysis_is_read_as_it_was_written() {
    let analysis = analyzed("6/6/2w3/3r2/6/1w2r1 w - -", 200);
    assert!(analysis.moves.len() > 3);
    let text = serde_json::to_string(&analysis).unwrap();
    assert_eq!(serde_json::from_str::<PositionAnalysis>(&text).unwrap(), analysis);
    assert!(text.starts_with(r#"{"position":"6/6/2w3/3r2/6/1w2r1 w - -","to_move":"white""#));
}

#[test]
fn keep_drops_all_other_moves() {
    let mut analysis = analyzed("6/6/2w3/3r2/6/1w2r1 w - -", 200);
    let (first, fourth) = (analysis.moves[0].mv, analysis.moves[3].mv);
    analysis.keep(1, Some(fourth));
    let kept: Vec<Move> = analysis.moves.iter().map(|candidate| candidate.mv).collect();
    assert_eq!(kept, [first, fourth]);
    assert_eq!(analysis.find(fourth).unwrap().order, 3);
}

#[test]
fn a_proved_win_has_win_rate_1_except_before_a_swap() {
    let last = analyzed("rr3r/5r/2rww1/3w2/6/wwww2 r d1-d3 last", 20_000);
    let (root, best) = (&last.root, &last.moves[0]);
    assert_eq!(root.solved, best.solved);
    assert_eq!(root.winner, root.solved.unwrap().winner());
    assert!([0.0, 1.0].contains(&root.winrate));
    let pie = analyzed("4/4/1ww1/4 r - pie", 500);
    assert!(pie.root.solved.is_none() && pie.find(Move::Swap).unwrap().solved.is_none());
}
