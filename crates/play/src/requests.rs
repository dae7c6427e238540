//! Pages' requests, carried out: what changes the game, and the questions about
//! positions.

use serde_json::{Value, json};

use super::effect::{Effect, MessageKind};
use super::request::{NewGame, Players, ReadText, Request, ReviewWish, Why, add_mended};
use super::saved::SavedSession;
use super::state::{AnalysisOptions, ReviewOrder, State};
use super::table::{Table, TableError};
use super::terms::{ClockKind, Level, Seat, TermsError, no_engine};
use super::tree::TreeError;
use super::view::{self, bad_setup, illegal, names};
use pontifex::board::{Cell, ParseCellError, Size};
use pontifex::clock::Seconds;
use pontifex::game::{Color, IllegalMove, Move, Position, Rules, Step};
use pontifex::messages::one_line;
use pontifex::notation::{ParseMoveError, WonBy};

/// The default number of moves in an analysis.
const MOVES: usize = 10;
/// The largest number of moves in an analysis.
const MAX_MOVES: usize = 100;

/// The longest search of a review, in seconds.
const MAX_REVIEW_TIME: Seconds = Seconds::whole(10);
/// The most iterations of a review's search.
const MAX_REVIEW_PLAYOUTS: u64 = 200_000;
/// The default limit of a review's search, in iterations.
const REVIEW_PLAYOUTS: u64 = 2000;

