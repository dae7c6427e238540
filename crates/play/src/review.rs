//! A review of a game: the loss of every turn, by the same rules as `pontifex review`.
//!
//! The review itself searches nothing. It names the next search, takes the result, and judges every
//! turn as soon as the positions before and after it are known. If the best move is not the one
//! that was played, a second search looks at the position after the best move. Both moves are then
//! judged alike, by the position that they lead to ([`ReviewPlan`]). Turns are judged in their
//! order while the review runs, and pages get them as they come.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::effect::{Lane, Line, Search};
use super::terms::Strength;
use pontifex::analysis::review::{
    Expectation, Grade, Loss, MoveValue, Players, PositionSearch, ReviewPlan, ReviewedTurn,
    Summary, Thresholds, turning_points,
};
use pontifex::analysis::{Purpose, purposes, reasons};
use pontifex::engine::{Analysis, AnalysisRequest};
use pontifex::game::{self, Color, Move};

/// A turn of the game and the position before it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ReviewTurn {
    pub(super) node: u32,
    pub(super) line: Line,
    pub(super) mv: Move,
}

/// The most candidates kept of each position. Set by judgement: a page shows the best ones only.
const MAX_CANDIDATES: usize = 8;

/// A review in progress.
#[derive(Debug)]
pub(super) struct Review {
    /// The line to each position, including the one after the last turn.
    lines: Vec<Line>,
    /// The node of each position in `lines`.
    nodes: Vec<u32>,
    /// The limit of each search.
    limit: Strength,
    plan: ReviewPlan,
    /// The position being searched.
    search: Option<PositionSearch>,
    /// The turns judged so far.
    judged_turns: Vec<ReviewedTurn>,
    /// Why the best moves of these turns are better than those played.
    reasons: Vec<Vec<Purpose>>,
    /// The number of positions whose values were taken.
    values_taken: usize,
    /// The number of judged turns in the last message; `None` before the first.
    sent_count: Option<usize>,
}

impl Review {
    /// Reviews consecutive turns up to `end`: its node, and the line to it.
    pub(super) fn new(turns: Vec<ReviewTurn>, end: (u32, Line), limit: Strength) -> Review {
        let moves = turns.iter().map(|turn| turn.mv).collect();
        let (nodes, lines): (Vec<u32>, Vec<Line>) =
            turns.into_iter().map(|turn| (turn.node, turn.line)).chain([end]).unzip();
        let positions = lines.iter().map(Line::position).collect();
        let plan = ReviewPlan::new(positions, moves, MAX_CANDIDATES);
        let (search, judged_turns, reasons) = (None, Vec::new(), Vec::new());
        Review {
            lines,
            nodes,
            limit,
            plan,
            search,
            judged_turns,
            reasons,
            values_taken: 0,
            sent_count: None,
        }
    }

    /// The next search; `None` once the review is finished.
    pub(super) fn next_search(&mut self) -> Option<Search> {
        if self.search.is_none() {
            self.search = self.plan.next_search();
        }
        let search = self.search.as_ref()?;
        let mut line = self.lines.get(search.index())?.clone();
        // The second search of a position is that of the position after its best move.
        line.moves.extend(search.best());
        let (strength, request) = (Some(self.limit), AnalysisRequest::default());
        Some(Search { line, strength, request, lane: Lane::Study })
    }

    /// Takes the result of the search.
    pub(super) fn take(&mut self, analysis: &Analysis) {
        let Some(mut search) = self.search.take() else { return };
        search.take(analysis);
        if search.next_position().is_some() {
            self.search = Some(search);
            return;
        }
        self.plan.take(search);
        let thresholds = Thresholds::default();
        while let Some(turn) = self.plan.turn(self.judged_turns.len(), &thresholds) {
            self.judged_turns.push(turn);
            self.explain();
        }
    }

    /// Finds the reasons for the last judged turn. Finds those for the turn before it again,
    /// because the best reply to its move is now known.
    fn explain(&mut self) {
        let count = self.judged_turns.len();
        self.reasons.truncate(count.saturating_sub(2));
        for index in self.reasons.len()..count {
            let judged = &self.judged_turns[index];
            let reply = self.judged_turns.get(index + 1).map(|answer| answer.best);
            let position = self.lines[index].position();
            self.reasons.push(if judged.mv == judged.best {
                purposes(&position, judged.best)
            } else {
                reasons(&position, judged.mv, judged.best, reply)
            });
        }
    }

    /// Takes the nodes whose value became known since the last call, with White's expected result
    /// and lead.
    pub(super) fn take_values(&mut self) -> Vec<(u32, (f64, f64))> {
        let mut values = Vec::new();
        while let Some(&node) = self.nodes.get(self.values_taken) {
            let white = match self.judged_turns.get(self.values_taken) {
                Some(turn) => (turn.white.winrate, turn.white.lead),
                None if self.values_taken == self.judged_turns.len()
                    && self.values_taken + 1 == self.nodes.len() =>
                {
                    let Some(end) = self.plan.end() else { break };
                    (end.white.winrate, end.white.lead)
                }
                None => break,
            };
            values.push((node, white));
            self.values_taken += 1;
        }
        values
    }

    /// The message `review`, if there is anything new to say.
    pub(super) fn news(&mut self) -> Option<ReviewMessage> {
        let count = self.judged_turns.len();
        let is_new = self.sent_count != Some(count);
        self.sent_count = Some(count);
        is_new.then(|| self.message())
    }

