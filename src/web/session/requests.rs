//! What pages ask for.

use serde_json::{Value, json};

use super::{Reply, Task};
use crate::board::{Cell, Size};
use crate::game::{Color, IllegalMove, Move, Position, Rules, Step};
use crate::notation::{Record, WonBy};
use crate::web::broadcast::Kind;
use crate::web::request::{NewGame, Request};
use crate::web::study::Wanted;
use crate::web::table::{ClockKind, Level, Table, TableError};
use crate::web::tree::TreeError;
use crate::web::view::names;

/// Moves that an analysis tells, unless it is asked for another number, and
/// at most.
const MOVES: usize = 10;
const MOST_MOVES: usize = 100;

/// What a review may take for a turn, at most.
const MOST_REVIEW_TIME: f64 = 10.0;
const MOST_REVIEW_PLAYOUTS: u64 = 200_000;

/// Why there is nothing else to answer.
enum Refusal {
    Illegal(String, IllegalMove),
    Other(String),
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::Other(text)
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        Refusal::Other(error.to_string())
    }
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Refusal {
        Refusal::Other(error.to_string())
    }
}

impl Task {
    /// Does what is asked; `None` when the state is the answer.
    pub(super) fn answer(&mut self, request: Request) -> Option<Reply> {
        match self.carry_out(request) {
            Ok(answer) => answer.map(Reply::Answer),
            Err(Refusal::Illegal(mv, reason)) => Some(Reply::Answer(illegal(&mv, reason))),
            Err(Refusal::Other(text)) => {
                Some(Reply::Answer(json!({"type": "error", "text": text})))
            }
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Option<Value>, Refusal> {
        match request {
            Request::Ping => return Ok(Some(json!({"type": "pong"}))),
            Request::Seconds { first } => return self.seconds(&first).map(Some),
            Request::Why { mv, cell, first } => return self.why(mv, cell, first).map(Some),
            Request::Analyze { on, ownership, multi } => {
                let multi = multi.unwrap_or(MOVES).clamp(1, MOST_MOVES);
                self.wanted = on.then_some(Wanted { ownership, multi });
                return Ok(None);
            }
            Request::Review { cancel, playouts, time } => self.review(cancel, playouts, time)?,
            Request::MoveNow { node } => self.move_now(node)?,
            Request::New(game) => self.replace(new_game(&game, &self.table)?),
            Request::Load { text, name: _ } => self.load(&text)?,
            Request::Settings { players, level } => {
                self.table.set(players.map(Into::into), level)?;
            }
            Request::Play { mv } => self.play(&mv)?,
            Request::Goto { node } => self.table.goto(node)?,
            Request::Undo => self.table.undo()?,
            Request::Delete { node } => self.table.delete(node)?,
            Request::Resign { player } => {
                let color = color(&player)?;
                self.table.end(!color, WonBy::Resignation, String::new())?;
            }
        }
        self.is_changed = true;
        // What went wrong before has been seen.
        self.broadcast.job(Kind::Notice);
        Ok(None)
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let mv = read_move(text)?;
        self.table.play(mv).map_err(|error| match error {
            TableError::Tree(TreeError::Illegal(reason)) => {
                Refusal::Illegal(mv.to_string(), reason)
            }
            other => other.into(),
        })
    }

    /// The cells for a second tile.
    fn seconds(&self, first: &str) -> Result<Value, Refusal> {
        let cell = read_cell(first)?;
        let position = self.table.position();
        let cells = if position.tile_steps().contains(cell) {
            let mut half = position;
            half.make(Step::Tile(cell));
            names(half.tile_steps())
        } else {
            json!([])
        };
        Ok(json!({"type": "seconds", "first": cell.to_string(), "cells": cells}))
    }

    /// Why a tap is illegal.
    fn why(
        &self,
        mv: Option<String>,
        cell: Option<String>,
        first: Option<String>,
    ) -> Result<Value, Refusal> {
        let position = self.table.position();
        let (asked, found) = match (mv, cell, first) {
            (Some(mv), None, None) => {
                let mv = read_move(&mv)?;
                (mv.to_string(), position.check(mv))
            }
            (None, Some(cell), Some(first)) => {
                let mv = Move::tiles(read_cell(&first)?, read_cell(&cell)?);
                (mv.to_string(), position.check(mv))
            }
            (None, Some(cell), None) => {
                let cell = read_cell(&cell)?;
                (cell.to_string(), position.check_first_tile(cell))
            }
            _ => return Err("why needs move, cell, or first and cell".to_owned().into()),
        };
        Ok(match found {
            Err(reason) => illegal(&asked, reason),
            Ok(()) => json!({"type": "legal", "move": asked}),
        })
    }

    fn review(
        &mut self,
        cancel: bool,
        playouts: Option<u64>,
        time: Option<f64>,
    ) -> Result<(), Refusal> {
        if cancel {
            self.review = None;
            self.broadcast.job(Kind::Review);
            return Ok(());
        }
        let level = match (playouts, time) {
            (Some(playouts), None) if (1..=MOST_REVIEW_PLAYOUTS).contains(&playouts) => {
                Level::Playouts { playouts }
            }
            (None, Some(time)) if (0.01..=MOST_REVIEW_TIME).contains(&time) => Level::Time { time },
            (None, None) => Level::Playouts { playouts: 2000 },
            _ => {
                let text = format!(
                    "a review takes playouts from 1 to {MOST_REVIEW_PLAYOUTS} or time from 0.01 to {MOST_REVIEW_TIME} a turn"
                );
                return Err(text.into());
            }
        };
        if self.turns(self.table.current).0.is_empty() {
            return Err("there is no move to review".to_owned().into());
        }
        self.jobs += 1;
        self.review = Some((self.jobs, self.table.current, level));
        Ok(())
    }

    fn load(&mut self, text: &str) -> Result<(), Refusal> {
        let record = Record::parse(text).map_err(|error| error.to_string())?;
        let start = record.start.validate().map_err(|error| error.to_string())?;
        record.position_after(record.moves.len()).map_err(|error| error.to_string())?;
        let table = self.table.load(&start, &record)?;
        self.replace(table);
        Ok(())
    }

    /// Another game takes the place of this one.
    fn replace(&mut self, table: Table) {
        self.review = None;
        self.broadcast.job(Kind::Review);
        // Any number may stand in a file.
        let game = self.table.game.wrapping_add(1);
        self.table = table;
        self.table.game = game;
    }
}

fn new_game(game: &NewGame, before: &Table) -> Result<Table, Refusal> {
    let mut rules = Rules::default();
    if let Some(board) = game.board {
        rules.size = Size::new(board).map_err(|error| error.to_string())?;
    }
    if let Some(supply) = &game.supply {
        rules.supply =
            supply.parse().map_err(|error: crate::game::ParseSupplyError| error.to_string())?;
    }
    rules.pie = game.pie.unwrap_or(rules.pie);
    let seats = game.players.clone().map_or_else(|| before.seats.clone(), Into::into);
    let level = game.level.unwrap_or(before.level);
    let clock = game.clock.unwrap_or(ClockKind::None);
    Ok(Table::new(&Position::new(rules), seats, level, clock)?)
}

fn illegal(mv: &str, reason: IllegalMove) -> Value {
    json!({
        "type": "illegal",
        "move": mv,
        "code": reason.code(),
        "text": reason.to_string(),
        "cells": names(reason.cells()),
        "data": data(reason),
    })
}

/// What the reason is about, by name, for pages that say it in other words.
fn data(reason: IllegalMove) -> Value {
    let bridge = |(a, b): (Cell, Cell)| format!("{a}-{b}");
    match reason {
        IllegalMove::NotYourTurn { to_move } => json!({"to_move": to_move.to_string()}),
        IllegalMove::OffBoard { cell, size } => {
            json!({"cell": cell.to_string(), "size": size.get()})
        }
        IllegalMove::SameCell { cell } | IllegalMove::NoSecondTile { cell } => {
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
            json!({"cell": cell.to_string(), "island": island.to_string()})
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

fn read_move(text: &str) -> Result<Move, Refusal> {
    text.parse().map_err(|error: crate::notation::ParseMoveError| error.to_string().into())
}

fn read_cell(text: &str) -> Result<Cell, Refusal> {
    text.parse().map_err(|error: crate::board::ParseCellError| error.to_string().into())
}

fn color(text: &str) -> Result<Color, Refusal> {
    let found = Color::BOTH.into_iter().find(|color| color.to_string() == text);
    found.ok_or_else(|| "player is white or red".to_owned().into())
}
