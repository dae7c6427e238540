//! Tests of `src/analysis/review/turn.rs`.

use pontifex::analysis::review::{
    Grade, Loss, MoveValue, ReviewedTurn, SearchedPosition, Thresholds,
};
use pontifex::engine::{Analysis, Bounds, Candidate, RootInfo};
use pontifex::game::{Color, Position, Rules, Value};

fn root(winrate: f64, lead: f64, visits: u64) -> RootInfo {
    RootInfo { winrate, lead, visits, bounds: Bounds::UNKNOWN }
}

fn searched(to_move: Color, root: RootInfo, moves: &[(&str, u64, f64, f64)]) -> SearchedPosition {
    let mut analysis = Analysis::of_root(&Position::new(Rules::default()), root);
    analysis.to_move = to_move;
    for &(mv, visits, winrate, lead) in moves {
        let unvisited = analysis.unvisited(mv.parse().unwrap());
        let order = analysis.moves.len();
        analysis.moves.push(Candidate { visits, winrate, lead, order, ..unvisited });
    }
    SearchedPosition { analysis, after_best: None }
}

fn turn(before: &SearchedPosition, mv: &str, after: Option<RootInfo>) -> ReviewedTurn {
    let position = &Position::new(Rules::default());
    let (mv, after) = (mv.parse().unwrap(), (position, after.as_ref()));
    ReviewedTurn::of(4, (position, before), mv, after, &Thresholds::default())
}

#[test]
fn the_best_move_loses_nothing_whatever_later_searches_find() {
    let before = searched(Color::White, root(0.6, 2.0, 100), &[("a1,b1", 90, 0.6, 2.0)]);
    let after = root(0.9, 5.0, 100);
    let turn = turn(&before, "a1,b1", Some(after));
    assert_eq!((turn.loss, turn.grade, turn.turn), (Loss::default(), None, 5));
    assert!(turn.played.winrate < 0.4);
}

#[test]
fn another_move_is_compared_by_equal_searches() {
    let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
    let mut before = searched(Color::Red, root(0.6, 2.0, 200), &moves);
    before.after_best = Some(root(0.5, 1.0, 200));
    let after = root(0.75, 3.0, 200);
    for mv in ["c1,d1", "e1,f1"] {
        let turn = turn(&before, mv, Some(after));
        assert_eq!(turn.loss, Loss { winrate: 0.25, points: 2.0 });
        assert_eq!((turn.grade, turn.best_played.winrate), (Some(Grade::Blunder), 0.5));
        assert_eq!((turn.white.winrate, turn.white.lead), (0.45, -0.5));
    }
    // A move that turns out better than the best one.
    let after = root(0.1, -9.0, 200);
    assert_eq!(turn(&before, "e1,f1", Some(after)).loss, Loss::default());
}

#[test]
fn a_proof_overrides_the_search() {
    let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
    let mut before = searched(Color::White, root(0.6, 2.0, 200), &moves);
    before.after_best = Some(root(0.5, 1.0, 200));
    let mut after = root(1.0, 4.0, 1);
    after.bounds = Bounds::of("R+4".parse().unwrap());
    let lost = turn(&before, "c1,d1", Some(after));
    assert_eq!(lost.loss, Loss { winrate: 0.5, points: 3.0 });
    assert_eq!(lost.played.bounds, after.bounds);
    // A proved win by a move that was not played.
    before.analysis.moves[0].bounds = Bounds::of("W+5".parse().unwrap());
    assert_eq!(turn(&before, "c1,d1", Some(after)).loss, Loss { winrate: 1.0, points: 9.0 });
    // The game is over: the board decides, here a draw.
    let over = turn(&before, "c1,d1", None);
    assert_eq!(over.loss, Loss { winrate: 0.5, points: 5.0 });
    assert_eq!(over.played.bounds, Bounds::of(Value::DRAW));
}

#[test]
fn the_value_of_a_swap_is_the_complement_of_the_opponents() {
    let moves = [("a1,b1", 90, 0.6, 2.0), ("swap", 100, 0.4, -2.0)];
    let mut before = searched(Color::Red, root(0.6, 2.0, 200), &moves);
    before.after_best = Some(root(0.5, 1.0, 200));
    let mut after = root(0.75, 4.0, 100);
    let judged = turn(&before, "swap", Some(after));
    assert_eq!(judged.loss, Loss { winrate: 0.25, points: 3.0 });
    let bounds = Bounds::of("W+3".parse().unwrap());
    after = RootInfo { winrate: 0.0, bounds, ..after };
    let played = turn(&before, "swap", Some(after)).played;
    assert_eq!(played, MoveValue { winrate: 1.0, lead: -4.0, bounds });
}