    /// The review, if it is finished.
    pub(super) fn finished_review(&self) -> Option<FinishedReview> {
        let end = *self.nodes.last()?;
        let is_finished = self.judged_turns.len() == self.plan.turns();
        is_finished.then(|| FinishedReview { end, message: self.message() })
    }

    fn message(&self) -> ReviewMessage {
        let turn = |(index, judged): (usize, &ReviewedTurn)| {
            let pv = judged.best_move().map_or(Vec::new(), |best| best.pv.clone());
            let value =
                |value: &MoveValue| Expectation { winrate: value.winrate, lead: value.lead };
            TurnMessage {
                turn: judged.turn,
                node: self.nodes[index + 1],
                player: judged.player,
                mv: judged.mv,
                best: judged.best,
                pv,
                grade: judged.grade,
                value: Expectation { winrate: judged.winrate, lead: judged.lead },
                loss: judged.loss,
                solved: judged.bounds.exact(),
                winner: judged.bounds.winner(),
                played: value(&judged.played),
                best_played: value(&judged.best_played),
                why: self.reasons[index].clone(),
            }
        };
        let turns: Vec<TurnMessage> = self.judged_turns.iter().enumerate().map(turn).collect();
        let worst = |color| turning_points(&self.judged_turns, color);
        ReviewMessage {
            kind: Kind::Review,
            done: turns.len(),
            total: self.plan.turns(),
            finished: turns.len() == self.plan.turns(),
            turns,
            summary: Players::of(&self.judged_turns),
            worst: Worst {
                white: worst(Some(Color::White)),
                red: worst(Some(Color::Red)),
                both: worst(None),
            },
            end: self.nodes.last().copied().unwrap_or(0),
        }
    }
}

/// The message `review`, which is also saved once it is finished.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ReviewMessage {
    #[serde(rename = "type")]
    kind: Kind,
    done: usize,
    total: usize,
    pub(super) turns: Vec<TurnMessage>,
    summary: Players,
    /// The numbers of the turns that lost most.
    worst: Worst,
    /// The node at the end of the reviewed line.
    end: u32,
    finished: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Review,
}

/// A reviewed turn. Its win rates and leads are those of the player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub(super) struct TurnMessage {
    turn: usize,
    /// The node after the turn.
    pub(super) node: u32,
    player: Color,
    #[serde(rename = "move")]
    pub(super) mv: Move,
    pub(super) best: Move,
    pv: Vec<Move>,
    grade: Option<Grade>,
    /// The value before the turn.
    #[serde(flatten)]
    value: Expectation,
    loss: Loss,
    solved: Option<game::Value>,
    /// The winner, if proved; missing in files of older versions.
    #[serde(default)]
    winner: Option<Color>,
    /// The values after the played move and after the best one.
    pub(super) played: Expectation,
    pub(super) best_played: Expectation,
    why: Vec<Purpose>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
struct Worst {
    white: Vec<usize>,
    red: Vec<usize>,
    both: Vec<usize>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct FinishedReview {
    /// The node at the end of the reviewed line.
    pub(super) end: u32,
    pub(super) message: ReviewMessage,
}

/// The longest JSON of a turn's reasons, in bytes: three, each with up to all cells of a board.
const MAX_WHY: usize = 4000;

impl FinishedReview {
    /// Deserialises a saved review. An unreadable one becomes `None`: the game must not be lost.
    pub(super) fn if_readable<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<FinishedReview>, D::Error> {
        let value = Option::<Value>::deserialize(deserializer)?;
        Ok(value.and_then(|value| serde_json::from_value(value).ok()))
    }

    /// Whether a review of a game with these nodes could have written the message. A file may
    /// contain anything, and all pages get it.
    pub(super) fn is_sound(&self, has_node: impl Fn(u32) -> bool) -> bool {
        let review = &self.message;
        let count = review.turns.len();
        let are_turns =
            |numbers: &Vec<usize>| numbers.iter().all(|turn| (1..=count).contains(turn));
        let Worst { white, red, both } = &review.worst;
        review.finished
            && [review.done, review.total] == [count; 2]
            && review.end == self.end
            && has_node(self.end)
            && review.turns.iter().all(|turn| turn.is_sound(&has_node))
            && [white, red, both].into_iter().all(are_turns)
            && [&review.summary.white, &review.summary.red].into_iter().all(is_sound_summary)
    }
}

impl TurnMessage {
    fn is_sound(&self, has_node: impl Fn(u32) -> bool) -> bool {
        let loss = Expectation { winrate: self.loss.winrate, lead: self.loss.points };
        has_node(self.node)
            && [self.value, loss, self.played, self.best_played].into_iter().all(is_value)
            && self.turn > 0
            && serde_json::to_string(&self.why).is_ok_and(|text| text.len() <= MAX_WHY)
    }
}

fn is_sound_summary(summary: &Summary) -> bool {
    let Summary { turns, inaccuracies, mistakes, blunders, .. } = *summary;
    let loss = Expectation { winrate: summary.loss.winrate, lead: summary.loss.points };
    [inaccuracies, mistakes, blunders].into_iter().all(|count| count <= turns)
        && is_value(loss)
        && summary.accuracy.is_none_or(|accuracy| (0.0..=100.0).contains(&accuracy))
}

/// Whether an analysis can yield this value.
fn is_value(Expectation { winrate, lead }: Expectation) -> bool {
    (0.0..=1.0).contains(&winrate) && lead.abs() < 10_000.0
}
