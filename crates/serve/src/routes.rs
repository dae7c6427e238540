//! The HTTP requests and their answers: reading a body, slow work, the
//! questions about puzzles and lessons, refusals.

use std::str::FromStr;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Extension, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use pontifex::notation::without_mark;
use pontifex_play::{
    Converted, Form, Practice, Sent, add_mended, exercises, practise, read_record,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::connections::Place;
use super::guard::{Names, guard};
use super::scheduler::Urgency;
use super::session::SessionHandle;
use super::sessions::{Removal, Sessions};
use super::store::SessionId;
use super::work::{Answer, MAX_BYTES, Refusal, SMALL, blocking, json, json_text};
use super::{assets, socket};

/// All addresses of the server.
pub(super) fn router(sessions: Arc<Sessions>, names: Arc<Names>) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/rules", get(assets::rules))
        .route("/rules.html", get(assets::rules))
        .route("/assets/{name}", get(assets::asset))
        .route("/ws", get(connect))
        .route("/api/info", get(info))
        .route("/api/sessions", post(create).get(list))
        .route("/api/sessions/{id}", delete(remove))
        .route("/api/convert", post(convert))
        .route("/api/practice", get(list_exercises).post(answer_exercise))
        .route("/api/sessions/{id}/export", get(export))
        .fallback(nowhere)
        .layer(DefaultBodyLimit::max(MAX_BYTES))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(sessions)
}

async fn nowhere() -> Refusal {
    Refusal::not_found()
}

async fn info(State(sessions): State<Arc<Sessions>>) -> Response {
    let engines: Vec<&str> = sessions.app.names().collect();
    json(&pontifex_play::info(&engines, sessions.app.settings.is_private()))
}

async fn create(State(sessions): State<Arc<Sessions>>, headers: HeaderMap, body: Body) -> Answer {
    read_body(&headers, body).await?;
    match sessions.create().await {
        Ok(id) => Ok(json(&json!({"session": id.to_string()}))),
        Err(reason) => Err(Refusal(StatusCode::TOO_MANY_REQUESTS, reason)),
    }
}

/// Lists the games, on a server for this machine alone.
async fn list(State(sessions): State<Arc<Sessions>>) -> Answer {
    if !sessions.app.settings.is_private() {
        let reason = "a server that others reach does not tell which games there are";
        return Err(Refusal(StatusCode::FORBIDDEN, reason.to_owned()));
    }
    let entry = |(id, used, mut entry): (SessionId, SystemTime, Value)| {
        let age = used.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        entry["session"] = id.to_string().into();
        entry["used"] = age.as_secs().into();
        entry
    };
    let list = move || {
        let entries: Vec<Value> = sessions.app.store.list().into_iter().map(entry).collect();
        Ok(json!({"sessions": entries}).to_string())
    };
    Ok(json_text(blocking(list).await?))
}

async fn remove(State(sessions): State<Arc<Sessions>>, Path(id): Path<String>) -> Answer {
    let id = SessionId::from_str(&id).map_err(|()| no_session())?;
    match whole(async move { sessions.remove(id).await }).await? {
        Err(error) => Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
        Ok(Removal::Done) => Ok(json(&json!({"session": id.to_string()}))),
        Ok(Removal::Unknown) => Err(no_session()),
        Ok(Removal::InUse) => {
            let reason = "a page shows this game, or a game that it replaced is not saved yet";
            Err(Refusal(StatusCode::CONFLICT, reason.to_owned()))
        }
    }
}

#[derive(Deserialize)]
struct Conversion {
    text: Sent,
    format: String,
}

async fn convert(State(sessions): State<Arc<Sessions>>, headers: HeaderMap, body: Body) -> Answer {
    let body = read_body(&headers, body).await?;
    let work = move || {
        let Conversion { text, format } = serde_json::from_slice(&body)
            .map_err(|error| format!("the body is not as it should be: {error}"))?;
        let (record, mended) = read_record(&text)?;
        let converted = Form::find(&format)?.write(&record, record.moves.len())?;
        let mut answer = to_json(&converted);
        add_mended(&mut answer, &mended);
        Ok(answer.to_string())
    };
    Ok(json_text(sessions.app.work.answer(work).await?))
}

