//! Tests of `src/game/illegal.rs`.

use pontifex::board::Cell;
use pontifex::game::IllegalMove;

#[test]
fn codes_are_the_names_of_the_variants() {
    let cell: Cell = "d4".parse().unwrap();
    for (reason, cells) in [
        (IllegalMove::GameOver, 0),
        (IllegalMove::TouchesIsland { cell, island: cell }, 2),
        (IllegalMove::CrossesBridge { ends: (cell, cell), other: (cell, cell) }, 4),
        (IllegalMove::GroupTooLarge { cell, tiles: 5 }, 1),
        (IllegalMove::NoSecondTile { cell }, 1),
    ] {
        let name = format!("{reason:?}");
        let name = name.split([' ', '{']).next().unwrap_or_default();
        assert_eq!(reason.code().replace('_', ""), name.to_lowercase());
        assert_eq!(reason.cells().len(), cells, "{name}");
    }
}
