//! Tests of the table, of the session as a state machine, and of practice.

mod advice;
mod declarations;
mod fixture;
mod host;
mod links;
mod loading;
mod practice;
mod session;
mod shared;
mod table;
mod views;
