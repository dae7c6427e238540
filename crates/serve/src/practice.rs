//! `/api/practice`: puzzles and lessons, apart from all sessions.

use std::sync::{Arc, LazyLock};

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};

use super::body::{Answer, SMALL, blocking, read_body};
use super::refusal::{Refusal, json, json_text};
use super::scheduler::Urgency;
use super::sessions::Sessions;
use pontifex_play::{Practice, exercises, practise};

/// Lists all lessons and puzzles.
pub(super) async fn list() -> Answer {
    static LIST: LazyLock<String> = LazyLock::new(|| exercises().to_string());
    // The first one parses the collection of puzzles.
    Ok(json_text(blocking(|| Ok(LIST.as_str())).await?))
}

/// Answers a message about one of them. The rules answer at once; the solver
/// needs a place as any search does, and it is short, as a move's.
pub(super) async fn answer(
    State(sessions): State<Arc<Sessions>>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let body = read_body(&headers, body).await?;
    if body.len() > SMALL {
        return Err(Refusal::bad(format!("a message about an exercise has {SMALL} bytes at most")));
    }
    let read = move || match std::str::from_utf8(&body) {
        Ok(message) => Ok(practise(message)),
        Err(_) => Err("the body is not UTF-8".to_owned()),
    };
    let question = match blocking(read).await? {
        Practice::Answer(answer) => return Ok(json(&answer)),
        Practice::Solve(question) => question,
    };
    let place = sessions.app.scheduler.place(Urgency::Move, None, || {}).await;
    let place = place.ok_or_else(|| {
        Refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end".to_owned())
    })?;
    let answered = blocking(move || {
        let (judges, puzzle) = (&sessions.app.judges, question.puzzle());
        let mut judge = judges.take(&puzzle).unwrap_or_else(|| question.new_judge());
        let answer = question.solve(&mut judge);
        judges.put(puzzle, judge);
        drop(place);
        Ok(answer)
    });
    Ok(json(&answered.await?))
}
