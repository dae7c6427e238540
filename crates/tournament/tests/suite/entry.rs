//! Tests of `src/journal/entry.rs`.

use pontifex::game::{Color, Move, Rules, Score};
use pontifex::notation::Tag;
use pontifex_tournament::{Entry, Failure, FailureKind, GameEnd, GameKey, GameScore, PlayedGame};

/// A game that the seat `winner` won by three points.
pub(super) fn played_game(winner: Option<usize>, end: GameEnd) -> PlayedGame {
    let score = |points| Score { points, islands: 2, bridges: 1 };
    let points = |seat| if winner == Some(seat) { 4 } else { 1 };
    PlayedGame {
        moves: vec!["a1,a2".parse::<Move>().unwrap(), "c3,d3".parse().unwrap()],
        seconds: vec![0.0, 0.012_345_678],
        evaluations: vec![None; 2],
        scores: [score(points(0)), score(points(1))],
        position: String::new(),
        colors: Color::BOTH,
        winner,
        end,
        overheads: [vec![], vec![0.002_345_678]],
        wall: 0.013,
    }
}

fn names() -> Vec<String> {
    ["A", "B"].map(String::from).to_vec()
}

#[test]
fn scores_are_those_of_the_first_engine() {
    for (exchanged, winner, score, margin) in [
        (false, Some(0), GameScore::Win, 3),
        (true, Some(0), GameScore::Loss, -3),
        (true, Some(1), GameScore::Win, 3),
        (true, None, GameScore::Draw, 0),
    ] {
        let key = GameKey { pairing: [0, 1], round: 3, opening: 5, exchanged };
        let entry = Entry::new(&key, &names(), 1, 9, played_game(winner, GameEnd::Score));
        assert_eq!(entry.key(&names()), Some(key));
        assert_eq!((entry.score(), entry.margin()), (score, Some(margin)), "{key:?}");
        assert_eq!(entry.overheads[1], [0.002_346]);
        let line = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), entry);
    }
}

#[test]
fn a_swap_exchanges_points_and_names() {
    let key = GameKey { pairing: [0, 1], round: 0, opening: 0, exchanged: false };
    let mut game = played_game(Some(0), GameEnd::Score);
    game.colors = [Color::Red, Color::White];
    game.winner = Some(1);
    let entry = Entry::new(&key, &names(), 0, 9, game);
    assert_eq!((entry.result.as_str(), entry.winner.as_deref()), ("W+3", Some("B")));
    assert_eq!((entry.score(), entry.margin()), (GameScore::Loss, Some(-3)));
    let record = entry.record(Rules::default()).unwrap();
    assert_eq!((record.tag(Tag::White), record.tag(Tag::Red)), (Some("B"), Some("A")));
}

#[test]
fn failures_have_no_margin() {
    let failure = Box::new(Failure::new("B", FailureKind::Timeout, "too late"));
    let key = GameKey { pairing: [0, 1], round: 0, opening: 0, exchanged: false };
    let game = played_game(Some(0), GameEnd::Failure { seat: 1, failure });
    let entry = Entry::new(&key, &names(), 0, 9, game);
    assert_eq!((entry.result.as_str(), entry.reason.as_str()), ("W+T", "timeout"));
    assert_eq!((entry.score(), entry.margin()), (GameScore::Win, None));
}
