//! The commands: one table, one file per subject.

mod admin;
mod clock;
mod inspect;
mod params;
mod play;
mod record;
mod setup;

use super::args::Args;
use super::{CommandError, Session};

/// A command: how it is used and what does it.
#[derive(Debug)]
pub(super) struct Command {
    /// Its name and its arguments, as in `play COLOR MOVE`.
    pub(super) usage: &'static str,
    /// Answers it. When it fails it has changed nothing.
    pub(super) run: fn(&mut Session, Args) -> Result<String, CommandError>,
}

impl Command {
    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}

/// Every command: what `list_commands` lists and all that is dispatched.
pub(super) static COMMANDS: &[Command] = &[
    Command { usage: "protocol_version", run: admin::protocol_version },
    Command { usage: "name", run: admin::name },
    Command { usage: "version", run: admin::version },
    Command { usage: "known_command COMMAND", run: admin::known_command },
    Command { usage: "list_commands", run: admin::list_commands },
    Command { usage: "quit", run: admin::quit },
    Command { usage: "stop", run: admin::stop },
    Command { usage: "boardsize N", run: setup::boardsize },
    Command { usage: "clear_board", run: setup::clear_board },
    Command { usage: "komi X", run: setup::komi },
    Command { usage: "play COLOR MOVE", run: play::play },
    Command { usage: "undo", run: play::undo },
    Command { usage: "gg-undo [N]", run: play::gg_undo },
    Command { usage: "genmove COLOR", run: play::genmove },
    Command { usage: "reg_genmove COLOR", run: play::reg_genmove },
    Command { usage: "time_settings MAIN PERIOD MOVES", run: clock::time_settings },
    Command { usage: "time_left COLOR SECONDS MOVES", run: clock::time_left },
    Command { usage: clock::PONTE_TIME_SETTINGS, run: clock::ponte_time_settings },
    Command { usage: "showboard", run: inspect::showboard },
    Command { usage: "final_score", run: inspect::final_score },
    Command { usage: "loadsgf FILE [N]", run: record::loadsgf },
    Command { usage: "printsgf [FILE]", run: record::printsgf },
    Command { usage: "ponte-legal_moves [count]", run: inspect::legal_moves },
    Command { usage: "ponte-score", run: inspect::score },
    Command { usage: "ponte-status", run: inspect::status },
    Command { usage: "ponte-history", run: inspect::history },
    Command { usage: "ponte-position", run: inspect::position },
    Command { usage: "ponte-set_position ROWS SIDE BRIDGES STATE", run: setup::set_position },
    Command { usage: "ponte-play_sequence [MOVE MOVE ...]", run: play::play_sequence },
    Command { usage: "ponte-list_params", run: params::list },
    Command { usage: "ponte-get_param NAME", run: params::get },
    Command { usage: "ponte-set_param NAME VALUE", run: params::set },
];

/// The command called `name`.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name() == name)
}
