//! Tests of the core of hosts.

use std::time::Duration;

use serde_json::{Value, json};

use crate::effect::{JobId, Outcome, Report};
use crate::terms::BUILT_IN;
use crate::{Host, Input, Job, NoRoom, Order, Page, PageMessage, Table};

const NOW: Duration = Duration::ZERO;

/// A host with a page, number 1, that knows the state.
fn new_host() -> Host {
    let mut host = Host::new("7", Table::first(), &[BUILT_IN]);
    assert!(tell(&mut host, Input::Join(1)).is_empty());
    assert_eq!(messages(&mut host, 1).len(), 1);
    host
}

fn tell(host: &mut Host, input: Input) -> Vec<Order> {
    host.handle(input, NOW, &|| Ok(()))
}

fn request(message: &Value) -> Input {
    Input::Message(1, PageMessage::read(&message.to_string()))
}

/// Sends a request, and carries out the orders to save. Returns the other orders.
fn ask(host: &mut Host, message: &Value) -> Vec<Order> {
    let mut orders = tell(host, request(message));
    while host.is_saving() {
        orders.extend(tell(host, Input::Saved(None)));
    }
    orders.retain(|order| !matches!(order, Order::Save(_)));
    orders
}

/// Takes the messages that wait for a page.
fn messages(host: &mut Host, page: Page) -> Vec<Value> {
    let texts = host.take_mail(page).texts();
    texts.map(|text| serde_json::from_str(&text).unwrap()).collect()
}

fn kinds(host: &mut Host, page: Page) -> Vec<String> {
    let kind = |message: &Value| message["type"].as_str().unwrap().to_owned();
    messages(host, page).iter().map(kind).collect()
}

fn new_game(red: &str) -> Value {
    let players = json!({"white": "human", "red": red});
    json!({"type": "new", "board": 5, "pie": false, "players": players, "id": 3})
}

fn play(mv: &str) -> Value {
    json!({"type": "play", "move": mv})
}

/// The job that is started.
fn started(orders: &[Order]) -> (JobId, Job) {
    let start = |order: &Order| match order {
        Order::Start(id, job) => Some((*id, job.clone())),
        _ => None,
    };
    orders.iter().find_map(start).expect("a job")
}

fn done(id: JobId, outcome: Outcome) -> Input {
    Input::Report(id, Report::Done(outcome))
}

#[test]
fn nobody_hears_of_a_change_before_it_is_saved_and_later_inputs_wait() {
    let mut host = new_host();
    tell(&mut host, Input::Join(2));
    messages(&mut host, 2);
    let orders = tell(&mut host, request(&new_game("human")));
    assert!(matches!(&orders[..], [Order::Save(unsaved)] if unsaved.is_own));
    assert!(tell(&mut host, request(&json!({"type": "ping"}))).is_empty());
    assert!(messages(&mut host, 1).is_empty() && messages(&mut host, 2).is_empty());
    assert_eq!(host.alarm(), None);
    tell(&mut host, Input::Saved(None));
    let replies = messages(&mut host, 1);
    assert_eq!(replies.iter().map(|reply| &reply["type"]).collect::<Vec<_>>(), ["state", "pong"]);
    assert_eq!((&replies[0]["id"], &replies[0]["unsaved"]), (&json!(3), &Value::Null));
    let others = messages(&mut host, 2);
    assert_eq!((others.len(), &others[0]["id"]), (1, &Value::Null));
}

#[test]
fn a_slow_page_gets_the_newest_of_each_kind_and_nothing_withdrawn() {
    let mut host = new_host();
    ask(&mut host, &new_game("human"));
    tell(&mut host, Input::Join(2));
    for mv in ["a1,c1", "a5,c5", "e1,e3"] {
        ask(&mut host, &play(mv));
    }
    let slow = messages(&mut host, 2);
    assert_eq!((slow.len(), &slow[0]["position"]["turn"]), (1, &json!(4)));
    assert_eq!(messages(&mut host, 1).len(), 4, "every reply");
    tell(&mut host, request(&play("e5,d4")));
    tell(&mut host, Input::Saved(Some("the disk is full".to_owned())));
    let orders = ask(&mut host, &json!({"type": "undo"}));
    assert!(matches!(&orders[..], [Order::Log(line)] if line == "the game 7 is saved again"));
    assert_eq!(kinds(&mut host, 2), ["state"], "the notice is withdrawn");
}

#[test]
fn a_lane_has_one_job_and_what_was_cancelled_before_it_began_is_done() {
    let mut host = new_host();
    ask(&mut host, &new_game("human"));
    let hint = json!({"type": "hint"});
    let (first, _) = started(&ask(&mut host, &hint));
    let orders = ask(&mut host, &hint);
    assert!(matches!(&orders[..], [Order::Cancel(id)] if *id == first), "{orders:?}");
    assert!(ask(&mut host, &hint).is_empty(), "the second has not begun");
    let (third, job) = started(&tell(&mut host, done(first, Outcome::Nothing)));
    assert!(third != first && matches!(job, Job::Search(_)));
    // Other lanes are free.
    let (study, _) = started(&ask(&mut host, &json!({"type": "analyze", "on": true})));
    assert!(tell(&mut host, done(third, Outcome::Nothing)).is_empty());
    let orders = tell(&mut host, Input::Close);
    assert!(matches!(&orders[..], [Order::Cancel(id), Order::Save(_)] if *id == study));
    assert!(!host.is_over() && tell(&mut host, request(&hint)).is_empty());
    tell(&mut host, Input::Saved(None));
    assert!(host.is_over());
}

