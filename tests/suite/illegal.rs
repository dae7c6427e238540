//! Every reason to refuse a move or a setup: a position, the error and its text.

use pontifex::board::{Cell, Cells, Size};
use pontifex::game::{Color, IllegalMove, Move, Position, Rules, Setup, SetupStage, Supply};

fn cell(text: &str) -> Cell {
    text.parse().unwrap()
}

fn pair(text: &str) -> (Cell, Cell) {
    let (a, b) = text.split_once('-').unwrap();
    (cell(a), cell(b))
}

fn cells(text: &str) -> Cells {
    text.split_whitespace().map(cell).collect()
}

/// A 10×10 board with these tiles and bridges, White to move.
fn setup(white: &str, red: &str, bridges: &str) -> Setup {
    Setup {
        rules: Rules { supply: Supply::Unlimited, ..Rules::default() },
        tiles: [cells(white), cells(red)],
        bridges: bridges.split_whitespace().map(pair).collect(),
        side: Color::White,
        stage: SetupStage::Plain,
    }
}

#[track_caller]
fn refuses(setup: &Setup, mv: &str, reason: IllegalMove, text: &str) {
    let mut position = setup.validate().unwrap();
    let mv: Move = mv.parse().unwrap();
    assert!(!position.moves().contains(&mv), "{mv} is listed");
    assert_eq!(position.check(mv), Err(reason));
    assert_eq!(position.play(mv), Err(reason));
    assert_eq!(reason.to_string(), text);
}

#[test]
fn game_over() {
    let over = Setup { stage: SetupStage::Over, ..setup("", "", "") };
    for mv in ["a1,b1", "a1-c1", "pass", "swap"] {
        refuses(&over, mv, IllegalMove::GameOver, "the game is over");
    }
    let over = over.validate().unwrap();
    for color in Color::BOTH {
        assert_eq!(over.check_turn(color), Err(IllegalMove::GameOver));
    }
}

#[test]
fn not_your_turn() {
    let mut position = Position::new(Rules::default());
    assert_eq!(position.check_turn(Color::White), Ok(()));
    let reason = IllegalMove::NotYourTurn { to_move: Color::White };
    assert_eq!(position.check_turn(Color::Red), Err(reason));
    assert_eq!(reason.to_string(), "it is white's turn");
    position.play("d4,e6".parse().unwrap()).unwrap();
    let reason = IllegalMove::NotYourTurn { to_move: Color::Red };
    assert_eq!(position.check_turn(Color::White), Err(reason));
    assert_eq!(reason.to_string(), "it is red's turn");
}

#[test]
fn off_board() {
    let size = Size::STANDARD;
    let reason = IllegalMove::OffBoard { cell: cell("k3"), size };
    let text = "k3 is not on the 10x10 board";
    refuses(&setup("", "", ""), "a1,k3", reason, text);
    refuses(&setup("i3", "", ""), "i3-k3", reason, text);
}

#[test]
fn same_cell() {
    let reason = IllegalMove::SameCell { cell: cell("d4") };
    let text = "d4 is named twice, two different cells are needed";
    refuses(&setup("", "", ""), "d4,d4", reason, text);
    refuses(&setup("d4", "", ""), "d4-d4", reason, text);
}

#[test]
fn occupied() {
    let board = setup("d4", "e6", "");
    let reason = IllegalMove::Occupied { cell: cell("d4"), color: Color::White };
    refuses(&board, "a1,d4", reason, "d4 is occupied by a white tile");
    let reason = IllegalMove::Occupied { cell: cell("e6"), color: Color::Red };
    refuses(&board, "e6,a1", reason, "e6 is occupied by a red tile");
}

#[test]
fn blocked() {
    let board = setup("d4 e6", "", "d4-e6");
    for under in ["d5", "e5"] {
        let reason = IllegalMove::Blocked { cell: cell(under), bridge: pair("d4-e6") };
        let text = format!("{under} is blocked, it lies under the bridge d4-e6");
        refuses(&board, &format!("{under},a1"), reason, &text);
        refuses(
            &Setup { side: Color::Red, ..board.clone() },
            &format!("a1,{under}"),
            reason,
            &text,
        );
    }
}

