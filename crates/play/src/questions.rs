//! Questions about positions: what a page sees at a node, and what is legal
//! there.

use serde_json::{Value, json};

use super::illegal::{bad_setup, illegal};
use super::reading::{add_mended, read_cell, read_move};
use super::refusal::Refusal;
use super::request::{ReadText, Why};
use super::state::State;
use super::view::{self, names};
use pontifex::game::{Move, Step};

impl State {
    /// The message `view`: a node as a page sees it that does not show the
    /// current one.
    pub(super) fn view(&self, node: u32) -> Result<Value, Refusal> {
        Ok(view::view(&self.table, self.table.node(Some(node))?))
    }

    /// The second cells after a first tile.
    pub(super) fn seconds(&self, first: &str, node: Option<u32>) -> Result<Value, Refusal> {
        let cell = read_cell(first)?;
        let position = self.table.tree.position(self.table.node(node)?);
        let cells = if position.tile_steps().contains(cell) {
            let mut half = position;
            half.make(Step::Tile(cell));
            names(half.tile_steps())
        } else {
            json!([])
        };
        Ok(json!({"type": "seconds", "first": cell.to_string(), "cells": cells}))
    }

    /// Why a move, a tap on a cell or the beginning of a bridge is illegal.
    pub(super) fn why(&self, why: &Why) -> Result<Value, Refusal> {
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
pub(super) fn check(text: ReadText) -> Result<Value, Refusal> {
    let (record, mended) = *text.0?;
    let mut answer = match record.start.validate() {
        Ok(position) => json!({"type": "legal", "islands": view::islands(&position)}),
        Err(error) => bad_setup(&error),
    };
    add_mended(&mut answer, &mended);
    Ok(answer)
}
