//! The HTTP requests and their answers.
//!
//! Every handler follows one pattern: refuse early and in JSON, do slow work elsewhere, and
//! answer.
//!
//! | work | where it runs | because |
//! |---|---|---|
//! | a lookup | on the runtime's thread | it takes microseconds |
//! | files | a blocking thread | a disk may hang |
//! | reading and converting texts | the queue of `work`, two at a time | each may take 50 MiB |
//! | the solver of puzzles | a search slot | it takes a processor for a second |
//!
//! [`guard`] and the limit of the body's size cover all addresses, since they are layers of
//! the router. A handler that takes a [`Body`] reads it itself with [`read_body`], which
//! adds a time limit and checks the content type.

use std::error::Error as _;
use std::str::FromStr;
use std::string::FromUtf8Error;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Extension, FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pontifex::messages::data_error;
use pontifex::notation::without_mark;
use pontifex_play::message::{Entry, Mended, RecordText};
use pontifex_play::{Practice, exercises, export as write_record, practise, read_record};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::app::AppState;
use super::connections::Place;
use super::guard::{Names, guard};
use super::scheduler::Urgency;
use super::session::Visit;
use super::sessions::Removal;
use super::store::SessionId;
use super::work::{Answer, MAX_BYTES, Refusal, SMALL_BYTES, blocking, json, json_text, text};
use super::{assets, socket};

/// All addresses of the server.
pub(super) fn router(app: Arc<AppState>, names: Arc<Names>) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/rules", get(assets::rules))
        .route("/rules.html", get(assets::rules))
        .route("/assets/{name}", get(assets::asset))
        .route("/ws", get(connect))
        .route("/api/info", get(info))
        .route("/api/qr", get(qr))
        .route("/api/sessions", post(create).get(list))
        .route("/api/sessions/{id}", delete(remove))
        .route("/api/convert", post(convert))
        .route("/api/practice", get(list_exercises).post(answer_exercise))
        .route("/api/sessions/{id}/export", get(export))
        .fallback(not_found)
        .layer(DefaultBodyLimit::max(MAX_BYTES))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(app)
}

async fn not_found() -> Refusal {
    Refusal::not_found()
}

async fn info(State(app): State<Arc<AppState>>) -> Response {
    let engines: Vec<&str> = app.names().collect();
    json(&pontifex_play::host_info(&engines, app.settings.is_private()))
}

/// What follows the question mark of an address, read as `T`. Unlike axum's [`Query`] it
/// refuses as everything here does: in JSON, with the name of the field that is wrong.
struct UrlQuery<T>(T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<UrlQuery<T>, Refusal> {
        let asked = Query::try_from_uri(&parts.uri);
        let reason = |error: QueryRejection| match error.source() {
            Some(cause) => data_error(&cause),
            None => error.body_text(),
        };
        asked.map(|Query(asked)| UrlQuery(asked)).map_err(|error| Refusal::bad(reason(error)))
    }
}

/// The query of `/api/qr`.
#[derive(Deserialize)]
struct QrQuery {
    text: String,
}

/// The longest text of a QR code, in bytes. A link to a game is shorter, and denser codes are
/// hard to photograph from a screen.
const MAX_QR_BYTES: usize = 500;

/// A text, the link of an invitation, as a QR code.
async fn qr(UrlQuery(QrQuery { text }): UrlQuery<QrQuery>) -> Answer {
    if text.len() > MAX_QR_BYTES {
        return Err(Refusal::bad(format!("a QR code has {MAX_QR_BYTES} bytes at most")));
    }
    let code = QrCode::with_error_correction_level(&text, EcLevel::M);
    let code = code.map_err(|error| Refusal::bad(error.to_string()))?;
    let picture = code.render::<svg::Color<'_>>().min_dimensions(240, 240).build();
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    Ok(([kind], picture).into_response())
}

async fn create(State(app): State<Arc<AppState>>, headers: HeaderMap, body: Body) -> Answer {
    read_body(&headers, body).await?;
    match app.create().await {
        Ok(id) => Ok(json(&json!({"session": id.to_string()}))),
        Err(full) => Err(Refusal(StatusCode::TOO_MANY_REQUESTS, full.to_string())),
    }
}

#[derive(Serialize)]
struct Listed {
    session: String,
    /// The last use, in seconds since 1970.
    used: u64,
    #[serde(flatten)]
    entry: Entry,
}

/// Lists the games, on a server for this machine alone.
async fn list(State(app): State<Arc<AppState>>) -> Answer {
    if !app.settings.is_private() {
        let reason = "a server that others reach does not tell which games there are";
        return Err(Refusal(StatusCode::FORBIDDEN, reason.to_owned()));
    }
    let listed = |(id, used, entry): (SessionId, SystemTime, Entry)| {
        let age = used.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Listed { session: id.to_string(), used: age.as_secs(), entry }
    };
    let list = move || {
        let sessions: Vec<Listed> = app.store.list().into_iter().map(listed).collect();
        Ok(json!({"sessions": sessions}).to_string())
    };
    Ok(json_text(blocking(list).await?))
}

