//! The server behind the board in a browser: a real process, real sockets.

mod browser;
mod crowd;
mod damaged;
mod engines;
mod games;
mod hostile;
mod list;
mod practice;
mod refusals;
mod saving;
mod server;
mod variations;
