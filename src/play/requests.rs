//! Pages' requests, carried out.

use serde_json::{Value, json};

use super::effect::MessageKind;
use super::illegal::illegal;
use super::request::{NewGame, Request};
use super::state::{AnalysisOptions, ReviewOrder, State};
use super::table::{Table, TableError};
use super::terms::{ClockKind, Level, TermsError};
use super::tree::TreeError;
use super::view::names;
use crate::board::{Cell, Size};
use crate::game::{Color, IllegalMove, Move, Position, Rules, Step};
use crate::notation::{Record, WonBy};

/// The default number of moves in an analysis.
const MOVES: usize = 10;
/// The largest number of moves in an analysis.
const MAX_MOVES: usize = 100;

/// The longest search of a review, in seconds.
const MAX_REVIEW_TIME: f64 = 10.0;
/// The most iterations of a review's search.
const MAX_REVIEW_PLAYOUTS: u64 = 200_000;
/// The default limit of a review's search, in iterations.
const REVIEW_PLAYOUTS: u64 = 2000;

/// Why a request is refused.
enum Refusal {
    Illegal(String, IllegalMove),
    Other(String),
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::Other(text)
    }
}

impl From<TermsError> for Refusal {
    fn from(error: TermsError) -> Refusal {
        Refusal::Other(error.to_string())
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

impl State {
    /// Carries out a request and returns the answer; `None` when the message
    /// `state` is the answer.
    pub(super) fn answer(&mut self, request: Request) -> Option<Value> {
        match self.carry_out(request) {
            Ok(answer) => answer,
            Err(Refusal::Illegal(mv, reason)) => Some(illegal(&mv, reason)),
            Err(Refusal::Other(text)) => Some(json!({"type": "error", "text": text})),
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Option<Value>, Refusal> {
        match request {
            Request::Ping => return Ok(Some(json!({"type": "pong"}))),
            Request::Seconds { first } => return self.seconds(&first).map(Some),
            Request::Why { mv, cell, first } => return self.why(mv, cell, first).map(Some),
            Request::Analyze { on, ownership, multi } => {
                let multi = multi.unwrap_or(MOVES).clamp(1, MAX_MOVES);
                self.analysis = on.then_some(AnalysisOptions { ownership, multi });
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
        self.withdraw(MessageKind::Notice);
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

    /// The second cells after a first tile.
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

    /// Why a move or a tap on a cell is illegal.
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
            self.withdraw(MessageKind::Review);
            return Ok(());
        }
        let level = match (playouts, time) {
            (Some(playouts), None) if (1..=MAX_REVIEW_PLAYOUTS).contains(&playouts) => {
                Level::Playouts { playouts }
            }
            (None, Some(time)) if (0.01..=MAX_REVIEW_TIME).contains(&time) => Level::Time { time },
            (None, None) => Level::Playouts { playouts: REVIEW_PLAYOUTS },
            _ => {
                let text = format!(
                    "a review takes playouts from 1 to {MAX_REVIEW_PLAYOUTS} or time from 0.01 to {MAX_REVIEW_TIME} a turn"
                );
                return Err(text.into());
            }
        };
        if self.table.tree.main_line(self.table.current).len() == 1 {
            return Err("there is no move to review".to_owned().into());
        }
        let (number, node) = (self.number(), self.table.current);
        self.review = Some(ReviewOrder { number, node, level });
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

    /// Replaces the game by another one.
    fn replace(&mut self, mut table: Table) {
        self.review = None;
        self.withdraw(MessageKind::Review);
        // A file may contain any number.
        table.game = self.table.game.wrapping_add(1);
        table.set_now(self.table.clocks.now());
        self.table = table;
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
