//! Teufel, Teufel: the rules against a reference, hidden cards, the protocol and
//! its documentation, players, and the independence of the room.

mod reference;
mod room;
mod rules;
mod session;
