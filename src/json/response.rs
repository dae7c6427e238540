//! An [`Analysis`] in the form of `KataGo`'s analysis engine, with its names.

use serde_json::{Map, Value, json};

use super::game::Turn;
use crate::analysis::json::{move_info, root_info, rounded, winner};
use crate::analysis::points::{point, points_of};
use crate::board::{Cell, Site, Size};
use crate::engine::{Analysis, Bounds, Candidate, Ownership};
use crate::game::{Color, Move, Position, Step, Value as GameValue};

/// Decimals of every number.
const DECIMALS: i32 = 5;

/// How much of an analysis is written, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the query")]
pub(super) struct Extent {
    /// Moves to list at most, the best ones.
    pub(super) moves: usize,
    /// Length of a main line at most, without its first move.
    pub(super) line: usize,
    /// Whether to list the visits of every move of a main line.
    pub(super) line_visits: bool,
    pub(super) ownership: bool,
    pub(super) policy: bool,
    /// Whether moves are single points.
    pub(super) points: bool,
    /// The side whose win rates and leads are written: the side to move if
    /// `None`.
    pub(super) perspective: Option<Color>,
}

/// An analysis and how it is written.
struct Writer<'a> {
    extent: Extent,
    turn: &'a Turn,
    /// The side whose win rates and leads are written.
    side: Color,
    analysis: &'a Analysis,
}

/// `rootInfo` and `moveInfos` of an analysis of `turn`, and `ownership` and
/// `bridgeOwnership` if wanted.
pub(super) fn of_analysis(analysis: &Analysis, turn: &Turn, extent: Extent) -> Map<String, Value> {
    let Analysis { mover, winrate, lead, bounds, visits, .. } = *analysis;
    let writer = Writer { extent, turn, side: extent.perspective.unwrap_or(mover), analysis };
    let mut root = root(mover, extent, winrate, lead, visits);
    if let Some(ownership) = &analysis.ownership {
        root.insert("scoreStdev".to_owned(), deviation(ownership));
    }
    add_proof(&mut root, bounds);
    let candidates = if extent.points { &writer.by_point() } else { &analysis.candidates };
    let moves = candidates.iter().take(extent.moves).enumerate();
    let moves = moves.map(|(order, candidate)| writer.candidate(candidate, order));
    let mut map = Map::new();
    map.insert("rootInfo".to_owned(), root.into());
    map.insert("moveInfos".to_owned(), moves.collect());
    if let Some(ownership) = analysis.ownership.as_ref().filter(|_| extent.ownership) {
        map.insert("ownership".to_owned(), writer.cells(ownership));
        map.insert("bridgeOwnership".to_owned(), writer.bridges(ownership));
    }
    map
}

/// The same for a finished game, which has nothing to search: `gameOver`,
/// `result` and an empty list of moves.
pub(super) fn of_end(position: &Position, extent: Extent) -> Map<String, Value> {
    let (mover, outcome) = (position.side(), position.outcome());
    let value = GameValue::from(outcome);
    let seen = value.seen_by(mover);
    let mut root = root(mover, extent, seen.white_share().into(), seen.points().into(), 0);
    add_proof(&mut root, Bounds::of(value));
    let mut map = Map::new();
    map.insert("gameOver".to_owned(), true.into());
    map.insert("result".to_owned(), outcome.to_string().into());
    map.insert("rootInfo".to_owned(), root.into());
    map.insert("moveInfos".to_owned(), json!([]));
    map
}

/// `rootInfo` from the mover's win rate and lead, without proofs.
fn root(mover: Color, extent: Extent, winrate: f64, lead: f64, visits: u64) -> Map<String, Value> {
    let is_mover = extent.perspective.is_none_or(|side| side == mover);
    let (winrate, lead) = if is_mover { (winrate, lead) } else { (1.0 - winrate, -lead) };
    let mut map = root_info(winrate, lead, visits, DECIMALS);
    map.insert("utility".to_owned(), utility(winrate));
    let letter = if mover == Color::White { "W" } else { "B" };
    map.insert("currentPlayer".to_owned(), letter.into());
    map
}

