//! Turns made of single points: GoGui's window knows no other moves.
//!
//! A turn of two tiles is its two cells, a bridge its two ends, one after the
//! other; `pass` stands for itself and for the swap. The game of the engine
//! has whole turns only: a first point waits here for its second.

use super::point::{cell, point};
use crate::board::{Cell, Cells};
use crate::engine::{AnalysisRequest, Answer, Game};
use crate::game::{Color, IllegalMove, Move, Position, Step};
use crate::gtp::{CommandError, Session};

/// Whether moves are single points, and the point that waits.
#[derive(Clone, Debug, Default)]
pub(in crate::gtp) struct Points {
    is_on: bool,
    waiting: Option<Waiting>,
    /// Which point of a turn came first, by the number of turns before it: a
    /// turn itself does not tell.
    firsts: Vec<(usize, Cell)>,
}

/// The first point of a turn whose second is due.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Where it was played: anything else that changes the game takes it off.
    turns: usize,
    hash: u64,
    first: Cell,
    /// The turn it belongs to, if the engine began it.
    planned: Option<Move>,
}

impl Points {
    /// Switches to single points, or back to whole turns.
    pub(in crate::gtp) fn set(&mut self, on: bool) {
        self.is_on = on;
        self.waiting = None;
    }

    /// Forgets what was played: another game begins.
    pub(in crate::gtp) fn forget(&mut self) {
        self.waiting = None;
        self.firsts.clear();
    }

    /// Whether moves are single points.
    pub(in crate::gtp) fn is_on(&self) -> bool {
        self.is_on
    }

    /// The point that waits in the game as it stands.
    fn waiting(&self, game: &Game) -> Option<Waiting> {
        let here = |w: &Waiting| w.turns == game.len() && w.hash == game.position().hash();
        self.waiting.filter(here)
    }

    fn wait(&mut self, game: &Game, first: Cell, planned: Option<Move>) {
        let (turns, hash) = (game.len(), game.position().hash());
        self.waiting = Some(Waiting { turns, hash, first, planned });
    }

    /// A turn has been made of two points.
    fn complete(&mut self, waiting: Waiting) {
        self.waiting = None;
        self.firsts.retain(|&(turns, _)| turns < waiting.turns);
        self.firsts.push((waiting.turns, waiting.first));
    }

    /// The point of `mv`, made after `turns` turns, that came first.
    fn first_of(&self, turns: usize, mv: Move) -> Option<Cell> {
        let [a, b] = cells(mv)?;
        let known = self.firsts.contains(&(turns, b));
        Some(if known { b } else { a })
    }
}

/// The two points of a turn; none for pass and swap.
fn cells(mv: Move) -> Option<[Cell; 2]> {
    match mv {
        Move::Tiles(a, b) | Move::Bridge(a, b) => Some([a, b]),
        Move::Pass | Move::Swap => None,
    }
}

/// The turn of two points: a bridge, if the first is a tile of the mover.
fn turn_of(position: &Position, first: Cell, second: Cell) -> Move {
    if position.tile_at(first) == Some(position.side()) {
        Move::bridge(first, second)
    } else {
        Move::tiles(first, second)
    }
}

/// The position with the first tile of a turn on it, if it waits.
pub(in crate::gtp) fn shown(session: &Session) -> Position {
    let mut position = *session.engine.position();
    if let Some(waiting) = session.points.waiting(session.engine.game())
        && position.tile_at(waiting.first).is_none()
    {
        position.make(Step::Tile(waiting.first));
    }
    position
}

