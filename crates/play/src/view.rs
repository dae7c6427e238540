//! The messages that pages get: the table as `state`, `view` and `clock`, the
//! refusal of a move as `illegal`, and the results of searches, whose win rates
//! and leads are those of the side to move.

use serde::Serialize;
use serde_json::{Value, json};

use super::table::{Ending, Table};
use pontifex::analysis::{Purpose, purposes, reasons};
use pontifex::board::{Cell, Cells};
use pontifex::engine::{self, Analysis};
use pontifex::game::{Color, IllegalMove, Move, Position, SetupError, Stage};
use pontifex::notation::{GameResult, WonBy};

/// Decimals of every number.
const DECIMALS: i32 = 4;

/// The state of a session besides its table.
#[derive(Clone, Debug, Default)]
pub(super) struct Activity {
    /// The engine that thinks.
    pub(super) thinking: Option<Thinking>,
    /// Whether an analysis is on.
    pub(super) analysis: bool,
    /// The review that is being made.
    pub(super) review: Option<Reviewing>,
}

/// An engine thinks for a player.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Thinking {
    pub(super) player: Color,
    pub(super) engine: String,
}

/// A line up to this node is being reviewed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Reviewing {
    pub(super) node: u32,
}

/// The message `state`.
pub(super) fn state(session: &str, revision: u64, table: &Table, activity: &Activity) -> Value {
    let rules = table.tree.start().rules();
    let mut message = seen(table, table.current);
    let known = json!({
        "type": "state",
        "id": null,
        "session": session,
        "revision": revision,
        "game": table.game,
        "rules": {
            "board": rules.size.get(), "supply": rules.supply.to_string(), "pie": rules.pie,
        },
        "level": table.level,
        "clock": clock(table),
        "tree": tree(table),
        "tip": table.tip,
        "live": table.running().is_some(),
        "thinking": activity.thinking,
        "analysis": activity.analysis,
        "review": activity.review,
    });
    if let (Some(message), Value::Object(known)) = (message.as_object_mut(), known) {
        message.extend(known);
    }
    message
}

/// The message `view`: a node as a page sees it that does not show the current
/// one.
pub(super) fn view(table: &Table, node: u32) -> Value {
    let mut message = seen(table, node);
    message["type"] = "view".into();
    message["game"] = table.game.into();
    message
}

/// What pages see of a node.
fn seen(table: &Table, node: u32) -> Value {
    let [white, red] = Color::BOTH.map(|color| json!(table.player(color, node)));
    let line = table.tree.main_line(node);
    let end = line.last().copied().unwrap_or(0);
    json!({
        "current": node,
        "players": {"white": white, "red": red},
        "main": line,
        "end": result(table, end),
        "position": position(table, node),
    })
}

/// The result of the game at a node, `null` if it did not end there.
fn result(table: &Table, node: u32) -> Value {
    let Some(result) = table.result(node) else { return Value::Null };
    let mut message = outcome(result, table.ending.as_ref());
    message["passed"] = json!(passed(table, node).map(|color| color.to_string()));
    message
}

/// The colour whose pass ended the game at a node: Red's at once, White's after
/// Red's last turn.
fn passed(table: &Table, node: u32) -> Option<Color> {
    let (_, mv) = table.tree.node(node).ok()?.from?;
    let color = if mv == Move::Pass { Color::Red } else { Color::White };
    table.tree.position(node).is_over().then_some(color)
}

/// A session's entry in the list of games: the main line through the current
/// node; `null` when nothing was played or set up.
pub fn entry(table: &Table) -> Value {
    if table.is_empty() {
        return Value::Null;
    }
    let (start, line) = (table.tree.start(), table.tree.main_line(table.current));
    let end = line.last().copied().unwrap_or(0);
    let [white, red] = Color::BOTH.map(|color| &table.seats[table.seat_of(color, end)]);
    json!({
        "board": start.rules().size.get(),
        "players": {"white": white, "red": red},
        "level": table.level,
        "turns": line.len() - 1,
        "result": result(table, end),
    })
}

/// The clocks; without any, only the kind.
fn clock(table: &Table) -> Value {
    let mut clock = json!(table.clocks.kind());
    if let (Some(map), Some((shown, running))) = (clock.as_object_mut(), table.shown()) {
        for color in Color::BOTH {
            let (left, periods) = shown[color.index()];
            let running = running == Some(color);
            map.insert(
                color.to_string(),
                json!({"left": rounded(left.get()), "periods": periods, "running": running}),
            );
        }
    }
    clock
}

/// The message `clock`; `None` without clocks.
pub(super) fn clock_message(table: &Table) -> Option<Value> {
    let ([white, red], running) = table.shown()?;
    Some(json!({
        "type": "clock",
        "white": rounded(white.0.get()),
        "red": rounded(red.0.get()),
        "periods": {"white": white.1, "red": red.1},
        "running": running.map(|color| color.to_string()),
    }))
}

fn tree(table: &Table) -> Vec<Value> {
    let node = |(number, node): (u32, &super::tree::Node)| {
        let Some((parent, mv)) = node.from else {
            return with_value(json!({"node": number, "parent": null}), node.value);
        };
        let known = json!({
            "node": number, "parent": parent, "move": mv, "player": table.tree.mover(node),
            "turn": node.turns,
        });
        with_value(known, node.value)
    };
    table.tree.nodes().map(node).collect()
}

fn with_value(mut node: Value, value: Option<(f64, f64)>) -> Value {
    if let (Some(map), Some((winrate, lead))) = (node.as_object_mut(), value) {
        map.insert("winrate".to_owned(), rounded(winrate).into());
        map.insert("lead".to_owned(), rounded(lead).into());
    }
    node
}

