//! Commands that play, search for and take back moves.

use crate::engine::{AnalysisRequest, Answer};
use crate::gtp::args::{self, Args};
use crate::gtp::error::CommandError;
use crate::gtp::gogui::{self, PointNames};
use crate::gtp::session::Session;

/// A move of two cells switches the single-point mode off.
pub(super) fn play(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color, word] = args.exactly()?;
    let color = args::color(color)?;
    let is_turn = word.contains([',', '-']);
    if session.points.is_on() && !is_turn && !word.eq_ignore_ascii_case("swap") {
        gogui::play(session, color, word)?;
        return Ok(String::new());
    }
    session.engine.play(color, args::mv(word)?)?;
    if is_turn {
        session.points.set(false);
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

pub(super) fn undo(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    take_back(session, 1)
}

pub(super) fn gg_undo(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let count = args.at_most_one()?.map_or(Ok(1), args::whole)?;
    take_back(session, count)
}

/// Takes back turns, or points in the single-point mode.
fn take_back(session: &mut Session, count: usize) -> Result<String, CommandError> {
    if session.points.is_on() {
        gogui::undo(session, count)?;
    } else {
        session.engine.undo(count)?;
    }
    Ok(String::new())
}

pub(super) fn genmove(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color] = args.exactly()?;
    let color = args::color(color)?;
    if session.points.is_on() {
        let names = PointNames::of(session);
        return gogui::genmove(session, color, &names, |session, request| {
            Ok(session.genmove(color, &request)?)
        });
    }
    Ok(text(session.genmove(color, &AnalysisRequest::default())?))
}

pub(super) fn reg_genmove(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color] = args.exactly()?;
    let color = args::color(color)?;
    if session.points.is_on() {
        return gogui::reg_genmove(session, color);
    }
    Ok(text(session.engine.think(color, &session.stop)?))
}

/// A move as text, or `resign`.
pub(super) fn text(answer: Answer) -> String {
    match answer {
        Answer::Move(mv) => mv.to_string(),
        Answer::Resign => "resign".to_owned(),
    }
}
