//! Tests of `src/engine`.

use std::time::Duration;

use pontifex::board::Size;
use pontifex::engine::{
    Analysis, AnalysisRequest, Answer, Engine, NothingToAnalyze, Options, Seconds, StopSignal,
    TimeControl,
};
use pontifex::game::{Color, Move, Rules, Setup, Supply};

fn within(playouts: u64, size: u64, pie: bool) -> Engine {
    let mut options = Options { playouts, ..Options::default() };
    options.search.threads = 1;
    options.rules = Rules { size: Size::new(size).unwrap(), pie, ..Rules::default() };
    Engine::new(options)
}

/// At every turn of a game, an analysis ranks the played move first.
#[test]
fn analysis_and_play_agree() {
    let stop = &StopSignal::default();
    for pie in [true, false] {
        let mut engine = within(300, 6, pie);
        engine.clear_board();
        while !engine.position().is_over() {
            let side = engine.position().side();
            let mut twin = within(300, 6, pie);
            twin.set_game(engine.game().clone());
            let analysis = twin
                .analyze(&AnalysisRequest::default(), false, stop, &mut |_| {})
                .finish()
                .unwrap();
            engine.set_game(engine.game().clone());
            let Answer::Move(played) = engine.genmove(side, stop).unwrap() else {
                panic!("resigning is off")
            };
            let best = &analysis.moves[0];
            assert_eq!((best.mv, best.pv[0]), (played, played));
            assert_eq!(analysis.to_move, side);
            assert_eq!(best.pv.len(), best.pv_visits.len());
            for candidate in &analysis.moves {
                assert!((0.0..=1.0).contains(&candidate.winrate), "{candidate:?}");
                assert!(candidate.lcb <= candidate.winrate, "{candidate:?}");
            }
        }
    }
}

#[test]
fn only_permitted_moves_are_considered() {
    let stop = &StopSignal::default();
    let mut engine = within(400, 6, false);
    engine.clear_board();
    let moves =
        |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
    engine.play_all(&moves("c3,c4 d2,e5 c5,a1")).unwrap();
    let allow = moves("a5,a6 a5,f6 b1,c1");
    let request = AnalysisRequest { allow: allow.clone(), ..AnalysisRequest::default() };
    let analysis = engine.analyze(&request, false, stop, &mut |_| {}).finish().unwrap();
    let mut seen: Vec<Move> = analysis.moves.iter().map(|c| c.mv).collect();
    seen.sort();
    assert_eq!(seen, allow);
    let visits: u64 = analysis.moves.iter().map(|c| c.visits).sum();
    assert!(visits > 350, "{visits}");
    let avoid = vec![analysis.moves[0].mv];
    let both = AnalysisRequest { allow, avoid: avoid.clone(), ..AnalysisRequest::default() };
    let analysis = engine.analyze(&both, false, stop, &mut |_| {}).finish().unwrap();
    assert_eq!(analysis.moves.len(), 2);
    let avoid = AnalysisRequest { avoid, ..AnalysisRequest::default() };
    let analysis = engine.analyze(&avoid, false, stop, &mut |_| {}).finish().unwrap();
    assert!(analysis.moves.iter().all(|c| avoid.permits(c.mv)));
    assert!(analysis.moves.len() > 5);
    let none = AnalysisRequest { allow: moves("c3,c4"), ..AnalysisRequest::default() };
    assert_eq!(
        engine.analyze(&none, false, stop, &mut |_| {}).finish().unwrap_err(),
        NothingToAnalyze::NoMoveLeft
    );
}

/// Recycling of nodes brings no other move in.
#[test]
fn only_permitted_moves_are_considered_with_little_memory() {
    let stop = &StopSignal::default();
    let mut engine = within(30_000, 10, false);
    engine.options_mut().search.memory = 1;
    engine.clear_board();
    engine.play_all(&["d4,e6".parse().unwrap(), "f5,g7".parse().unwrap()]).unwrap();
    let allow: Vec<Move> = ["a1,b3", "c8,h2", "e9,j10"].map(|mv| mv.parse().unwrap()).to_vec();
    let request =
        AnalysisRequest { allow, interval: Some(Duration::ZERO), ..AnalysisRequest::default() };
    let check = &mut |analysis: &Analysis| {
        assert!(!analysis.moves.is_empty());
        assert!(analysis.moves.iter().all(|c| request.permits(c.mv)), "{analysis:?}");
    };
    let (answer, analysis) =
        engine.genmove_analyze(Color::White, &request, stop, check).finish().unwrap();
    check(&analysis);
    assert!(matches!(answer, Answer::Move(mv) if request.permits(mv)), "{answer:?}");
}

/// A proof for one move proves nothing of the position.
#[test]
fn a_position_is_proved_by_all_its_moves() {
    let stop = &StopSignal::default();
    let text = "rwrr1r/rwr1wr/2w1ww/2w2r/4w1/1wrrw1 w - -";
    let setup = Setup::parse(text, Supply::Standard, false).unwrap();
    let position = setup.validate().unwrap();
    let mut engine = within(1, 6, false);
    engine.set_position(position).unwrap();
    engine.options_mut().playouts = 0;
    let solved =
        engine.analyze(&AnalysisRequest::default(), true, stop, &mut |_| {}).finish().unwrap();
    let value = solved.root.bounds.exact().unwrap();
    assert_eq!(solved.moves[0].bounds.exact(), Some(value));
    for playouts in 1..20 {
        engine.set_position(position).unwrap();
        engine.options_mut().playouts = playouts;
        let analysis =
            engine.analyze(&AnalysisRequest::default(), false, stop, &mut |_| {}).finish().unwrap();
        let seen = analysis.root.bounds.seen_by(Color::White);
        assert!(seen.lower <= value && value <= seen.upper, "{playouts}: {seen:?}");
    }
}

