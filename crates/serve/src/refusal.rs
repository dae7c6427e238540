//! JSON answers, and refusals of requests.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use pontifex::messages::one_line;

/// A refused request: the status, and the reason in one line.
#[derive(Clone, Debug)]
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl Refusal {
    /// An unknown address.
    pub(super) fn not_found() -> Refusal {
        Refusal(StatusCode::NOT_FOUND, "there is nothing under this address".to_owned())
    }

    /// A request with an error in it.
    pub(super) fn bad(reason: impl Into<String>) -> Refusal {
        Refusal(StatusCode::BAD_REQUEST, reason.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, json(&json!({"error": one_line(&self.1)}))).into_response()
    }
}

/// An answer in JSON.
pub(super) fn json(value: &Value) -> Response {
    json_text(value.to_string())
}

/// An answer in JSON that is a text already.
pub(super) fn json_text(text: impl Into<Body>) -> Response {
    let kind = HeaderValue::from_static("application/json");
    let caching = HeaderValue::from_static("no-store");
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching)];
    (headers, text.into()).into_response()
}
