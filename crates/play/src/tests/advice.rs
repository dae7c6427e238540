//! Hints, reviews that are kept, and moves that are tried again.

use serde_json::{Value, json};

use super::fixture::{Test, search_outcome};
use crate::{Effect, Job, Lane, MessageKind, Outcome};
use pontifex::game::Color;

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
    test.done(job, search_outcome(Color::White, 0.6, "c3,c4"));
    let hint = test.message(MessageKind::Advice).unwrap();
    assert_eq!((&hint["move"], &hint["node"]), (&json!("c3,c4"), &json!(0)));
    assert_eq!(hint["why"][0]["code"], "grows");
    assert_eq!((&hint["why"][0]["by"], &hint["why"][0]["tiles"]), (&json!("c3,c4"), &json!(2)));
    // A second one takes the place of the first.
    test.ask(&json!({"type": "hint"}));
    let job = test.started_id();
    test.ask(&json!({"type": "hint", "node": 0}));
    assert!(test.is_cancelled(job));
    test.done(job, Outcome::Nothing);
    assert!(test.message(MessageKind::Advice).is_none());
}

#[test]
fn a_blunder_is_known_before_it_is_played() {
    let mut test = Test::humans();
    let consider = json!({"type": "consider", "move": "a1,a2"});
    for (before, after, best, blunder) in
        [(0.7, 0.6, "c3,c4", true), (0.7, 0.35, "c3,c4", false), (0.9, 0.9, "a1,a2", false)]
    {
        assert_eq!(test.ask(&consider)["type"], "searching");
        let Some((_, Job::Search(search))) = test.started() else { panic!("no search") };
        assert_eq!(search.line.moves.len(), 1, "after the move");
        // Red's win rate there.
        let job = test.started_id();
        test.done(job, search_outcome(Color::Red, after, "d4,d5"));
        let Some((_, Job::Search(search))) = test.started() else { panic!("no search") };
        assert_eq!(search.line.moves.len(), 0, "before it");
        let job = test.started_id();
        test.done(job, search_outcome(Color::White, before, best));
        let considered = test.message(MessageKind::Advice).unwrap();
        assert_eq!((&considered["move"], &considered["best"]), (&json!("a1,a2"), &json!(best)));
        assert_eq!(considered["blunder"], blunder, "{considered}");
        assert!(!considered["why"].as_array().unwrap().is_empty());
    }
    assert!(!test.session.table().has_move(), "nothing is played");
    let refused = test.ask(&json!({"type": "consider", "move": "a1,a1"}));
    assert_eq!(refused["type"], "illegal");
    // It ends with its turn.
    test.ask(&consider);
    let job = test.started_id();
    test.play("f5,f6");
    assert!(test.is_cancelled(job));
}

#[test]
fn points_are_worth_a_warning_when_the_game_is_nearly_lost() {
    for (winrate, points, is_much) in
        [(0.2, 0.5, true), (0.1, 1.9, false), (0.06, 2.2, true), (0.01, 4.0, false)]
    {
        assert_eq!(crate::advice::deserves_warning(winrate, points), is_much, "{winrate} {points}");
    }
}

/// Whether the last event withdrew the advice.
fn is_withdrawn(test: &Test) -> bool {
    let withdraws = |effect: &Effect| matches!(effect, Effect::Withdraw(MessageKind::Advice));
    test.effects().iter().any(withdraws)
}

#[test]
fn a_hint_ends_with_its_turn_and_its_game() {
    for request in [
        json!({"type": "new", "board": 6}),
        json!({"type": "rematch"}),
        json!({"type": "load", "text": "# board: 6\na1,a6"}),
        json!({"type": "undo"}),
        json!({"type": "delete", "node": 1}),
        json!({"type": "play", "move": "f5,f6"}),
        json!({"type": "resign", "player": "red"}),
    ] {
        for is_shown in [false, true] {
            let mut test = Test::humans();
            test.play("a1,b1");
            test.ask(&json!({"type": "hint"}));
            let job = test.started_id();
            if is_shown {
                test.done(job, search_outcome(Color::Red, 0.6, "c3,c4"));
                assert!(test.message(MessageKind::Advice).is_some());
            }
            test.ask(&request);
            assert_eq!(test.is_cancelled(job), !is_shown, "{request}");
            assert!(is_withdrawn(&test), "{request}");
            test.done(job, search_outcome(Color::Red, 0.6, "c3,c4"));
            assert!(test.message(MessageKind::Advice).is_none(), "{request}");
            assert!(!test.session.is_busy());
        }
    }
}