#[test]
fn what_cannot_be_saved_is_tried_again_ever_later_the_replaced_game_first() {
    let mut host = new_host();
    ask(&mut host, &new_game("human"));
    ask(&mut host, &play("a1,c1"));
    messages(&mut host, 1);
    let failure = || Input::Saved(Some("no\nspace".to_owned()));
    let orders = tell(&mut host, request(&new_game("human")));
    assert!(matches!(&orders[..], [Order::Save(unsaved)] if !unsaved.is_own));
    let orders = tell(&mut host, failure());
    assert!(matches!(&orders[..], [Order::Log(line)] if line.starts_with("the game 7 cannot")));
    let replies = messages(&mut host, 1);
    assert_eq!((&replies[0]["id"], &replies[0]["unsaved"]), (&json!(3), &json!("no space")));
    assert!(host.has_unsaved_games() && !host.is_at_rest());
    let mut now = Duration::ZERO;
    for pause in [1, 2, 4, 8, 16, 30, 30] {
        let retry = host.alarm().unwrap();
        assert_eq!(retry, now + Duration::from_secs(pause));
        now = retry;
        let orders = host.handle(Input::Time, now, &|| Ok(()));
        assert!(matches!(&orders[..], [Order::Save(unsaved)] if !unsaved.is_own));
        assert!(host.handle(failure(), now, &|| Ok(())).is_empty(), "it is said once");
    }
    // A change is saved at once. If that fails, the next retry is not delayed.
    let retry = host.alarm();
    assert!(matches!(&tell(&mut host, request(&play("b2,d2")))[..], [Order::Save(_)]));
    host.handle(failure(), now, &|| Ok(()));
    assert_eq!(host.alarm(), retry);
    host.handle(Input::Time, retry.unwrap(), &|| Ok(()));
    let orders = tell(&mut host, Input::Saved(None));
    assert!(matches!(&orders[..], [Order::Save(unsaved)] if unsaved.is_own), "then its own");
    tell(&mut host, Input::Saved(None));
    assert_eq!(messages(&mut host, 1).last().unwrap()["unsaved"], Value::Null);
    assert!(host.is_at_rest());
}

#[test]
fn saving_takes_no_time_of_the_clock() {
    let mut host = new_host();
    let mut timed = new_game("human");
    timed["clock"] = json!({"kind": "absolute", "main": 60});
    ask(&mut host, &timed);
    let second = Duration::from_secs(1);
    host.handle(request(&play("a1,c1")), second, &|| Ok(()));
    host.handle(Input::Saved(None), 40 * second, &|| Ok(()));
    host.handle(request(&play("a5,c5")), 42 * second, &|| Ok(()));
    host.handle(Input::Saved(None), 42 * second, &|| Ok(()));
    let clock = &messages(&mut host, 1).pop().unwrap()["clock"];
    assert_eq!((&clock["white"]["left"], &clock["red"]["left"]), (&json!(59.0), &json!(58.0)));
}

#[test]
fn a_panic_of_a_search_reaches_the_pages_and_the_log() {
    let mut host = new_host();
    ask(&mut host, &new_game("human"));
    let panicked = || Outcome::Panicked("index out of bounds".to_owned());
    for message in [json!({"type": "analyze", "on": true}), json!({"type": "hint"})] {
        let (job, _) = started(&ask(&mut host, &message));
        messages(&mut host, 1);
        let orders = tell(&mut host, done(job, panicked()));
        let line = "a search in the game 7 failed: index out of bounds";
        assert!(orders.iter().any(|order| matches!(order, Order::Log(text) if text == line)));
        while host.is_saving() {
            tell(&mut host, Input::Saved(None));
        }
        let notice = messages(&mut host, 1).into_iter().find(|message| message["type"] == "error");
        assert_eq!(notice.unwrap()["text"], "a search failed: index out of bounds");
    }
    ask(&mut host, &new_game(BUILT_IN));
    let (job, _) = started(&ask(&mut host, &play("a1,c1")));
    tell(&mut host, done(job, panicked()));
    tell(&mut host, Input::Saved(None));
    let state = messages(&mut host, 1).into_iter().rfind(|message| message["type"] == "state");
    assert_eq!(state.unwrap()["end"]["by"], "forfeit");
}

#[test]
fn a_game_is_not_replaced_without_room_or_too_often() {
    let mut host = new_host();
    ask(&mut host, &new_game("human"));
    ask(&mut host, &play("a1,c1"));
    messages(&mut host, 1);
    let full = || Err(NoRoom { capacity: 9 });
    assert!(host.handle(request(&new_game("human")), NOW, &full).is_empty());
    let refused = messages(&mut host, 1).remove(0);
    assert_eq!(refused["id"], 3);
    assert!(refused["text"].as_str().unwrap().starts_with("there are 9 games"), "{refused}");
    let load = json!({"type": "load", "text": "# board: 5\na1,b1 e1,e2"});
    for _ in 0..60 {
        ask(&mut host, &load);
        assert_eq!(messages(&mut host, 1)[0]["type"], "state");
    }
    ask(&mut host, &load);
    let text = messages(&mut host, 1)[0]["text"].clone();
    let wait = "too many games were begun here in a short time; try again in 30 s";
    assert_eq!(text, wait);
    let orders = host.handle(request(&load), Duration::from_secs(30), &|| Ok(()));
    assert_eq!(orders.len(), 1, "one more");
}
