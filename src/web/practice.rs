//! `/api/practice`: puzzles and lessons, apart from all sessions.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::body::{Answer, blocking, read_body};
use super::refusal::{Refusal, json};
use super::scheduler::Urgency;
use super::sessions::Sessions;
use crate::play::{Practice, exercises, practise};

/// Lists all lessons and puzzles.
pub(super) async fn list() -> Response {
    json(&exercises())
}

/// Answers a message about one of them. The rules answer at once; the solver
/// needs a place as any search does, and it is short, as a move's.
pub(super) async fn answer(
    State(sessions): State<Arc<Sessions>>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let body = read_body(&headers, body).await?;
    let message = String::from_utf8(body.to_vec())
        .map_err(|_| Refusal::bad("the body is not UTF-8".to_owned()))?;
    let question = match practise(&message) {
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