#[test]
fn a_hint_for_another_turn_than_the_games_stays() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.ask(&json!({"type": "hint", "node": 0}));
    let job = test.started_id();
    test.play("f5,f6");
    assert!(!test.is_cancelled(job) && !is_withdrawn(&test));
    test.done(job, search_outcome(Color::White, 0.6, "c3,c4"));
    assert_eq!(test.message(MessageKind::Advice).unwrap()["node"], 0);
}

/// Answers the searches of a review: `best` gives the side to move a win rate of 0.7.
fn run_review(test: &mut Test, best: &str) {
    test.ask(&json!({"type": "review", "playouts": 10, "once": true}));
    while let Some((job, Job::Search(search))) = test.started() {
        let side = search.line.position().side();
        test.done(job, search_outcome(side, 0.7, best));
    }
}

#[test]
fn a_cancelled_review_leaves_the_finished_one_it_would_have_replaced() {
    let mut test = Test::humans();
    test.play("a1,b1");
    run_review(&mut test, "c3,c4");
    let review = test.session.table().finished_review.clone().unwrap();
    // By a page, or because a search finds nothing.
    for is_by_page in [true, false] {
        test.ask(&json!({"type": "review", "playouts": 20}));
        let job = test.started_id();
        assert_eq!(test.message(MessageKind::Review).unwrap()["finished"], false);
        if is_by_page {
            test.ask(&json!({"type": "review", "cancel": true}));
            assert!(test.is_cancelled(job));
        } else {
            test.done(job, Outcome::Nothing);
        }
        assert_eq!(test.message(MessageKind::Review), Some(json!(review.message)));
        assert_eq!(test.session.table().finished_review, Some(review.clone()));
        assert_eq!(test.state()["review"], Value::Null);
    }
    // Another one replaces it once it has finished.
    test.play("f5,f6");
    run_review(&mut test, "c3,c4");
    assert_eq!(test.session.table().finished_review.as_ref().unwrap().end, 2);
}

#[test]
fn a_review_gives_only_reasons_that_the_played_move_lacks() {
    // The played move completes one island, the best one two.
    let codes = |played: &str, best: &str| {
        let mut test = Test::humans();
        let start = "9/9/9/9/www6/9/9/9/www6 w - -";
        test.ask(&json!({"type": "load", "text": start}));
        test.play(played);
        run_review(&mut test, best);
        let review = test.session.table().finished_review.clone().unwrap();
        let why = turn(&json!(review.message), 0)["why"].as_array().unwrap().clone();
        why.iter().map(|purpose| purpose["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes("d1,i9", "d1,d5")[0], "completes");
    // A purpose that the played move has as well is not a reason.
    assert!(!codes("d1,d5", "d1,i9").contains(&"completes".to_owned()));
}

fn turn(review: &Value, index: usize) -> &Value {
    &review["turns"][index]
}

#[test]
fn a_finished_review_is_kept_and_a_turn_can_be_tried_again() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.play("f5,f6");
    run_review(&mut test, "c3,c4");
    let review = test.session.table().finished_review.clone().unwrap();
    let message = json!(review.message);
    assert_eq!((review.end, &message["finished"]), (2, &json!(true)));
    assert!(turn(&message, 0)["why"].is_array());
    assert!(message["worst"]["both"].is_array());
    // It is not made twice, and comes with the session.
    test.ask(&json!({"type": "review", "once": true}));
    assert!(test.started().is_none());
    let restored = Test::with_table(test.reread_table(), 1);
    assert!(restored.message(MessageKind::Review).is_some());

    // White's value is 0.3 after the first turn: another move with 0.9 is good.
    let mut retry = |mv: &str, winrate: f64| {
        let answer = test.ask(&json!({"type": "retry", "node": 0, "move": mv}));
        assert_eq!(answer["type"], "played", "{answer}");
        let job = test.started_id();
        test.done(job, search_outcome(Color::Red, winrate, "f5,f6"));
        test.message(MessageKind::Advice).unwrap()["verdict"].clone()
    };
    assert_eq!(retry("d5,d6", 0.1), "good");
    assert_eq!(retry("e5,e6", 0.95), "worse");
    assert_eq!(retry("c3,c4", 0.7), "best");
    assert_eq!(retry("a1,b1", 0.7), "same");
    let answer = test.ask(&json!({"type": "retry", "node": 2, "move": "d5,d6"}));
    assert_eq!(answer["text"], "this turn has no review yet: review the game first");
}