/// The position at a node: the [`board`], and what the game says of it.
fn position(table: &Table, number: u32) -> Value {
    let node = table.tree.at(number);
    let mut shown = board(&node.position);
    shown["turn"] = json!(node.turns + 1);
    let last = |(_, mv)| json!({"move": mv, "player": table.tree.mover(node)});
    shown["last"] = json!(node.from.map(last));
    shown["result"] = result(table, number);
    shown
}

/// A position: its text, the board, the score and what is legal.
pub fn board(position: &Position) -> Value {
    let both = |of: &dyn Fn(Color) -> Value| {
        let [white, red] = Color::BOTH.map(of);
        json!({"white": white, "red": red})
    };
    let bridges = position.bridges().iter().map(|site| {
        let [from, to] = site.ends();
        let player = position.tile_at(from).map(|color| color.to_string());
        json!({"from": from.to_string(), "to": to.to_string(), "player": player})
    });
    let mut supply = both(&|color| json!(position.tiles_left(color)));
    supply["bridges"] = json!(position.bridges_left());
    json!({
        "text": position.to_string(),
        "to_move": position.side().to_string(),
        "status": status(position),
        "tiles": both(&|color| names(position.tiles(color))),
        "bridges": bridges.collect::<Vec<_>>(),
        "islands": islands(position),
        "networks": networks(position),
        "score": both(&|color| {
            let score = position.score(color);
            json!({"points": score.points, "islands": score.islands, "bridges": score.bridges})
        }),
        "supply": supply,
        "candidates": both(&|color| names(position.usable(color))),
        "legal": {
            "cells": names(position.tile_steps()),
            "bridges": position.bridge_steps().iter().map(|site| site.to_string()).collect::<Vec<_>>(),
            "pass": position.may_pass(),
            "swap": position.may_swap(),
        },
    })
}

/// The stage, named as in `ponte-status`.
fn status(position: &Position) -> &'static str {
    match position.stage() {
        Stage::Opening => "open",
        Stage::Pie => "pie",
        Stage::Normal => "normal",
        Stage::Last => "last",
        Stage::Over => "over",
    }
}

fn outcome(result: GameResult, ending: Option<&Ending>) -> Value {
    let by = match result {
        GameResult::Won { by: WonBy::Resignation, .. } => "resignation",
        GameResult::Won { by: WonBy::Time, .. } => "time",
        GameResult::Won { .. } => "forfeit",
        GameResult::Played(_) | GameResult::Void => "score",
    };
    let detail = ending.map(|ending| ending.detail.as_str()).filter(|_| by != "score");
    let winner = result.winner().map_or("draw".to_owned(), |winner| winner.to_string());
    json!({
        "winner": winner, "text": result.to_string(), "by": by,
        "detail": detail.filter(|detail| !detail.is_empty()),
    })
}

pub(super) fn islands(position: &Position) -> Vec<Value> {
    let mut islands = Vec::new();
    for color in Color::BOTH {
        let mut left = position.islands(color);
        while let Some(cell) = left.first() {
            let island = position.group(color, cell);
            left -= island;
            islands.push(json!({"player": color.to_string(), "cells": names(island)}));
        }
    }
    islands
}

/// The networks with islands.
fn networks(position: &Position) -> Vec<Value> {
    let mut networks = Vec::new();
    for color in Color::BOTH {
        let mut left = position.tiles(color);
        while let Some(cell) = left.first() {
            let root = position.network(cell);
            let network: Cells =
                left.into_iter().filter(|&other| position.network(other) == root).collect();
            left -= network;
            let islands = u32::from(position.network_islands(cell));
            if islands > 0 {
                networks.push(json!({
                    "player": color.to_string(),
                    "islands": islands,
                    "points": islands * (islands + 1) / 2,
                    "cells": names(network),
                }));
            }
        }
    }
    networks
}

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

/// The message `analysis`: at most `multi` moves.
pub(super) fn analysis(node: u32, analysis: &Analysis, multi: usize, finished: bool) -> Value {
    let mut message = found(analysis, multi, finished);
    message["type"] = "analysis".into();
    message["node"] = node.into();
    message
}

/// An analysis with at most `multi` moves, and whether it is `finished`.
pub fn found(analysis: &Analysis, multi: usize, finished: bool) -> Value {
    let mut found = json!(analysis.best(multi));
    found["finished"] = finished.into();
    found
}

/// The message `thinking`.
pub(super) fn thinking(analysis: &Analysis) -> Value {
    let root = &analysis.root;
    json!({
        "type": "thinking",
        "player": analysis.to_move,
        "winrate": root.winrate,
        "lead": root.lead,
        "visits": root.visits,
        "move": analysis.moves.first().map(|best| best.mv),
    })
}

/// Why the best move is better than the one that was played, and `reply` is the
/// opponent's best answer to that; for the best move itself, what it does.
pub(super) fn why_better(
    position: &Position,
    played: Move,
    best: Move,
    reply: Option<Move>,
) -> Vec<Purpose> {
    if played == best {
        return purposes(position, best);
    }
    reasons(position, played, best, reply)
}

/// The names of cells.
pub(super) fn names(cells: impl IntoIterator<Item = Cell>) -> Value {
    json!(cells.into_iter().collect::<Vec<_>>())
}

/// Rounds to four decimals.
pub(super) fn rounded(number: f64) -> f64 {
    engine::rounded(number, DECIMALS)
}
