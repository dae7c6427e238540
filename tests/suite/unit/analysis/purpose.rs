//! Tests of `src/analysis/purpose`.

use pontifex::analysis::{purposes, reasons};
use pontifex::game::{Position, Setup, Supply};
use serde_json::{Value, json};

fn position(text: &str) -> Position {
    with_supply(text, Supply::Unlimited)
}

fn with_supply(text: &str, supply: Supply) -> Position {
    Setup::parse(text, supply, false).unwrap().validate().unwrap()
}

/// The purposes as JSON.
fn told(position: &Position, mv: &str) -> Vec<Value> {
    purposes(position, mv.parse().unwrap()).iter().map(|each| json!(each)).collect()
}

fn said(text: &str, mv: &str) -> Vec<Value> {
    told(&position(text), mv)
}

/// The purpose of this code, which must be there.
fn one(found: &[Value], code: &str) -> Value {
    let mut wanted = found.iter().filter(|purpose| purpose["code"] == code);
    let purpose = wanted.next().unwrap_or_else(|| panic!("no {code} in {found:?}"));
    assert!(wanted.next().is_none(), "two of {code}");
    purpose.clone()
}

fn codes(found: &[Value]) -> Vec<&str> {
    found.iter().filter_map(|purpose| purpose["code"].as_str()).collect()
}

fn why(text: &str, played: &str, best: &str, reply: Option<&str>) -> Vec<Value> {
    let parse = |mv: &str| mv.parse().unwrap();
    let found = reasons(&position(text), parse(played), parse(best), reply.map(parse));
    found.iter().map(|each| json!(each)).collect()
}

#[test]
fn a_fourth_tile_completes_an_island() {
    let found = said("6/6/6/6/6/www3 w - -", "d1,f6");
    assert_eq!(
        found,
        [json!({"code": "completes", "by": "d1", "player": "white", "count": 1,
            "cells": ["a1", "b1", "c1", "d1"], "urgent": false})]
    );
    // Red could take the last two cells where the island can be completed.
    let found = said("6/6/6/6/rr4/www3 w - -", "d1,f6");
    assert_eq!(found[0]["urgent"], true);
    // Both tiles are needed.
    assert_eq!(said("6/6/6/6/6/ww4 w - -", "c1,d1")[0]["by"], "c1,d1");
}

#[test]
fn a_bridge_between_islands_joins_networks() {
    // Two islands: a network of two is worth one point more than both.
    let text = "9/9/9/9/9/9/9/9/wwww1wwww w - -";
    assert_eq!(
        said(text, "d1-f1")[0],
        json!({"code": "joins", "by": "d1-f1", "player": "white", "points": 1, "islands": 2,
            "urgent": true})
    );
}

#[test]
fn a_bridge_without_a_gain_links_groups() {
    let links = one(&said("7/7/7/7/7/7/wwww1w1 w - -", "d1-f1"), "links");
    assert_eq!(
        links,
        json!({"code": "links", "by": "d1-f1", "player": "white",
        "cells": ["d1", "f1"], "islands": 1, "points": 2})
    );
    // The tile on f3 can never become an island: all cells beside it are taken.
    let closed = "7/7/7/5r1/wwww1wr/5r1/7 w - -";
    assert_eq!(one(&said(closed, "d3-f3"), "links")["points"], Value::Null);
    let banks = one(&said("7/7/7/7/7/7/1w1w3 w - -", "b1-d1"), "links");
    assert_eq!((&banks["islands"], &banks["points"]), (&json!(0), &Value::Null));
}

#[test]
fn a_tile_under_a_bridge_stops_it() {
    let text = "9/9/9/9/9/9/9/9/wwww1wwww r - -";
    let stops = json!({"code": "stops", "by": "e1", "player": "red", "bridge": "d1-f1",
        "points": 1});
    assert_eq!(said(text, "a9,e1"), [stops]);
    // Without a bridge left there is nothing to stop.
    let empty = with_supply(text, Supply::Limited { tiles: 40, bridges: 0 });
    assert_eq!(codes(&told(&empty, "a9,e1")), ["space"]);
}

