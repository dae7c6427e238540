//! The HTTP requests and their answers.
//!
//! Every handler follows one pattern: refuse early and in JSON, do slow work elsewhere, and answer.
//!
//! | work | where it runs | because |
//! |---|---|---|
//! | a lookup | on the runtime's thread | it takes microseconds |
//! | files | a blocking thread | a disk may hang |
//! | reading and converting texts | the queue of `work`, two at a time | each may take 50 MiB |
//! | judging a puzzle | a search slot | it takes a processor for a second |
//!
//! [`guard`] and the limit of the body's size apply to all routes, because they are layers of the
//! router. A handler that takes a [`Body`] reads it with [`read_body`], which adds a timeout and
//! checks the content type.

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
use super::connections::ConnectionPermit;
use super::guard::{HostNames, guard};
use super::scheduler::Urgency;
use super::session::Visit;
use super::sessions::Removal;
use super::store::SessionId;
use super::work::{Answer, HttpRefusal, MAX_BYTES, SMALL_BYTES, blocking, json, json_text, text};
use super::{assets, socket};

/// The routes of the server.
pub(super) fn build_router(app: Arc<AppState>, names: Arc<HostNames>) -> Router {
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

async fn not_found() -> HttpRefusal {
    HttpRefusal::not_found()
}

async fn info(State(app): State<Arc<AppState>>) -> Response {
    let engines: Vec<&str> = app.engine_names().collect();
    json(&pontifex_play::host_info(&engines, app.settings.is_private()))
}

/// The query of a URL, deserialised as `T`. Unlike axum's [`Query`], it is refused like everything
/// here: in JSON, with the name of the wrong field.
struct UrlQuery<T>(T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = HttpRefusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<UrlQuery<T>, HttpRefusal> {
        let query = Query::try_from_uri(&parts.uri);
        let reason = |error: QueryRejection| match error.source() {
            Some(cause) => data_error(&cause),
            None => error.body_text(),
        };
        query.map(|Query(value)| UrlQuery(value)).map_err(|error| HttpRefusal::bad(reason(error)))
    }
}

/// The query of `/api/qr`.
#[derive(Deserialize)]
struct QrQuery {
    text: String,
}

/// The longest text of a QR code, in bytes. A link to a game is shorter, and denser codes are hard
/// to photograph from a screen.
const MAX_QR_BYTES: usize = 500;

/// Draws a text, such as the link of an invitation, as a QR code in SVG.
async fn qr(UrlQuery(QrQuery { text }): UrlQuery<QrQuery>) -> Answer {
    if text.len() > MAX_QR_BYTES {
        return Err(HttpRefusal::bad(format!("a QR code has {MAX_QR_BYTES} bytes at most")));
    }
    let code = QrCode::with_error_correction_level(&text, EcLevel::M);
    let code = code.map_err(|error| HttpRefusal::bad(error.to_string()))?;
    let picture = code.render::<svg::Color<'_>>().min_dimensions(240, 240).build();
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    Ok(([kind], picture).into_response())
}

async fn create(State(app): State<Arc<AppState>>, headers: HeaderMap, body: Body) -> Answer {
    read_body(&headers, body).await?;
    match app.create().await {
        Ok(id) => Ok(json(&json!({"session": id.to_string()}))),
        Err(full) => Err(HttpRefusal(StatusCode::TOO_MANY_REQUESTS, full.to_string())),
    }
}

#[derive(Serialize)]
struct ListedSession {
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
        return Err(HttpRefusal(StatusCode::FORBIDDEN, reason.to_owned()));
    }
    let listed = |(id, used, entry): (SessionId, SystemTime, Entry)| {
        let age = used.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        ListedSession { session: id.to_string(), used: age.as_secs(), entry }
    };
    let read_list = move || {
        let sessions: Vec<ListedSession> = app.store.list().into_iter().map(listed).collect();
        Ok(json!({"sessions": sessions}).to_string())
    };
    Ok(json_text(blocking(read_list).await?))
}

async fn remove(State(app): State<Arc<AppState>>, Path(id): Path<String>) -> Answer {
    let id = SessionId::from_str(&id).map_err(|()| no_session())?;
    // On a server that others reach, a guest who was invited to watch knows the id, too.
    if !app.settings.is_private()
        && find(&app, &id.to_string()).await?.session.table().await.is_shared()
    {
        let reason = "a game that people share stays";
        return Err(HttpRefusal(StatusCode::FORBIDDEN, reason.to_owned()));
    }
    match app.remove(id).await {
        Err(error) => Err(HttpRefusal::broken(error)),
        Ok(Removal::Done) => Ok(json(&json!({"session": id.to_string()}))),
        Ok(Removal::Unknown) => Err(no_session()),
        Ok(Removal::InUse) => {
            let reason = "a page shows this game, or a game that it replaced is not saved yet";
            Err(HttpRefusal(StatusCode::CONFLICT, reason.to_owned()))
        }
    }
}

#[derive(Deserialize)]
struct ConvertRequest {
    text: RecordText,
    format: String,
}

