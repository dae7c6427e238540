//! Random moves and setups, legal or not: they are refused exactly when the reference refuses them,
//! and the error states a true reason.

use std::collections::BTreeSet;

use pontifex::board::{Cell, Cells, Site};
use pontifex::game::{IllegalMove, Move, Position, Setup, SetupStage};
use pontifex_testing::reference_rules::{Reference, cross, is_bridge_shape, spanned};
use proptest::prelude::*;
use proptest::sample::select;

use pontifex_testing::scripts::{config, script};

/// A random choice of a cell, whatever the position: it is resolved later.
type Choice = u16;

/// A random move that is often legal, or nearly so. The position determines the cells.
#[derive(Clone, Copy, Debug)]
enum Attempt {
    Pass,
    Swap,
    /// The same cell twice.
    OneCell(Choice),
    OpenCells(Choice, Choice),
    OpenAndAnyCell(Choice, Choice),
    AnyCells(Choice, Choice),
    BridgeFromOwnTile(Choice, Choice),
    BridgeAnywhere(Choice, Choice),
    /// A bridge of the right shape between own tiles, from either end.
    BridgeBetweenOwnTiles(Choice, Choice),
}

fn attempt() -> impl Strategy<Value = Attempt> {
    any::<[Choice; 2]>().prop_flat_map(|[a, b]| {
        prop_oneof![
            1 => Just(Attempt::Pass),
            1 => Just(Attempt::Swap),
            1 => Just(Attempt::OneCell(a)),
            3 => Just(Attempt::OpenCells(a, b)),
            3 => Just(Attempt::OpenAndAnyCell(a, b)),
            1 => Just(Attempt::AnyCells(a, b)),
            1 => Just(Attempt::BridgeFromOwnTile(a, b)),
            1 => Just(Attempt::BridgeAnywhere(a, b)),
            4 => Just(Attempt::BridgeBetweenOwnTiles(a, b)),
        ]
    })
}

impl Attempt {
    fn cell_of(cells: Cells, choice: Choice) -> Cell {
        cells.nth(u32::from(choice) % cells.len().max(1)).unwrap_or(Cell::new(0, 0))
    }

    /// A cell on the board or next to it.
    fn any_cell(position: &Position, choice: Choice) -> Cell {
        let edge = u16::from(position.size().get() + 1).min(12);
        Cell::new((choice % edge) as u8, (choice / edge % edge) as u8)
    }

    fn to_move(self, position: &Position) -> Move {
        let own = position.tiles(position.side());
        let any = |choice| Attempt::any_cell(position, choice);
        let open = |choice| Attempt::cell_of(position.open_cells(position.side()), choice);
        match self {
            Attempt::Pass => Move::Pass,
            Attempt::Swap => Move::Swap,
            Attempt::OneCell(a) => Move::Tiles(any(a), any(a)),
            Attempt::OpenCells(a, b) => Move::Tiles(open(a), open(b)),
            Attempt::OpenAndAnyCell(a, b) => Move::Tiles(open(a), any(b)),
            Attempt::AnyCells(a, b) => Move::Tiles(any(a), any(b)),
            Attempt::BridgeFromOwnTile(a, b) => Move::Bridge(Attempt::cell_of(own, a), any(b)),
            Attempt::BridgeAnywhere(a, b) => Move::Bridge(any(a), any(b)),
            Attempt::BridgeBetweenOwnTiles(a, b) => {
                let sites = position.geometry().sites().within(own);
                match sites.nth(u32::from(a) % sites.len().max(1)).map(Site::ends) {
                    Some([from, to]) if b % 2 == 0 => Move::Bridge(from, to),
                    Some([from, to]) => Move::Bridge(to, from),
                    None => Move::Bridge(any(a), any(b)),
                }
            }
        }
    }
}

fn reference(position: &Position) -> Reference {
    Reference::from_setup(&Setup::from(position)).expect("a legal position")
}

