//! The board in a browser: a server on this machine and its page.
//!
//! ```text
//!   request ─► server ─► connections ─► guard ─► routes ─► sessions ─► session ─► searches
//!              accepts   a permit for   own      what is   one Session  orders:    a slot of the
//!                        each peer      pages    asked     for each id  save, job  scheduler
//!                                       only       │           │            │
//!                                                work        store        store
//!                                                slow texts  the files
//! ```
//!
//! A page talks to its session through a `socket`. The logic of sessions is in `pontifex_play`; a
//! `session` here carries out its orders. The `app` holds what sessions share. `assets` holds the
//! files of the page. `site` writes the same page to a folder, with the engine for browsers in the
//! server's place.
//!
//! The server is for one person and their friends, yet anybody may reach it. So every resource that
//! a peer could use up is counted and limited where it is used: connections, bytes, waiting work,
//! search slots, sessions.

mod app;
mod assets;
mod cancel;
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
