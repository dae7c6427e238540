//! A review of a game: the loss of every turn, judged as `pontifex review`
//! does. It asks for one search at a time and takes the results.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::effect::{Lane, Line, Search};
use super::table::FinishedReview;
use super::terms::Level;
use super::view;
use pontifex::analysis::Purpose;
use pontifex::analysis::review::{
    Grade, MoveValue, Players, PositionSearch, ReviewPlan, ReviewedTurn, Thresholds, turning_points,
};
use pontifex::engine::{Analysis, AnalysisRequest};
use pontifex::game::{self, Color, Move};

/// A turn of the game and the position before it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ReviewTurn {
    pub(super) node: u32,
    pub(super) line: Line,
    pub(super) mv: Move,
}

/// Candidates kept of each position.
const KEPT: usize = 8;

/// A review in progress.
#[derive(Debug)]
pub(super) struct Review {
    /// The line to each position, the one after the last turn included.
    lines: Vec<Line>,
    /// The nodes of these positions.
    nodes: Vec<u32>,
    /// The limit of each search.
    level: Level,
    plan: ReviewPlan,
    /// The position being searched.
    search: Option<PositionSearch>,
    /// The turns judged so far.
    judged: Vec<ReviewedTurn>,
    /// Why the best moves of these turns are better than those played.
    reasons: Vec<Vec<Purpose>>,
    /// The number of positions whose values were taken.
    taken: usize,
    /// The number of judged turns in the last message; `None` before the
    /// first.
    sent: Option<usize>,
}

impl Review {
    /// Reviews consecutive turns up to `end`: its node, and the line to it.
    pub(super) fn new(turns: Vec<ReviewTurn>, end: (u32, Line), level: Level) -> Review {
        let moves = turns.iter().map(|turn| turn.mv).collect();
        let (nodes, lines): (Vec<u32>, Vec<Line>) =
            turns.into_iter().map(|turn| (turn.node, turn.line)).chain([end]).unzip();
        let positions = lines.iter().map(Line::position).collect();
        let plan = ReviewPlan::new(positions, moves, KEPT);
        let (search, judged, reasons) = (None, Vec::new(), Vec::new());
        Review { lines, nodes, level, plan, search, judged, reasons, taken: 0, sent: None }
    }

    /// The next search; `None` once the review is finished.
    pub(super) fn next_search(&mut self) -> Option<Search> {
        if self.search.is_none() {
            self.search = self.plan.next_search();
        }
        let search = self.search.as_ref()?;
        let mut line = self.lines.get(search.index())?.clone();
        // The second search of a position is of the one after its best move.
        line.moves.extend(search.best());
        let (level, request) = (Some(self.level), AnalysisRequest::default());
        Some(Search { line, level, request, lane: Lane::Study })
    }

    /// Takes the result of the search.
    pub(super) fn take(&mut self, found: &Analysis) {
        let Some(mut search) = self.search.take() else { return };
        search.take(found);
        if search.next_position().is_some() {
            self.search = Some(search);
            return;
        }
        self.plan.take(search);
        let thresholds = Thresholds::default();
        while let Some(turn) = self.plan.turn(self.judged.len(), &thresholds) {
            self.judged.push(turn);
            self.explain();
        }
    }

    /// Finds the reasons of the last judged turn, and again those of the turn
    /// before, now that the best answer to its move is known.
    fn explain(&mut self) {
        let count = self.judged.len();
        self.reasons.truncate(count.saturating_sub(2));
        for index in self.reasons.len()..count {
            let judged = &self.judged[index];
            let reply = self.judged.get(index + 1).map(|answer| answer.best);
            let position = self.lines[index].position();
            self.reasons.push(view::why_better(&position, judged.mv, judged.best, reply));
        }
    }

    /// White's expected results and leads at nodes, found since the last call.
    pub(super) fn take_values(&mut self) -> Vec<(u32, (f64, f64))> {
        let mut values = Vec::new();
        while let Some(&node) = self.nodes.get(self.taken) {
            let white = match self.judged.get(self.taken) {
                Some(turn) => (turn.white.winrate, turn.white.lead),
                None if self.taken == self.judged.len() && self.taken + 1 == self.nodes.len() => {
                    let Some(end) = self.plan.end() else { break };
                    (end.white.winrate, end.white.lead)
                }
                None => break,
            };
            values.push((node, white));
            self.taken += 1;
        }
        values
    }

    /// The message `review`, if there is anything new to say.
    pub(super) fn news(&mut self) -> Option<Value> {
        let count = self.judged.len();
        let is_new = self.sent != Some(count);
        self.sent = Some(count);
        is_new.then(|| self.message())
    }

    /// The review, if it is finished.
    pub(super) fn finished(&self) -> Option<FinishedReview> {
        let end = *self.nodes.last()?;
        let is_finished = self.judged.len() == self.plan.turns();
        is_finished.then(|| FinishedReview { end, message: self.message() })
    }