/// For every cell, row by row from the top left, the prior probability that the
/// next point is there: a tile, or either end of a bridge. Then that of a pass.
/// -1 where there is no legal move.
pub(super) fn policy(turn: &Turn, priors: impl Fn(&Position) -> Vec<(Step, f32)>) -> Value {
    let mut position = turn.position;
    let bridge_end = turn.first.filter(|&first| position.tile_at(first).is_some());
    if let Some(first) = turn.first.filter(|_| bridge_end.is_none()) {
        position.make(Step::Tile(first));
    }
    let mut cells = [-1.0; Cell::TABLE];
    let mut pass = if position.may_swap() { 0.0 } else { -1.0 };
    let mut sum = 0.0;
    for (step, prior) in priors(&position) {
        let prior = f64::from(prior);
        let mut add = |cell: Cell, share: f64| {
            let known: &mut f64 = &mut cells[cell.index()];
            *known = known.max(0.0) + share;
            sum += share;
        };
        match (step, bridge_end) {
            (Step::Tile(cell), None) => add(cell, prior),
            (Step::Bridge(site), None) => site.ends().iter().for_each(|&end| add(end, prior / 2.0)),
            (Step::Bridge(site), Some(first)) if site.ends().contains(&first) => {
                site.ends().iter().filter(|&&end| end != first).for_each(|&end| add(end, prior));
            }
            (Step::Pass, None) => (pass, sum) = (prior, sum + prior),
            _ => {}
        }
    }
    let shown =
        |share: f64| Value::from(rounded(if share < 0.0 { share } else { share / sum }, DECIMALS));
    let cells = board(turn.position.size()).map(|cell| cells[cell.index()]);
    cells.chain([pass]).map(shown).collect()
}

impl Writer<'_> {
    fn candidate(&self, candidate: &Candidate, order: usize) -> Value {
        let mut shown = candidate.clone();
        if self.side != self.analysis.mover {
            shown.winrate = 1.0 - shown.winrate;
            shown.lcb = 1.0 - shown.lcb;
            shown.lead = -shown.lead;
        }
        let mut map = move_info(&shown, order, DECIMALS);
        let mut put = |name: &str, value: Value| map.insert(name.to_owned(), value);
        put("edgeVisits", shown.visits.into());
        put("utility", utility(shown.winrate));
        put("utilityLcb", utility(shown.lcb));
        put("scoreMean", rounded(shown.lead, DECIMALS).into());
        let after = self.analysis.moves_ownership.iter().find(|(mv, _)| *mv == shown.mv);
        let after = after.map(|(_, ownership)| ownership);
        if let Some(ownership) = after.or(self.analysis.ownership.as_ref()) {
            put("scoreStdev", deviation(ownership));
        }
        if let Some(ownership) = after {
            put("ownership", self.cells(ownership));
        }
        let names = shown.line.iter().enumerate().map(|(turn, &mv)| self.names(mv, turn == 0));
        let line = names.zip(&shown.line_visits).flat_map(|(names, &visits)| {
            names.into_iter().map(move |name| (Value::from(name), Value::from(visits)))
        });
        let (line, mut visits): (Vec<Value>, Vec<Value>) =
            line.take(self.extent.line.saturating_add(1)).unzip();
        put("move", line.first().cloned().unwrap_or_default());
        put("pv", line.into());
        // A first point has the visits of all moves that play it.
        if let Some(first) = visits.first_mut() {
            *first = shown.visits.into();
        }
        if self.extent.line_visits {
            put("pvVisits", visits.into());
        }
        add_proof(&mut map, shown.bounds);
        map.into()
    }

    /// The points of a move that have not been played.
    fn points(&self, mv: Move, is_next: bool) -> impl Iterator<Item = Cell> {
        let played = self.turn.first.filter(|_| is_next);
        points_of(mv).into_iter().flatten().filter(move |&point| Some(point) != played)
    }

    /// The name of a move, or of its points.
    fn names(&self, mv: Move, is_next: bool) -> Vec<String> {
        match mv {
            _ if !self.extent.points => vec![mv.to_string()],
            Move::Swap | Move::Pass => vec![Move::Pass.to_string()],
            _ => self.points(mv, is_next).map(point).collect(),
        }
    }

    /// For each next point the best of the moves that play it, with the visits
    /// and priors of all of them.
    fn by_point(&self) -> Vec<Candidate> {
        let mut kept: Vec<Candidate> = Vec::new();
        let next = |mv| self.points(mv, true).next();
        for candidate in &self.analysis.candidates {
            if let Some(best) = kept.iter_mut().find(|best| next(best.mv) == next(candidate.mv)) {
                best.visits += candidate.visits;
                best.prior += candidate.prior;
            } else {
                kept.push(candidate.clone());
            }
        }
        kept
    }

    /// For every cell, row by row from the top left: the chance that it ends up
    /// in one of the side's islands, minus the same for the opponent.
    fn cells(&self, ownership: &Ownership) -> Value {
        let side = self.side;
        let share = |cell| ownership.of_cell(cell, side) - ownership.of_cell(cell, !side);
        board(self.turn.position.size())
            .map(|cell| Value::from(rounded(share(cell), DECIMALS)))
            .collect()
    }

    /// For every possible bridge: the chance that the side builds it, minus the
    /// same for the opponent.
    fn bridges(&self, ownership: &Ownership) -> Value {
        let share = |chances: [f64; 2]| chances[self.side.index()] - chances[(!self.side).index()];
        let entry = |(site, chances): (Site, _)| {
            let [a, b] = site.ends();
            (Move::bridge(a, b).to_string(), Value::from(rounded(share(chances), DECIMALS)))
        };
        ownership.bridges().map(entry).collect()
    }
}

