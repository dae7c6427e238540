//! Refuses requests from pages of other servers.
//!
//! A browser sends requests for any page it shows. `Host` reveals a page of
//! another name that now resolves to this server (DNS rebinding), `Origin` a
//! page of another server.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// The host names of a server.
#[derive(Clone, Debug)]
pub(super) struct Names {
    address: SocketAddr,
    allowed: Vec<String>,
}

impl Names {
    /// The names of a server that listens on `address`, and further `allowed`
    /// names at any port.
    pub(super) fn new(address: SocketAddr, allowed: &[String]) -> Names {
        Names { address, allowed: allowed.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Whether a `Host` header names this server.
    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host.as_str(), Some(80)),
        };
        if self.allowed.iter().any(|allowed| allowed == name || *allowed == host) {
            return true;
        }
        if port != Some(self.address.port()) {
            return false;
        }
        let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match ip {
            // An address involves no name that someone else could own.
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
    fn check(&self, method: &Method, headers: &HeaderMap) -> Result<(), &'static str> {
        let host = text(headers, &header::HOST).ok_or("the request names no host")?;
        if !self.is_own(host) {
            return Err(
                "this server does not go by the name in Host; --allow-host NAME would allow it",
            );
        }
        let changes = *method != Method::GET && *method != Method::HEAD;
        if (changes || headers.contains_key(header::UPGRADE))
            && headers.contains_key(header::ORIGIN)
        {
            let origin = text(headers, &header::ORIGIN).unwrap_or_default();
            let from = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
            if from != Some(host) {
                return Err("the request comes from a page of another server");
            }
        }
        Ok(())
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The Content-Security-Policy: pages load only from this server.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; \
    script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
    form-action 'none'";

/// Refuses foreign requests, and adds the security headers to every answer.
pub(super) async fn guard(
    State(names): State<Arc<Names>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match names.check(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(reason) => Refusal(StatusCode::FORBIDDEN, reason.to_owned()).into_response(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(address: &str) -> Names {
        Names::new(address.parse().unwrap(), &["Board.example".to_owned()])
    }

    #[test]
    fn only_own_names_are_accepted() {
        let local = names("127.0.0.1:8000");
        for host in ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:8000"] {
            assert!(local.is_own(host), "{host}");
        }
        assert!(local.is_own("board.example") && local.is_own("board.example:443"));
        for host in [
            "",
            "localhost",
            "localhost:80",
            "evil.example:8000",
            "localhost.evil.example:8000",
            "127.0.0.1:8000.evil.example",
            "10.0.0.1:8000",
            "[::1",
            ":8000",
        ] {
            assert!(!local.is_own(host), "{host}");
        }
        let everywhere = names("0.0.0.0:8000");
        assert!(everywhere.is_own("192.168.1.7:8000") && !everywhere.is_own("evil.example:8000"));
    }

    #[test]
    fn pages_of_other_servers_are_refused() {
        let local = names("127.0.0.1:8000");
        let check = |method: Method, headers: &[(HeaderName, &str)]| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.insert(name, HeaderValue::from_str(value).unwrap());
            }
            local.check(&method, &map).is_ok()
        };
        let host = (header::HOST, "localhost:8000");
        assert!(!check(Method::GET, &[]));
        assert!(check(Method::GET, std::slice::from_ref(&host)));
        assert!(check(Method::POST, std::slice::from_ref(&host)), "no browser at all");
        for (origin, is_fine) in [
            ("http://localhost:8000", true),
            ("http://127.0.0.1:8000", false),
            ("http://evil.example", false),
            ("null", false),
            ("http://localhost:8000.evil.example", false),
        ] {
            let origin = (header::ORIGIN, origin);
            assert_eq!(check(Method::POST, &[host.clone(), origin.clone()]), is_fine, "{origin:?}");
            let upgrade = (header::UPGRADE, "websocket");
            assert_eq!(check(Method::GET, &[host.clone(), origin, upgrade]), is_fine);
        }
    }
}
