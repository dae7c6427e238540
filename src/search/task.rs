//! One search: what to search, with what, and when to stop.

use std::sync::Mutex;

use rayon::ThreadPool;

use super::bounds::Bounds;
use super::config::{Config, Limits};
use super::exploration::Exploration;
use super::observer::Observer;
use super::root_moves::RootMoves;
use super::solver::Solver;
use super::stop::StopSignal;
use super::tree::Tree;
use crate::eval::Evaluator;
use crate::game::Position;

/// One search. [`SearchTask::new`] gives a plain one on the calling thread.
#[derive(Clone, Copy)]
pub(super) struct SearchTask<'a> {
    pub(super) position: &'a Position,
    pub(super) config: &'a Config,
    pub(super) limits: Limits,
    pub(super) stop: &'a StopSignal,
    pub(super) tree: &'a Tree,
    /// The threads to search with; `None` is the calling thread.
    pub(super) threads: Option<&'a ThreadPool>,
    /// Win rate of the side to move in its previous search.
    pub(super) expected: Option<f32>,
    /// Solves endings beside the search. Absent when moves are left out.
    pub(super) solver: Option<&'a Mutex<Solver>>,
    /// Noise and forced visits at the root.
    pub(super) exploration: Option<&'a Exploration>,
    pub(super) observer: Option<&'a Observer<'a>>,
    /// The moves to consider; `None` is all.
    pub(super) root_moves: Option<&'a RootMoves>,
    /// Bounds proved before this search.
    pub(super) proved: Bounds,
}

impl<'a> SearchTask<'a> {
    /// A search on the calling thread, without solver, observer or
    /// restrictions.
    pub(super) fn new(
        position: &'a Position,
        config: &'a Config,
        limits: Limits,
        stop: &'a StopSignal,
        tree: &'a Tree,
    ) -> SearchTask<'a> {
        SearchTask {
            position,
            config,
            limits,
            stop,
            tree,
            threads: None,
            expected: None,
            solver: None,
            exploration: None,
            observer: None,
            root_moves: None,
            proved: Bounds::UNKNOWN,
        }
    }

    /// A new evaluator for one thread of the search.
    pub(super) fn evaluator(&self) -> Evaluator {
        Evaluator::new(self.config.evaluator, &self.config.weights)
    }
}
