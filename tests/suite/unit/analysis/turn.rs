//! Tests of `src/analysis/review/turn.rs`.

use pontifex::analysis::review::{Grade, Loss, MoveValue, ReviewedTurn, Thresholds};
use pontifex::analysis::{MoveAnalysis, PositionAnalysis, RootInfo};
use pontifex::game::{Color, Move, Position, Rules, Value};

fn root(winrate: f64, lead: f64, visits: u64) -> RootInfo {
    RootInfo { winrate, lead, visits, solved: None, winner: None }
}

fn analysis(to_move: Color, root: RootInfo, moves: &[(&str, u64, f64, f64)]) -> PositionAnalysis {
    let candidate = |(order, &(mv, visits, winrate, lead)): (usize, &(&str, u64, f64, f64))| {
        let mv: Move = mv.parse().unwrap();
        MoveAnalysis {
            mv,
            visits,
            winrate,
            lead,
            prior: 0.0,
            pv: vec![mv],
            lcb: winrate,
            order,
            solved: None,
            winner: None,
        }
    };
    let moves = moves.iter().enumerate().map(candidate).collect();
    PositionAnalysis { position: String::new(), to_move, root, moves, after_best: None }
}

fn turn(analysis: &PositionAnalysis, mv: &str, after: Option<&PositionAnalysis>) -> ReviewedTurn {
    let position = &Position::new(Rules::default());
    let mv = mv.parse().unwrap();
    ReviewedTurn::of(4, (position, analysis), mv, (position, after), &Thresholds::default())
}

#[test]
fn the_best_move_loses_nothing_whatever_later_searches_find() {
    let before = analysis(Color::White, root(0.6, 2.0, 100), &[("a1,b1", 90, 0.6, 2.0)]);
    let after = analysis(Color::Red, root(0.9, 5.0, 100), &[]);
    let turn = turn(&before, "a1,b1", Some(&after));
    assert_eq!((turn.loss, turn.grade, turn.turn), (Loss::default(), None, 5));
    assert!(turn.played.winrate < 0.4);
}

#[test]
fn another_move_is_compared_by_equal_searches() {
    let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
    let mut before = analysis(Color::Red, root(0.6, 2.0, 200), &moves);
    before.after_best = Some(root(0.5, 1.0, 200));
    let after = analysis(Color::White, root(0.75, 3.0, 200), &[]);
    for mv in ["c1,d1", "e1,f1"] {
        let turn = turn(&before, mv, Some(&after));
        assert_eq!(turn.loss, Loss { winrate: 0.25, points: 2.0 });
        assert_eq!((turn.grade, turn.best_played.winrate), (Some(Grade::Blunder), 0.5));
        assert_eq!((turn.white.winrate, turn.white.lead), (0.45, -0.5));
    }
    // A move that turns out better than the best one.
    let after = analysis(Color::White, root(0.1, -9.0, 200), &[]);
    assert_eq!(turn(&before, "e1,f1", Some(&after)).loss, Loss::default());
}

#[test]
fn a_proof_overrides_the_search() {
    let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
    let mut before = analysis(Color::White, root(0.6, 2.0, 200), &moves);
    before.after_best = Some(root(0.5, 1.0, 200));
    let mut after = analysis(Color::Red, root(1.0, 4.0, 1), &[]);
    after.root.solved = Some("R+4".parse().unwrap());
    after.root.winner = Some(Color::Red);
    let lost = turn(&before, "c1,d1", Some(&after));
    assert_eq!(lost.loss, Loss { winrate: 0.5, points: 3.0 });
    assert_eq!(lost.played.solved, after.root.solved);
    // A proved win by a move that was not played.
    before.moves[0].solved = Some("W+5".parse().unwrap());
    assert_eq!(turn(&before, "c1,d1", Some(&after)).loss, Loss { winrate: 1.0, points: 9.0 });
    // The game is over: the board decides, here a draw.
    let over = turn(&before, "c1,d1", None);
    assert_eq!(over.loss, Loss { winrate: 0.5, points: 5.0 });
    assert_eq!(over.played.solved, Some(Value::DRAW));
}

#[test]
fn the_value_of_a_swap_is_the_complement_of_the_opponents() {
    let moves = [("a1,b1", 90, 0.6, 2.0), ("swap", 100, 0.4, -2.0)];
    let mut before = analysis(Color::Red, root(0.6, 2.0, 200), &moves);
    before.after_best = Some(root(0.5, 1.0, 200));
    let mut after = analysis(Color::Red, root(0.75, 4.0, 100), &[]);
    let judged = turn(&before, "swap", Some(&after));
    assert_eq!(judged.loss, Loss { winrate: 0.25, points: 3.0 });
    let solved = Some("W+3".parse().unwrap());
    after.root = RootInfo { winrate: 0.0, solved, winner: Some(Color::White), ..after.root };
    let played = turn(&before, "swap", Some(&after)).played;
    assert_eq!(played, MoveValue { winrate: 1.0, lead: -4.0, solved });
}
