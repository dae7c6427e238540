//! The message `illegal`: why a move or a first tile is illegal.

use serde_json::{Value, json};

use super::view::names;
use pontifex::board::{Cell, Cells};
use pontifex::game::{IllegalMove, SetupError};

/// The message `illegal`.
pub fn illegal(mv: &str, reason: IllegalMove) -> Value {
    json!({
        "type": "illegal",
        "move": mv,
        "code": reason.code(),
        "text": reason.to_string(),
        "cells": names(reason.cells()),
        "data": data(reason),
    })
}

/// The message `illegal` for a position that was set up by hand.
pub fn bad_setup(error: &SetupError) -> Value {
    let (code, cells, data) = match *error {
        SetupError::Tile { color, cell, reason } => {
            let mut message = illegal(&cell.to_string(), reason);
            message["data"]["color"] = color.to_string().into();
            message["text"] = error.to_string().into();
            return message;
        }
        SetupError::Bridge { ends, reason } => {
            let mut message = illegal(&format!("{}-{}", ends.0, ends.1), reason);
            message["text"] = error.to_string().into();
            return message;
        }
        SetupError::TooManyTiles { color, tiles, supply } => (
            "too_many_tiles",
            json!([]),
            json!({"color": color.to_string(), "tiles": tiles, "supply": supply}),
        ),
        SetupError::TooManyBridges { bridges, supply } => {
            ("too_many_bridges", json!([]), json!({"bridges": bridges, "supply": supply}))
        }
        SetupError::PieIsOff => ("pie_is_off", json!([]), json!({})),
        SetupError::NotAfterFirstTurn => ("not_after_first_turn", json!([]), json!({})),
        SetupError::LastTurnIsReds => ("last_turn_is_reds", json!([]), json!({})),
    };
    json!({
        "type": "illegal", "move": null, "code": code, "text": error.to_string(),
        "cells": cells, "data": data,
    })
}

/// The parts of the reason by name, for translations.
fn data(reason: IllegalMove) -> Value {
    let bridge = |(a, b): (Cell, Cell)| format!("{a}-{b}");
    match reason {
        IllegalMove::NotYourTurn { to_move } => json!({"to_move": to_move.to_string()}),
        IllegalMove::OffBoard { cell, size } => {
            json!({"cell": cell.to_string(), "size": size.get()})
        }
        IllegalMove::SameCell { cell }
        | IllegalMove::NoSecondTile { cell }
        | IllegalMove::NoBridgeFrom { cell } => {
            json!({"cell": cell.to_string()})
        }
        IllegalMove::Occupied { cell, color } | IllegalMove::NotYourTile { cell, color } => {
            json!({"cell": cell.to_string(), "color": color.to_string()})
        }
        IllegalMove::Blocked { cell, bridge: over }
        | IllegalMove::CarriesBridge { cell, bridge: over } => {
            json!({"cell": cell.to_string(), "bridge": bridge(over)})
        }
        IllegalMove::GroupTooLarge { cell, tiles } => {
            json!({"cell": cell.to_string(), "tiles": tiles})
        }
        IllegalMove::TouchesIsland { cell, island } => {
            let beside = Cells::from(cell).sides().contains(island);
            json!({
                "cell": cell.to_string(), "island": island.to_string(), "beside": beside,
            })
        }
        IllegalMove::IslandTouches { cell, tile } => {
            json!({"cell": cell.to_string(), "tile": tile.to_string()})
        }
        IllegalMove::NoTilesLeft { color, left } => {
            json!({"color": color.to_string(), "left": left})
        }
        IllegalMove::NoBridgeShape { ends } => json!({"ends": bridge(ends)}),
        IllegalMove::TileUnderBridge { ends, tile } => {
            json!({"ends": bridge(ends), "tile": tile.to_string()})
        }
        IllegalMove::CrossesBridge { ends, other } => {
            json!({"ends": bridge(ends), "other": bridge(other)})
        }
        IllegalMove::PassNotAllowed { example } => json!({"example": example.to_string()}),
        IllegalMove::GameOver | IllegalMove::NoBridgesLeft | IllegalMove::SwapNotAllowed => {
            json!({})
        }
    }
}
