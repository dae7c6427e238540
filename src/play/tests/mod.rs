//! Tests of the table and of the session as a state machine.

mod session;
mod table;
