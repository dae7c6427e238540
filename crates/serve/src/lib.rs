//! The board in a browser: a server on this machine and its page.
//!
//! Requests pass through `server`, which has `connections`, and `guard` to `routes`; a page talks to its
//! session through a `socket`. The session's logic is in `play`;
//! a `session` here is a task that hosts it: it saves every change (`saving`,
//! `store`), sends the messages (`broadcast`), and runs the jobs on threads (`thinking`,
//! `study`) when the `scheduler` has a place. Between searches engines wait in
//! a `pool`. The `app` holds what sessions share. `site` writes the same page
//! as files, with the engine inside (`wasm`) in the server's place.

mod app;
mod assets;
mod body;
mod broadcast;
mod cancel;
mod command;
mod connections;
mod guard;
mod id;
mod pool;
mod practice;
mod refusal;
mod routes;
mod saving;
mod scheduler;
mod server;
mod session;
mod sessions;
mod settings;
mod site;
mod socket;
mod store;
mod study;
mod thinking;

pub use server::{serve, url};
pub use settings::{BUILT_IN, Settings};
pub use site::{ENGINE_IS_OLD, SiteError, write_site};
