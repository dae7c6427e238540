//! Commands that start games and set up positions.

use crate::board::Size;
use crate::engine::Game;
use crate::game::Setup;
use crate::gtp::args::{self, Args};
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;
use crate::notation::ParsePositionError;

pub(super) fn boardsize(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [word] = args.exactly()?;
    if !args::is_integer(word) {
        return Err(CommandError::Syntax(format!("'{word}' is not a whole number")));
    }
    let size = word.parse().ok().and_then(|size| Size::new(size).ok());
    let refuse = || CommandError::Size(format!("{word}, a board has 4 to 12 cells to an edge"));
    session.engine.set_size(size.ok_or_else(refuse)?);
    session.points.forget();
    Ok(String::new())
}

pub(super) fn clear_board(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    session.engine.clear_board();
    session.points.forget();
    Ok(String::new())
}

/// Accepted and ignored: the game has no komi, but controllers send it.
pub(super) fn komi(_: &mut Session, args: Args) -> Result<String, CommandError> {
    let [word] = args.exactly()?;
    args::number(word).map(|_| String::new())
}

pub(super) fn set_position(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let rules = session.engine.options().rules;
    let setup =
        Setup::parse(args.text(), rules.supply, rules.pie).map_err(|error| match error {
            ParsePositionError::Rows { .. } => CommandError::Size(error.to_string()),
            _ => CommandError::Syntax(error.to_string()),
        })?;
    session.engine.set_game(Game::at(&setup.validate()?));
    session.points.forget();
    Ok(String::new())
}