async fn remove(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> Answer {
    let id = SessionId::from_str(&id).map_err(|()| no_session())?;
    // On other servers, a guest who was invited to watch knows the id, too.
    if !app.settings.is_private()
        && find(&app, &id.to_string()).await?.session.table().await.is_shared()
    {
        let reason = "a game that people share stays";
        return Err(Refusal(StatusCode::FORBIDDEN, reason.to_owned()));
    }
    match app.remove(id).await {
        Err(error) => Err(Refusal::broken(error)),
        Ok(Removal::Done) => Ok(json(&json!({"session": id.to_string()}))),
        Ok(Removal::Unknown) => Err(no_session()),
        Ok(Removal::InUse) => {
            let reason = "a page shows this game, or a game that it replaced is not saved yet";
            Err(Refusal(StatusCode::CONFLICT, reason.to_owned()))
        }
    }
}

#[derive(Deserialize)]
struct ToConvert {
    text: RecordText,
    format: String,
}

async fn convert(State(app): State<Arc<AppState>>, headers: HeaderMap, body: Body) -> Answer {
    let body = read_body(&headers, body).await?;
    let work = move || {
        let ToConvert { text, format } = serde_json::from_slice(&body)
            .map_err(|error| Refusal::bad(format!("the body: {}", data_error(&error))))?;
        let (record, warnings) = read_record(&text).map_err(Refusal::bad)?;
        let converted = write_record(&record, record.moves.len(), &format);
        let converted = converted.map_err(|error| Refusal::bad(error.to_string()))?;
        let mended = warnings.iter().map(Mended::from).collect();
        Ok(Conversion { content: converted.bytes.into(), mended })
    };
    Ok(json(&app.work.answer(work).await?))
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    Text(String),
    /// Of what is not text.
    Base64(String),
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        let base64 = |bytes: FromUtf8Error| STANDARD.encode(bytes.as_bytes());
        String::from_utf8(bytes).map_or_else(|bytes| Content::Base64(base64(bytes)), Content::Text)
    }
}

/// A converted game.
#[derive(Serialize)]
struct Conversion {
    #[serde(flatten)]
    content: Content,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mended: Vec<Mended>,
}

#[derive(Deserialize)]
struct Export {
    format: String,
    node: Option<u32>,
}

async fn export(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
    UrlQuery(Export { format, node }): UrlQuery<Export>,
) -> Answer {
    let table = find(&app, &id).await?.session.table().await;
    let export =
        move || table.export(&format, node).map_err(|error| Refusal::bad(error.to_string()));
    let converted = app.work.answer(export).await?;
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

/// The connection's place among all. A handler of a WebSocket holds it on: the socket outlives
/// the request, and with it the place that the server took for the request.
pub(super) type Held = Arc<Place>;

async fn connect(
    State(app): State<Arc<AppState>>,
    UrlQuery(Connection { session }): UrlQuery<Connection>,
    Extension(held): Extension<Held>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer {
    let visit = find(&app, &session).await?;
    let upgrade = upgrade.map_err(|error| Refusal(error.status(), error.body_text()))?;
    let upgrade = upgrade.max_message_size(MAX_BYTES).max_frame_size(MAX_BYTES);
    Ok(upgrade.on_upgrade(move |socket| async move {
        socket::talk(socket, visit).await;
        drop(held);
    }))
}

/// Visits the session with this id.
async fn find(app: &Arc<AppState>, id: &str) -> Result<Visit, Refusal> {
    let id = SessionId::from_str(id).map_err(|()| no_session())?;
    app.find(id).await.ok_or_else(no_session)
}

fn no_session() -> Refusal {
    Refusal(StatusCode::NOT_FOUND, "there is no such session".to_owned())
}

/// Lists all lessons and puzzles.
async fn list_exercises() -> Answer {
    static LIST: LazyLock<String> = LazyLock::new(|| text(&exercises()));
    // The first request parses the collection of puzzles, which takes long for this thread.
    Ok(json_text(blocking(|| Ok(LIST.as_str())).await?))
}

/// Answers a message about one of them. The rules answer at once. The solver takes a search
/// slot with the urgency of a move: somebody waits for the answer, and it comes within a
/// second.
async fn answer_exercise(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let body = read_body(&headers, body).await?;
    if body.len() > SMALL_BYTES {
        return Err(Refusal::bad(format!(
            "a message about an exercise has {SMALL_BYTES} bytes at most"
        )));
    }
    let read = move || match std::str::from_utf8(&body) {
        Ok(message) => Ok(practise(message)),
        Err(_) => Err(Refusal::bad("the body is not UTF-8")),
    };
    let question = match blocking(read).await? {
        Practice::Answer(answer) => return Ok(json_text(answer.to_json(&None))),
        Practice::Judge(question) => question,
    };
    let slot = app.scheduler.slot(Urgency::Move, None, async {}).await;
    let slot = slot.ok_or_else(|| {
        Refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end".to_owned())
    })?;
    let answered = blocking(move || {
        let (judges, puzzle) = (&app.judges, question.id());
        let mut judge = judges.take(&puzzle).unwrap_or_else(|| question.new_judge());
        let answer = question.answer(&mut judge);
        judges.put(puzzle, judge);
        drop(slot);
        Ok(answer)
    });
    Ok(json_text(answered.await?.to_json(&None)))
}

/// The longest time for receiving a body. Chosen: a megabyte over a slow line. A peer that
/// sends byte by byte must not keep its connection for ever.
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
