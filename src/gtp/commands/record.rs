//! Commands that load and save games.

use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::engine::Game;
use crate::files;
use crate::game::Setup;
use crate::gtp::args::{self, Args};
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;
use crate::notation::{Assumed, Format, GameResult, Record, RecordedMove, Text, Warning};

/// File names may contain spaces; a number at the end is the move.
pub(super) fn loadsgf(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let text = args.text();
    let (path, before_move) = match text.rsplit_once(' ') {
        Some((path, number)) if args::is_integer(number) => (path.trim_end(), args::whole(number)?),
        _ => (text, usize::MAX),
    };
    if path.is_empty() || before_move == 0 {
        return Err(args.usage_error());
    }
    let path = Path::new(path);
    let read = read(path, before_move, session).map_err(|reason| CommandError::CannotLoad {
        path: path.to_owned(),
        reason: reason.to_string(),
    });
    let (game, warnings) = read?;
    let name = path.display();
    session.warnings = warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
    session.engine.set_game(game);
    session.points.forget();
    Ok(String::new())
}

/// Reads a game up to the position before move `before_move`, counted from 1, and
/// what was mended for it.
fn read(
    path: &Path,
    before_move: usize,
    session: &Session,
) -> Result<(Game, Vec<Warning>), Box<dyn Error>> {
    // Reading a device or a pipe might never end.
    let mut bytes = Vec::new();
    files::open_regular(path)?.read_to_end(&mut bytes)?;
    let rules = session.engine.options().rules;
    let assumed = Assumed { size: None, supply: rules.supply, pie: rules.pie };
    let (record, warnings) = Record::read(Text::decode(&bytes), &assumed)?;
    let turns = record.moves.len().min(before_move - 1);
    // Reject the record if any of its moves is illegal, even after
    // `before_move`.
    record.position_after(record.moves.len())?;
    let mut game = Game::at(&record.start.validate()?);
    for turn in &record.moves[..turns] {
        game.play(turn.mv)?;
    }
    Ok((game, warnings))
}

pub(super) fn printsgf(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let game = session.engine.game();
    let mut record = Record::new(Setup::from(game.start()));
    record.moves = game.moves().map(RecordedMove::from).collect();
    let position = game.position();
    record.result = position.is_over().then(|| GameResult::Played(position.outcome()));
    let cannot_save =
        |reason| CommandError::CannotSave { path: PathBuf::from(args.text()), reason };
    let text = Format::Sgf.write(&[record]);
    if args.text().is_empty() {
        return Ok(text);
    }
    files::write_whole(Path::new(args.text()), text.as_bytes()).map_err(cannot_save)?;
    Ok(String::new())
}