    /// The message `review`.
    fn message(&self) -> Value {
        let turn = |(index, judged): (usize, &ReviewedTurn)| {
            let line = judged.best_move().map_or(&[][..], |best| &best.pv);
            let pv: Vec<String> = line.iter().map(ToString::to_string).collect();
            let value =
                |value: &MoveValue| json!({"winrate": value.winrate, "scoreLead": value.lead});
            json!({
                "turn": judged.turn,
                "node": self.nodes[index + 1],
                "player": judged.player,
                "move": judged.mv.to_string(),
                "best": judged.best.to_string(),
                "pv": pv,
                "grade": judged.grade,
                "winrate": judged.winrate,
                "scoreLead": judged.lead,
                "loss": judged.loss,
                "solved": judged.bounds.exact(),
                "winner": judged.bounds.winner(),
                "played": value(&judged.played),
                "bestPlayed": value(&judged.best_played),
                "why": self.reasons[index],
            })
        };
        let turns: Vec<Value> = self.judged.iter().enumerate().map(turn).collect();
        json!({
            "type": "review",
            "done": turns.len(),
            "total": self.plan.turns(),
            "turns": turns,
            "summary": Players::of(&self.judged),
            "worst": {
                "white": turning_points(&self.judged, Some(Color::White)),
                "red": turning_points(&self.judged, Some(Color::Red)),
                "both": turning_points(&self.judged, None),
            },
            "end": self.nodes.last(),
            "finished": turns.len() == self.plan.turns(),
        })
    }
}

/// The most objects and lists within each other in a reason.
const MAX_DEPTH: usize = 5;
/// The longest text in a reason, and the longest list, such as the cells of a
/// board.
const MAX_PART: usize = 150;

impl FinishedReview {
    /// Whether the message is one that a review of a game with these nodes
    /// writes: a file may contain anything, and all pages get the message.
    pub(super) fn is_sound(&self, has_node: impl Fn(u32) -> bool) -> bool {
        let Ok(review) = Recorded::deserialize(&self.message) else { return false };
        let count = review.turns.len();
        let is_line = |numbers: &Vec<usize>| numbers.iter().all(|turn| (1..=count).contains(turn));
        let Worst { white, red, both } = &review.worst;
        review.kind == "review"
            && review.finished
            && [review.done, review.total] == [count; 2]
            && review.end == self.end
            && has_node(self.end)
            && review.turns.iter().all(|turn| turn.is_sound(&has_node))
            && [white, red, both].into_iter().all(is_line)
            && [&review.summary.white, &review.summary.red].into_iter().all(RecordedSide::is_sound)
    }
}

/// The message `review` of a finished review.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    #[serde(rename = "type")]
    kind: String,
    done: usize,
    total: usize,
    turns: Vec<RecordedTurn>,
    summary: RecordedSides,
    worst: Worst,
    end: u32,
    finished: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RecordedTurn {
    turn: usize,
    node: u32,
    #[serde(rename = "player")]
    _player: Color,
    #[serde(rename = "move")]
    mv: String,
    best: String,
    pv: Vec<String>,
    #[serde(rename = "grade")]
    _grade: Option<Grade>,
    winrate: f64,
    score_lead: f64,
    loss: RecordedLoss,
    #[serde(rename = "solved")]
    _solved: Option<game::Value>,
    /// Missing in files of older versions.
    #[serde(rename = "winner", default)]
    _winner: Option<Color>,
    played: RecordedValue,
    best_played: RecordedValue,
    why: Vec<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RecordedValue {
    winrate: f64,
    score_lead: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedLoss {
    winrate: f64,
    points: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedSides {
    white: RecordedSide,
    red: RecordedSide,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedSide {
    turns: usize,
    loss: RecordedLoss,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    accuracy: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Worst {
    white: Vec<usize>,
    red: Vec<usize>,
    both: Vec<usize>,
}

impl RecordedTurn {
    fn is_sound(&self, has_node: impl Fn(u32) -> bool) -> bool {
        let is_move = |text: &String| text.parse::<Move>().is_ok();
        let RecordedLoss { winrate, points } = self.loss;
        let values = [
            (self.winrate, self.score_lead),
            (winrate, points),
            (self.played.winrate, self.played.score_lead),
            (self.best_played.winrate, self.best_played.score_lead),
        ];
        has_node(self.node)
            && [&self.mv, &self.best].into_iter().chain(&self.pv).all(is_move)
            && values.into_iter().all(is_value)
            && self.turn > 0
            && self.why.iter().all(|reason| {
                reason.get("code").is_some_and(Value::is_string)
                    && reason.values().all(|value| is_modest(value, MAX_DEPTH))
            })
    }
}

impl RecordedSide {
    fn is_sound(&self) -> bool {
        let Self { turns, inaccuracies, mistakes, blunders, .. } = *self;
        [inaccuracies, mistakes, blunders].into_iter().all(|count| count <= turns)
            && is_value((self.loss.winrate, self.loss.points))
            && self.accuracy.is_none_or(|accuracy| (0.0..=100.0).contains(&accuracy))
    }
}

/// Whether these are a win rate and points that an analysis may find.
fn is_value((winrate, points): (f64, f64)) -> bool {
    (0.0..=1.0).contains(&winrate) && points.abs() < 10_000.0
}

/// Whether a part of a reason is as short and flat as those that reviews write.
fn is_modest(value: &Value, depth: usize) -> bool {
    let modest = |value: &Value| depth > 0 && is_modest(value, depth - 1);
    match value {
        Value::String(text) => text.len() <= MAX_PART && !text.chars().any(char::is_control),
        Value::Array(values) => values.len() <= MAX_PART && values.iter().all(modest),
        Value::Object(fields) => fields.len() <= MAX_PART && fields.values().all(modest),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}
