//! Moves, made and taken back.

use super::super::args;
use super::{Args, CommandError, Session};
use crate::engine::Answer;

pub(super) fn play(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color, mv] = args.exactly()?;
    session.engine.play(args::color(color)?, args::mv(mv)?)?;
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
    session.engine.undo(1)?;
    Ok(String::new())
}

pub(super) fn gg_undo(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let turns = args.at_most_one()?.map_or(Ok(1), args::whole)?;
    session.engine.undo(turns)?;
    Ok(String::new())
}

pub(super) fn genmove(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color] = args.exactly()?;
    let answer = session.engine.genmove(args::color(color)?, &session.stop)?;
    Ok(text(answer))
}

pub(super) fn reg_genmove(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [color] = args.exactly()?;
    let answer = session.engine.think(args::color(color)?, &session.stop)?;
    Ok(text(answer))
}

fn text(answer: Answer) -> String {
    match answer {
        Answer::Move(mv) => mv.to_string(),
        Answer::Resign => "resign".to_owned(),
    }
}
