//! Hints, reviews that are kept, and moves that are tried again.

use serde_json::{Value, json};

use super::session::{Test, found};
use crate::game::Color;
use crate::play::{Effect, Job, Lane, MessageKind, Outcome, SavedSession, Session};

fn lane(test: &Test) -> Lane {
    let Some((_, Job::Search(search))) = test.started() else { panic!("no search") };
    search.lane
}

#[test]
fn a_hint_says_what_its_move_does() {
    let mut test = Test::humans();
    assert_eq!(test.ask(&json!({"type": "hint"}))["type"], "searching");
    assert_eq!(lane(&test), Lane::Advice);
    let job = test.started_id();
    test.done(job, found(Color::White, 0.6, "c3,c4"));
    let hint = test.message(MessageKind::Advice).unwrap();
    assert_eq!((&hint["move"], &hint["node"]), (&json!("c3,c4"), &json!(0)));
    assert_eq!(hint["why"], json!([{"code": "space"}]));
    // A second one takes the place of the first.
    test.ask(&json!({"type": "hint"}));
    let job = test.started_id();
    test.ask(&json!({"type": "hint", "node": 0}));
    assert!(test.is_cancelled(job));
    test.done(job, Outcome::Nothing);
    assert!(test.message(MessageKind::Advice).is_none());
}

/// Answers the searches of a review: the side to move is at 0.7 with `best`.
fn review(test: &mut Test, best: &str) {
    test.ask(&json!({"type": "review", "playouts": 10, "once": true}));
    while let Some((job, Job::Search(search))) = test.started() {
        let side = search.line.position().side();
        test.done(job, found(side, 0.7, best));
    }
}

fn turn(review: &Value, index: usize) -> &Value {
    &review["turns"][index]
}

#[test]
fn a_finished_review_is_kept_and_a_turn_can_be_tried_again() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.play("f5,f6");
    review(&mut test, "c3,c4");
    let kept = test.session.table().review.clone().unwrap();
    assert_eq!((kept.end, &kept.message["finished"]), (2, &json!(true)));
    assert!(turn(&kept.message, 0)["why"].is_array());
    assert!(kept.message["worst"]["both"].is_array());
    // It is not made twice, and comes with the session.
    test.ask(&json!({"type": "review", "once": true}));
    assert!(test.started().is_none());
    let table = SavedSession::of(test.session.table()).table().unwrap();
    let (_, effects) = Session::start("0".to_owned(), table);
    let comes = |effect: &Effect| matches!(effect, Effect::Broadcast(MessageKind::Review, _));
    assert!(effects.iter().any(comes));

    // White's value is 0.3 after the first turn: another move with 0.9 is good.
    let mut retry = |mv: &str, winrate: f64| {
        let answer = test.ask(&json!({"type": "retry", "node": 0, "move": mv}));
        assert_eq!(answer["type"], "played", "{answer}");
        let job = test.started_id();
        test.done(job, found(Color::Red, winrate, "f5,f6"));
        test.message(MessageKind::Advice).unwrap()["verdict"].clone()
    };
    assert_eq!(retry("d5,d6", 0.1), "good");
    assert_eq!(retry("e5,e6", 0.95), "worse");
    assert_eq!(retry("c3,c4", 0.7), "best");
    assert_eq!(retry("a1,b1", 0.7), "same");
    let answer = test.ask(&json!({"type": "retry", "node": 2, "move": "d5,d6"}));
    assert_eq!(answer["text"], "the turn was not reviewed");
}
