use std::sync::mpsc::channel;
use std::thread;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::{Look, Subject};
use crate::engine::{AnalysisRequest, Engine, Options, StopSignal};
use crate::game::Position;

/// A position that has been searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    /// Which of the games, from 0.
    pub game: usize,
    /// Which of its positions, from 0.
    pub index: usize,
    /// What was found.
    pub look: Look,
}

/// Searches those positions of `games` that `is_known` does not have, game by
/// game, `side_by_side` at a time, each on one thread and with nothing
/// remembered of any other: what is found does not depend on how many there
/// are at a time, and the limit of memory is for each. Of the moves `kept` are
/// told, and the one that was played; where that is not the best, the position
/// after the best is searched as well. `tell` hears of each as it is done, on
/// the calling thread; it ends the searches when it fails.
///
/// # Errors
/// What `tell` failed with.
pub fn look_through<E>(
    games: &[Subject],
    is_known: impl Fn(usize, usize) -> bool,
    options: &Options,
    side_by_side: usize,
    kept: usize,
    stop: &StopSignal,
    mut tell: impl FnMut(Done) -> Result<(), E>,
) -> Result<(), E> {
    let positions = games.iter().enumerate().flat_map(|(game, subject)| {
        subject.positions().iter().enumerate().map(move |(index, at)| (game, index, at))
    });
    let missing: Vec<_> = positions
        .filter(|&(game, index, position)| !position.is_over() && !is_known(game, index))
        .collect();
    let mut options = options.clone();
    options.search.threads = 1;
    let look = |(game, index, position): (usize, usize, &Position)| {
        let played = games[game].played(index);
        let mut look = look_at(position, &options, stop)?;
        let best = look.moves.first().map(|best| best.mv);
        if let Some(best) = best.filter(|_| played.is_some() && best != played) {
            let mut after = *position;
            position.steps_of(best).for_each(|step| after.make(step));
            if !after.is_over() {
                look.after_best = Some(look_at(&after, &options, stop)?.root);
            }
        }
        look.keep(kept, played);
        Some(Done { game, index, look })
    };
    let (sender, done) = channel();
    let search = || {
        let missing = missing.into_iter().par_bridge();
        // Nobody hears when telling has failed.
        missing.filter_map(look).for_each_with(sender, |sender, done| {
            let _ = sender.send(done);
        });
    };
    thread::scope(|scope| {
        scope.spawn(|| match ThreadPoolBuilder::new().num_threads(side_by_side).build() {
            Ok(pool) => pool.install(search),
            // Without a pool of its own it takes everybody's.
            Err(_) => search(),
        });
        let told = done.iter().try_for_each(&mut tell);
        if told.is_err() {
            stop.request();
        }
        told
    })
}

/// Searches a position with nothing remembered; `None` when it was told to
/// stop before the end.
fn look_at(position: &Position, options: &Options, stop: &StopSignal) -> Option<Look> {
    let is_stopped = || stop.is_set(true);
    if is_stopped() {
        return None;
    }
    let mut engine = Engine::new(options.clone());
    engine.set_position(*position);
    let analysis = engine.analyze(&AnalysisRequest::default(), false, stop, &mut |_| {}).ok()?;
    (!is_stopped()).then(|| Look::of(position, &analysis))
}
