//! Tests of the table, of the session as a state machine, and of practice.

mod advice;
mod declarations;
mod host;
mod practice;
mod session;
mod table;
mod views;
