//! The engine and the page's sessions inside a browser or Node: one thread, no shared memory.
//!
//! This crate serves two programs. The page without a server runs a whole session in a worker; a
//! JavaScript program (the npm package) has an engine and its game:
//!
//! ```text
//!   page ─ messages ─► hosting.js ─► host ─► pontifex_play ─► jobs ─► Engine
//!   program ─ calls ─► index.js ─► opponent ──────────────────────► Engine
//! ```
//!
//! `host` hosts a session of [`play`](pontifex_play) in place of a server; `jobs` runs its engines
//! in slices. `opponent` is the engine for JavaScript programs, and `options` reads its options.
//! `bindings` has the other functions for pages. The JavaScript side is in `crates/page/site`
//! (pages) and in the folder `wasm` of the repository (programs).

// No other crate uses this one, so a native build excludes it and its dependencies. Only the tests
// are native.
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