#[test]
fn group_too_large() {
    // d4 would join two tiles on either side.
    let reason = IllegalMove::GroupTooLarge { cell: cell("d4"), tiles: 5 };
    let text = "d4 would make a group of 5 tiles, 4 is the limit";
    refuses(&setup("b4 c4 e4 f4", "", ""), "a1,d4", reason, text);
    // Legal alone, but not after the first tile of the turn.
    let reason = IllegalMove::GroupTooLarge { cell: cell("e4"), tiles: 5 };
    let text = "e4 would make a group of 5 tiles, 4 is the limit";
    refuses(&setup("c4 f4 g4", "", ""), "d4,e4", reason, text);
}

#[test]
fn touches_island() {
    let board = setup("b2 b3 c2 c3", "", "");
    let reason = IllegalMove::TouchesIsland { cell: cell("d4"), island: cell("c3"), beside: false };
    refuses(&board, "d4,j10", reason, "d4 touches the island at c3");
    let reason = IllegalMove::TouchesIsland { cell: cell("a2"), island: cell("b2"), beside: true };
    refuses(&board, "a2,j10", reason, "a2 would be a fifth tile of the island at b2");
    // The first tile of the turn completes the island.
    let reason = IllegalMove::TouchesIsland { cell: cell("e2"), island: cell("d1"), beside: false };
    refuses(&setup("a1 b1 c1", "", ""), "d1,e2", reason, "e2 touches the island at d1");
}

#[test]
fn island_touches() {
    let reason = IllegalMove::IslandTouches { cell: cell("d1"), tile: cell("e2") };
    let text = "d1 would complete an island that touches the tile at e2";
    refuses(&setup("a1 b1 c1 e2", "", ""), "d1,j10", reason, text);
    // The touched tile is the first tile of the turn.
    let reason = IllegalMove::IslandTouches { cell: cell("e1"), tile: cell("a2") };
    let text = "e1 would complete an island that touches the tile at a2";
    refuses(&setup("b1 c1 d1", "", ""), "a2,e1", reason, text);
}

#[test]
fn no_tiles_left() {
    let supply = Supply::Limited { tiles: 3, bridges: 2 };
    let mut board = setup("a1 e5", "c3", "");
    board.rules.supply = supply;
    let reason = IllegalMove::NoTilesLeft { color: Color::White, left: 1 };
    refuses(&board, "h8,h2", reason, "white has 1 tile left, two are needed");
}

#[test]
fn no_second_tile() {
    // c2 is the only cell for White.
    let setup = Setup::parse("wwww/4/ww1w/rrrr w - -", Supply::Unlimited, false).unwrap();
    let position = setup.validate().unwrap();
    let reason = IllegalMove::NoSecondTile { cell: cell("c2") };
    assert_eq!(position.check_first_tile(cell("c2")), Err(reason));
    assert_eq!(reason.to_string(), "no second tile could follow one on c2");
    let reason = IllegalMove::TouchesIsland { cell: cell("a3"), island: cell("a4"), beside: true };
    assert_eq!(position.check_first_tile(cell("a3")), Err(reason));
    assert!(position.tile_steps().is_empty());
}

#[test]
fn no_bridges_left() {
    let mut board = setup("a1 c1 f1 h1", "", "a1-c1");
    board.rules.supply = Supply::Limited { tiles: 20, bridges: 1 };
    refuses(&board, "f1-h1", IllegalMove::NoBridgesLeft, "no bridge is left in the supply");
}

#[test]
fn no_bridge_shape() {
    let reason = IllegalMove::NoBridgeShape { ends: pair("d4-g4") };
    let text = "d4-g4 is not a bridge: its ends must have exactly one cell between them, \
                straight or diagonal, or be a knight's move apart";
    refuses(&setup("d4 g4", "", ""), "g4-d4", reason, text);
}

#[test]
fn not_your_tile() {
    let board = setup("d4", "e6", "");
    let reason = IllegalMove::NotYourTile { cell: cell("e6"), color: Color::White };
    refuses(&board, "d4-e6", reason, "e6 has no white tile, and a bridge needs one at both ends");
    let reason = IllegalMove::NotYourTile { cell: cell("d4"), color: Color::Red };
    refuses(
        &Setup { side: Color::Red, ..board },
        "d4-e6",
        reason,
        "d4 has no red tile, and a bridge needs one at both ends",
    );
}

#[test]
fn carries_bridge() {
    let reason = IllegalMove::CarriesBridge { cell: cell("c3"), bridge: pair("a3-c3") };
    let text = "c3 already carries the bridge a3-c3";
    refuses(&setup("a3 c3 e3", "", "a3-c3"), "c3-e3", reason, text);
}

