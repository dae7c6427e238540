//! The single-point mode: playing by points, the only kind of move GoGui knows.
//!
//! Two tiles are two points, and a bridge is its two ends. `pass` also means `swap` when Red may
//! swap. The engine's game holds whole moves only, so the first point of a move waits in
//! [`PointMode`](super::session::PointMode):
//!
//! ```text
//! play w D4     the game is unchanged, D4 waits; White is still to move
//! play w E6     the game has the move d4,e6; nothing waits
//! undo          the game is before d4,e6, and D4 waits again
//! ```
//!
//! The first point does not say which kind of move it begins. It is a tile if the cell is free and
//! a bridge's end if it holds an own tile, and no cell is both.
//!
//! `genmove` must not search twice for one move. Before the first point it searches for a whole
//! move, plays one of its points and keeps the move as the plan, from which the second point
//! follows. If the player chose the first point, the engine searches for the second among the moves
//! that contain the first.

use super::error::CommandError;
use super::session::{Session, WaitingPoint};
use crate::analysis::points::{
    PointView, cells_of, check_first, go_name, move_of, moves_beginning_with, parse_go_name,
};
use crate::board::{Cell, Cells};
use crate::engine::{AnalysisRequest, Answer};
use crate::game::{Color, Move, Position, Step};

/// How moves are named by points in the present state of a session.
pub(super) fn point_view(session: &Session) -> PointView {
    let waiting = session.point_mode.waiting_point(session.engine.game());
    PointView::new(waiting.map(|waiting| waiting.first_point))
}

/// The position, including the first tile of an unfinished move.
pub(super) fn position_with_first_tile(session: &Session) -> Position {
    let mut position = *session.engine.position();
    // A first point with a tile is the end of a bridge, which the board does not show.
    if let Some(waiting) = session.point_mode.waiting_point(session.engine.game())
        && position.tile_at(waiting.first_point).is_none()
    {
        position.make(Step::Tile(waiting.first_point));
    }
    position
}

/// The points that the side to move may play next, and whether it may pass.
pub(super) fn legal_points(session: &Session) -> (Cells, bool) {
    let position = position_with_first_tile(session);
    let waiting = session.point_mode.waiting_point(session.engine.game());
    let mut points = Cells::EMPTY;
    for site in position.bridge_steps().iter() {
        let [a, b] = site.ends();
        match waiting.map(|waiting| waiting.first_point) {
            None => points = points.with(a).with(b),
            Some(first) if first == a => points = points.with(b),
            Some(first) if first == b => points = points.with(a),
            Some(_) => {}
        }
    }
    if waiting.is_none() || position.is_half_turn() {
        points |= position.tile_steps();
    }
    (points, waiting.is_none() && (position.may_pass() || position.may_swap()))
}

/// Plays a point, or `pass`.
pub(super) fn play(session: &mut Session, color: Color, word: &str) -> Result<(), CommandError> {
    let position = *session.engine.position();
    position.check_turn(color)?;
    let waiting = session.point_mode.waiting_point(session.engine.game());
    if word.eq_ignore_ascii_case("pass") {
        if let Some(WaitingPoint { first_point: first, .. }) = waiting {
            let text =
                format!("{} has been played, the turn's second point is due", go_name(first));
            return Err(CommandError::IllegalPoint(text));
        }
        // If both are legal, `pass` is a pass.
        let swaps = position.may_swap() && !position.may_pass();
        session.engine.play(color, if swaps { Move::Swap } else { Move::Pass })?;
        return Ok(());
    }
    let refuse = || CommandError::Syntax(format!("'{word}' is not a point, as in D4, or pass"));
    let cell = parse_go_name(word).ok_or_else(refuse)?;
    if let Some(waiting) = waiting {
        session.engine.play(color, move_of(&position, waiting.first_point, cell))?;
        session.point_mode.complete(waiting);
    } else {
        check_first(&position, cell)?;
        session.point_mode.begin_move(session.engine.game(), cell, None);
    }
    Ok(())
}