#[test]
fn a_bridge_that_leaves_another_way_is_only_hindered() {
    // The islands face each other with three tiles: three bridges join them.
    let text = "7/7/1w1w3/1w1w3/ww1ww2/7/7 r - -";
    let hinders = one(&said(text, "c3,g7"), "hinders");
    assert_eq!(hinders["target"]["bridge"], "b3-d3");
    assert_eq!(hinders["target"]["ways"], hinders["left"]);
    assert!(hinders["left"].as_u64().unwrap() > 0);
}

#[test]
fn the_last_bridge_of_the_supply_stops_the_opponents() {
    let text = "w1w6/9/9/9/9/9/9/9/rrrr1rrrr w - -";
    for (bridges, stops) in [(2, false), (1, true)] {
        let found = told(&with_supply(text, Supply::Limited { tiles: 40, bridges }), "a9-c9");
        assert_eq!(codes(&found).contains(&"stops"), stops, "{bridges} left");
        if stops {
            let stops = one(&found, "stops");
            assert_eq!((&stops["bridge"], &stops["points"]), (&json!("d1-f1"), &json!(1)));
        }
    }
}

#[test]
fn an_island_may_prepare_a_bridge_for_certain_or_not() {
    let text = "9/9/9/9/9/9/9/9/wwww1www1 w - -";
    let found = said(text, "a9,i1");
    assert_eq!(codes(&found)[0], "completes");
    // The bridge was possible before, for nothing.
    assert_eq!(
        one(&found, "raises"),
        json!({"code": "raises", "by": "i1", "player": "white",
        "target": {"bridge": "d1-f1", "ways": 1}, "points": 1, "sure": false})
    );
    // The lesson's fork: three bridges, of which Red can stop two.
    let text = "1rr3/6/1w4/ww1ww1/1w1w2/5r w - -";
    let prepares = one(&said(text, "d4,f6"), "prepares");
    assert_eq!((&prepares["sure"], &prepares["by"]), (&json!(true), &json!("d4")));
    assert!(prepares["ways"].as_u64().unwrap() >= 3);
    assert_eq!(one(&said(text, "e2,f6"), "raises")["sure"], false);
}

#[test]
fn two_threats_at_once_are_a_fork() {
    // Each sandbank has two cells to grow. Red can close one of them.
    let text = "8/8/8/8/8/rr4rr/ww4ww/rrr2rrr w - -";
    let found = said(text, "c2,f2");
    let forks = json!({"code": "forks", "by": "c2,f2", "player": "white",
        "targets": [{"cell": "a2"}, {"cell": "f2"}]});
    assert_eq!(found[0], forks);
    let grown = |by: &str| found.iter().find(|each| each["by"] == by);
    assert!([grown("c2"), grown("f2")].into_iter().flatten().all(|each| each["sure"] == false));
    // One sandbank alone is no fork.
    assert!(!codes(&said(text, "c2,d7")).contains(&"forks"));
}

#[test]
fn what_was_possible_before_may_become_worth_more() {
    // The bridge d1-f1 joined two islands; now it joins three.
    let text = "9/9/9/9/9/9/wwww5/9/wwww1wwww w - -";
    let raises = one(&said(text, "c1-c3"), "raises");
    assert_eq!(raises["target"]["bridge"], "d1-f1");
    assert_eq!((&raises["points"], &raises["sure"]), (&json!(2), &json!(false)));
}

#[test]
fn a_last_cell_is_denied() {
    // Red takes the only cell where White's three tiles could grow.
    let denies = json!({"code": "denies", "by": "d1", "player": "red", "cell": "a1",
        "points": 1});
    assert_eq!(said("4/4/rr2/www1 r - -", "d1,d4")[0]["code"], "hinders");
    assert_eq!(said("4/4/rrr1/www1 r - -", "d1,d4")[0], denies);
}

#[test]
fn a_sandbank_without_room_is_burned() {
    let burns = one(&said("4/4/rr2/ww2 r - -", "c1,d4"), "burns");
    assert_eq!(
        burns,
        json!({"code": "burns", "by": "c1", "player": "red", "cell": "a1",
        "tiles": 2})
    );
}

