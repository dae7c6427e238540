//! Tests of `src/board/cell.rs`.

use pontifex::board::Cell;

#[test]
fn text_round_trips_in_notation_order() {
    let mut cells = Vec::new();
    for column in 0..12 {
        for row in 0..12 {
            let cell = Cell::new(column, row);
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(cell.to_string().to_uppercase().parse(), Ok(cell));
            cells.push(cell);
        }
    }
    assert!(cells.is_sorted());
}

#[test]
fn invalid_cells_are_refused() {
    for text in ["", "a", "a0", "a13", "m1", "a01", "a+1", "1a", "a1 ", "é1", "a1\u{301}"] {
        assert!(text.parse::<Cell>().is_err(), "{text:?}");
    }
}