/// A converted game as JSON: text, or base64 for what is not text.
fn to_json(converted: &Converted) -> Value {
    use base64::Engine as _;
    if let Ok(text) = std::str::from_utf8(&converted.bytes) {
        json!({"text": text})
    } else {
        let base64 = base64::engine::general_purpose::STANDARD.encode(&converted.bytes);
        json!({"base64": base64})
    }
}

#[derive(Deserialize)]
struct Export {
    format: String,
    node: Option<u32>,
}

async fn export(
    State(sessions): State<Arc<Sessions>>,
    Path(id): Path<String>,
    Query(Export { format, node }): Query<Export>,
) -> Answer {
    let form = Form::find(&format).map_err(Refusal::bad)?;
    let table = find(&sessions, &id).await?.table().await.ok_or_else(Refusal::not_found)?;
    let converted = sessions.app.work.answer(move || table.export(form, node)).await?;
    let name = format!("attachment; filename=\"ponte.{}\"", converted.extension);
    let mut response = converted.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(converted.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

#[derive(Deserialize)]
struct Connection {
    session: String,
}

/// Keeps a connection's place: a WebSocket outlives its request.
pub(super) type Held = Arc<Place>;

async fn connect(
    State(sessions): State<Arc<Sessions>>,
    Query(Connection { session }): Query<Connection>,
    Extension(held): Extension<Held>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer {
    let session = find(&sessions, &session).await?;
    let upgrade = upgrade.map_err(|error| Refusal(error.status(), error.body_text()))?;
    let upgrade = upgrade.max_message_size(MAX_BYTES).max_frame_size(MAX_BYTES);
    Ok(upgrade.on_upgrade(move |socket| async move {
        socket::talk(socket, &session, &sessions.app.work).await;
        drop(held);
    }))
}

/// The session with this id.
async fn find(sessions: &Arc<Sessions>, id: &str) -> Result<Arc<SessionHandle>, Refusal> {
    let id = SessionId::from_str(id).map_err(|()| no_session())?;
    let sessions = Arc::clone(sessions);
    whole(async move { sessions.find(id).await }).await?.ok_or_else(no_session)
}

/// Does something to its end, also if the client leaves in the meantime.
async fn whole<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::spawn(work).await;
    done.map_err(|error| Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

fn no_session() -> Refusal {
    Refusal(StatusCode::NOT_FOUND, "there is no such session".to_owned())
}

/// Lists all lessons and puzzles.
async fn list_exercises() -> Answer {
    static LIST: LazyLock<String> = LazyLock::new(|| exercises().to_string());
    // The first one parses the collection of puzzles.
    Ok(json_text(blocking(|| Ok(LIST.as_str())).await?))
}

/// Answers a message about one of them. The rules answer at once; the solver
/// needs a place as any search does, and it is short, as a move's.
async fn answer_exercise(
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

/// The longest time for receiving a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// The body of a request, which must be JSON: forms of other servers' pages
/// cannot send JSON. A byte-order mark is skipped.
pub(super) async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
        let reason = "Content-Type must be application/json".to_owned();
        return Err(Refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    match tokio::time::timeout(BODY_TIMEOUT, axum::body::to_bytes(body, MAX_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes.slice_ref(without_mark(&bytes))),
        Ok(Err(_)) => {
            let reason = format!("a body has {MAX_BYTES} bytes at most");
            Err(Refusal(StatusCode::PAYLOAD_TOO_LARGE, reason))
        }
        Err(_) => Err(Refusal(StatusCode::REQUEST_TIMEOUT, "the body did not come".to_owned())),
    }
}
