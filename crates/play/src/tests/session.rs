//! The session as a state machine: events in, effects out.

use std::time::Duration;

use serde_json::{Value, json};

use super::fixture::{Test, move_outcome, one_move_analysis, progress, search_outcome};
use crate::tree::MOVES_MADE;
use crate::{Effect, Event, Job, MessageKind, Outcome, Reply, Report, SavedSession};
use pontifex::engine::Bounds;
use pontifex::game::{Color, Value as Points};

#[test]
fn an_engine_answers_a_human() {
    let mut test = Test::against_engine();
    let state = test.play("a1,c3");
    assert_eq!(state["thinking"], json!({"player": "red", "engine": "pontifex"}));
    let (job, Job::Turn(turn)) = test.started().unwrap() else { panic!("no engine's turn") };
    assert_eq!((turn.color, turn.line.moves.len()), (Color::Red, 1));
    assert!(test.session.is_busy());
    test.report(job, Report::Queued);
    assert_eq!(test.message(MessageKind::Thinking).unwrap()["queued"], true);
    test.report(job, progress(Color::Red, 0.75, "e1,e5"));
    assert_eq!(test.message(MessageKind::Thinking).unwrap()["move"], "e1,e5");
    let mv = "e1,e5".parse().unwrap();
    let analysis = Some(Box::new(one_move_analysis(Color::Red, 0.75, "e1,e5")));
    test.done(job, Outcome::Move { mv, seconds: 0.5, analysis });
    let state = test.state();
    assert_eq!((&state["current"], &state["thinking"]), (&json!(2), &Value::Null));
    assert_eq!(state["tree"][1]["winrate"], 0.25, "White's, before the move");
    assert!(!test.session.is_busy());
}

#[test]
fn changes_are_saved_before_they_are_shown() {
    let mut test = Test::against_engine();
    test.play("a1,c3");
    let index = |is_wanted: fn(&Effect) -> bool| test.effects().iter().position(is_wanted).unwrap();
    let saved = index(|effect| matches!(effect, Effect::Save(_)));
    let broadcast = index(|effect| matches!(effect, Effect::Broadcast(MessageKind::State, _)));
    let replied = index(|effect| matches!(effect, Effect::Reply(Reply::State(_))));
    assert!(saved < broadcast && broadcast < replied);
    test.tell(Event::NotSaved("the disk is full".to_owned()));
    let notice = test.message(MessageKind::Notice).unwrap();
    assert_eq!(notice["text"], "the game cannot be saved: the disk is full");
}

#[test]
fn questions_change_nothing() {
    let mut test = Test::humans();
    for (request, kind) in [
        (json!({"type": "ping"}), "pong"),
        (json!({"type": "seconds", "first": "a1"}), "seconds"),
        (json!({"type": "why", "cell": "a1"}), "legal"),
        (json!({"type": "play", "move": "a1,a1"}), "illegal"),
        (json!({"type": "goto", "node": 9}), "error"),
    ] {
        assert_eq!(test.ask(&request)["type"], kind);
        assert_eq!(test.effects().len(), 1, "only the reply");
    }
}

#[test]
fn an_undo_cancels_the_engines_turn() {
    let mut test = Test::against_engine();
    test.play("a1,c3");
    let job = test.started_id();
    let state = test.ask(&json!({"type": "undo"}));
    assert!(test.is_cancelled(job));
    assert_eq!((&state["current"], &state["thinking"]), (&json!(0), &Value::Null));
    test.done(job, move_outcome("e1,e5", 1.0));
    assert!(test.effects().is_empty(), "a late answer has no effect");
}

#[test]
fn a_move_that_fails_leaves_the_shown_turn_and_the_main_line() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.play("f5,f6");
    // A variation whose game has ended. The main line continues.
    test.ask(&json!({"type": "goto", "node": 0}));
    test.play("d3,d4");
    test.ask(&json!({"type": "resign", "player": "red"}));
    test.ask(&json!({"type": "goto", "node": 2}));
    for (node, mv) in [(3, "a1,a2"), (0, "a1,a1"), (9, "a1,a2")] {
        let before = test.session.table().record(0);
        let answer = test.ask(&json!({"type": "play", "move": mv, "node": node}));
        assert!(answer["type"] == "error" || answer["type"] == "illegal", "{answer}");
        assert_eq!(test.effects().len(), 1, "only the reply");
        assert_eq!(test.session.table().current, 2);
        assert_eq!(test.session.table().record(0), before);
    }
    // The engine's turn is not a page's to play.
    let mut test = Test::against_engine();
    test.play("a1,b1");
    test.ask(&json!({"type": "goto", "node": 0}));
    let answer = test.ask(&json!({"type": "play", "move": "f5,f6", "node": 1}));
    assert_eq!(answer["type"], "error");
    assert_eq!(test.session.table().current, 0);
}

