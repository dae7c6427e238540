//! Commands on the game: start it or set up a position, play, search for and take back moves, query
//! its state, and load and save it.

use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::args::{self, Args};
use crate::board::Size;
use crate::engine::{AnalysisRequest, Answer, Game};
use crate::files;
use crate::game::{Color, Setup, Stage};
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;
use crate::gtp::single_points;
use crate::notation::{DefaultRules, ParsePositionError, Record, Text, Warning, sgf};
use crate::render;

pub(super) fn boardsize(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [word] = args.exactly()?;
    // GTP has different errors for a size that no board has and for a word that is not a size.
    if !args::is_integer(word) {
        return Err(CommandError::Syntax(format!("'{word}' is not a whole number")));
    }
    let size = word.parse().ok().and_then(|size| Size::new(size).ok());
    let refuse = || CommandError::Size(format!("{word}, a board has 4 to 12 cells to an edge"));
    session.engine.set_size(size.ok_or_else(refuse)?);
    session.point_mode.forget();
    Ok(String::new())
}

pub(super) fn clear_board(session: &mut Session) -> String {
    session.engine.clear_board();
    session.point_mode.forget();
    String::new()
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
    session.point_mode.forget();
    Ok(String::new())
}

/// A whole move switches the single-point mode off: no controller that plays single points sends
/// one.
pub(super) fn play(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color, word] = args.exactly()?;
    let color = args::color(color)?;
    let is_whole_move = word.contains([',', '-']);
    if session.point_mode.is_on() && !is_whole_move && !word.eq_ignore_ascii_case("swap") {
        single_points::play(session, color, word)?;
        return Ok(String::new());
    }
    session.engine.play(color, args::mv(word)?)?;
    if is_whole_move {
        session.point_mode.set(false);
    }
    Ok(String::new())
}

pub(super) fn play_sequence(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let number = |(index, word): (usize, &str)| {
        word.parse().map_err(|error| CommandError::Syntax(format!("move {}: {error}", index + 1)))
    };
    let moves = args.words().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    session.engine.play_all(&moves).map_err(|(index, reason)| CommandError::IllegalInSequence {
        number: index + 1,
        mv: moves[index],
        reason,
    })?;
    Ok(String::new())
}

pub(super) fn undo(session: &mut Session) -> Result<String, CommandError> {
    take_back(session, 1)
}

pub(super) fn gg_undo(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let count = args.at_most_one()?.map_or(Ok(1), args::whole_number)?;
    take_back(session, count)
}

/// Takes back turns, or points in the single-point mode.
fn take_back(session: &mut Session, count: usize) -> Result<String, CommandError> {
    if session.point_mode.is_on() {
        single_points::undo(session, count)?;
    } else {
        session.engine.undo(count)?;
    }
    Ok(String::new())
}

pub(super) fn genmove(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color] = args.exactly()?;
    let color = args::color(color)?;
    if session.point_mode.is_on() {
        let view = single_points::point_view(session);
        return single_points::genmove(session, color, &view, |session, request| {
            Ok(session.genmove(color, &request)?)
        });
    }
    Ok(answer_text(session.genmove(color, &AnalysisRequest::default())?))
}

pub(super) fn reg_genmove(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color] = args.exactly()?;
    let color = args::color(color)?;
    if session.point_mode.is_on() {
        return single_points::reg_genmove(session, color);
    }
    Ok(answer_text(session.engine.choose_move(color, &session.stop).finish()?))
}

/// A move as text, or `resign`.
pub(super) fn answer_text(answer: Answer) -> String {
    match answer {
        Answer::Move(mv) => mv.to_string(),
        Answer::Resign => "resign".to_owned(),
    }
}

pub(super) fn showboard(session: &mut Session) -> String {
    format!("\n{}", render::text(session.engine.position()))
}

pub(super) fn final_score(session: &mut Session) -> Result<String, CommandError> {
    let position = session.engine.position();
    if position.is_over() {
        Ok(position.outcome().to_string())
    } else {
        Err(CommandError::CannotScore)
    }
}

