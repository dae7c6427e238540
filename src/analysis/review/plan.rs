//! The searches of a review: which positions of a recorded game to search next, their results, and
//! running them on threads.
//!
//! The plan is a state machine. It owns no thread and no engine, so that any scheduler can drive
//! it: threads on the command line, one search beside a game on the server, slices in a browser.
//!
//! ```text
//!   ReviewPlan                       PositionSearch
//!   position 0   found               next: the position
//!   position 1   missing ─────────►    take(analysis) ─► next: after the best move, unless it was
//!   position 2   found                                   played; then next: none
//!       …               ◄─────────     finish() ─► SearchedPosition
//! ```
//!
//! Each search is independent, with a fresh engine and one thread. So results depend neither on the
//! order of the searches nor on their number, and a cache can hold any subset of them. A search
//! that begins with its predecessor's tree would be quicker, but one gap in the cache would change
//! all numbers after it.

use std::sync::mpsc::channel;
use std::thread;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::turn::{FinalPosition, ReviewedTurn, Thresholds};
use crate::engine::{
    Analysis, AnalysisRequest, Candidate, Engine, Game, Options, RootInfo, StopSignal,
};
use crate::game::{Move, Position};
use crate::notation::{Record, ReplayError};
use crate::search::Config;

/// The searches of one game and their results.
///
/// Every position is searched by itself, so the searches may run in any order and side by side:
///
/// ```
/// use pontifex::analysis::review::{ReviewPlan, Thresholds};
/// use pontifex::engine::{AnalysisRequest, Engine, Options, StopSignal};
/// use pontifex::game::{Position, Rules};
///
/// let (start, opening) = (Position::new(Rules::default()), "d4,e6".parse()?);
/// let after = start.after_move(opening)?;
/// let mut plan = ReviewPlan::new(vec![start, after], vec![opening], 8);
/// let mut engine = Engine::new(Options { playouts: 50, ..Options::default() });
/// while let Some(mut search) = plan.next_search() {
///     while let Some(position) = search.next_position() {
///         engine.set_position(*position)?;
///         let (request, stop) = (AnalysisRequest::default(), StopSignal::default());
///         search.take(&engine.analyze(&request, false, &stop, &mut |_| {}).finish()?);
///     }
///     plan.take(search);
/// }
/// assert_eq!(plan.turn(0, &Thresholds::default()).unwrap().mv, opening);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReviewPlan {
    /// The position before each move and after the last.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The number of candidates to keep for each position.
    max_candidates: usize,
    /// The analysis of each position; `None` while it is not searched, and always for a finished
    /// game.
    analyses: Vec<Option<SearchedPosition>>,
}

/// The searches of one position: the position itself and, if the move played is not the best, the
/// position after the best move.
#[derive(Clone, Debug)]
pub struct PositionSearch {
    index: usize,
    position: Position,
    played_move: Option<Move>,
    max_candidates: usize,
    /// The position to search next.
    next_position: Option<Position>,
    result: Option<SearchedPosition>,
}

/// The results of the searches of one position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchedPosition {
    /// The analysis of the position.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// The second search, of the position after the best move, for the side to move there.
    pub after_best: Option<RootInfo>,
}

impl ReviewPlan {
    /// The review of a game that is not searched yet. `positions` are those before each of `moves`
    /// and after the last. An analysis keeps the `max_candidates` best candidates (at least 1), the
    /// swap and the move played.
    pub fn new(positions: Vec<Position>, moves: Vec<Move>, max_candidates: usize) -> ReviewPlan {
        let analyses = vec![None; positions.len()];
        ReviewPlan { positions, moves, max_candidates: max_candidates.max(1), analyses }
    }

    /// The position before each move and after the last.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The move played at the position with this index, from 0.
    pub fn played(&self, index: usize) -> Option<Move> {
        self.moves.get(index).copied()
    }

    /// How many turns the game has.
    pub fn turns(&self) -> usize {
        self.moves.len()
    }

