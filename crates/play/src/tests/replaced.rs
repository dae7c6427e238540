//! Games that others replace.

use serde_json::json;

use super::session::Test;
use crate::Effect;

#[test]
fn a_game_that_another_one_replaces_is_kept() {
    let mut test = Test::humans();
    let kept = |test: &Test| -> Vec<Vec<String>> {
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
    assert!(kept(&test).is_empty(), "nothing was played");
    test.play("a1,c1");
    test.ask(&new);
    assert_eq!(kept(&test), [["a1,c1"]]);
    test.play("b2,d3");
    test.ask(&json!({"type": "load", "text": "d4,e6 c3,g6"}));
    assert_eq!(kept(&test), [["b2,d3"]]);
    test.ask(&json!({"type": "rematch"}));
    assert_eq!(kept(&test), [["d4,e6", "c3,g6"]]);
}