/// Whether the error is true.
#[expect(clippy::too_many_lines, reason = "an arm for every error")]
fn is_true(error: IllegalMove, mv: Move, before: &Reference) -> bool {
    let mover = before.side();
    let (Move::Tiles(a, b) | Move::Bridge(a, b)) = mv else {
        return match error {
            IllegalMove::GameOver => before.is_over(),
            IllegalMove::PassNotAllowed { example } => mv == Move::Pass && before.is_legal(example),
            IllegalMove::SwapNotAllowed => mv == Move::Swap && !before.may_swap(),
            _ => false,
        };
    };
    // The second tile is checked with the first on the board.
    let mut boards = vec![before.clone()];
    for cell in [a, b] {
        if matches!(mv, Move::Tiles(..)) && before.may_place(mover, cell) {
            let mut with_tile = before.clone();
            with_tile.place_tile(cell);
            boards.push(with_tile);
        }
    }
    let is_sorted = |ends| ends == (a.min(b), a.max(b));
    let touch = |a: Cell, b: Cell| {
        a != b && a.column().abs_diff(b.column()) <= 1 && a.row().abs_diff(b.row()) <= 1
    };
    match error {
        IllegalMove::GameOver => before.is_over(),
        IllegalMove::OffBoard { cell, size } => {
            [a, b].contains(&cell) && cell.column().max(cell.row()) >= size.get()
        }
        IllegalMove::SameCell { cell } => a == cell && b == cell,
        IllegalMove::Occupied { cell, color } => {
            [a, b].contains(&cell) && before.tile_at(cell) == Some(color)
        }
        IllegalMove::Blocked { cell, bridge } => {
            [a, b].contains(&cell)
                && before.bridges().contains(&bridge)
                && spanned(bridge).contains(&cell)
        }
        IllegalMove::GroupTooLarge { cell, tiles } => boards
            .iter()
            .any(|board| tiles > 4 && board.group_with(mover, cell).len() == usize::from(tiles)),
        IllegalMove::TouchesIsland { cell, island, .. } => boards.iter().any(|board| {
            board.tile_at(island) == Some(mover)
                && board.group_with(mover, island).len() == 4
                && touch(cell, island)
        }),
        IllegalMove::IslandTouches { cell, tile } => boards.iter().any(|board| {
            let island = board.group_with(mover, cell);
            island.len() == 4
                && board.tile_at(tile) == Some(mover)
                && !island.contains(&tile)
                && island.iter().any(|&part| touch(part, tile))
        }),
        IllegalMove::NoTilesLeft { color, left } => {
            color == mover && left < 2 && before.tiles_left(mover) == Some(left)
        }
        IllegalMove::NoBridgesLeft => before.bridges_left() == Some(0),
        IllegalMove::NoBridgeShape { ends } => is_sorted(ends) && !is_bridge_shape(ends),
        IllegalMove::NotYourTile { cell, color } => {
            [a, b].contains(&cell) && color == mover && before.tile_at(cell) != Some(mover)
        }
        IllegalMove::CarriesBridge { cell, bridge } => {
            [a, b].contains(&cell)
                && before.bridges().contains(&bridge)
                && [bridge.0, bridge.1].contains(&cell)
        }
        IllegalMove::TileUnderBridge { ends, tile } => {
            is_sorted(ends) && spanned(ends).contains(&tile) && before.tile_at(tile).is_some()
        }
        IllegalMove::CrossesBridge { ends, other } => {
            is_sorted(ends) && before.bridges().contains(&other) && cross(ends, other)
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn refused_moves_break_the_rule_in_the_error(
        script in script(),
        attempts in prop::collection::vec(attempt(), 60),
    ) {
        let position = script.end();
        let reference = reference(&position);
        for mv in attempts.into_iter().map(|attempt| attempt.to_move(&position)) {
            let mut after = position;
            let played = after.play(mv);
            prop_assert_eq!(played, position.check(mv), "{}", mv);
            prop_assert_eq!(played.is_ok(), reference.is_legal(mv), "{}: {:?}", mv, played);
            if let Err(error) = played {
                prop_assert!(is_true(error, mv, &reference), "{}: {}", mv, error);
                prop_assert_eq!(format!("{position:?}"), format!("{after:?}"), "{}", mv);
            }
        }
    }

    #[test]
    fn setups_are_accepted_exactly_if_legal(
        script in script(),
        attempts in prop::collection::vec((any::<bool>(), attempt()), 0..5),
        changes_side in any::<bool>(),
        stage in select(vec![
            SetupStage::Plain, SetupStage::Pie, SetupStage::Last, SetupStage::Over,
        ]),
    ) {
        let position = script.end();
        let mut setup = Setup { stage, ..Setup::from(&position) };
        if changes_side {
            setup.side = !setup.side;
        }
        for (is_red, attempt) in attempts {
            match attempt.to_move(&position) {
                Move::Bridge(a, b) => setup.bridges.push((a, b)),
                Move::Tiles(a, _) => setup.tiles[usize::from(is_red)].insert(a),
                Move::Pass | Move::Swap => {}
            }
        }
        match (setup.validate(), Reference::from_setup(&setup)) {
            (Ok(position), Some(reference)) => {
                let moves: BTreeSet<Move> = position.moves().into_iter().collect();
                prop_assert_eq!(moves, reference.legal_moves());
                prop_assert_eq!(position.stage(), reference.stage());
            }
            (Err(_), None) => {}
            (validated, _) => prop_assert!(false, "{validated:?}"),
        }
    }
}