    /// The analysis of the position with the index `index`, if it is known.
    pub fn analysis(&self, index: usize) -> Option<&SearchedPosition> {
        self.analyses.get(index)?.as_ref()
    }

    /// How many positions must be searched: those where the game is not over.
    pub fn total(&self) -> usize {
        self.positions.iter().filter(|position| !position.is_over()).count()
    }

    /// How many analyses are known.
    pub fn done(&self) -> usize {
        self.analyses.iter().flatten().count()
    }

    /// Whether all analyses are known.
    pub fn is_complete(&self) -> bool {
        self.searches().next().is_none()
    }

    /// The missing searches, in the order of the game.
    pub fn searches(&self) -> impl Iterator<Item = PositionSearch> {
        let positions = self.positions.iter().zip(&self.analyses).enumerate();
        let missing =
            positions.filter(|(_, (position, analysis))| analysis.is_none() && !position.is_over());
        missing.map(|(index, (&position, _))| PositionSearch {
            index,
            position,
            played_move: self.played(index),
            max_candidates: self.max_candidates,
            next_position: Some(position),
            result: None,
        })
    }

    /// The first of the missing searches.
    pub fn next_search(&self) -> Option<PositionSearch> {
        self.searches().next()
    }

    /// Takes the results of a search. An unfinished search changes nothing.
    pub fn take(&mut self, search: PositionSearch) {
        let index = search.index;
        if let Some(result) = search.finish() {
            self.insert(index, result);
        }
    }

    /// Takes the results for the position with this index.
    pub fn insert(&mut self, index: usize, result: SearchedPosition) {
        if let Some(slot) = self.analyses.get_mut(index) {
            *slot = Some(result);
        }
    }

    /// The review of the turn with the index `index`, from 0; `None` while an analysis before or
    /// after it is missing.
    pub fn turn(&self, index: usize, thresholds: &Thresholds) -> Option<ReviewedTurn> {
        let (mv, analysis) = (self.played(index)?, self.analysis(index)?);
        let (before, after) = (&self.positions[index], &self.positions[index + 1]);
        let later = self.analysis(index + 1).map(|later| &later.analysis.root);
        let is_known = later.is_some() || after.is_over();
        is_known
            .then(|| ReviewedTurn::of(index, (before, analysis), mv, (after, later), thresholds))
    }

    /// The position after the last turn; `None` while its analysis is missing.
    pub fn end(&self) -> Option<FinalPosition> {
        let result = self.analyses.last()?.as_ref();
        FinalPosition::of(self.positions.last()?, result.map(|result| &result.analysis))
    }
}

impl PositionSearch {
    /// The index of the position in its game, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The best move, if the position to search next is the one after it.
    pub fn best(&self) -> Option<Move> {
        let result = self.result.as_ref().filter(|_| self.next_position.is_some())?;
        result.analysis.moves.first().map(|best| best.mv)
    }

    /// The position to search next; `None` if no search is missing.
    pub fn next_position(&self) -> Option<&Position> {
        self.next_position.as_ref()
    }

    /// Takes the analysis of [`PositionSearch::next_position`].
    pub fn take(&mut self, analysis: &Analysis) {
        let Some(position) = self.next_position.take() else { return };
        if let Some(result) = &mut self.result {
            result.after_best = Some(analysis.root);
            return;
        }
        debug_assert_eq!(analysis.position, position.to_string());
        let best = analysis.moves.first().map(|best| best.mv);
        // The best move that was played needs no second search: the next position is searched
        // anyway. The last position has no move to compare with.
        if let Some(best) = best.filter(|_| self.played_move.is_some() && best != self.played_move)
        {
            let after = self.position.after_legal_move(best);
            self.next_position = (!after.is_over()).then_some(after);
        }
        let mut trimmed = analysis.with_moves(0);
        let is_kept = |candidate: &&Candidate| {
            // The swap, for the verdict on the opening; the move played, for its bounds.
            let Candidate { mv, order, .. } = **candidate;
            order < self.max_candidates || mv == Move::Swap || Some(mv) == self.played_move
        };
        trimmed.moves = analysis.moves.iter().filter(is_kept).cloned().collect();
        self.result = Some(SearchedPosition { analysis: trimmed, after_best: None });
    }

