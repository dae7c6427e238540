//! Analyses and reviews: searches that give way to moves of games.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use super::app::{AppState, Lane};
use super::broadcast::Poster;
use super::cancel::CancelHandle;
use super::findings;
use super::id::SessionId;
use super::scheduler::Urgency;
use super::table::Level;
use super::thinking::{bring, limit, message};
use crate::engine::{Analysis, AnalysisRequest, NothingToAnalyze};
use crate::game::{Move, Position};

/// How often pages hear of an analysis.
const INTERVAL: Duration = Duration::from_millis(100);

/// A position to be analysed.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) session: SessionId,
    pub(super) node: u32,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

/// What is to be told of an analysis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Wanted {
    pub(super) ownership: bool,
    /// Moves, at most.
    pub(super) multi: usize,
}

impl Subject {
    /// The position after its moves.
    pub(super) fn position(&self) -> Position {
        let mut position = self.start;
        for &mv in &self.moves {
            let _ = position.play(mv);
        }
        position
    }
}

/// Analyses a position until it is cancelled or solved; `value` hears White's
/// expected result and lead.
pub(super) async fn analyze(
    app: &Arc<AppState>,
    subject: Subject,
    wanted: Wanted,
    cancel: &Arc<CancelHandle>,
    poster: Poster,
    value: impl Fn(u32, (f64, f64)) + Clone + Send + 'static,
) {
    let position = subject.position();
    let node = subject.node;
    let post = move |analysis: &Analysis, finished| {
        poster.post(&findings::analysis(node, &position, analysis, wanted.multi, finished));
    };
    let request = AnalysisRequest {
        ownership: wanted.ownership,
        interval: Some(INTERVAL),
        ..AnalysisRequest::default()
    };
    while !cancel.is_cancelled() {
        let tell = {
            let post = post.clone();
            move |analysis: &Analysis| post(analysis, false)
        };
        let Some(found) = search(app, &subject, &request, None, cancel, tell).await else {
            return;
        };
        let Ok(analysis) = found else { return };
        value(node, findings::whites(&analysis));
        let finished = analysis.bounds.exact().is_some();
        post(&analysis, finished);
        if finished {
            return;
        }
    }
}

/// Waits for a place and searches a position; `None` when it was cancelled
/// before. An endless search (without a level) also ends when its place is
/// wanted by others.
pub(super) async fn search(
    app: &Arc<AppState>,
    subject: &Subject,
    request: &AnalysisRequest,
    level: Option<Level>,
    cancel: &Arc<CancelHandle>,
    mut tell: impl FnMut(&Analysis) + Send + 'static,
) -> Option<Result<Analysis, NothingToAnalyze>> {
    let stop = cancel.signal();
    let yields = level.is_none().then_some(&stop);
    let place = tokio::select! {
        place = app.scheduler.place(Urgency::Study, yields, || {}) => place?,
        () = cancel.cancelled() => return None,
    };
    let (app, subject, request) = (Arc::clone(app), subject.clone(), request.clone());
    let run = move || {
        let key = (subject.session, Lane::Study);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut engine = app.engines.take(&key).unwrap_or_else(|| app.engine());
            if level.is_some() {
                // Equal searches: none remembers another.
                engine.set_position(subject.position());
            } else {
                bring(&mut engine, &subject.start, &subject.moves);
            }
            limit(&mut engine, level);
            let found = engine.analyze(&request, level.is_none(), &stop, &mut tell);
            app.engines.put(key, engine);
            found
        }));
        drop(place);
        found.unwrap_or_else(|panic| {
            let _ = writeln!(io::stderr(), "pontifex: an analysis panicked: {}", message(&*panic));
            Err(NothingToAnalyze::NoMoveLeft)
        })
    };
    tokio::task::spawn_blocking(run).await.ok()
}
