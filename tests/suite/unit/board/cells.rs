//! Tests of `src/board/cells.rs`.

use pontifex::board::{Cell, Cells, Size};

/// Neighbours by definition, using coordinates.
fn around(set: Cells, size: Size, corners: bool) -> Cells {
    let mut out = Cells::EMPTY;
    for cell in set {
        for columns in -1..=1i8 {
            for rows in -1..=1i8 {
                if corners || columns.abs() + rows.abs() == 1 {
                    out |= cell.offset(columns, rows, size).into_iter().collect();
                }
            }
        }
    }
    out
}

#[test]
fn neighbours_and_order_agree_with_the_definitions() {
    let mut state = 1u64;
    for size in Size::all() {
        let board = Cells::board(size);
        assert_eq!(board.len(), u32::from(size.get()).pow(2));
        for _ in 0..200 {
            let set: Cells = board
                .into_iter()
                .filter(|_| {
                    // One cell in eight.
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    state >> 61 == 0
                })
                .collect();
            assert_eq!(set.sides() & board, around(set, size, false));
            assert_eq!(set.halo() & board, around(set, size, true));
            let cells: Vec<Cell> = set.into_iter().collect();
            assert!(cells.is_sorted());
            for (n, &cell) in cells.iter().enumerate() {
                assert_eq!(set.nth(n as u32), Some(cell));
                assert_eq!(set.after(cell).into_iter().collect::<Vec<_>>(), cells[n + 1..]);
            }
            assert_eq!(set.nth(set.len()), None);
        }
    }
}