    /// The results for the position; `None` while a search is missing.
    pub fn finish(self) -> Option<SearchedPosition> {
        self.result.filter(|_| self.next_position.is_none())
    }
}

/// A recorded game to review, replayed.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The name of the file that the game is in.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The record.
    pub record: Record,
    /// The position before each turn and after the last.
    positions: Vec<Position>,
}

impl RecordedGame {
    /// Replays a record.
    ///
    /// # Errors
    /// The first illegal move.
    pub fn new(file: String, number: usize, record: Record) -> Result<RecordedGame, ReplayError> {
        let positions = record.positions()?;
        Ok(RecordedGame { file, number, record, positions })
    }

    /// The plan of the game's review, which keeps `max_candidates` candidates for each position.
    pub fn plan(&self, max_candidates: usize) -> ReviewPlan {
        let moves = self.record.moves.iter().map(|recorded| recorded.mv).collect();
        ReviewPlan::new(self.positions.clone(), moves, max_candidates)
    }

    /// Identifies the game in a cache: a checksum over its rules, its start and its moves.
    pub fn key(&self) -> String {
        let rules = self.record.rules();
        let mut text = format!("{} {} {}", self.record.start, rules.supply, rules.pie);
        for recorded in &self.record.moves {
            text.push(' ');
            text.push_str(&recorded.mv.to_string());
        }
        format!("{:08x}", crc32fast::hash(text.as_bytes()))
    }
}

/// Runs `searches`, each with the index of its game, `options.search.threads` at a time. Every
/// search uses one thread and a fresh engine, so the results do not depend on the number of
/// threads. The memory limit applies to each search.
///
/// `report` is called on the calling thread for each result, with the index of its game and that of
/// the position in the game. An error of `report` ends the searches, and so does `stop`.
///
/// # Errors
/// The error of `report`.
pub fn search_positions<E>(
    searches: Vec<(usize, PositionSearch)>,
    options: &Options,
    stop: &StopSignal,
    mut report: impl FnMut(usize, usize, SearchedPosition) -> Result<(), E>,
) -> Result<(), E> {
    let thread_count = options.search.threads.min(Config::MAX_THREADS);
    let mut options = options.clone();
    options.search.threads = 1;
    let (sender, results) = channel();
    let search = || {
        // `par_bridge` starts the searches in order, as the games are printed in order.
        let finished = searches.into_iter().par_bridge().filter_map(|(game, search)| {
            let index = search.index();
            Some((game, index, run_searches(search, &options, stop)?))
        });
        // The receiver is gone after a report has failed.
        finished.for_each_with(sender, |sender, result| {
            let _ = sender.send(result);
        });
    };
    thread::scope(|scope| {
        scope.spawn(|| match ThreadPoolBuilder::new().num_threads(thread_count).build() {
            Ok(pool) => pool.install(search),
            // If no threads can be started, the global pool takes longer but completes the review.
            Err(_) => search(),
        });
        let reported =
            results.iter().try_for_each(|(game, index, result)| report(game, index, result));
        if reported.is_err() {
            stop.request();
        }
        reported
    })
}

/// Runs the searches of one position; `None` if they were stopped.
fn run_searches(
    mut search: PositionSearch,
    options: &Options,
    stop: &StopSignal,
) -> Option<SearchedPosition> {
    let is_stopped = || stop.is_set(true);
    while let Some(position) = search.next_position() {
        if is_stopped() {
            return None;
        }
        let mut engine = Engine::new(options.clone());
        engine.set_game(Game::at(position));
        let request = AnalysisRequest::default();
        let analysis = engine.analyze(&request, false, stop, &mut |_| {}).finish().ok()?;
        // A search that was stopped is shorter than the others, so its result is not comparable.
        if is_stopped() {
            return None;
        }
        search.take(&analysis);
    }
    search.finish()
}
