//! `avoidMoves` and `allowMoves`.

use std::collections::HashSet;

use super::fields::{Fields, Refusal, Warnings};
use super::game::{Turn, point};
use crate::analysis::points::{begun, points_of};
use crate::board::Cells;
use crate::engine::AnalysisRequest;
use crate::game::{Color, Move};
use crate::notation::ParseMoveError;

/// Moves and points to avoid or allow, of one colour or of the side to move.
#[derive(Default)]
pub(super) struct Selection {
    player: Option<Color>,
    moves: HashSet<Move>,
    points: Cells,
}

impl Selection {
    /// The selections in `field`: a list of moves, or of objects with `player`,
    /// `moves` and `untilDepth`.
    pub(super) fn read(
        fields: Fields<'_>,
        field: &str,
        warnings: &mut Warnings,
    ) -> Result<Vec<Selection>, Refusal> {
        let Some(list) = fields.list(field)? else { return Ok(Vec::new()) };
        let refuse = |reason: String| Refusal::field(field, reason);
        if let Some(words) = list.iter().map(|value| value.as_str()).collect::<Option<Vec<_>>>() {
            return Ok(vec![Selection::of(None, &words).map_err(refuse)?]);
        }
        let form =
            || format!("{field} must be a list of moves or of objects with player and moves");
        let mut selections = Vec::new();
        for value in list {
            let object = Fields(value.as_object().ok_or_else(|| refuse(form()))?);
            let inside = |error: Refusal| refuse(error.reason);
            let missing = || refuse("player is missing: W or B".to_owned());
            let player = object.color("player").map_err(inside)?.ok_or_else(missing)?;
            if object.count("untilDepth").map_err(inside)?.is_some_and(|depth| depth > 1) {
                let text = "untilDepth is 1 at most: only the analysed turn is restricted";
                warnings.add(field, text.to_owned());
            }
            let missing = || refuse("moves is missing: a list of moves".to_owned());
            let words = object.texts("moves").map_err(inside)?.ok_or_else(missing)?;
            selections.push(Selection::of(Some(player), &words).map_err(refuse)?);
        }
        Ok(selections)
    }

    fn of(player: Option<Color>, words: &[&str]) -> Result<Selection, String> {
        let mut selection = Selection { player, ..Selection::default() };
        for word in words {
            if let Some(point) = point(word) {
                selection.points = selection.points.with(point);
            } else {
                let mv = word.parse().map_err(|error: ParseMoveError| error.to_string())?;
                selection.moves.insert(mv);
            }
        }
        Ok(selection)
    }

    /// Whether it names `mv`, which plays `points`: the move, or one of its
    /// points, or `all` of them. `pass` also means a swap.
    fn names(&self, mv: Move, points: Cells, all: bool) -> bool {
        let common = points & self.points;
        self.moves.contains(&mv)
            || mv == Move::Swap && self.moves.contains(&Move::Pass)
            || !common.is_empty() && (!all || common == points)
    }
}

/// The request with the moves to avoid and allow at `turn`. Points forbid the
/// moves that play one of them, and allow those that play no others.
pub(super) fn restrict(
    request: &AnalysisRequest,
    avoid: &[Selection],
    allow: &[Selection],
    turn: &Turn,
) -> Result<AnalysisRequest, Refusal> {
    let Turn { ref position, first } = *turn;
    let is_of_mover =
        |selection: &&Selection| selection.player.is_none_or(|player| player == position.side());
    let avoid: Vec<&Selection> = avoid.iter().filter(is_of_mover).collect();
    let allow: Vec<&Selection> = allow.iter().filter(is_of_mover).collect();
    let mut request = request.clone();
    if position.is_over() || avoid.is_empty() && allow.is_empty() && first.is_none() {
        return Ok(request);
    }
    let is_named = |mv: Move, list: &[&Selection], all: bool| {
        let points = points_of(mv).into_iter().flatten().filter(|&point| Some(point) != first);
        let points = points.fold(Cells::EMPTY, Cells::with);
        list.iter().any(|selection| selection.names(mv, points, all))
    };
    let is_allowed = |mv: Move| allow.is_empty() || is_named(mv, &allow, true);
    let moves = first.map_or_else(|| position.moves(), |first| begun(position, first));
    if !moves.iter().any(|&mv| is_allowed(mv)) {
        return Err(Refusal::field("allowMoves", "allowMoves has no legal move"));
    }
    let (kept, dropped): (Vec<Move>, Vec<Move>) =
        moves.into_iter().partition(|&mv| is_allowed(mv) && !is_named(mv, &avoid, false));
    if kept.is_empty() {
        return Err(Refusal::field("avoidMoves", "avoidMoves leaves no legal move"));
    }
    if first.is_some() || kept.len() <= dropped.len() {
        request.allow = kept;
    } else {
        request.avoid = dropped;
    }
    Ok(request)
}
