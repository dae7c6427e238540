use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::queue::{Job, Queue, Task};
use super::run::Output;
use crate::analysis::json as analysis;
use crate::engine::{Analysis, Engine, NothingToAnalyze, Options};

/// Analyses what is in the queue, one position after the other, until it is
/// closed and empty. Nothing is carried over from one to the next, so that
/// what is found does not depend on their order.
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
            json!({ "error": reason, "id": *job.id, "turnNumber": job.turn.number })
        });
        queue.done(&job);
        output.send(&answer);
    }
}

/// The final answer to a job; what is known before goes to `output` if that
/// is asked for.
fn analyze(engine: &mut Engine, job: &Job, output: &Output) -> Value {
    let Job { turn, options, extent, .. } = job;
    let size = turn.position.size();
    let answer = |is_during: bool, fields: Map<String, Value>| {
        let mut answer = heading(job, is_during);
        answer.extend(fields);
        Value::from(answer)
    };
    engine.options_mut().clone_from(options);
    engine.set_position(turn.position);
    let mut tell = |known: &Analysis| {
        if output.is_read() {
            output.send(&answer(true, analysis::of_analysis(known, size, *extent)));
        }
    };
    match engine.analyze(&turn.request, false, &job.stop, &mut tell) {
        Ok(analysis) => answer(false, analysis::of_analysis(&analysis, size, *extent)),
        Err(NothingToAnalyze::Over) => answer(false, analysis::of_end(&turn.position)),
        // Such queries are refused when they are read.
        Err(error @ NothingToAnalyze::NoMoveLeft) => {
            json!({ "error": error.to_string(), "id": *job.id, "turnNumber": turn.number })
        }
    }
}

/// The final answer to a job that was terminated before it was begun.
pub(super) fn without_results(job: &Job) -> Value {
    let mut answer = heading(job, false);
    answer.insert("noResults".to_owned(), true.into());
    answer.into()
}

fn heading(job: &Job, is_during: bool) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("id".to_owned(), (*job.id).into());
    map.insert("turnNumber".to_owned(), job.turn.number.into());
    map.insert("isDuringSearch".to_owned(), is_during.into());
    map
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
