//! Shared sessions: two players and watchers on several pages.

use serde_json::{Value, json};

use super::fixture::Test;
use crate::{Effect, Event, SavedSession, read_request};

const ANNA: &str = "annaannaannaanna";
const BEN: &str = "benbenbenbenbenben";
const KEY: &str = "keykeykeykeykeykey";

/// A session that page 1 shares and page 2 has come to. Page 3 watches.
fn shared(clock: &Value) -> Test {
    let mut test = Test::new(&json!({"white": "human", "red": "human"}), clock);
    let invite = json!({"type": "invite", "token": ANNA, "key": KEY, "player": "white"});
    assert_eq!(test.ask(&invite), json!({"type": "seat", "seat": 1, "key": KEY}));
    assert_eq!(test.state()["shared"]["taken"], json!({"white": true, "red": false}));
    test.as_page(2);
    let enter = json!({"type": "enter", "token": BEN, "key": KEY});
    assert_eq!(test.ask(&enter), json!({"type": "seat", "seat": 2, "key": null}));
    test.as_page(3);
    let enter = json!({"type": "enter", "token": "carlcarlcarlcarl", "key": KEY});
    assert_eq!(test.ask(&enter)["seat"], Value::Null, "both seats are taken");
    test
}

#[test]
fn in_a_shared_session_a_page_acts_for_its_own_seat_only() {
    let mut test = shared(&json!({"kind": "none"}));
    let (watching, not_yours) =
        ("you are watching: both seats are taken", "this is for the other player");
    let play = |mv: &str| json!({"type": "play", "move": mv});
    // Page 4 has not sent its token.
    for (page, request, text) in [
        (3, play("a1,c1"), watching),
        (4, play("a1,c1"), watching),
        (2, play("a1,c1"), not_yours),
        (2, json!({"type": "resign", "player": "white"}), not_yours),
        (3, json!({"type": "resign", "player": "white"}), watching),
        (3, json!({"type": "offer", "offer": "draw"}), watching),
        (3, json!({"type": "decline"}), watching),
    ] {
        assert_eq!(test.as_page(page).ask(&request)["text"], text, "{page}: {request}");
        assert_eq!(test.effects().len(), 1, "only the reply");
    }
    // Requests that change the game for both players are refused, too.
    for request in [
        json!({"type": "new"}),
        json!({"type": "load", "text": "a1,c1"}),
        json!({"type": "rematch"}),
        json!({"type": "undo"}),
        json!({"type": "hint"}),
        json!({"type": "move_now"}),
        json!({"type": "analyze", "on": true}),
        json!({"type": "goto", "node": 0}),
        json!({"type": "delete", "node": 1}),
        json!({"type": "settings", "level": {"level": 1}}),
        json!({"type": "play", "move": "a1,c1", "aside": true}),
        json!({"type": "invite", "token": BEN, "key": KEY, "player": "white"}),
        json!({"type": "offer", "offer": "rematch"}),
    ] {
        assert_eq!(test.as_page(1).ask(&request)["type"], "error", "{request}");
        assert_eq!(test.effects().len(), 1, "only the reply: {request}");
    }
    assert_eq!(test.as_page(1).play("a1,c1")["type"], "state");
    assert_eq!(test.as_page(1).play("a5,c5")["text"], not_yours);
    assert_eq!(test.as_page(2).play("a5,c5")["type"], "state");
    // Questions are free.
    assert_eq!(test.as_page(3).ask(&json!({"type": "view", "node": 1}))["type"], "view");
    // A page that comes again has its seat, also after the session was saved and read.
    let mut test = Test::with_table(test.reread_table(), 9);
    assert!(!test.state().to_string().contains(ANNA), "secrets stay here");
    assert_eq!(test.play("e1,e3")["text"], watching);
    assert_eq!(test.ask(&json!({"type": "enter", "token": ANNA}))["seat"], 1);
    assert_eq!(test.play("e1,e3")["type"], "state");
    test.tell(Event::Left(9));
    assert_eq!(test.ask(&json!({"type": "resign", "player": "white"}))["text"], watching);
}

