//! The commands: one table, one file per subject.

mod admin;
mod analyze;
mod clock;
mod command;
mod gogui;
mod inspect;
mod params;
mod play;
mod record;
mod rules;
mod setup;
mod table;

pub(super) use command::Run;
pub(super) use table::find;