async fn convert(State(app): State<Arc<AppState>>, headers: HeaderMap, body: Body) -> Answer {
    let body = read_body(&headers, body).await?;
    let work = move || {
        let ConvertRequest { text, format } = serde_json::from_slice(&body)
            .map_err(|error| HttpRefusal::bad(format!("the body: {}", data_error(&error))))?;
        let (record, warnings) = read_record(&text).map_err(HttpRefusal::bad)?;
        let converted = write_record(&record, record.moves.len(), &format);
        let converted = converted.map_err(|error| HttpRefusal::bad(error.to_string()))?;
        let mended = warnings.iter().map(Mended::from).collect();
        Ok(Conversion { content: converted.bytes.into(), mended })
    };
    Ok(json(&app.work.answer(work).await?))
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    Text(String),
    /// Bytes that are not UTF-8.
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
struct ExportQuery {
    format: String,
    node: Option<u32>,
}

async fn export(
    State(app): State<Arc<AppState>>,
    Path(id): Path<String>,
    UrlQuery(ExportQuery { format, node }): UrlQuery<ExportQuery>,
) -> Answer {
    let table = find(&app, &id).await?.session.table().await;
    let export_table =
        move || table.export(&format, node).map_err(|error| HttpRefusal::bad(error.to_string()));
    let converted = app.work.answer(export_table).await?;
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
struct ConnectQuery {
    session: String,
}

/// The permit of the connection. The handler of a WebSocket keeps its own clone: the socket
/// outlives the task that accepted the connection, and the clone of that task.
pub(super) type SharedPermit = Arc<ConnectionPermit>;

async fn connect(
    State(app): State<Arc<AppState>>,
    UrlQuery(ConnectQuery { session }): UrlQuery<ConnectQuery>,
    Extension(permit): Extension<SharedPermit>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer {
    let visit = find(&app, &session).await?;
    let upgrade = upgrade.map_err(|error| HttpRefusal(error.status(), error.body_text()))?;
    let upgrade = upgrade.max_message_size(MAX_BYTES).max_frame_size(MAX_BYTES);
    Ok(upgrade.on_upgrade(move |socket| async move {
        socket::talk(socket, visit).await;
        drop(permit);
    }))
}

/// Visits the session with this id.
async fn find(app: &Arc<AppState>, id: &str) -> Result<Visit, HttpRefusal> {
    let id = SessionId::from_str(id).map_err(|()| no_session())?;
    app.find(id).await.ok_or_else(no_session)
}

fn no_session() -> HttpRefusal {
    HttpRefusal(StatusCode::NOT_FOUND, "there is no such session".to_owned())
}

/// Lists all lessons and puzzles.
async fn list_exercises() -> Answer {
    static LIST: LazyLock<String> = LazyLock::new(|| text(&exercises()));
    // The first request parses the collection of puzzles, which takes long for this thread.
    Ok(json_text(blocking(|| Ok(LIST.as_str())).await?))
}

/// Answers a message about a lesson or a puzzle. The rules answer at once. A judgement takes a
/// search slot with the urgency of a move, because somebody waits for the answer, which comes
/// within a second.
async fn answer_exercise(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let body = read_body(&headers, body).await?;
    if body.len() > SMALL_BYTES {
        return Err(HttpRefusal::bad(format!(
            "a message about an exercise has {SMALL_BYTES} bytes at most"
        )));
    }
    let read = move || match std::str::from_utf8(&body) {
        Ok(message) => Ok(practise(message)),
        Err(_) => Err(HttpRefusal::bad("the body is not UTF-8")),
    };
    let question = match blocking(read).await? {
        Practice::Answer(answer) => return Ok(json_text(answer.to_json(&None))),
        Practice::Judge(question) => question,
    };
    let slot = app.scheduler.acquire(Urgency::Move, None, async {}).await;
    let slot = slot.ok_or_else(|| {
        HttpRefusal(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end".to_owned())
    })?;
    let answer = blocking(move || {
        let (judges, puzzle) = (&app.judges, question.id());
        let mut judge = judges.take(&puzzle).unwrap_or_else(|| question.new_judge());
        let answer = question.answer(&mut judge);
        judges.put(puzzle, judge);
        drop(slot);
        Ok(answer)
    });
    Ok(json_text(answer.await?.to_json(&None)))
}

/// The longest time for receiving a body. Set by judgement: a megabyte over a slow line. A peer
/// that sends byte by byte must not keep its connection forever.
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Reads the body of a request. It must be declared as JSON, which forms on pages of other servers
/// cannot do. A byte-order mark is skipped.
pub(super) async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, HttpRefusal> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.and_then(|value| value.split(';').next()).map(str::trim);
    if !media_type.is_some_and(|name| name.eq_ignore_ascii_case("application/json")) {
        let reason = "Content-Type must be application/json".to_owned();
        return Err(HttpRefusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
    }
    match tokio::time::timeout(BODY_TIMEOUT, axum::body::to_bytes(body, MAX_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes.slice_ref(without_mark(&bytes))),
        Ok(Err(_)) => {
            let reason = format!("a body has {MAX_BYTES} bytes at most");
            Err(HttpRefusal(StatusCode::PAYLOAD_TOO_LARGE, reason))
        }
        Err(_) => Err(HttpRefusal(StatusCode::REQUEST_TIMEOUT, "the body did not come".to_owned())),
    }
}
