//! The board in a browser: a server on this machine and its page.
//!
//! Requests pass through `server`, which gives each connection one of its places
//! (`connections`), and `guard` to `routes`; slow ones wait in the queue of `work`.
//! A page talks to its session through a `socket`. The session's logic is in
//! `pontifex_play`; a `session` here carries out what it orders: it saves every
//! change (`store`) and runs the jobs on threads (`searches`) when the `scheduler`
//! has a place. `sessions` opens and ends them, and the `app` holds what they share.
//! `site` writes the same page as files, with
//! the engine for browsers in the server's place.

mod app;
mod assets;
mod connections;
mod guard;
mod routes;
mod scheduler;
mod searches;
mod server;
mod session;
mod sessions;
mod site;
mod socket;
mod store;
mod work;

pub use app::{BUILT_IN, RESERVED, Settings};
pub use server::{serve, url};
pub use site::{ENGINE_IS_OLD, SiteError, write_site};
