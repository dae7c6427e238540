//! Refuses requests from pages of other servers.
//!
//! The server has no passwords, and the default one listens on this machine only. But a browser on
//! this machine shows pages from everywhere, and sends their requests here too. Two headers, which
//! a page cannot forge, tell them apart:
//!
//! - **`Host`** against DNS rebinding. `evil.example` first resolves to its own server, and then to
//!   127.0.0.1. To the browser, page and server now have the same origin. But the requests still
//!   say `Host: evil.example`, a name that this server does not have.
//! - **`Origin`** against cross-site requests. A page of `evil.example` may send a POST to
//!   127.0.0.1, or open a WebSocket, to which no same-origin policy applies. The browser adds
//!   `Origin: http://evil.example`, which differs from `Host`.
//!
//! The second check covers WebSockets and requests that change something. Other requests need no
//! check, because the browser does not let foreign pages read the answers. A request without
//! `Origin` does not come from a page, and is served: programs may play here. A POST must also be
//! declared as JSON, which forms cannot do (`routes::read_body`).
//!
//! An IP address as `Host` is safe, because nobody can make another page appear under it. A proxy
//! passes on the public name, which `--allow-host` then allows.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use pontifex::messages::excerpt;

use super::work::HttpRefusal;

/// The host names of a server.
#[derive(Clone, Debug)]
pub(super) struct HostNames {
    address: SocketAddr,
    allowed_names: Vec<String>,
}

impl HostNames {
    /// The names of a server that listens on `address`, and further `allowed` names at any port.
    pub(super) fn new(address: SocketAddr, allowed: &[String]) -> HostNames {
        HostNames {
            address,
            allowed_names: allowed.iter().map(|name| name.to_ascii_lowercase()).collect(),
        }
    }

    /// Whether a `Host` header names this server.
    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        // In `[::1]`, without a port, the last colon belongs to the address. Port 80 is the one
        // that browsers leave out.
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host.as_str(), Some(80)),
        };
        // At any port: behind a proxy, the public port is not this server's.
        if self.allowed_names.iter().any(|allowed| allowed == name || *allowed == host) {
            return true;
        }
        if port != Some(self.address.port()) {
            return false;
        }
        let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match ip {
            // An address involves no name that someone else could own. A server on 0.0.0.0 has
            // every address of the machine.
            Ok(ip) => {
                ip == self.address.ip() || ip.is_loopback() || self.address.ip().is_unspecified()
            }
            Err(_) => name == "localhost",
        }
    }

    /// Checks that the request comes from a page of this server or from no page.
    ///
    /// # Errors
    /// The reason for refusing it.
    fn check(&self, method: &Method, headers: &HeaderMap) -> Result<(), String> {
        let host = header_text(headers, &header::HOST).ok_or("the request names no host")?;
        if !self.is_own(host) {
            let name = excerpt(host.rsplit_once(':').map_or(host, |(name, _)| name));
            return Err(format!(
                "the host name '{name}' is not allowed: start the server with --allow-host {name}"
            ));
        }
        let is_change = *method != Method::GET && *method != Method::HEAD;
        if (is_change || headers.contains_key(header::UPGRADE))
            && headers.contains_key(header::ORIGIN)
        {
            let origin = header_text(headers, &header::ORIGIN).unwrap_or_default();
            // Both schemes: a proxy may speak HTTPS where this server speaks HTTP.
            let origin_host = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
            if origin_host != Some(host) {
                return Err("the request comes from a page of another server".to_owned());
            }
        }
        Ok(())
    }
}

fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The Content-Security-Policy: pages load from the same origin only, and no page can show them in
/// a frame, where a click could be stolen.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; \
    script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
    form-action 'none'";

/// Refuses foreign requests, and adds the security headers to every answer, refusals included.
pub(super) async fn guard(
    State(names): State<Arc<HostNames>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match names.check(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(reason) => HttpRefusal(StatusCode::FORBIDDEN, reason).into_response(),
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
