//! What GoGui asks of a program that knows the rules of a game, so that its
//! window can play it.

use super::super::gogui;
use super::{Args, CommandError, Session};
use crate::game::Color;

/// Only a window that plays points asks this, and asks it first.
pub(super) fn game_id(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    if !session.points.is_on() {
        session.points.set(true);
    }
    Ok("Ponte".to_owned())
}

/// White's tiles are white stones, Red's black ones.
pub(super) fn board(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let position = gogui::shown(session);
    let stone = |cell| match position.tile_at(cell) {
        Some(Color::White) => "O",
        Some(Color::Red) => "X",
        None => ".",
    };
    Ok(gogui::board(position.size(), |cell| stone(cell).to_owned()))
}

pub(super) fn board_gfx(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(gogui::bridges(session.engine.position()))
}

pub(super) fn board_size(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(session.engine.position().size().to_string())
}

pub(super) fn legal_moves(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let (cells, pass) = gogui::legal(session);
    let mut points: Vec<String> = cells.into_iter().map(gogui::point).collect();
    if pass {
        points.push("pass".to_owned());
    }
    Ok(points.join(" "))
}

pub(super) fn side_to_move(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let is_white = session.engine.position().side() == Color::White;
    Ok(if is_white { "white" } else { "black" }.to_owned())
}

pub(super) fn final_result(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let position = session.engine.position();
    Ok(if position.is_over() { position.outcome().to_string() } else { "unknown".to_owned() })
}
