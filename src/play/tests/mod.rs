//! Tests of the table and of the session as a state machine.

mod advice;
mod session;
mod table;
mod views;