#[test]
fn tile_under_bridge() {
    let reason = IllegalMove::TileUnderBridge { ends: pair("d4-e6"), tile: cell("e5") };
    let text = "the bridge d4-e6 would run over the tile at e5";
    refuses(&setup("d4 e6", "e5", ""), "d4-e6", reason, text);
    refuses(&setup("d4 e6 e5", "", ""), "d4-e6", reason, text);
}

#[test]
fn crosses_bridge() {
    // The bridges cross, but no cell is under both.
    let reason = IllegalMove::CrossesBridge { ends: pair("c3-e5"), other: pair("c6-e4") };
    let text = "the bridge c3-e5 would cross the bridge c6-e4";
    refuses(&setup("c3 e5", "c6 e4", "c6-e4"), "c3-e5", reason, text);
    refuses(&setup("c3 e5 c6 e4", "", "c6-e4"), "e5-c3", reason, text);
}

#[test]
fn pass_not_allowed() {
    let example = "a1,a2".parse().unwrap();
    let reason = IllegalMove::PassNotAllowed { example };
    let text = "pass is not allowed while two tiles can be placed, for example a1,a2";
    refuses(&setup("", "", ""), "pass", reason, text);
}

#[test]
fn swap_not_allowed() {
    let text = "swap is allowed only as the answer to White's first turn, with the pie rule on";
    let refuses_swap = |board: &Setup| refuses(board, "swap", IllegalMove::SwapNotAllowed, text);
    refuses_swap(&setup("", "", ""));
    let after_first_turn = Setup { side: Color::Red, ..setup("d4 e6", "", "") };
    refuses_swap(&after_first_turn);
    let rules = Rules { pie: false, ..Rules::default() };
    let mut position = Position::new(rules);
    position.play("d4,e6".parse().unwrap()).unwrap();
    assert_eq!(position.play(Move::Swap), Err(IllegalMove::SwapNotAllowed));
    let mut position = Position::new(Rules::default());
    position.play("d4,e6".parse().unwrap()).unwrap();
    assert_eq!(position.play(Move::Swap), Ok(()));
    assert_eq!(position.side(), Color::Red);
    assert_eq!(position.play(Move::Swap), Err(IllegalMove::SwapNotAllowed));
}

#[test]
fn setups() {
    #[track_caller]
    fn refuses(setup: &Setup, text: &str) {
        assert_eq!(setup.validate().unwrap_err().to_string(), text);
    }
    let limited =
        |tiles, bridges| Rules { supply: Supply::Limited { tiles, bridges }, ..Rules::default() };
    refuses(
        &setup("a1 b1 c1 d1", "a1", ""),
        "the red tile on a1 breaks a rule: a1 is occupied by a white tile",
    );
    refuses(
        &Setup { rules: Rules { size: Size::MIN, ..Rules::default() }, ..setup("", "e1", "") },
        "the red tile on e1 breaks a rule: e1 is not on the 4x4 board",
    );
    refuses(
        &setup("a1 c1 e1", "", "a1-c1 e1-c1"),
        "the bridge c1-e1 breaks a rule: c1 already carries the bridge a1-c1",
    );
    refuses(
        &setup("a1", "c1", "a1-c1"),
        "the bridge a1-c1 breaks a rule: c1 has no white tile, and a bridge needs one at both ends",
    );
    refuses(
        &Setup { rules: limited(1, 1), ..setup("", "a1 c1", "") },
        "red has 2 tiles on the board, the supply is 1",
    );
    refuses(
        &Setup { rules: limited(4, 1), ..setup("a1 c1 f1 h1", "", "a1-c1 f1-h1") },
        "2 bridges are on the board, the supply is 1",
    );
    let pie = Setup { stage: SetupStage::Pie, side: Color::Red, ..setup("a1 c1", "", "") };
    assert!(pie.validate().is_ok_and(|position| position.may_swap()));
    refuses(
        &Setup { rules: Rules { pie: false, ..Rules::default() }, ..pie.clone() },
        "state 'pie' needs the pie rule, which is off",
    );
    refuses(
        &Setup { side: Color::White, ..pie },
        "state 'pie' needs Red to move, two white tiles, no red tile and no bridge",
    );
    refuses(
        &Setup { stage: SetupStage::Last, ..setup("", "", "") },
        "state 'last' is Red's last turn, but White is to move",
    );
}
