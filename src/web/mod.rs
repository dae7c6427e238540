//! The board in a browser: a server on this machine and its page.
//!
//! A page holds no rules. It talks to a `session` through a `socket`, in the
//! messages of `docs/web.md` (`request`, `view`, `findings`): a session has a
//! `table` with a game and its variations (`tree`), and a task of its own that
//! does one thing after the other. What engines do (`thinking`, `study`,
//! `review`) they do on threads of their own, when the `scheduler` has a place
//! for them, and rest in a `pool` between; the `app` has what sessions share.
//! Every change is in the session's file (`kept`, `store`) before anybody hears
//! of it, and a `broadcast` has the newest news for every page.
//!
//! Requests come in through `server` and `guard` to `routes`.

mod app;
mod assets;
mod broadcast;
mod cancel;
mod convert;
mod findings;
mod guard;
mod id;
mod pool;
mod request;
mod review;
mod routes;
mod saved;
mod scheduler;
mod server;
mod session;
mod sessions;
mod settings;
mod socket;
mod store;
mod study;
mod table;
mod thinking;
mod tree;
mod view;

pub use server::{serve, url};
pub use settings::{BUILT_IN, Settings};
