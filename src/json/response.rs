//! An [`Analysis`] as an answer, in the format of KataGo's analysis engine.

use serde::{Serialize, Serializer};

use super::game::QueryTurn;
use super::queue::Job;
use crate::analysis::points::PointView;
use crate::board::{Cell, Site};
use crate::engine::{Analysis, Bounds, Candidate, DECIMALS, Ownership, RootInfo, rounded};
use crate::game::{Color, Move, Position, Step, Value};

/// How much of an analysis is written, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnswerFormat {
    /// The maximum number of moves to list, the best ones.
    pub(super) moves: usize,
    /// The maximum length of a principal variation, its first move not counted.
    pub(super) line: usize,
    /// Whether to list the visits of every move of a principal variation.
    pub(super) line_visits: bool,
    pub(super) ownership: bool,
    pub(super) policy: bool,
    /// The side whose win rates and leads are written: the side to move if `None`.
    pub(super) perspective: Option<Color>,
}

/// An answer to a query, about one turn.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnAnswer<'a> {
    pub(super) id: &'a str,
    pub(super) turn_number: usize,
    pub(super) is_during_search: bool,
    #[serde(flatten)]
    pub(super) results: Results,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) policy: Option<&'a [f64]>,
}

/// The results for a turn. Untagged, and flattened into the answer: KataGo's clients expect these
/// fields beside `id`.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum Results {
    /// Nothing: the query was terminated before its search started.
    None { no_results: bool },
    /// The game is over, so there is nothing to search. The list of moves is empty but present,
    /// because clients expect one.
    Over { game_over: bool, result: String, root_info: Root, move_infos: [MoveInfo; 0] },
    Analysis {
        root_info: Root,
        move_infos: Vec<MoveInfo>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ownership: Option<Vec<f64>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        bridge_ownership: Option<Bridges>,
    },
}

/// `rootInfo`: the numbers of the whole position.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    #[serde(flatten)]
    info: RootInfo,
    /// The win rate in units of KataGo's utility: -1 (loss) to 1 (win).
    utility: f64,
    current_player: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_stdev: Option<f64>,
}

/// An entry of `moveInfos`: a move, or a point that may be played next.
///
/// `edge_visits`, `score_mean` and the utilities repeat other numbers under KataGo's names, for
/// clients that read only these.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MoveInfo {
    r#move: String,
    visits: u64,
    winrate: f64,
    score_lead: f64,
    prior: f64,
    pv: Vec<String>,
    lcb: f64,
    order: usize,
    #[serde(flatten)]
    bounds: Bounds,
    edge_visits: u64,
    utility: f64,
    utility_lcb: f64,
    score_mean: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_stdev: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f64>>,
    #[serde(rename = "pvVisits", skip_serializing_if = "Option::is_none")]
    line_visits: Option<Vec<u64>>,
}

/// A number for each bridge. Serialized as an object that keeps the order of the list.
pub(super) struct Bridges(Vec<(String, f64)>);

impl Serialize for Bridges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, share)| (name, share)))
    }
}

impl Results {
    /// The results of `analysis` for the position of `job`.
    pub(super) fn of_analysis(analysis: &Analysis, job: &Job) -> Results {
        let &Job { format, ref turn, .. } = job;
        let side = format.perspective.unwrap_or(analysis.to_move);
        let writer = Writer { format, turn, points: job.request.points, side, analysis };
        let ownership = analysis.ownership.as_ref().filter(|_| format.ownership);
        Results::Analysis {
            root_info: Root::new(
                analysis.to_move,
                format,
                analysis.root,
                analysis.ownership.as_ref(),
            ),
            move_infos: writer.moves(),
            ownership: ownership.map(|ownership| writer.cells(ownership)),
            bridge_ownership: ownership.map(|ownership| writer.bridges(ownership)),
        }
    }

    /// The result of a finished game, as an analysis without moves.
    pub(super) fn of_finished_game(position: &Position, format: AnswerFormat) -> Results {
        let (mover, outcome) = (position.side(), position.outcome());
        let value = Value::from(outcome);
        let own = value.seen_by(mover);
        let (winrate, lead) = (own.win_rate().into(), own.points().into());
        let root = RootInfo { winrate, lead, visits: 0, bounds: Bounds::of(value) };
        let root_info = Root::new(mover, format, root, None);
        Results::Over { game_over: true, result: outcome.to_string(), root_info, move_infos: [] }
    }
}

impl Root {
    /// The root for the side that `format` names. `info` is for `mover`.
    fn new(
        mover: Color,
        format: AnswerFormat,
        mut info: RootInfo,
        ownership: Option<&Ownership>,
    ) -> Root {
        if format.perspective.is_some_and(|side| side != mover) {
            (info.winrate, info.lead) = (1.0 - info.winrate, -info.lead);
        }
        let utility = to_utility(info.winrate);
        let current_player = if mover == Color::White { "W" } else { "B" };
        Root { info, utility, current_player, score_stdev: ownership.map(deviation) }
    }
}

