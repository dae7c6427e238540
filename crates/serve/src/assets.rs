//! The page's files, embedded in the program.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::work::Refusal;

/// An embedded file.
pub(super) struct Asset {
    pub(super) name: &'static str,
    /// The media type.
    pub(super) kind: &'static str,
    pub(super) bytes: &'static [u8],
}

pub(super) const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Embeds a file of `page/`.
macro_rules! asset {
    ($name:literal, $kind:expr) => {
        Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../page/", $name)) }
    };
}

/// All files. The first two are served as `/` and `/rules.html`, the others
/// below `/assets`.
pub(super) static ASSETS: &[Asset] = &[
    asset!("index.html", HTML),
    asset!("rules.html", HTML),
    asset!("advice.js", SCRIPT),
    asset!("analysis.js", SCRIPT),
    asset!("board.css", STYLE),
    asset!("board.js", SCRIPT),
    asset!("bridge.js", SCRIPT),
    asset!("card.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("doors.js", SCRIPT),
    asset!("editor.js", SCRIPT),
    asset!("files.js", SCRIPT),
    asset!("games.js", SCRIPT),
    asset!("geometry.js", SCRIPT),
    asset!("graph.js", SCRIPT),
    asset!("grid.js", SCRIPT),
    asset!("home.js", SCRIPT),
    asset!("host.js", SCRIPT),
    asset!("icon.svg", PICTURE),
    asset!("keys.js", SCRIPT),
    asset!("learn.js", SCRIPT),
    asset!("link.js", SCRIPT),
    asset!("local.js", SCRIPT),
    asset!("main.js", SCRIPT),
    asset!("memory.js", SCRIPT),
    asset!("moves.js", SCRIPT),
    asset!("newgame.js", SCRIPT),
    asset!("opponents.js", SCRIPT),
    asset!("panels.js", SCRIPT),
    asset!("picture.js", SCRIPT),
    asset!("play.js", SCRIPT),
    asset!("practice.css", STYLE),
    asset!("practice.js", SCRIPT),
    asset!("preferences.js", SCRIPT),
    asset!("progress.js", SCRIPT),
    asset!("puzzles.js", SCRIPT),
    asset!("review.js", SCRIPT),
    asset!("rules.js", SCRIPT),
    asset!("scene.js", SCRIPT),
    asset!("server.js", SCRIPT),
    asset!("session.js", SCRIPT),
    asset!("sound.js", SCRIPT),
    asset!("store.js", SCRIPT),
    asset!("style.css", STYLE),
    asset!("texts-dialogs.js", SCRIPT),
    asset!("texts-moves.js", SCRIPT),
    asset!("texts-practice.js", SCRIPT),
    asset!("texts-reasons.js", SCRIPT),
    asset!("texts-review.js", SCRIPT),
    asset!("texts-rules.js", SCRIPT),
    asset!("texts-table.js", SCRIPT),
    asset!("texts.js", SCRIPT),
    asset!("tried.js", SCRIPT),
    asset!("view.js", SCRIPT),
];

/// `/`: the page.
pub(super) async fn page(headers: HeaderMap) -> Response {
    serve("index.html", &headers)
}

/// `/rules.html`: the illustrated rules.
pub(super) async fn rules(headers: HeaderMap) -> Response {
    serve("rules.html", &headers)
}

/// `/assets/NAME`.
pub(super) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    serve(&name, &headers)
}

/// Sends a file, or 304 if the browser has it already.
fn serve(name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return Refusal::not_found().into_response();
    };
    let tag = format!("\"{:08x}-{:x}\"", crc32fast::hash(asset.bytes), asset.bytes.len());
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let mut response = if known.is_some_and(|known| known.contains(&tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        asset.bytes.into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
