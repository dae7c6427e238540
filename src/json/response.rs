//! An [`Analysis`] in the form of `KataGo`'s analysis engine, with its names.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::game::Turn;
use crate::analysis::points::{PointEntry, PointView};
use crate::board::{Cell, Site};
use crate::engine::{Analysis, Bounds, Candidate, DECIMALS, Ownership, RootInfo, rounded};
use crate::game::{Color, Move, Position, Step, Value as GameValue};

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
    let side = extent.perspective.unwrap_or(analysis.to_move);
    let writer = Writer { extent, turn, side, analysis };
    let mut root = root(analysis.to_move, extent, analysis.root);
    if let Some(ownership) = &analysis.ownership {
        root.insert("scoreStdev".to_owned(), deviation(ownership));
    }
    let mut map = Map::new();
    map.insert("rootInfo".to_owned(), root.into());
    map.insert("moveInfos".to_owned(), writer.moves());
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
    let (winrate, lead) = (seen.white_share().into(), seen.points().into());
    let root =
        root(mover, extent, RootInfo { winrate, lead, visits: 0, bounds: Bounds::of(value) });
    let mut map = Map::new();
    map.insert("gameOver".to_owned(), true.into());
    map.insert("result".to_owned(), outcome.to_string().into());
    map.insert("rootInfo".to_owned(), root.into());
    map.insert("moveInfos".to_owned(), json!([]));
    map
}

/// `rootInfo` for the side that `extent` names.
fn root(mover: Color, extent: Extent, mut root: RootInfo) -> Map<String, Value> {
    if extent.perspective.is_some_and(|side| side != mover) {
        (root.winrate, root.lead) = (1.0 - root.winrate, -root.lead);
    }
    let mut map = object(&root);
    map.insert("utility".to_owned(), utility(root.winrate));
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
    let cells = turn.position.size().rows().map(|cell| cells[cell.index()]);
    cells.chain([pass]).map(shown).collect()
}

impl Writer<'_> {
    /// `moveInfos`: moves, or the points that may be played next.
    fn moves(&self) -> Value {
        let most = self.extent.moves;
        if self.extent.points {
            let view = PointView::new(self.turn.first);
            let entries = view.entries(self.analysis);
            let entry = |entry: &PointEntry| self.candidate(&entry.1, view.line(entry));
            return entries.iter().take(most).map(entry).collect();
        }
        let named = |candidate: &Candidate| {
            let line = candidate.pv.iter().map(Move::to_string);
            self.candidate(candidate, line.zip(candidate.pv_visits.iter().copied()).collect())
        };
        self.analysis.moves.iter().take(most).map(named).collect()
    }

    /// A move or point, whose principal variation with visits is `line`.
    fn candidate(&self, candidate: &Candidate, line: Vec<(String, u64)>) -> Value {
        let mut shown = candidate.clone();
        if self.side != self.analysis.to_move {
            shown.winrate = 1.0 - shown.winrate;
            shown.lcb = 1.0 - shown.lcb;
            shown.lead = -shown.lead;
        }
        let mut map = object(&shown);
        let mut put = |name: &str, value: Value| map.insert(name.to_owned(), value);
        put("edgeVisits", shown.visits.into());
        put("utility", utility(shown.winrate));
        put("utilityLcb", utility(shown.lcb));
        put("scoreMean", shown.lead.into());
        let after = self.analysis.moves_ownership.iter().find(|(mv, _)| *mv == shown.mv);
        let after = after.map(|(_, ownership)| ownership);
        if let Some(ownership) = after.or(self.analysis.ownership.as_ref()) {
            put("scoreStdev", deviation(ownership));
        }
        if let Some(ownership) = after {
            put("ownership", self.cells(ownership));
        }
        let line = line.into_iter().take(self.extent.line.saturating_add(1));
        let (line, visits): (Vec<String>, Vec<u64>) = line.unzip();
        put("move", line.first().map_or("", String::as_str).into());
        put("pv", line.into());
        if self.extent.line_visits {
            put("pvVisits", visits.into());
        }
        map.into()
    }

    /// For every cell, row by row from the top left: the chance that it ends up
    /// in one of the side's islands, minus the same for the opponent.
    fn cells(&self, ownership: &Ownership) -> Value {
        let share = |cell| rounded(ownership.cell_share(cell, self.side), DECIMALS);
        self.turn.position.size().rows().map(share).collect::<Vec<_>>().into()
    }

    /// For every possible bridge: the chance that the side builds it, minus the
    /// same for the opponent.
    fn bridges(&self, ownership: &Ownership) -> Value {
        let entry = |(site, share): (Site, f64)| {
            let [a, b] = site.ends();
            (Move::bridge(a, b).to_string(), Value::from(rounded(share, DECIMALS)))
        };
        ownership.bridge_shares(self.side).map(entry).collect()
    }
}

/// A part of an analysis as a JSON object.
fn object(part: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(part) {
        Ok(Value::Object(map)) => map,
        // Structs without maps of other keys become objects.
        _ => Map::new(),
    }
}

/// A win rate in units of `KataGo`'s utility: -1 (loss) to 1 (win).
fn utility(winrate: f64) -> Value {
    rounded(2.0 * winrate - 1.0, DECIMALS).into()
}

fn deviation(ownership: &Ownership) -> Value {
    rounded(ownership.score_deviation(), DECIMALS).into()
}