#[test]
fn a_sandbank_grows_to_three_and_to_two() {
    let found = said("6/6/6/6/2ww2/6 w - -", "b2,f6");
    assert_eq!(found[0]["code"], "grows");
    assert_eq!((&found[0]["by"], &found[0]["tiles"]), (&json!("b2"), &json!(3)));
    assert_eq!(found[0]["sure"], true);
    assert!(found[0]["cells"].as_array().unwrap().contains(&json!("a2")));
    let corner = one(&said("6/6/6/6/rr4/ww4 w - -", "c1,f6"), "grows");
    assert_eq!((&corner["sure"], &corner["cells"]), (&json!(false), &json!(["c2", "d1"])));
    let pair = one(&said("6/6/6/6/6/6 w - -", "c3,c4"), "grows");
    assert_eq!((&pair["by"], &pair["tiles"]), (&json!("c3,c4"), &json!(2)));
}

#[test]
fn a_tile_comes_within_a_bridge() {
    let reaches = one(&said("8/8/8/8/8/8/8/wwww4 w - -", "f1,h8"), "reaches");
    assert_eq!(
        reaches,
        json!({"code": "reaches", "by": "f1", "player": "white",
        "bridge": "d1-f1", "cell": "d1", "islands": 1})
    );
    let both = one(&said("6/6/6/6/6/6 w - -", "c3,e4"), "reaches");
    assert_eq!((&both["by"], &both["bridge"]), (&json!("c3,e4"), &json!("c3-e4")));
}

#[test]
fn a_tile_lies_in_the_way_of_a_bridge_or_takes_room() {
    let cuts = one(&said("8/8/8/8/8/1w1w4/8/8 r - -", "c3,h8"), "cuts");
    assert_eq!((&cuts["by"], &cuts["bridge"]), (&json!("c3"), &json!("b3-d3")));
    let crowds = one(&said("8/8/8/8/8/8/ww6/8 r - -", "c2,h8"), "crowds");
    assert_eq!((&crowds["cell"], &crowds["left"]), (&json!("a2"), &json!(4)));
}

#[test]
fn cells_count_in_the_ending() {
    // A bridge closes the cells under it.
    let closes = one(&said("8/8/8/2w5/8/1w6/8/8 w - -", "b3-c5"), "closes");
    assert_eq!((&closes["count"], &closes["left"]), (&json!(2), &json!(60)));
    // Few cells are left: a bridge saves them.
    let text = "rrrr1/5/5/ww3/ww1w1 w - -";
    assert_eq!(one(&said(text, "b1-d1"), "tempo")["player"], "white");
    // But not this one, under which White could have placed a tile.
    let text = "w1w2/5/5/rrrr1/5 w - -";
    assert!(!codes(&said(text, "a5-c5")).contains(&"tempo"));
}

#[test]
fn each_tile_is_credited_with_what_it_does_alone() {
    let found = said("1w3/rrw2/1r3/ww1r1/5 w - -", "a3,c5");
    let grows: Vec<&Value> = found.iter().filter(|each| each["code"] == "grows").collect();
    let by = |tile: &str| grows.iter().filter(|each| each["by"] == tile).count();
    assert_eq!((grows.len(), by("a3"), by("c5")), (2, 1, 1), "{found:?}");
}

#[test]
fn the_supply_is_kept_in_mind() {
    let text = "w1w5/8/8/8/8/8/8/8 w - -";
    for (bridges, left) in [(3, Some(2)), (4, None)] {
        let position = with_supply(text, Supply::Limited { tiles: 40, bridges });
        let found = told(&position, "a8-c8");
        let supply = found.iter().find(|each| each["code"] == "supply");
        assert_eq!(supply.map(|each| each["left"].clone()), left.map(|left: u16| json!(left)));
    }
}

#[test]
fn the_middle_counts_at_the_beginning() {
    let empty = "10/10/10/10/10/10/10/10/10/10 w - -";
    assert_eq!(one(&said(empty, "a1,e5"), "centre")["by"], "e5");
    assert_eq!(codes(&said(empty, "a1,j9")), ["space"]);
    assert_eq!(
        said(empty, "a1,j9")[0],
        json!({"code": "space", "by": "j9",
        "player": "white", "free": 11})
    );
}

