//! Searches in slices.

use std::time::Duration;

use pontifex::board::Size;
use pontifex::engine::{Analysis, AnalysisRequest, Engine, Level, Options, Search, StopSignal};
use pontifex::eval::{Random, rollout};
use pontifex::game::{Move, Position, Rules};
use pontifex::search::Config;

use super::start;

/// Advances `search` to its end and counts its pauses; `at_pause` is called at each.
fn count_pauses<T>(mut search: Search<'_, T>, mut at_pause: impl FnMut(u32)) -> (T, u32) {
    let mut pauses = 0;
    loop {
        if let Some(found) = search.advance() {
            return (found, pauses);
        }
        pauses += 1;
        at_pause(pauses);
    }
}

fn engine(position: &Position, slice: Option<Duration>) -> Engine {
    let search = Config { threads: 1, memory: 16, ..super::config() };
    let playouts = if cfg!(debug_assertions) { 40 } else { 400 };
    let mut engine = Engine::new(Options { search, playouts, slice, ..Options::default() });
    engine.set_position(*position).unwrap();
    engine
}

/// An opening, an answer under the pie rule, a turn and an ending.
fn positions() -> [Position; 4] {
    let size = Size::new(6).unwrap();
    let opening = Position::new(Rules { size, pie: true, ..Rules::default() });
    let mut answer = opening;
    answer.play("a1,b1".parse().unwrap()).unwrap();
    let mut turn = answer;
    turn.play("d4,e6".parse().unwrap()).unwrap();
    let mut ending = start(5);
    rollout(&mut ending, 8, &mut Random::new(3));
    assert!(!ending.is_over());
    [opening, answer, turn, ending]
}

/// What two analyses must have in common.
fn essence(analysis: &Analysis) -> (Vec<(Move, u64, u64)>, u64) {
    let candidate = |c: &pontifex::engine::Candidate| (c.mv, c.visits, c.winrate.to_bits());
    (analysis.moves.iter().map(candidate).collect(), analysis.iterations)
}

#[test]
fn pauses_do_not_change_the_result() {
    let (request, stop) = (AnalysisRequest::default(), StopSignal::default());
    for position in positions() {
        let whole = engine(&position, None)
            .analyze(&request, false, &stop, &mut |_| {})
            .finish()
            .expect("not over");
        let mut sliced = engine(&position, Some(Duration::ZERO));
        let report = &mut |_: &Analysis| {};
        let (found, pauses) = count_pauses(sliced.analyze(&request, false, &stop, report), |_| {});
        assert_eq!(essence(&found.expect("not over")), essence(&whole));
        // The ending is solved soon.
        assert!(pauses > 0, "no pause");
    }
}

#[test]
fn a_level_pauses_and_plays_the_same() {
    let (request, stop) = (AnalysisRequest::default(), StopSignal::default());
    let position = positions()[2];
    let turn = |slice| {
        let mut engine = engine(&position, slice);
        engine.options_mut().level = Level::new(8);
        let report = &mut |_: &Analysis| {};
        let side = position.side();
        let turn = engine.genmove_analyze(side, &request, &stop, report);
        let (turn, pauses) = count_pauses(turn, |_| {});
        (turn.unwrap().0, pauses)
    };
    let (whole, none) = turn(None);
    let (sliced, pauses) = turn(Some(Duration::ZERO));
    assert_eq!((whole, none), (sliced, 0));
    assert!(pauses > 3, "{pauses} pauses");
}

#[test]
fn a_stop_at_a_pause_ends_an_endless_search() {
    let (request, stop) = (AnalysisRequest::default(), StopSignal::default());
    let mut engine = engine(&positions()[2], Some(Duration::from_millis(1)));
    let report = &mut |_: &Analysis| {};
    let search = engine.analyze(&request, true, &stop, report);
    let (found, pauses) = count_pauses(search, |pauses| {
        if pauses == 5 {
            stop.request();
        }
    });
    assert!(!found.unwrap().moves.is_empty());
    assert!((5..9).contains(&pauses), "{pauses} pauses");
}
