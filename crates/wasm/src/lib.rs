//! The engine and the page's sessions inside a browser or Node: one thread,
//! no shared memory.
//!
//! `host` hosts a session of [`play`](pontifex_play) as the server's sessions do;
//! `jobs` runs its engines in slices. `opponent` is the engine for JavaScript
//! programs, `options` reads what they want of it. `bindings` has what pages ask for
//! besides. Their JavaScript side is in `crates/page/site`
//! (pages) and in the folder `wasm` of the repository (programs).

// No other crate uses this one, so a native build is spared it and its
// dependencies; the tests are native.
#![cfg(any(test, target_family = "wasm"))]
#![allow(
    unreachable_pub,
    clippy::needless_pass_by_value,
    reason = "the items are exported to JavaScript, which passes optional texts by value"
)]

mod bindings;
mod host;
mod jobs;
mod opponent;
mod options;

#[cfg(test)]
mod tests;
