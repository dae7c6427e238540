//! Analyses and reviews of a session: at most one of them runs, in the lane of studies.
//!
//! An analysis has no limit. It searches its node until the result is proved, the node changes or
//! pages switch it off. A host may end such a search early to let others search; the analysis then
//! starts the next one, which continues in the same tree. A review is a series of searches with a
//! limit. It takes precedence, and the analysis resumes after it.

use std::time::Duration;

use super::effect::{Effect, MessageKind};
use super::effect::{Job, JobId, Lane, Line, Search};
use super::message::{Found, Message};
use super::review::{Review, ReviewTurn};
use super::state::{AnalysisOptions, CancelledAnalysis, ReviewOrder, State, Study, StudyKey};
use pontifex::engine::{Analysis, AnalysisRequest};

/// The interval of analysis messages. Set by judgement: ten a second look smooth on the board.
const INTERVAL: Duration = Duration::from_millis(100);

impl State {
    /// Starts the wanted analysis or review, and cancels any other.
    pub(super) fn steer_study(&mut self) {
        let wanted = self.wanted_study();
        if self.study.as_ref().map(|study| study.key) == wanted {
            return;
        }
        self.cancel_study();
        self.withdraw(MessageKind::Analysis);
        match (wanted, self.wanted_review) {
            (Some(key @ StudyKey::Review(_)), Some(order)) => self.start_review(key, order),
            (Some(key @ StudyKey::Analysis(_, node, options)), _) => {
                self.study = Some(Study { key, job: None, review_progress: None });
                self.search_node(node, options);
            }
            _ => {}
        }
    }

    /// The study that should run: a review takes precedence over an analysis.
    fn wanted_study(&self) -> Option<StudyKey> {
        if let Some(review) = self.wanted_review {
            return Some(StudyKey::Review(review.number));
        }
        let options = self.wanted_analysis?;
        let node = self.table.node(options.node).unwrap_or(self.table.current);
        let is_wanted = self.pages > 0 && !self.table.tree.position(node).is_over();
        is_wanted.then_some(StudyKey::Analysis(self.table.game, node, options))
    }

    /// Cancels the running analysis or review.
    pub(super) fn cancel_study(&mut self) {
        let Some(Study { key, job: Some(job), .. }) = self.study.take() else { return };
        self.emit(Effect::Cancel(job));
        if let StudyKey::Analysis(game, node, _) = key {
            self.cancelled_analyses.push(CancelledAnalysis { job, game, node });
        }
    }

    /// Starts or continues the search of the analysed position.
    fn search_node(&mut self, node: u32, options: AnalysisOptions) {
        let request = AnalysisRequest {
            ownership: options.ownership,
            interval: Some(INTERVAL),
            ..AnalysisRequest::default()
        };
        let search = Search { line: self.line(node), strength: None, request, lane: Lane::Study };
        self.start_study_search(search);
    }

    /// Starts the study's next search.
    fn start_study_search(&mut self, search: Search) {
        let job = self.start(Job::Search(Box::new(search)));
        if let Some(study) = &mut self.study {
            study.job = Some(job);
        }
    }

    /// Sends all pages an interim analysis.
    pub(super) fn study_progress(&mut self, job: JobId, analysis: &Analysis) {
        if let Some(study) = self.study.as_ref().filter(|study| study.job == Some(job)) {
            self.send_analysis(study.key, analysis, false);
        }
    }

    fn send_analysis(&mut self, key: StudyKey, analysis: &Analysis, is_finished: bool) {
        if let StudyKey::Analysis(_, node, options) = key {
            let found = Found::new(analysis, options.max_moves, is_finished);
            let message = Message::Analysis { node, found };
            self.broadcast(MessageKind::Analysis, message);
        }
    }

    /// Takes the result of a search; `None` when it found nothing.
    pub(super) fn study_done(&mut self, job: JobId, result: Option<&Analysis>) {
        if let Some(index) =
            self.cancelled_analyses.iter().position(|cancelled| cancelled.job == job)
        {
            let cancelled = self.cancelled_analyses.swap_remove(index);
            if let Some(analysis) = result.filter(|_| cancelled.game == self.table.game) {
                self.table.tree.set_value(cancelled.node, Some(analysis.whites()));
            }
            return;
        }
        let Some(study) = self.study.as_mut().filter(|study| study.job == Some(job)) else {
            return;
        };
        study.job = None;
        let (key, Some(analysis)) = (study.key, result) else { return self.end_study() };
        match key {
            StudyKey::Analysis(_, node, options) => {
                self.table.tree.set_value(node, Some(analysis.whites()));
                let is_solved = analysis.root.bounds.exact().is_some();
                self.send_analysis(key, analysis, is_solved);
                if is_solved {
                    self.end_study();
                } else {
                    self.search_node(node, options);
                }
            }
            StudyKey::Review(_) => {
                if let Some(review) = &mut study.review_progress {
                    review.take(analysis);
                }
                self.continue_review();
            }
        }
    }

    /// Finishes a study that ended by itself.
    fn end_study(&mut self) {
        let finished =
            self.study.as_ref().and_then(|study| study.review_progress.as_ref()?.finished_review());
        if self.study.as_ref().is_some_and(|study| matches!(study.key, StudyKey::Review(_))) {
            self.wanted_review = None;
            // The end of the reviewed line may have been deleted meanwhile.
            match finished.filter(|review| self.table.tree.node(review.end).is_ok()) {
                Some(finished) => self.table.finished_review = Some(finished),
                None => self.show_kept_review(),
            }
        }
        self.is_changed = true;
    }

    /// Shows the last finished review again, after one that did not finish.
    pub(super) fn show_kept_review(&mut self) {
        match self.table.finished_review.clone() {
            Some(review) => self.broadcast(MessageKind::Review, Message::Review(review.message)),
            None => self.withdraw(MessageKind::Review),
        }
    }

    fn start_review(&mut self, key: StudyKey, order: ReviewOrder) {
        let (turns, end) = self.review_turns(order.node);
        let review = Review::new(turns, end, order.limit);
        self.withdraw(MessageKind::Review);
        self.study = Some(Study { key, job: None, review_progress: Some(review) });
        self.continue_review();
    }

    /// Sends what the review has found, and starts its next search.
    fn continue_review(&mut self) {
        let Some(review) = self.study.as_mut().and_then(|study| study.review_progress.as_mut())
        else {
            return;
        };
        let next = review.next_search();
        let (values, news) = (review.take_values(), review.news());
        for (node, value) in values {
            self.table.tree.set_value(node, Some(value));
        }
        if let Some(message) = news {
            self.broadcast(MessageKind::Review, Message::Review(message));
        }
        match next {
            Some(search) => self.start_study_search(search),
            None => self.end_study(),
        }
    }

    pub(super) fn line(&self, node: u32) -> Line {
        Line { start: *self.table.tree.start(), moves: self.table.tree.moves(node) }
    }

    /// The turns of the main line through `node`, and the node at its end.
    fn review_turns(&self, node: u32) -> (Vec<ReviewTurn>, (u32, Line)) {
        let nodes = self.table.tree.main_line(node);
        let end = nodes.last().copied().unwrap_or(0);
        let line = self.line(end);
        let turn = |(number, &mv)| {
            let moves = line.moves[..number].to_vec();
            ReviewTurn { node: nodes[number], line: Line { start: line.start, moves }, mv }
        };
        (line.moves.iter().enumerate().map(turn).collect(), (end, line))
    }
}
