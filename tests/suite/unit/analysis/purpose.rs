//! Tests of `src/analysis/purpose.rs`.

use pontifex::analysis::{Purpose, purposes};
use pontifex::game::{Position, Setup, Supply};
use serde_json::json;

fn position(text: &str) -> Position {
    Setup::parse(text, Supply::Unlimited, false).unwrap().validate().unwrap()
}

/// The purposes as JSON.
fn said(text: &str, mv: &str) -> serde_json::Value {
    let found = purposes(&position(text), mv.parse().unwrap());
    found.iter().map(Purpose::to_json).collect()
}

#[test]
fn a_fourth_tile_completes_an_island() {
    let cells = ["a1", "b1", "c1", "d1"];
    assert_eq!(
        said("6/6/6/6/6/www3 w - -", "d1,f6"),
        json!([{"code": "completes", "count": 1, "cells": cells}])
    );
}

#[test]
fn a_bridge_between_islands_joins_networks() {
    // Two islands: a network of two is worth one point more than both.
    let text = "7/7/7/7/7/7/wwww1w1 w - -";
    assert_eq!(said(text, "d1-f1"), json!([{"code": "links"}]));
    let text = "8/8/8/8/8/wwww1www/8/7w w - -";
    assert_eq!(said(text, "d3-f3"), json!([{"code": "links"}]));
    let text = "9/9/9/9/9/9/9/9/wwww1wwww w - -";
    assert_eq!(said(text, "d1-f1"), json!([{"code": "joins", "points": 1}]));
}

#[test]
fn a_tile_under_a_bridge_stops_it() {
    let text = "9/9/9/9/9/9/9/9/wwww1wwww r - -";
    assert_eq!(said(text, "a9,e1"), json!([{"code": "stops", "bridge": "d1-f1", "points": 1}]));
    // Without a bridge left there is nothing to stop.
    let empty = Setup::parse(text, Supply::Limited { tiles: 40, bridges: 0 }, false).unwrap();
    let found = purposes(&empty.validate().unwrap(), "a9,e1".parse().unwrap());
    assert_eq!(found, [Purpose::Space]);
}

#[test]
fn the_last_bridge_of_the_supply_stops_the_opponents() {
    let text = "w1w6/9/9/9/9/9/9/9/rrrr1rrrr w - -";
    for (bridges, wanted) in [
        (2, json!([{"code": "links"}])),
        (1, json!([{"code": "stops", "bridge": "d1-f1", "points": 1}])),
    ] {
        let setup = Setup::parse(text, Supply::Limited { tiles: 40, bridges }, false).unwrap();
        let found = purposes(&setup.validate().unwrap(), "a9-c9".parse().unwrap());
        let found: serde_json::Value = found.iter().map(Purpose::to_json).collect();
        assert_eq!(found, wanted, "{bridges} left");
    }
}

#[test]
fn an_island_may_prepare_a_bridge() {
    let text = "9/9/9/9/9/9/9/9/wwww1www1 w - -";
    let found = said(text, "a9,i1");
    assert_eq!(found[0]["code"], "completes");
    assert_eq!(found[1], json!({"code": "prepares", "bridge": "d1-f1", "points": 1}));
}

#[test]
fn a_last_cell_is_denied() {
    // Red takes the only cell where White's three tiles could grow.
    let text = "4/4/rr2/www1 r - -";
    assert_eq!(said(text, "d1,d4"), json!([{"code": "denies", "cell": "d1"}]));
}

#[test]
fn other_moves_take_space_or_pass() {
    assert_eq!(said("6/6/6/6/6/6 w - -", "c3,e4"), json!([{"code": "space"}]));
    let swap = Setup::parse("6/6/6/6/6/ww4 r - pie", Supply::Unlimited, true).unwrap();
    let found = purposes(&swap.validate().unwrap(), "swap".parse().unwrap());
    assert_eq!(found, [Purpose::Swap]);
    assert_eq!(purposes(&position("6/6/6/6/6/6 w - -"), "a1-c1".parse().unwrap()), []);
}
