//! The worker threads: they analyse the queued positions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::output::Output;
use super::queue::{Job, Queue, Task};
use super::response::{of_analysis, of_end, policy};
use crate::engine::{Analysis, Engine, Game, NothingToAnalyze, Options};

/// Analyses positions from the queue until it is closed and empty. Every search
/// starts without memory of others, so that answers do not depend on the order.
pub(super) fn work(queue: &Queue, options: &Options, output: &Output) {
    let mut engine = Engine::new(options.clone());
    let mut forgotten = 0;
    while let Some(task) = queue.take(&mut forgotten) {
        let Task::Analyze(job) = task else {
            engine = Engine::new(options.clone());
            continue;
        };
        let analyzed = catch_unwind(AssertUnwindSafe(|| analyze(&mut engine, &job, output)));
        let answer = analyzed.unwrap_or_else(|panic| {
            engine = Engine::new(options.clone());
            let reason = format!("internal error: {}", message(panic.as_ref()));
            json!({ "error": reason, "id": *job.id, "turnNumber": job.query.number })
        });
        queue.done(&job);
        output.send(&answer);
    }
}

/// The final answer to a job. Requested reports of the running search go to
/// `output`.
fn analyze(engine: &mut Engine, job: &Job, output: &Output) -> Value {
    let Job { query, options, extent, .. } = job;
    let turn = &query.turn;
    engine.options_mut().clone_from(options);
    engine.set_game(Game::at(&turn.position));
    let policy = extent.policy.then(|| policy(turn, |position| engine.priors(position)));
    let answer = |is_during: bool, fields: Map<String, Value>| {
        let mut answer = heading(job, is_during);
        answer.extend(fields);
        answer.extend(policy.clone().map(|policy| ("policy".to_owned(), policy)));
        Value::from(answer)
    };
    let mut report = |known: &Analysis| {
        if output.is_read() {
            output.send(&answer(true, of_analysis(known, turn, *extent)));
        }
    };
    match engine.analyze(&query.request, false, &job.stop, &mut report) {
        Ok(analysis) => answer(false, of_analysis(&analysis, turn, *extent)),
        Err(NothingToAnalyze::Over) => answer(false, of_end(&turn.position, *extent)),
        // Unreachable: such queries are refused when they are read.
        Err(error @ NothingToAnalyze::NoMoveLeft) => {
            json!({ "error": error.to_string(), "id": *job.id, "turnNumber": query.number })
        }
    }
}

/// The final answer to a job that was terminated before it began.
pub(super) fn without_results(job: &Job) -> Value {
    let mut answer = heading(job, false);
    answer.insert("noResults".to_owned(), true.into());
    answer.into()
}

fn heading(job: &Job, is_during: bool) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("id".to_owned(), (*job.id).into());
    map.insert("turnNumber".to_owned(), job.query.number.into());
    map.insert("isDuringSearch".to_owned(), is_during.into());
    map
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