#[test]
fn players_of_a_shared_session_agree_on_takebacks_draws_and_rematches() {
    let mut test = shared(&json!({"kind": "none"}));
    let offer = |kind: &str| json!({"type": "offer", "offer": kind});
    assert_eq!(
        test.as_page(1).ask(&offer("takeback"))["text"],
        "there is no move of a human to take back"
    );
    test.as_page(1).play("a1,c1");
    test.as_page(2).play("a5,c5");
    let state = test.as_page(1).ask(&offer("takeback"));
    assert_eq!(state["shared"]["offer"], json!({"player": "white", "offer": "takeback"}));
    assert_eq!(state["current"], 2, "not yet");
    assert_eq!(test.as_page(2).ask(&json!({"type": "decline"}))["shared"]["offer"], Value::Null);
    test.as_page(1).ask(&offer("takeback"));
    let state = test.as_page(2).ask(&offer("takeback"));
    assert_eq!((&state["current"], &state["shared"]["offer"]), (&json!(0), &Value::Null));
    // A move withdraws the offer.
    test.as_page(1).ask(&offer("draw"));
    assert_eq!(test.as_page(1).play("b2,d2")["shared"]["offer"], Value::Null);
    test.as_page(2).ask(&offer("draw"));
    let state = test.as_page(1).ask(&offer("draw"));
    assert_eq!(
        (&state["end"]["by"], &state["end"]["winner"]),
        (&json!("agreement"), &json!("draw"))
    );
    let saved = SavedSession::of(test.session.table());
    assert_eq!(SavedSession::of(&saved.table().unwrap()), saved);
    test.as_page(2).ask(&offer("rematch"));
    let state = test.as_page(1).ask(&offer("rematch"));
    assert_eq!((&state["current"], &state["live"]), (&json!(0), &json!(true)));
    assert!(test.effects().iter().any(|effect| matches!(effect, Effect::Keep(_))));
    // The colours are exchanged.
    assert_eq!(test.as_page(1).play("a1,c1")["type"], "error");
    assert_eq!(test.as_page(2).ask(&json!({"type": "enter", "token": BEN}))["seat"], 1);
    assert_eq!(test.as_page(2).play("a1,c1")["type"], "state");
}

#[test]
fn a_refused_offer_leaves_the_other_players_offer() {
    let mut test = shared(&json!({"kind": "none"}));
    test.as_page(1).play("a1,c1");
    let offer = |kind: &str| json!({"type": "offer", "offer": kind});
    let draw_offer = test.as_page(1).ask(&offer("draw"))["shared"]["offer"].clone();
    assert_eq!(draw_offer, json!({"player": "white", "offer": "draw"}));
    // Red has no turn to take back, and the game is not over.
    for refused in ["takeback", "rematch"] {
        assert_eq!(test.as_page(2).ask(&offer(refused))["type"], "error");
    }
    let state = test.as_page(2).ask(&offer("draw"));
    assert_eq!(state["end"]["by"], "agreement");
}

#[test]
fn the_host_frees_a_seat_and_clocks_wait_for_both_players() {
    let clock = json!({"kind": "absolute", "main": 60});
    let mut test = shared(&clock);
    assert!(test.session.alarm().is_some(), "the clock of White runs");
    let free = json!({"type": "free", "player": "red", "key": "otherotherotherother"});
    assert_eq!(test.as_page(2).ask(&free)["type"], "error");
    assert_eq!(test.as_page(1).ask(&free)["key"], "otherotherotherother");
    assert_eq!(test.state()["shared"]["taken"]["red"], false);
    // The old invitation is void.
    let enter = |key: &str| json!({"type": "enter", "token": "carlcarlcarlcarl", "key": key});
    assert_eq!(test.as_page(3).ask(&enter(KEY))["seat"], Value::Null);
    assert_eq!(test.as_page(3).ask(&enter("otherotherotherother"))["seat"], 2);
    let mut test = Test::new(&json!({"white": "human", "red": "pontifex"}), &clock);
    let invite = json!({"type": "invite", "token": ANNA, "key": KEY, "player": "white"});
    assert_eq!(test.ask(&invite)["type"], "error", "an engine has the other seat");
    let short = json!({"type": "invite", "token": "short", "key": KEY, "player": "red"});
    assert!(read_request(&short.to_string()).is_err());
}