impl State {
    /// Carries out a request and returns the answer; `None` when the message
    /// `state` is the answer.
    pub(super) fn answer(&mut self, request: Request) -> Option<Value> {
        match self.carry_out(request) {
            Ok(answer) => answer,
            Err(Refusal::Illegal(mv, reason)) => Some(illegal(&mv, reason)),
            Err(Refusal::Other(text)) => Some(json!({"type": "error", "text": one_line(&text)})),
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<Option<Value>, Refusal> {
        match request {
            Request::Ping => return Ok(Some(json!({"type": "pong"}))),
            Request::View { node } => return self.view(node).map(Some),
            Request::Seconds { first, node } => return self.seconds(&first, node).map(Some),
            Request::Why(why) => return self.why(&why).map(Some),
            Request::Check { text } => return check(text).map(Some),
            Request::Hint { node } => return self.hint(node).map(Some),
            Request::Analyze { on, ownership, multi, node } => {
                let multi = multi.unwrap_or(MOVES).clamp(1, MAX_MOVES);
                self.analysis = on.then_some(AnalysisOptions { ownership, multi, node });
                return Ok(None);
            }
            Request::Review(wish) => self.review(&wish)?,
            Request::Rematch { level } => {
                let table = self.table.rematch(level)?;
                self.replace(table);
            }
            Request::Retry { node, mv } => {
                let node = self.retry(node, &mv)?;
                self.is_changed = true;
                return Ok(Some(json!({"type": "played", "node": node})));
            }
            Request::MoveNow { node } => self.move_now(node)?,
            Request::New(game) => {
                let seats = self.seats(game.players.clone())?;
                self.replace(new_game(&game, seats, &self.table)?);
            }
            Request::Load { text, name: _, players, play } => {
                let players = self.seats(players)?;
                self.load(text, players, play)?;
            }
            Request::Settings { players, level } => {
                let players = self.seats(players)?;
                self.table.set(players, level)?;
            }
            Request::Play { mv, node, aside: true } => {
                let node = self.play_aside(self.table.node(node)?, &mv)?;
                self.is_changed = true;
                return Ok(Some(json!({"type": "played", "node": node})));
            }
            Request::Play { mv, node, aside: false } => self.play(&mv, node)?,
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

    /// The players of a request, if each is a human or an engine that there is.
    fn seats(&self, players: Option<Players>) -> Result<Option<[Seat; 2]>, Refusal> {
        let seats: Option<[Seat; 2]> = players.map(Into::into);
        for seat in seats.iter().flatten() {
            if let Seat::Engine(name) = seat
                && !self.engines.contains(name)
            {
                return Err(no_engine(name, self.engines.iter().map(String::as_str)).into());
            }
        }
        Ok(seats)
    }

    fn play(&mut self, text: &str, node: Option<u32>) -> Result<(), Refusal> {
        let mv = read_move(text)?;
        if node.is_some_and(|node| self.table.running().is_some_and(|(tip, _)| tip != node)) {
            return Err("the game has moved on".to_owned().into());
        }
        let node = self.table.node(node)?;
        self.table.play(node, mv).map_err(|error| illegal_move(mv, error))
    }

    /// Adds a variation beside the game, which goes on unchanged; returns its
    /// node.
    pub(super) fn play_aside(&mut self, node: u32, text: &str) -> Result<u32, Refusal> {
        let mv = read_move(text)?;
        self.table.play_aside(node, mv).map_err(|error| illegal_move(mv, error))
    }

    fn review(&mut self, wish: &ReviewWish) -> Result<(), Refusal> {
        if wish.cancel {
            if self.review.take().is_some() {
                self.show_kept_review();
            }
            return Ok(());
        }
        let level = match (wish.playouts, wish.time) {
            (Some(playouts), None) if (1..=MAX_REVIEW_PLAYOUTS).contains(&playouts) => {
                Level::Playouts { playouts }
            }
            (None, Some(time)) if (Seconds::millis(10)..=MAX_REVIEW_TIME).contains(&time) => {
                Level::Time { time }
            }
            (None, None) => Level::Playouts { playouts: REVIEW_PLAYOUTS },
            _ => {
                let text = format!(
                    "a review takes playouts from 1 to {MAX_REVIEW_PLAYOUTS} or time from 0.01 to {MAX_REVIEW_TIME} a turn"
                );
                return Err(text.into());
            }
        };
        let node = self.table.node(wish.node)?;
        let line = self.table.tree.main_line(node);
        if line.len() == 1 {
            return Err("there is no move to review".to_owned().into());
        }
        let known = self.table.review.as_ref().map(|review| review.end);
        if wish.once && (self.review.is_some() || known == line.last().copied()) {
            return Ok(());
        }
        let number = self.number();
        self.review = Some(ReviewOrder { number, node, level });
        Ok(())
    }

    fn load(
        &mut self,
        text: ReadText,
        players: Option<[Seat; 2]>,
        play: bool,
    ) -> Result<(), Refusal> {
        let (record, mended) = *text.0?;
        let start = record.start.validate().map_err(|error| error.to_string())?;
        record.position_after(record.moves.len()).map_err(|error| error.to_string())?;
        let mut table = self.table.load(&start, &record)?;
        if let Some(players) = players {
            table.seat(players);
        }
        if play {
            table.resume();
        }
        self.mended = mended;
        self.replace(table);
        Ok(())
    }

    /// Replaces the game by another one. The old one is kept if it has a move.
    fn replace(&mut self, mut table: Table) {
        if self.table.has_move() {
            self.effect(Effect::Keep(Box::new(SavedSession::of(&self.table))));
        }
        (self.review, self.analysis) = (None, None);
        self.end_advice();
        self.withdraw(MessageKind::Review);
        // A file may contain any number.
        table.game = self.table.game.wrapping_add(1);
        table.set_now(self.table.clocks.now());
        self.table = table;
    }
}

fn new_game(game: &NewGame, seats: Option<[Seat; 2]>, before: &Table) -> Result<Table, Refusal> {
    let mut rules = Rules::default();
    if let Some(board) = game.board {
        rules.size = Size::new(board).map_err(|error| error.to_string())?;
    }
    if let Some(supply) = &game.supply {
        rules.supply =
            supply.parse().map_err(|error: pontifex::game::ParseSupplyError| error.to_string())?;
    }
    rules.pie = game.pie.unwrap_or(rules.pie);
    let seats = seats.unwrap_or_else(|| before.players(before.current));
    let level = game.level.unwrap_or(before.level);
    let clock = game.clock.unwrap_or(ClockKind::None);
    Ok(Table::new(&Position::new(rules), seats, level, clock)?)
}

fn color(text: &str) -> Result<Color, Refusal> {
    let found = Color::BOTH.into_iter().find(|color| color.to_string() == text);
    found.ok_or_else(|| "player is white or red".to_owned().into())
}

/// Questions about positions: what a page sees at a node, and what is legal
/// there.
impl State {
    /// The message `view`: a node as a page sees it that does not show the
    /// current one.
    fn view(&self, node: u32) -> Result<Value, Refusal> {
        Ok(view::view(&self.table, self.table.node(Some(node))?))
    }

    /// The second cells after a first tile.
    fn seconds(&self, first: &str, node: Option<u32>) -> Result<Value, Refusal> {
        let cell = read_cell(first)?;
        let position = self.table.tree.position(self.table.node(node)?);
        let cells = if position.tile_steps().contains(cell) {
            let mut half = *position;
            half.make(Step::Tile(cell));
            names(half.tile_steps())
        } else {
            json!([])
        };
        Ok(json!({"type": "seconds", "first": cell.to_string(), "cells": cells}))
    }

    /// Why a move, a tap on a cell or the beginning of a bridge is illegal.
    fn why(&self, why: &Why) -> Result<Value, Refusal> {
        let position = self.table.tree.position(self.table.node(why.node)?);
        let Why { mv, cell, first, from, node: _ } = why;
        let (asked, found) = match (mv, cell, first, from) {
            (Some(mv), None, None, None) => {
                let mv = read_move(mv)?;
                (mv.to_string(), position.check(mv))
            }
            (None, Some(cell), Some(first), None) => {
                let mv = Move::tiles(read_cell(first)?, read_cell(cell)?);
                (mv.to_string(), position.check(mv))
            }
            (None, Some(cell), None, None) => {
                let cell = read_cell(cell)?;
                (cell.to_string(), position.check_first_tile(cell))
            }
            (None, None, None, Some(from)) => {
                let cell = read_cell(from)?;
                (cell.to_string(), position.check_bridge_start(cell))
            }
            _ => {
                let text = "why needs move, cell, first and cell, or from";
                return Err(text.to_owned().into());
            }
        };
        Ok(match found {
            Err(reason) => illegal(&asked, reason),
            Ok(()) => json!({"type": "legal", "move": asked}),
        })
    }
}

/// Checks a position that was set up by hand: the answer `legal`, or `illegal`
/// with the rule that the setup breaks.
fn check(text: ReadText) -> Result<Value, Refusal> {
    let (record, mended) = *text.0?;
    let mut answer = match record.start.validate() {
        Ok(position) => json!({"type": "legal", "islands": view::islands(&position)}),
        Err(error) => bad_setup(&error),
    };
    add_mended(&mut answer, &mended);
    Ok(answer)
}

pub(super) fn read_move(text: &str) -> Result<Move, Refusal> {
    text.parse().map_err(|error: ParseMoveError| error.to_string().into())
}

fn read_cell(text: &str) -> Result<Cell, Refusal> {
    text.parse().map_err(|error: ParseCellError| error.to_string().into())
}

/// Why a request is refused.
pub(super) enum Refusal {
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

/// An illegal move is refused with the rule that forbids it.
fn illegal_move(mv: Move, error: TableError) -> Refusal {
    match error {
        TableError::Tree(TreeError::Illegal(reason)) => Refusal::Illegal(mv.to_string(), reason),
        other => other.into(),
    }
}
