//! Runs the searches of reviews on threads.

use std::sync::mpsc::channel;
use std::thread;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::plan::PositionSearch;
use crate::analysis::PositionAnalysis;
use crate::engine::{AnalysisRequest, Engine, Game, Options, StopSignal};
use crate::search::Config;

/// A position that has been searched.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedPosition {
    /// The index of its game, from 0.
    pub game: usize,
    /// The index of the position in the game, from 0.
    pub index: usize,
    /// The result.
    pub analysis: PositionAnalysis,
}

/// Runs `searches`, each with the index of its game, `options.search.threads`
/// at a time. Every search uses one thread and a fresh engine, so the results
/// do not depend on the number of threads; the memory limit is for each of
/// them. `report` is called on the calling thread for each result; its error
/// ends the searches, and so does `stop`.
///
/// # Errors
/// The error of `report`.
pub fn search_positions<E>(
    searches: Vec<(usize, PositionSearch)>,
    options: &Options,
    stop: &StopSignal,
    report: impl FnMut(SearchedPosition) -> Result<(), E>,
) -> Result<(), E> {
    let side_by_side = options.search.threads.min(Config::MAX_THREADS);
    let mut options = options.clone();
    options.search.threads = 1;
    let (sender, done) = channel();
    let search = || {
        // A bridge keeps the order of the games, which are printed in order.
        let searched = searches.into_iter().par_bridge().filter_map(|(game, search)| {
            let index = search.index();
            let analysis = run(search, &options, stop)?;
            Some(SearchedPosition { game, index, analysis })
        });
        // The receiver is gone once a report has failed.
        searched.for_each_with(sender, |sender, done| {
            let _ = sender.send(done);
        });
    };
    thread::scope(|scope| {
        scope.spawn(|| match ThreadPoolBuilder::new().num_threads(side_by_side).build() {
            Ok(pool) => pool.install(search),
            // Falls back to the global pool.
            Err(_) => search(),
        });
        let reported = done.iter().try_for_each(report);
        if reported.is_err() {
            stop.request();
        }
        reported
    })
}

/// Runs the searches of one position; `None` if they were stopped.
fn run(
    mut search: PositionSearch,
    options: &Options,
    stop: &StopSignal,
) -> Option<PositionAnalysis> {
    let is_stopped = || stop.is_set(true);
    while let Some(position) = search.next_position() {
        if is_stopped() {
            return None;
        }
        let mut engine = Engine::new(options.clone());
        engine.set_game(Game::at(position));
        let request = AnalysisRequest::default();
        let analysis = engine.analyze(&request, false, stop, &mut |_| {}).ok()?;
        if is_stopped() {
            return None;
        }
        search.take(&analysis);
    }
    search.finish()
}
