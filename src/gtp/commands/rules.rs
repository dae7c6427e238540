//! The `gogui-rules_` commands, through which GoGui plays games whose rules it
//! does not know.

use crate::game::Color;
use crate::gtp::args::Args;
use crate::gtp::error::CommandError;
use crate::gtp::gogui;
use crate::gtp::session::Session;

/// Also switches the single-point mode on: GoGui asks this before it plays.
pub(super) fn game_id(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    if !session.points.is_on() {
        session.points.set(true);
    }
    Ok("Ponte".to_owned())
}

/// White's tiles are shown as white stones, Red's as black stones.
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