#[test]
fn analysis_reports_while_the_search_runs() {
    let mut engine = within(30_000, 8, false);
    engine.clear_board();
    let interval = Some(Duration::ZERO);
    let request = AnalysisRequest { interval, ownership: true, ..AnalysisRequest::default() };
    let mut visits = Vec::new();
    let stop = &StopSignal::default();
    let stop_soon = &mut |analysis: &Analysis| {
        visits.push(analysis.root.visits);
        assert!(!analysis.moves.is_empty());
        let owned = analysis.ownership.as_ref().unwrap();
        let cells = analysis.moves[0].pv[0];
        let Move::Tiles(cell, _) = cells else { panic!("{cells} lays no tiles") };
        let chances = Color::BOTH.map(|color| owned.probability(cell, color));
        assert!(chances.iter().sum::<f64>() <= 1.0, "{chances:?}");
        if visits.len() == 5 {
            stop.request();
        }
    };
    let analysis = engine.analyze(&request, true, stop, stop_soon).finish().unwrap();
    assert!(visits.len() >= 5 && visits.is_sorted(), "{visits:?}");
    assert!(analysis.root.visits >= *visits.last().unwrap());
    assert!(analysis.ownership.unwrap().bridges().next().is_some());
}

/// Nodes are recycled many times over during the reports.
#[test]
fn analysis_reports_with_little_memory() {
    let mut engine = within(20_000, 10, false);
    engine.options_mut().search.memory = 1;
    engine.clear_board();
    engine.play_all(&["d4,e6".parse().unwrap(), "f5,g7".parse().unwrap()]).unwrap();
    let interval = Some(Duration::ZERO);
    let request = AnalysisRequest { interval, ownership: true, ..AnalysisRequest::default() };
    let stop = &StopSignal::default();
    for _ in 0..2 {
        let mut reports = 0;
        let count = &mut |analysis: &Analysis| {
            reports += 1;
            let lines = analysis.moves.iter().map(|candidate| &candidate.pv);
            assert!(lines.clone().all(|line| !line.is_empty()));
        };
        let analysis = engine.analyze(&request, false, stop, count).finish().unwrap();
        assert!(reports > 10 && analysis.moves[0].visits > 0, "{reports}");
    }
}

/// Under the pie rule an opening is worth at most a draw, for Red swaps a strong one.
#[test]
fn the_pie_rule_is_analysed() {
    let stop = &StopSignal::default();
    let mut engine = within(2000, 10, true);
    engine.clear_board();
    let allow: Vec<Move> = vec!["a1,b1".parse().unwrap(), "e5,f6".parse().unwrap()];
    let request = AnalysisRequest { allow, ..AnalysisRequest::default() };
    let analysis = engine.analyze(&request, false, stop, &mut |_| {}).finish().unwrap();
    assert_eq!(analysis.moves.len(), 2);
    assert!(analysis.moves.iter().all(|c| c.winrate <= 0.5 && c.lead <= 0.0));
    let mut reports = 0;
    let endless = AnalysisRequest { interval: Some(Duration::ZERO), ..AnalysisRequest::default() };
    let count = &mut |analysis: &Analysis| {
        reports += 1;
        assert_eq!(analysis.to_move, Color::White);
        if reports > 2 {
            stop.request();
        }
    };
    engine.analyze(&endless, true, stop, count).finish().unwrap();
    stop.withdraw();
    engine.play(Color::White, "e5,f6".parse().unwrap()).unwrap();
    let analysis =
        engine.analyze(&AnalysisRequest::default(), false, stop, &mut |_| {}).finish().unwrap();
    let swap = analysis.moves.iter().find(|c| c.mv == Move::Swap).unwrap();
    let others = analysis.moves.iter().find(|c| c.mv != Move::Swap).unwrap();
    assert!(others.visits > 0 && (swap.winrate - 0.5).abs() < 0.5);
    let only = AnalysisRequest { allow: vec![Move::Swap], ..AnalysisRequest::default() };
    let analysis = engine.analyze(&only, false, stop, &mut |_| {}).finish().unwrap();
    assert_eq!(analysis.moves.len(), 1);
    let swap = &analysis.moves[0];
    assert!(swap.visits > 1000, "{swap:?}");
    let mut after = *engine.position();
    swap.pv.iter().for_each(|&mv| after.play(mv).unwrap());
    let avoid = AnalysisRequest { avoid: vec![Move::Swap], ..AnalysisRequest::default() };
    let analysis = engine.analyze(&avoid, false, stop, &mut |_| {}).finish().unwrap();
    assert!(analysis.moves.iter().all(|c| c.mv != Move::Swap));
}

#[test]
fn a_time_a_turn_bounds_a_turn_under_every_clock() {
    let controls = [
        TimeControl::Absolute(Seconds::whole(600_000)),
        TimeControl::Fischer { main: Seconds::whole(600_000), increment: Seconds::whole(5_000) },
        TimeControl::ByoYomi {
            main: Seconds::whole(60_000),
            period: Seconds::whole(3_000),
            periods: 3,
            moves: 1,
        },
    ];
    for control in controls {
        let mut engine = within(0, 8, false);
        engine.clear_board();
        engine.options_mut().time = Some(Seconds::millis(50));
        engine.set_time_control(control);
        let start = std::time::Instant::now();
        engine.genmove(Color::White, &StopSignal::default()).unwrap();
        assert!(start.elapsed().as_secs() < 60, "{control:?}");
    }
}