/// Takes back `count` points, or none if fewer have been played.
pub(super) fn undo(session: &mut Session, count: usize) -> Result<(), CommandError> {
    let game = session.engine.game();
    let has_waiting = session.point_mode.waiting_point(game).is_some();
    let moves: Vec<Move> = game.moves().collect();
    let length = |mv: Move| if cells_of(mv).is_some() { 2 } else { 1 };
    let played = moves.iter().map(|&mv| length(mv)).sum::<usize>() + usize::from(has_waiting);
    if count > played {
        return Err(CommandError::CannotUndoPoints { requested: count, played });
    }
    if count == 0 {
        return Ok(());
    }
    // The waiting point is taken back first. If only the second point of a move is to be taken
    // back, the whole move is undone, and its first point waits again.
    let mut remaining = count - usize::from(has_waiting);
    let mut turns = moves.len();
    let mut first = None;
    while remaining > 0 {
        turns -= 1;
        let mv = moves[turns];
        if length(mv) > remaining {
            first = session.point_mode.first_of(turns, mv);
        }
        remaining = remaining.saturating_sub(length(mv));
    }
    session.engine.undo(moves.len() - turns)?;
    session.point_mode.clear_waiting();
    if let Some(first) = first {
        session.point_mode.begin_move(session.engine.game(), first, None);
    }
    Ok(())
}

/// Plays the next point for the engine and returns its name, `pass` or `resign`.
///
/// `search` finds and plays a whole move among those that its argument permits, and `view` chooses
/// which of its points to play first. If the engine itself played the first point of the move, it
/// plays the second without a search.
pub(super) fn genmove(
    session: &mut Session,
    color: Color,
    view: &PointView,
    search: impl FnOnce(&mut Session, AnalysisRequest) -> Result<Answer, CommandError>,
) -> Result<String, CommandError> {
    session.engine.position().check_turn(color)?;
    let Some(waiting) = session.point_mode.waiting_point(session.engine.game()) else {
        let answer = search(session, AnalysisRequest::default())?;
        let Answer::Move(mv) = answer else { return Ok(RESIGN.to_owned()) };
        let Some(first) = view.next_point(mv) else { return Ok(PASS.to_owned()) };
        // The search has taken the time of the whole move, but only its first point is played.
        session.engine.undo(1)?;
        session.point_mode.begin_move(session.engine.game(), first, Some(mv));
        return Ok(go_name(first));
    };
    let answer = if let Some(mv) = waiting.planned_move {
        session.engine.play(color, mv)?;
        Answer::Move(mv)
    } else {
        let allow = moves_beginning_with(session.engine.position(), waiting.first_point);
        search(session, AnalysisRequest { allow, ..AnalysisRequest::default() })?
    };
    let Answer::Move(mv) = answer else { return Ok(RESIGN.to_owned()) };
    session.point_mode.complete(waiting);
    Ok(second_point(mv, waiting.first_point))
}

/// Searches for the next point without playing it.
pub(super) fn reg_genmove(session: &mut Session, color: Color) -> Result<String, CommandError> {
    session.engine.position().check_turn(color)?;
    let Some(waiting) = session.point_mode.waiting_point(session.engine.game()) else {
        return Ok(match session.engine.choose_move(color, &session.stop).finish()? {
            Answer::Move(mv) => cells_of(mv).map_or(PASS.to_owned(), |[first, _]| go_name(first)),
            Answer::Resign => RESIGN.to_owned(),
        });
    };
    if let Some(mv) = waiting.planned_move {
        return Ok(second_point(mv, waiting.first_point));
    }
    let allow = moves_beginning_with(session.engine.position(), waiting.first_point);
    let request = AnalysisRequest { allow, ..AnalysisRequest::default() };
    let analysis = session.analysis(&request)?;
    let best = analysis.moves.first().map_or(Move::Pass, |best| best.mv);
    Ok(second_point(best, waiting.first_point))
}

const PASS: &str = "pass";
const RESIGN: &str = "resign";

/// The point of `mv` other than `first`; `pass` if there is none.
fn second_point(mv: Move, first: Cell) -> String {
    let other = cells_of(mv).and_then(|cells| cells.into_iter().find(|&cell| cell != first));
    other.map_or(PASS.to_owned(), go_name)
}
