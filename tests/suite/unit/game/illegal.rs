//! Tests of `src/game/illegal.rs`.

use pontifex::board::Cell;
use pontifex::game::{IllegalMove, Position, Rules, Step};

#[test]
fn in_json_a_reason_is_a_code_and_its_values_by_name() {
    let cell: Cell = "d4".parse().unwrap();
    for (reason, cells) in [
        (IllegalMove::GameOver, 0),
        (IllegalMove::NoBridgesLeft, 0),
        (IllegalMove::TouchesIsland { cell, island: cell, beside: false }, 2),
        (IllegalMove::CrossesBridge { ends: (cell, cell), other: (cell, cell) }, 4),
        (IllegalMove::GroupTooLarge { cell, tiles: 5 }, 1),
        (IllegalMove::NoSecondTile { cell }, 1),
    ] {
        let name = format!("{reason:?}");
        let name = name.split([' ', '{']).next().unwrap_or_default();
        let json = serde_json::to_value(reason).unwrap();
        assert_eq!(json["code"].as_str().unwrap().replace('_', ""), name.to_lowercase());
        assert!(json["data"].is_object(), "{json}");
        assert_eq!(reason.cells().len(), cells, "{name}");
    }
    let reason = IllegalMove::CrossesBridge { ends: (cell, cell), other: (cell, cell) };
    let data = &serde_json::to_value(reason).unwrap()["data"];
    assert_eq!(*data, serde_json::json!({"ends": "d4-d4", "other": "d4-d4"}));
}

/// It was accepted silently: Red swapped after Red's first turn.
#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "Swap is illegal here"))]
fn a_late_swap_is_refused_by_play_and_noticed_by_make() {
    let mut position = Position::new(Rules::default());
    for mv in ["d4,e6", "a1,b2", "g7,i9"] {
        position.play(mv.parse().unwrap()).unwrap();
    }
    assert_eq!(position.play("swap".parse().unwrap()), Err(IllegalMove::SwapNotAllowed));
    position.make(Step::Swap);
}