#[test]
fn a_loaded_record_with_a_swap_has_the_wanted_players() {
    let text = "# board: 6\na1,a6 swap c3,d4";
    let mut test = Test::humans();
    let players = json!({"white": "human", "red": "pontifex"});
    let load = json!({"type": "load", "text": text, "players": players, "play": true});
    assert_eq!(test.ask(&load)["players"], players);
    // A game that is loaded without players, or a new one, keeps them.
    let again = test.ask(&json!({"type": "load", "text": "# board: 6\na1,a6"}));
    assert_eq!(again["players"], players);
    let again = test.ask(&json!({"type": "load", "text": text}));
    assert_eq!(again["players"], players);
    assert_eq!(test.ask(&json!({"type": "new", "board": 6}))["players"], players);
}

#[test]
fn nobody_plays_on_with_a_loaded_game_that_is_over() {
    let engines = json!({"white": "human", "red": "pontifex"});
    let mut test = Test::new(&engines, &json!({"kind": "none"}));
    let open =
        "# board: 5\n# pie: off\nd3,d4 e3,e4 b2,d5 b1,e5 b2-d3 a3,e2 b3,d2 a2,b4 a1,b5 c1,c5";
    assert_eq!(test.ask(&json!({"type": "load", "text": open}))["players"], engines);
    let over = format!("{open} b3-d4 pass");
    let state = test.ask(&json!({"type": "load", "text": over}));
    assert_eq!(state["players"], json!({"white": "human", "red": "human"}), "{state}");
}