/// The points that the mover may play next, and whether `pass` is one.
pub(in crate::gtp) fn legal(session: &Session) -> (Cells, bool) {
    let position = shown(session);
    let waiting = session.points.waiting(session.engine.game());
    let mut points = Cells::EMPTY;
    for site in position.bridge_steps().iter() {
        let [a, b] = site.ends();
        match waiting.map(|waiting| waiting.first) {
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
pub(in crate::gtp) fn play(
    session: &mut Session,
    color: Color,
    word: &str,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    position.check_turn(color)?;
    let waiting = session.points.waiting(session.engine.game());
    if word.eq_ignore_ascii_case("pass") {
        if let Some(Waiting { first, .. }) = waiting {
            let text = format!("{} has been played, the turn's second point is due", point(first));
            return Err(CommandError::IllegalPoint(text));
        }
        let swaps = position.may_swap() && !position.may_pass();
        session.engine.play(color, if swaps { Move::Swap } else { Move::Pass })?;
        return Ok(());
    }
    let refuse = || CommandError::Syntax(format!("'{word}' is not a point, as in D4, or pass"));
    let cell = cell(word).ok_or_else(refuse)?;
    if let Some(waiting) = waiting {
        session.engine.play(color, turn_of(&position, waiting.first, cell))?;
        session.points.complete(waiting);
    } else {
        check_first(&position, cell)?;
        session.points.wait(session.engine.game(), cell, None);
    }
    Ok(())
}

/// Whether a turn may begin with a point, and if not, why.
fn check_first(position: &Position, cell: Cell) -> Result<(), CommandError> {
    let side = position.side();
    if position.tile_at(cell) == Some(side) {
        let begins = position.bridge_steps().iter().any(|site| site.ends().contains(&cell));
        let refuse = || format!("no bridge can be built from the tile at {}", point(cell));
        return begins.then_some(()).ok_or_else(|| CommandError::IllegalPoint(refuse()));
    }
    if let (false, Some(left)) = (position.has_tiles(), position.tiles_left(side)) {
        return Err(IllegalMove::NoTilesLeft { color: side, left }.into());
    }
    position.check_tile(side, cell)?;
    let refuse = || format!("no second tile could follow one at {}", point(cell));
    let is_legal = position.tile_steps().contains(cell);
    is_legal.then_some(()).ok_or_else(|| CommandError::IllegalPoint(refuse()))
}

/// Takes back points, all of them or none.
pub(in crate::gtp) fn undo(session: &mut Session, asked: usize) -> Result<(), CommandError> {
    let game = session.engine.game();
    let waits = session.points.waiting(game).is_some();
    let moves: Vec<Move> = game.moves().collect();
    let length = |mv: Move| if cells(mv).is_some() { 2 } else { 1 };
    let played = moves.iter().map(|&mv| length(mv)).sum::<usize>() + usize::from(waits);
    if asked > played {
        return Err(CommandError::CannotUndoPoints { asked, played });
    }
    if asked == 0 {
        return Ok(());
    }
    let mut left = asked - usize::from(waits);
    let mut turns = moves.len();
    let mut first = None;
    while left > 0 {
        turns -= 1;
        let mv = moves[turns];
        if length(mv) > left {
            first = session.points.first_of(turns, mv);
        }
        left = left.saturating_sub(length(mv));
    }
    session.engine.undo(moves.len() - turns)?;
    session.points.waiting = None;
    if let Some(first) = first {
        session.points.wait(session.engine.game(), first, None);
    }
    Ok(())
}

/// Thinks and plays a point, the first or the second of a turn: the second
/// without thinking where the engine began the turn.
pub(in crate::gtp) fn genmove(session: &mut Session, color: Color) -> Result<String, CommandError> {
    session.engine.position().check_turn(color)?;
    let Some(waiting) = session.points.waiting(session.engine.game()) else {
        let answer = session.genmove(color, &AnalysisRequest::default())?;
        let Answer::Move(mv) = answer else { return Ok(RESIGN.to_owned()) };
        let Some([first, _]) = cells(mv) else { return Ok(PASS.to_owned()) };
        // The clock has run; on the board the turn is only begun.
        session.engine.undo(1)?;
        session.points.wait(session.engine.game(), first, Some(mv));
        return Ok(point(first));
    };
    let answer = if let Some(mv) = waiting.planned {
        session.engine.play(color, mv)?;
        Answer::Move(mv)
    } else {
        let allow = begun(session.engine.position(), waiting.first);
        session.genmove(color, &AnalysisRequest { allow, ..AnalysisRequest::default() })?
    };
    let Answer::Move(mv) = answer else { return Ok(RESIGN.to_owned()) };
    session.points.complete(waiting);
    Ok(second(mv, waiting.first))
}

/// Thinks about a point and does not play it.
pub(in crate::gtp) fn reg_genmove(
    session: &mut Session,
    color: Color,
) -> Result<String, CommandError> {
    session.engine.position().check_turn(color)?;
    let Some(waiting) = session.points.waiting(session.engine.game()) else {
        return Ok(match session.engine.think(color, &session.stop)? {
            Answer::Move(mv) => cells(mv).map_or(PASS.to_owned(), |[first, _]| point(first)),
            Answer::Resign => RESIGN.to_owned(),
        });
    };
    if let Some(mv) = waiting.planned {
        return Ok(second(mv, waiting.first));
    }
    let allow = begun(session.engine.position(), waiting.first);
    let request = AnalysisRequest { allow, ..AnalysisRequest::default() };
    let analysis = session.analysis(&request)?;
    let best = analysis.candidates.first().map_or(Move::Pass, |best| best.mv);
    Ok(second(best, waiting.first))
}

const PASS: &str = "pass";
const RESIGN: &str = "resign";

/// The turns that begin with a point.
fn begun(position: &Position, first: Cell) -> Vec<Move> {
    let is_end = position.tile_at(first).is_some();
    let begins = |mv: &Move| {
        cells(*mv).is_some_and(|cells| cells.contains(&first))
            && matches!(mv, Move::Bridge(..)) == is_end
    };
    position.moves().into_iter().filter(begins).collect()
}

/// The point of a turn that is not the first.
fn second(mv: Move, first: Cell) -> String {
    let other = cells(mv).and_then(|cells| cells.into_iter().find(|&cell| cell != first));
    other.map_or(PASS.to_owned(), point)
}