/// The cells of a board, row by row from the top left.
fn board(size: Size) -> impl Iterator<Item = Cell> {
    let rows = (0..size.get()).rev();
    rows.flat_map(move |row| (0..size.get()).map(move |column| Cell::new(column, row)))
}

/// A win rate in units of `KataGo`'s utility: -1 (loss) to 1 (win).
fn utility(winrate: f64) -> Value {
    rounded(2.0 * winrate - 1.0, DECIMALS).into()
}

fn deviation(ownership: &Ownership) -> Value {
    rounded(ownership.score_deviation(), DECIMALS).into()
}

/// Adds `solved` (whether the result is proved), `winner` if that is proved,
/// and `result` if it is.
fn add_proof(map: &mut Map<String, Value>, bounds: Bounds) {
    let exact = bounds.exact();
    map.insert("solved".to_owned(), exact.is_some().into());
    if bounds.is_decided() {
        let letter = |color: Color| color.letter().to_ascii_uppercase().to_string();
        map.insert("winner".to_owned(), winner(bounds).map_or("draw".to_owned(), letter).into());
    }
    if let Some(value) = exact {
        map.insert("result".to_owned(), value.to_string().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_names_the_winner_and_the_result_if_it_covers_them() {
        let proof = |lower, upper| {
            let (lower, upper) = (GameValue::new(lower), GameValue::new(upper));
            let mut map = Map::new();
            add_proof(&mut map, Bounds { lower, upper });
            Value::from(map).to_string()
        };
        assert_eq!(proof(-5, 3), r#"{"solved":false}"#);
        assert_eq!(proof(1, 9), r#"{"solved":false,"winner":"W"}"#);
        assert_eq!(proof(-9, -1), r#"{"solved":false,"winner":"R"}"#);
        assert_eq!(proof(-7, -7), r#"{"solved":true,"winner":"R","result":"R+5"}"#);
        assert_eq!(proof(0, 0), r#"{"solved":true,"winner":"draw","result":"0"}"#);
    }
}