/// For every cell, row by row from the top left, the prior probability that the next point is
/// there: a tile, or either end of a bridge. Then the prior of a pass. -1 where there is no legal
/// move.
///
/// A bridge may begin with either end, so each gets half of its prior. After its first end has been
/// played, the other end gets the whole prior. The priors of the points that are still possible are
/// scaled to a sum of 1.
pub(super) fn point_policy(
    turn: &QueryTurn,
    priors: impl Fn(&Position) -> Vec<(Step, f32)>,
) -> Vec<f64> {
    let mut position = turn.position;
    let bridge_end = turn.first_point.filter(|&first| position.tile_at(first).is_some());
    if let Some(first) = turn.first_point.filter(|_| bridge_end.is_none()) {
        position.make(Step::Tile(first));
    }
    let mut cells = [-1.0; Cell::TABLE];
    // A swap is never among the priors.
    let mut pass = if position.may_swap() { 0.0 } else { -1.0 };
    let mut sum = 0.0;
    for (step, prior) in priors(&position) {
        let prior = f64::from(prior);
        let mut add = |cell: Cell, share: f64| {
            let total: &mut f64 = &mut cells[cell.index()];
            *total = total.max(0.0) + share;
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
    let normalized = |share: f64| rounded(if share < 0.0 { share } else { share / sum }, DECIMALS);
    let cells = turn.position.size().rows().map(|cell| cells[cell.index()]);
    cells.chain([pass]).map(normalized).collect()
}

/// An analysis and how it is written.
struct Writer<'a> {
    format: AnswerFormat,
    turn: &'a QueryTurn,
    /// Whether moves are single points.
    points: bool,
    /// The side whose win rates and leads are written.
    side: Color,
    analysis: &'a Analysis,
}

impl Writer<'_> {
    /// The moves, or the points that may be played next, the best first.
    fn moves(&self) -> Vec<MoveInfo> {
        let limit = self.format.moves;
        if self.points {
            let view = PointView::new(self.turn.first_point);
            let entries = view.entries(self.analysis).into_iter().take(limit);
            return entries
                .map(|entry| self.move_info(&entry.candidate, view.line(&entry)))
                .collect();
        }
        let whole_move = |candidate: &Candidate| {
            let line = candidate.pv.iter().map(Move::to_string);
            self.move_info(candidate, line.zip(candidate.pv_visits.iter().copied()).collect())
        };
        self.analysis.moves.iter().take(limit).map(whole_move).collect()
    }

    /// The entry of a move or point, whose principal variation with visits is `line`.
    fn move_info(&self, candidate: &Candidate, line: Vec<(String, u64)>) -> MoveInfo {
        let &Candidate { visits, prior, order, bounds, .. } = candidate;
        let (mut winrate, mut lcb, mut lead) = (candidate.winrate, candidate.lcb, candidate.lead);
        if self.side != self.analysis.to_move {
            (winrate, lcb, lead) = (1.0 - winrate, 1.0 - lcb, -lead);
        }
        let owners = self.analysis.moves_ownership.iter().find(|(mv, _)| *mv == candidate.mv);
        let owners = owners.map(|(_, ownership)| ownership);
        // Saturating: without a limit, `line` is the largest number.
        let line = line.into_iter().take(self.format.line.saturating_add(1));
        let (pv, line_visits): (Vec<String>, Vec<u64>) = line.unzip();
        MoveInfo {
            r#move: pv.first().cloned().unwrap_or_default(),
            visits,
            winrate,
            score_lead: lead,
            prior,
            pv,
            lcb,
            order,
            bounds,
            edge_visits: visits,
            utility: to_utility(winrate),
            utility_lcb: to_utility(lcb),
            score_mean: lead,
            // Without the ownership after each move, that of the root is the best estimate.
            score_stdev: owners.or(self.analysis.ownership.as_ref()).map(deviation),
            ownership: owners.map(|ownership| self.cells(ownership)),
            line_visits: self.format.line_visits.then_some(line_visits),
        }
    }

    /// For every cell, row by row from the top left: the chance that it ends up in one of the
    /// side's islands, minus the same for the opponent.
    fn cells(&self, ownership: &Ownership) -> Vec<f64> {
        let share = |cell| rounded(ownership.cell_margin(cell, self.side), DECIMALS);
        self.turn.position.size().rows().map(share).collect()
    }

    /// For every possible bridge: the chance that the side builds it, minus the same for the
    /// opponent.
    fn bridges(&self, ownership: &Ownership) -> Bridges {
        let entry = |(site, share): (Site, f64)| {
            let [a, b] = site.ends();
            (Move::bridge(a, b).to_string(), rounded(share, DECIMALS))
        };
        Bridges(ownership.bridge_margins(self.side).map(entry).collect())
    }
}

/// Converts a win rate to KataGo's utility: -1 (loss) to 1 (win).
fn to_utility(winrate: f64) -> f64 {
    rounded(2.0 * winrate - 1.0, DECIMALS)
}

/// The standard deviation of the score, in points.
fn deviation(ownership: &Ownership) -> f64 {
    rounded(ownership.score_deviation(), DECIMALS)
}
