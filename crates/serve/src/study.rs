//! Searches for analyses and reviews. They give way to moves of games.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::app::AppState;
use super::cancel::CancelHandle;
use super::command::Reporter;
use super::id::SessionId;
use super::scheduler::{Tenure, TenureKind, Urgency};
use super::thinking::panic_message;
use pontifex::engine::{NothingToAnalyze, finish};
use pontifex::messages::tell;
use pontifex_play::{Lane, Outcome, Search, analyze};

/// Waits for a place and searches a position; `None` when the job was
/// cancelled before, or there is nothing to analyse. A search without a limit
/// also ends when others need its place.
pub(super) async fn search(
    app: &Arc<AppState>,
    session: SessionId,
    job: Search,
    cancel: &CancelHandle,
    reporter: &Reporter,
) -> Option<Outcome> {
    if cancel.is_cancelled() {
        return None;
    }
    let stop = cancel.signal();
    let kind = TenureKind::Stop(Arc::clone(&stop));
    let tenure = job.level.is_none().then_some(Tenure { kind, game: None });
    // Somebody waits for a hint as for a move.
    let urgency = if job.lane == Lane::Advice { Urgency::Move } else { Urgency::Study };
    let place = tokio::select! {
        place = app.scheduler.place(urgency, tenure, || {}) => place?,
        () = cancel.cancelled() => return None,
    };
    let (app, reporter) = (Arc::clone(app), reporter.clone());
    let run = move || {
        let key = (session, job.lane);
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut engine = app.engines.take(&key).unwrap_or_else(|| app.engine());
            let mut report = |analysis: &_| reporter.progress(analysis);
            let found = finish(analyze(&mut engine, &job, &stop, &mut report));
            app.engines.put(key, engine);
            found
        }));
        drop(place);
        found.unwrap_or_else(|panic| {
            let message = panic_message(&*panic);
            tell(format_args!("an analysis panicked: {message}"));
            Err(NothingToAnalyze::NoMoveLeft)
        })
    };
    let found = tokio::task::spawn_blocking(run).await.ok()?.ok()?;
    Some(Outcome::Analysis(Box::new(found)))
}