#[test]
fn a_gain_that_cannot_be_stopped_waits() {
    // Three bridges join White's islands; Red can stop two of them.
    let text = "9/9/9/9/9/6rrr/1w1w5/1w1w5/ww1ww4 w - -";
    let waits = one(&said(text, "f4,i3"), "waits");
    assert_eq!(waits["points"], 1);
    assert!(waits["target"]["bridge"].is_string());
    // One bridge can be stopped.
    let text = "9/9/9/9/9/6rrr/9/9/wwww1wwww w - -";
    assert!(!codes(&said(text, "f4,i3")).contains(&"waits"));
}

#[test]
fn swaps_and_passes_are_told() {
    let swap = Setup::parse("6/6/6/6/6/ww4 r - pie", Supply::Unlimited, true).unwrap();
    assert_eq!(codes(&told(&swap.validate().unwrap(), "swap")), ["swap"]);
    assert!(said("6/6/6/6/6/6 w - -", "a1-c1").is_empty());
    let done = with_supply("w1w5/8/8/8/8/8/8/8 r - -", Supply::Limited { tiles: 2, bridges: 1 });
    let other = with_supply("w1w5/8/8/8/8/8/8/8 w - -", Supply::Limited { tiles: 2, bridges: 1 });
    assert!(told(&done, "pass").is_empty());
    let pass = &told(&other, "pass")[0];
    assert_eq!((&pass["bridges"], &pass["ends"]), (&json!(true), &json!(false)));
}

#[test]
fn nothing_is_prepared_for_a_turn_that_never_comes() {
    // Red's last turn: only what counts at once.
    let text = "8/8/8/8/8/8/rr6/8 r - last";
    assert_eq!(codes(&said(text, "c2,h8")), [""; 0]);
    // Nor are cells kept, and a link brings nothing any more.
    let text = "wwrr1/ww1rr/rr3/wrwww/wwr2 r b2-d4 last";
    assert_eq!(codes(&said(text, "b3-d5")), [""; 0]);
    let text = "rw3/3w1/wrwwr/rrwrr/wr2w r - last";
    assert_eq!(codes(&said(text, "a5-b3")), [""; 0]);
}

#[test]
fn a_reason_that_holds_for_the_played_move_as_well_is_not_given() {
    // A turn that completes two islands against one that completes one.
    let text = "9/9/9/9/www6/9/9/9/www6 w - -";
    let found = why(text, "d1,d5", "d1,i9", None);
    assert!(!codes(&found).contains(&"completes"), "{found:?}");
    let found = why(text, "d1,i9", "d1,d5", None);
    assert_eq!((&found[0]["code"], &found[0]["count"]), (&json!("completes"), &json!(2)));
    // Here the better turn stops a bridge, and its island can wait.
    let text = "9/2www4/9/9/3w5/2ww5/9/9/rrrr1rrrr w - -";
    let found = why(text, "f8,c5", "e1,f8", None);
    assert_eq!(codes(&found)[0], "stops");
    assert!(codes(&found).contains(&"waits") && !codes(&found).contains(&"completes"));
}

#[test]
fn if_the_best_move_does_little_the_answer_tells_what_was_wrong() {
    // A tile on b1 takes little room from Red; without it Red completes an island there.
    let text = "9/9/9/9/9/9/9/9/r1r6 w - -";
    let found = why(text, "e5,i9", "b1,i9", Some("b1,d1"));
    let allows = &found[0];
    assert_eq!(codes(&found)[0], "allows", "{found:?}");
    assert_eq!((&allows["by"], &allows["reply"]), (&json!("e5,i9"), &json!("b1,d1")));
    assert_eq!((&allows["player"], &allows["why"][0]["player"]), (&json!("white"), &json!("red")));
    assert_eq!(allows["why"][0]["code"], "completes");
    // After this one Red completes an island, too, in another way.
    let text = "9/9/9/9/9/9/rr7/9/r1r6 w - -";
    let found = why(text, "e5,i9", "b1,i9", Some("b1,d1"));
    assert!(!codes(&found).contains(&"allows"), "{found:?}");
    // The answer does no more than any other after the best move.
    let found = why("9/9/9/9/4rr3/9/9/9/9 w - -", "a1,i1", "a1,e6", Some("e6,i9"));
    assert!(!codes(&found).contains(&"allows"), "{found:?}");
    // No difference, no reason.
    assert!(why("9/9/9/9/9/9/9/9/9 w - -", "a1,i9", "a9,i1", None).is_empty());
}