#[test]
fn comments_of_a_record_are_shown_saved_and_written() {
    let mut test = Test::humans();
    let text =
        "(;SZ[6]C[Two friends.];W[a1,a6]C[Far apart\\: good.](;B[c3,d4])(;B[c3,c4]C[Or so.]))";
    let state = test.ask(&json!({"type": "load", "text": text}));
    let comments = |state: &Value| {
        let tree = state["tree"].as_array().unwrap().iter();
        tree.map(|node| node["comment"].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>()
    };
    let expected = ["Two friends.", "Far apart: good.", "-", "Or so."];
    assert_eq!(comments(&state), expected);
    let table = test.reread_table();
    for table in [&table, test.session.table()] {
        let written = table.export("sgf", None).unwrap();
        let again = String::from_utf8(written.bytes).unwrap();
        let mut other = Test::humans();
        assert_eq!(
            comments(&other.ask(&json!({"type": "load", "text": again}))),
            expected,
            "{again}"
        );
    }
}

#[test]
fn engines_wait_for_a_page_and_finish_their_turn_without_one() {
    let engines = json!({"white": "pontifex", "red": "pontifex"});
    let mut test = Test::new(&engines, &json!({"kind": "none"}));
    let job = test.started_id();
    test.tell(Event::Pages(0));
    assert!(!test.is_cancelled(job));
    test.done(job, move_outcome("a1,c3", 1.0));
    assert_eq!(test.state()["current"], 1);
    assert!(test.started().is_none());
    test.tell(Event::Pages(1));
    assert!(test.started().is_some());
}

#[test]
fn a_clock_runs_out() {
    let clock = json!({"kind": "absolute", "main": 5});
    let mut test = Test::new(&json!({"white": "human", "red": "pontifex"}), &clock);
    assert_eq!(test.session.alarm(), Some(Duration::from_secs(1)));
    test.now = Duration::from_secs(1);
    test.tell(Event::Tick);
    let clock = test.message(MessageKind::Clock).unwrap();
    assert_eq!((&clock["white"], &clock["running"]), (&json!(4.0), &json!("white")));
    test.now = Duration::from_millis(1500);
    test.play("a1,c3");
    let job = test.started_id();
    assert_eq!(test.session.alarm(), None, "the engine waits for its search");
    test.now = Duration::from_secs(100);
    test.report(job, Report::Began);
    let clock = test.message(MessageKind::Clock).unwrap();
    assert_eq!(clock["white"], 3.5);
    assert_eq!((&clock["red"], &clock["running"]), (&json!(5.0), &json!("red")));
    // Its answer may be on the way for half a second.
    test.now = Duration::from_millis(105_400);
    test.tell(Event::Tick);
    assert_eq!(test.session.alarm(), Some(Duration::from_millis(105_500)));
    test.now = Duration::from_millis(105_500);
    test.tell(Event::Tick);
    assert_eq!(test.state()["position"]["result"]["text"], "W+T");
    assert!(test.is_cancelled(job));
    assert_eq!(test.session.alarm(), None);
}

#[test]
fn failures_forfeit_and_inability_pauses_the_game() {
    for (outcome, result, tip) in [
        (Outcome::Resigned, json!("W+R"), json!(1)),
        (Outcome::Unable("it cannot".to_owned()), Value::Null, Value::Null),
        (move_outcome("a1,a2", 1.0), Value::Null, Value::Null),
    ] {
        let mut test = Test::against_engine();
        test.play("a1,c3");
        test.done(test.started_id(), outcome);
        assert_eq!(test.state()["position"]["result"]["text"], result);
        assert_eq!(test.state()["tip"], tip);
        assert_eq!(test.message(MessageKind::Notice).is_some(), tip.is_null());
    }
}

#[test]
fn move_now_hurries_the_engine_or_lets_it_move_for_a_human() {
    let mut test = Test::against_engine();
    test.ask(&json!({"type": "move_now"}));
    let job = test.started_id();
    test.ask(&json!({"type": "move_now"}));
    assert!(test.effects().iter().any(|effect| matches!(effect, Effect::Hurry(id) if *id == job)));
    test.done(job, move_outcome("a1,c3", 1.0));
    let state = test.ask(&json!({"type": "move_now", "node": 0}));
    assert_eq!(state["current"], 1, "the game has gone on");
}

#[test]
fn an_analysis_goes_on_until_it_is_solved_and_follows_the_page() {
    let mut test = Test::humans();
    assert_eq!(test.ask(&json!({"type": "analyze", "on": true}))["analysis"], true);
    let first = test.started_id();
    test.report(first, progress(Color::White, 0.5, "a1,c3"));
    assert_eq!(test.message(MessageKind::Analysis).unwrap()["finished"], false);
    // The host ended the search so that others could search.
    test.done(first, search_outcome(Color::White, 0.6, "a1,c3"));
    let second = test.started_id();
    assert_ne!(first, second);
    test.play("a1,c3");
    let third = test.started_id();
    assert!(test.is_cancelled(second));
    test.report(second, progress(Color::White, 0.5, "a1,c3"));
    assert!(test.effects().is_empty(), "late reports are not sent");
    test.done(second, search_outcome(Color::White, 0.7, "a1,c3"));
    let mut solved = one_move_analysis(Color::Red, 0.0, "e1,e5");
    solved.root.bounds = Bounds::of(Points::new(5));
    test.done(third, Outcome::Analysis(Box::new(solved)));
    let message = test.message(MessageKind::Analysis).unwrap();
    assert_eq!((&message["node"], &message["finished"]), (&json!(1), &json!(true)));
    let tree = &test.state()["tree"];
    assert_eq!(tree[0]["winrate"], 0.7, "the result of a cancelled search is kept");
    assert_eq!(tree[1]["winrate"], 1.0);
    assert!(test.started().is_none());
    let state = test.ask(&json!({"type": "analyze", "on": false}));
    assert_eq!(state["analysis"], false);
}

#[test]
fn a_cancelled_analysis_says_nothing_about_the_next_game() {
    let mut test = Test::humans();
    test.ask(&json!({"type": "analyze", "on": true}));
    let job = test.started_id();
    test.ask(&json!({"type": "new", "board": 6}));
    test.done(job, search_outcome(Color::White, 0.7, "a1,c3"));
    let state = test.ask(&json!({"type": "goto", "node": 0}));
    assert!(state["tree"][0].get("winrate").is_none());
}

#[test]
fn a_review_searches_one_position_after_the_other() {
    let mut test = Test::humans();
    test.ask(&json!({"type": "load", "text": "# board: 6\na1,a6 c3,d4"}));
    let state = test.ask(&json!({"type": "review", "playouts": 50}));
    assert_eq!(state["review"], json!({"node": 2}));
    assert_eq!(test.message(MessageKind::Review).unwrap()["done"], 0);
    // The start, the position after its best move, after the first move (the best one), and the
    // end.
    let mut lengths = Vec::new();
    for (mover, best) in [
        (Color::White, "c3,d4"),
        (Color::Red, "a1,a6"),
        (Color::Red, "c3,d4"),
        (Color::White, "f1,f6"),
    ] {
        let (job, Job::Search(search)) = test.started().unwrap() else { panic!("no search") };
        lengths.push(search.line.moves.len());
        test.done(job, search_outcome(mover, 0.5, best));
    }
    assert_eq!(lengths, [0, 1, 1, 2]);
    assert!(test.started().is_none());
    let review = test.message(MessageKind::Review).unwrap();
    assert_eq!((&review["done"], &review["finished"]), (&json!(2), &json!(true)));
    assert_eq!(review["turns"][1]["node"], 2);
    let state = test.state();
    assert_eq!(state["review"], Value::Null);
    assert_eq!(state["tree"][2]["winrate"], 0.5);
}

#[test]
fn a_review_can_be_cancelled() {
    let mut test = Test::humans();
    test.ask(&json!({"type": "load", "text": "# board: 6\na1,a6 c3,d4"}));
    test.ask(&json!({"type": "review"}));
    let job = test.started_id();
    test.ask(&json!({"type": "review", "cancel": true}));
    assert!(test.is_cancelled(job));
    test.done(job, Outcome::Nothing);
    assert!(test.effects().is_empty());
}

#[test]
fn closing_cancels_all_jobs_and_saves() {
    let mut test = Test::against_engine();
    test.play("a1,c3");
    let job = test.started_id();
    test.tell(Event::Close);
    assert!(test.is_cancelled(job));
    assert!(matches!(test.effects().last(), Some(Effect::Save(_))));
}

#[test]
fn a_game_that_another_one_replaces_is_kept() {
    let mut test = Test::humans();
    let kept_games = |test: &Test| -> Vec<Vec<String>> {
        let saved = test.effects().iter().filter_map(|effect| match effect {
            Effect::Keep(saved) => Some(saved.table().unwrap()),
            _ => None,
        });
        saved
            .map(|table| {
                let end = table.tree.main_line(table.current).last().copied().unwrap();
                table.tree.moves(end).iter().map(ToString::to_string).collect()
            })
            .collect()
    };
    let new = json!({"type": "new", "board": 6, "pie": false, "players": {"white": "human", "red": "human"}});
    test.ask(&new);
    assert!(kept_games(&test).is_empty(), "nothing was played");
    test.play("a1,c1");
    test.ask(&new);
    assert_eq!(kept_games(&test), [["a1,c1"]]);
    test.play("b2,d3");
    test.ask(&json!({"type": "load", "text": "d4,e6 c3,g6"}));
    assert_eq!(kept_games(&test), [["b2,d3"]]);
    test.ask(&json!({"type": "rematch"}));
    assert_eq!(kept_games(&test), [["d4,e6", "c3,g6"]]);
}

/// No request about a late turn replays the game.
#[test]
fn a_click_replays_nothing() {
    let mut test = Test::humans();
    let players = json!({"white": "human", "red": "human"});
    test.ask(&json!({"type": "new", "board": 10, "pie": false, "players": players}));
    while test.state()["tree"].as_array().unwrap().len() <= 20 {
        let legal = test.state()["position"]["legal"]["cells"].clone();
        let first = legal[0].as_str().unwrap().to_owned();
        let seconds = test.ask(&json!({"type": "seconds", "first": first}));
        let second = seconds["cells"][0].as_str().unwrap().to_owned();
        test.play(&format!("{first},{second}"));
    }
    for (request, made) in [
        (json!({"type": "goto", "node": 7}), 0),
        (json!({"type": "view", "node": 9}), 0),
        (json!({"type": "goto", "node": 20}), 0),
        (json!({"type": "why", "cell": "a1"}), 0),
        (json!({"type": "seconds", "first": "a1"}), 0),
        (json!({"type": "hint"}), 0),
        (json!({"type": "analyze", "on": true}), 0),
        (json!({"type": "undo"}), 0),
    ] {
        let before = MOVES_MADE.with(std::cell::Cell::get);
        test.ask(&request);
        assert_eq!(MOVES_MADE.with(std::cell::Cell::get) - before, made, "{request}");
    }
    // A new move, unlike the one that was taken back, is made once.
    let legal = test.state()["position"]["legal"]["cells"].clone();
    let first = legal[0].as_str().unwrap().to_owned();
    let seconds = test.ask(&json!({"type": "seconds", "first": first}));
    let before = MOVES_MADE.with(std::cell::Cell::get);
    let second = seconds["cells"].as_array().unwrap().last().unwrap();
    test.play(&format!("{first},{}", second.as_str().unwrap()));
    assert_eq!(MOVES_MADE.with(std::cell::Cell::get) - before, 1);

    // Nor does a host replay it for the list of games, after every change.
    let before = MOVES_MADE.with(std::cell::Cell::get);
    let saved = SavedSession::of(test.session.table());
    assert_eq!(saved.entry().map(|entry| entry.turns), Some(20));
    assert_eq!(MOVES_MADE.with(std::cell::Cell::get) - before, 0);
}
