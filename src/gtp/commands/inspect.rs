//! Commands that query the board and the state of the game.

use crate::game::{Color, Stage};
use crate::gtp::args::Args;
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;
use crate::render;

pub(super) fn showboard(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(format!("\n{}", render::text(session.engine.position())))
}

pub(super) fn final_score(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
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

pub(super) fn score(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let position = session.engine.position();
    let [white, red] = Color::BOTH.map(|color| {
        let score = position.score(color);
        format!("{color} {} {} {}", score.points, score.islands, score.bridges)
    });
    Ok(format!("{white} {red}"))
}

pub(super) fn status(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
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
    Ok(format!("to_move {side} turn {turn} state {state} winner {winner}"))
}

pub(super) fn position(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(session.engine.position().to_string())
}

pub(super) fn history(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let moves = session.engine.game().moves();
    Ok(moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "))
}
