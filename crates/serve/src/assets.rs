//! The page's files, embedded in the program, so that the server needs no folder of its own.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use super::work::HttpRefusal;

/// The folder of the page, embedded.
pub(super) static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../page");

/// An embedded file, as browsers get it.
pub(super) struct Asset {
    pub(super) name: &'static str,
    pub(super) media_type: &'static str,
    pub(super) bytes: Cow<'static, [u8]>,
}

pub(super) const HTML: &str = "text/html; charset=utf-8";

/// All files of the page; `index.html` is served as `/`, `rules.html` under its name, and the
/// others below `/assets`.
pub(super) fn assets() -> &'static [Asset] {
    static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| read_assets().collect());
    &ASSETS
}

fn read_assets() -> impl Iterator<Item = Asset> {
    let explorer = PAGE.get_dir("explorer").into_iter().flat_map(Dir::files);
    PAGE.files().chain(explorer).filter_map(|file| {
        let name = file.path().file_name()?.to_str()?;
        let media_type = match name.rsplit_once('.')?.1 {
            "html" => HTML,
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "json" if name.starts_with("explorer-") => "application/json",
            // Not for browsers.
            _ => return None,
        };
        Some(Asset { name, media_type, bytes: for_browsers(name, file.contents()) })
    })
}

/// Removes the whole-line comments from scripts and style sheets, a sixth of their size. Other
/// files are returned unchanged.
pub(super) fn for_browsers(name: &str, bytes: &'static [u8]) -> Cow<'static, [u8]> {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_code(name) => Cow::Owned(without_comments(text).into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

fn is_code(name: &str) -> bool {
    matches!(name.rsplit_once('.'), Some((_, "js" | "css")))
}

/// Removes the lines that consist of a comment only. It does not recognize strings: no line within
/// a template literal of the page may begin like a comment.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let ends_comment = |line: &str| line.trim_end().ends_with("*/");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        // A type cast is followed by code: `/** @type {…} */ (code)`.
        let is_type_cast = start.contains("*/") && !ends_comment(start);
        if start.starts_with("/*") && !is_type_cast {
            if !ends_comment(start) {
                // Skips the rest of the comment.
                let _ = lines.find(|line| ends_comment(line));
            }
        } else if !start.starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

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

/// Sends a file, or 304 if the browser has it already. Browsers ask each time (`no-cache`): after
/// an update of the program, a page of the old version must not talk to the new server.
fn serve(name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = assets().iter().find(|asset| asset.name == name) else {
        return HttpRefusal::not_found().into_response();
    };
    let etag = format!("\"{:08x}-{:x}\"", crc32fast::hash(&asset.bytes), asset.bytes.len());
    let cached = headers.get(header::IF_NONE_MATCH).and_then(|etags| etags.to_str().ok());
    let mut response = if cached.is_some_and(|etags| etags.contains(&etag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        asset.bytes.as_ref().into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, etag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_get_scripts_and_styles_without_comments() {
        let text = "// A file.\n\n/**\n * What it does.\n * @param {string} a\n */\nconst f = (a) => a; // kept\n  // Why.\n  /** One line. */\n/** @type {any} */ (f)(1);\nconst url = \"https://x\";\n";
        let expected = "\nconst f = (a) => a; // kept\n/** @type {any} */ (f)(1);\nconst url = \"https://x\";\n";
        assert_eq!(without_comments(text), expected);
        let css = "/* Styles\n   of the page. */\n:root { color: red; /* kept */ }\n";
        assert_eq!(without_comments(css), ":root { color: red; /* kept */ }\n");
        for asset in assets() {
            let text = std::str::from_utf8(&asset.bytes).unwrap();
            let is_stripped = !is_code(asset.name) || !text.contains("\n *");
            assert!(!text.is_empty() && is_stripped, "{}", asset.name);
        }
    }
}