pub(super) fn legal_moves(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let position = session.engine.position();
    match args.at_most_one()? {
        None => {
            let moves = position.moves();
            Ok(moves.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        }
        Some("count") => {
            let counts = position.counts();
            Ok(format!(
                "cells {} pairs {} bridges {} pass {} swap {}",
                // A single cell is not a legal move: a second one must follow.
                if counts.pairs > 0 { counts.cells } else { 0 },
                counts.pairs,
                counts.bridges,
                u8::from(counts.pass),
                u8::from(counts.swap)
            ))
        }
        Some(_) => Err(args.usage_error()),
    }
}

pub(super) fn score(session: &mut Session) -> String {
    let position = session.engine.position();
    let [white, red] = Color::BOTH.map(|color| {
        let score = position.score(color);
        format!("{color} {} {} {}", score.points, score.islands, score.bridges)
    });
    format!("{white} {red}")
}

pub(super) fn status(session: &mut Session) -> String {
    let game = session.engine.game();
    let position = game.position();
    let state = match position.stage() {
        Stage::Opening => "open",
        Stage::Pie => "pie",
        Stage::Normal => "normal",
        Stage::Last => "last",
        Stage::Over => "over",
    };
    let winner = match (position.is_over(), position.outcome().winner()) {
        (false, _) => "none".to_owned(),
        (true, None) => "draw".to_owned(),
        (true, Some(color)) => color.to_string(),
    };
    let (side, turn) = (position.side(), game.len() + 1);
    format!("to_move {side} turn {turn} state {state} winner {winner}")
}

pub(super) fn position(session: &mut Session) -> String {
    session.engine.position().to_string()
}

pub(super) fn history(session: &mut Session) -> String {
    let moves = session.engine.game().moves();
    moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// File names may contain spaces. A number at the end is that of the move before which to stop.
pub(super) fn loadsgf(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let text = args.text();
    let (path, before_move) = match text.rsplit_once(' ') {
        Some((path, number)) if args::is_integer(number) => {
            (path.trim_end(), args::whole_number(number)?)
        }
        _ => (text, usize::MAX),
    };
    if path.is_empty() || before_move == 0 {
        return Err(args.usage_error());
    }
    let path = Path::new(path);
    let result = read_game(path, before_move, session);
    let (game, warnings) = result.map_err(|reason| CommandError::CannotLoad {
        path: path.to_owned(),
        reason: reason.to_string(),
    })?;
    let name = path.display();
    session.warnings = warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
    session.engine.set_game(game);
    session.point_mode.forget();
    Ok(String::new())
}

/// Reads a game up to the position before move `before_move`, counted from 1. The warnings are
/// about repairs to the file.
fn read_game(
    path: &Path,
    before_move: usize,
    session: &Session,
) -> Result<(Game, Vec<Warning>), Box<dyn Error>> {
    // Reading a device or a pipe might never end.
    let mut bytes = Vec::new();
    files::open_regular(path)?.read_to_end(&mut bytes)?;
    let rules = session.engine.options().rules;
    let default_rules = DefaultRules { size: None, supply: rules.supply, pie: rules.pie };
    let (record, warnings) = Record::read(Text::decode(&bytes), &default_rules)?;
    let move_count = record.moves.len().min(before_move - 1);
    // Reject the record if any of its moves is illegal, even after `before_move`.
    record.position_after(record.moves.len())?;
    let mut game = Game::at(&record.start.validate()?);
    for recorded in &record.moves[..move_count] {
        game.play(recorded.mv)?;
    }
    Ok((game, warnings))
}

pub(super) fn printsgf(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let cannot_save =
        |reason| CommandError::CannotSave { path: PathBuf::from(args.text()), reason };
    let text = sgf::write(&session.engine.game().into());
    if args.text().is_empty() {
        return Ok(text);
    }
    files::write_whole(Path::new(args.text()), text.as_bytes()).map_err(cannot_save)?;
    Ok(String::new())
}
