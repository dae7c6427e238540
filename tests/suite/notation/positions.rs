//! Position text.

use pontifex::board::Size;
use pontifex::game::{Color, Position, Rules, Setup, SetupStage, Supply};
use pontifex::notation::ParsePositionError;
use proptest::prelude::*;

use super::games::game;

fn parse(text: &str) -> Result<Setup, ParsePositionError> {
    Setup::parse(text, Supply::Standard, true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn positions_round_trip_through_text((start, moves) in game()) {
        let mut position = start.validate().unwrap();
        for mv in std::iter::once(None).chain(moves.into_iter().map(Some)) {
            if let Some(mv) = mv {
                position.play(mv).unwrap();
            }
            let text = position.to_string();
            let Rules { supply, pie, .. } = *position.rules();
            let setup = Setup::parse(&text, supply, pie).unwrap();
            prop_assert_eq!(setup.validate().unwrap(), position, "{}", text);
            prop_assert_eq!(setup.to_string(), text);
        }
    }

    #[test]
    fn accepted_texts_round_trip(text in r"[wr0-9/ a-l,\-pielastover]{0,80}") {
        if let Ok(setup) = parse(&text) {
            prop_assert_eq!(parse(&setup.to_string()).unwrap().to_string(), setup.to_string());
        }
    }
}

#[test]
fn fields_are_parsed() {
    let setup = parse("w1r1/4/2w1/4 r - -").unwrap();
    assert_eq!(setup.rules, Rules { size: Size::MIN, supply: Supply::Standard, pie: true });
    let cells = |color: Color| {
        let tiles = setup.tiles[color.index()];
        tiles.into_iter().map(|cell| cell.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(cells(Color::White), "a4 c2");
    assert_eq!(cells(Color::Red), "c4");
    assert_eq!((setup.side, setup.stage), (Color::Red, SetupStage::Plain));
    for (state, stage) in
        [("pie", SetupStage::Pie), ("LAST", SetupStage::Last), ("Over", SetupStage::Over)]
    {
        assert_eq!(parse(&format!("4/4/4/4 r - {state}")).unwrap().stage, stage);
    }
}

#[test]
fn white_space_case_and_order_do_not_matter() {
    let text = " \tW1W1/4/4/RR2   R\n C4-A4   -\r\n";
    assert_eq!(parse(text).unwrap().to_string(), "w1w1/4/4/rr2 r a4-c4 -");
    let text = "w1w1w1w/7/7/7/7/7/w1w4 w e7-g7,c1-a1,a7-c7 -";
    assert_eq!(parse(text).unwrap().to_string(), "w1w1w1w/7/7/7/7/7/w1w4 w a1-c1,a7-c7,e7-g7 -");
}

#[test]
fn numbers_may_have_two_digits() {
    let text = "12/11w/w11/1w10/12/12/12/12/12/12/12/r10r w - -";
    let position = parse(text).unwrap().validate().unwrap();
    assert_eq!(position.to_string(), text);
    assert_eq!(position, Setup::from(&position).validate().unwrap());
}

#[test]
fn an_unfinished_turn_shows_its_first_tile() {
    let mut position = Position::new(Rules::default());
    position.make(pontifex::game::Step::Tile("d4".parse().unwrap()));
    assert_eq!(position.to_string(), "10/10/10/10/10/10/3w6/10/10/10 w - -");
}

#[test]
fn errors_are_precise() {
    let cases = [
        ("", "a position text has four fields, ROWS SIDE BRIDGES STATE, not 0"),
        ("4/4/4/4 w -", "a position text has four fields, ROWS SIDE BRIDGES STATE, not 3"),
        ("4/4/4/4 w - - x", "a position text has four fields, ROWS SIDE BRIDGES STATE, not 5"),
        ("3/3/3 w - -", "a board has 4 to 12 rows, not 3"),
        ("4/4/4/4/ w - -", "the text has 5 rows, but row 5 ('4') has 4 cells: a board is square"),
        ("4/w2/4/4 w - -", "the text has 4 rows, but row 3 ('w2') has 3 cells: a board is square"),
        (
            "4/4/wrwrw/4 w - -",
            "the text has 4 rows, but row 2 ('wrwrw') has 5 cells: a board is square",
        ),
        ("4/4/4/x3 w - -", "'x' in row 1 is not w, r or a number of empty cells"),
        ("4/4/4/3é w - -", "'é' in row 1 is not w, r or a number of empty cells"),
        ("4/4/22/4 w - -", "'22' in row 2 is not a number of empty cells from 1 to 12"),
        ("4/4/0w3/4 w - -", "'0' in row 2 is not a number of empty cells from 1 to 12"),
        ("04/4/4/4 w - -", "'04' in row 4 is not a number of empty cells from 1 to 12"),
        (
            "99999999999/4/4/4 w - -",
            "'99999999999' in row 4 is not a number of empty cells from 1 to 12",
        ),
        ("4/4/4/4 b - -", "side to move 'b' is not w or r"),
        (
            "4/4/4/4 w a1c1 -",
            "'a1c1' in the list of bridges is not CELL-CELL, as in a1-c1,d4-f5, or - for none",
        ),
        (
            "4/4/4/4 w a1-c1, -",
            "'' in the list of bridges is not CELL-CELL, as in a1-c1,d4-f5, or - for none",
        ),
        (
            "4/4/4/4 w a1-m1 -",
            "'a1-m1' in the list of bridges is not CELL-CELL, as in a1-c1,d4-f5, or - for none",
        ),
        ("4/4/4/4 w - end", "state 'end' is not -, pie, last or over"),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
    let long = format!("{} w - -", "4/".repeat(10_000));
    assert_eq!(parse(&long).unwrap_err(), ParsePositionError::Rows { found: 10_001 });
}

#[test]
fn the_rules_are_checked_by_validation() {
    let cases = [
        (
            "4/4/4/4 w a1-c1 -",
            "the bridge a1-c1 breaks a rule: a1 has no white tile, and a bridge needs one at both ends",
        ),
        ("4/4/4/4 w f1-h1 -", "the bridge f1-h1 breaks a rule: f1 is not on the 4x4 board"),
        (
            "4/4/4/wwww w - pie",
            "state 'pie' needs Red to move, two white tiles, no red tile and no bridge",
        ),
        ("4/4/4/4 w - last", "state 'last' is Red's last turn, but White is to move"),
        (
            "4/4/w3/wwww w - -",
            "the white tile on d1 breaks a rule: d1 would be a fifth tile of the island at c1",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).unwrap().validate().unwrap_err().to_string(), message, "{text}");
    }
    let pie = Setup::parse("w1w1/4/4/4 r - pie", Supply::Standard, false).unwrap();
    assert_eq!(
        pie.validate().unwrap_err().to_string(),
        "state 'pie' needs the pie rule, which is off"
    );
}
