//! The table of all commands, and the two commands that read it.

use super::command::Command;
use super::command::Run::{Answer, Stream as Streamed};
use super::{admin, analyze, clock, gogui, inspect, params, play, record, rules, setup};
use crate::gtp::args::Args;
use crate::gtp::error::CommandError;
use crate::gtp::session::Session;

/// Every command, in the order of `list_commands`.
static COMMANDS: &[Command] = &[
    Command { usage: "protocol_version", run: Answer(admin::protocol_version) },
    Command { usage: "name", run: Answer(admin::name) },
    Command { usage: "version", run: Answer(admin::version) },
    Command { usage: "known_command COMMAND", run: Answer(known_command) },
    Command { usage: "list_commands", run: Answer(list_commands) },
    Command { usage: "quit", run: Answer(admin::quit) },
    Command { usage: "stop", run: Answer(admin::stop) },
    Command { usage: "clear_cache", run: Answer(admin::clear_cache) },
    Command { usage: "boardsize N", run: Answer(setup::boardsize) },
    Command { usage: "clear_board", run: Answer(setup::clear_board) },
    Command { usage: "komi X", run: Answer(setup::komi) },
    Command { usage: "play COLOR MOVE", run: Answer(play::play) },
    Command { usage: "undo", run: Answer(play::undo) },
    Command { usage: "gg-undo [N]", run: Answer(play::gg_undo) },
    Command { usage: "genmove COLOR", run: Answer(play::genmove) },
    Command { usage: "reg_genmove COLOR", run: Answer(play::reg_genmove) },
    Command { usage: "time_settings MAIN PERIOD MOVES", run: Answer(clock::time_settings) },
    Command { usage: "time_left COLOR SECONDS MOVES", run: Answer(clock::time_left) },
    Command { usage: clock::KGS_TIME_SETTINGS, run: Answer(clock::kgs_time_settings) },
    Command { usage: clock::KATA_TIME_SETTINGS, run: Answer(clock::kata_time_settings) },
    Command { usage: "kata-list_time_settings", run: Answer(clock::kata_list_time_settings) },
    Command { usage: clock::PONTE_TIME_SETTINGS, run: Answer(clock::ponte_time_settings) },
    Command { usage: "showboard", run: Answer(inspect::showboard) },
    Command { usage: "final_score", run: Answer(inspect::final_score) },
    Command { usage: "loadsgf FILE [N]", run: Answer(record::loadsgf) },
    Command { usage: "printsgf [FILE]", run: Answer(record::printsgf) },
    Command { usage: "ponte-legal_moves [count]", run: Answer(inspect::legal_moves) },
    Command { usage: "ponte-score", run: Answer(inspect::score) },
    Command { usage: "ponte-status", run: Answer(inspect::status) },
    Command { usage: "ponte-history", run: Answer(inspect::history) },
    Command { usage: "ponte-position", run: Answer(inspect::position) },
    Command {
        usage: "ponte-set_position ROWS SIDE BRIDGES STATE",
        run: Answer(setup::set_position),
    },
    Command { usage: "ponte-play_sequence [MOVE MOVE ...]", run: Answer(play::play_sequence) },
    Command { usage: analyze::ANALYZE, run: Streamed(analyze::analyze) },
    Command { usage: analyze::GENMOVE_ANALYZE, run: Streamed(analyze::genmove_analyze) },
    Command { usage: analyze::KATA_ANALYZE, run: Streamed(analyze::kata_analyze) },
    Command { usage: analyze::KATA_GENMOVE_ANALYZE, run: Streamed(analyze::kata_genmove_analyze) },
    Command { usage: "ponte-list_params", run: Answer(params::list) },
    Command { usage: "ponte-get_param NAME", run: Answer(params::get) },
    Command { usage: "ponte-set_param NAME VALUE", run: Answer(params::set) },
    Command { usage: "gogui-analyze_commands", run: Answer(gogui::analyze_commands) },
    Command { usage: "gogui-interrupt", run: Answer(gogui::interrupt) },
    Command { usage: "gogui-params [NAME VALUE]", run: Answer(gogui::params) },
    Command { usage: "gogui-best_moves", run: Answer(gogui::best_moves) },
    Command { usage: "gogui-main_line", run: Answer(gogui::main_line) },
    Command { usage: "gogui-winrates", run: Answer(gogui::winrates) },
    Command { usage: "gogui-ownership", run: Answer(gogui::ownership) },
    Command { usage: "gogui-candidates", run: Answer(gogui::candidates) },
    Command { usage: "gogui-networks", run: Answer(gogui::networks) },
    Command { usage: "gogui-score", run: Answer(gogui::score) },
    Command { usage: "gogui-status", run: Answer(gogui::status) },
    Command { usage: "gogui-rules_game_id", run: Answer(rules::game_id) },
    Command { usage: "gogui-rules_board", run: Answer(rules::board) },
    Command { usage: "gogui-rules_board_gfx", run: Answer(rules::board_gfx) },
    Command { usage: "gogui-rules_board_size", run: Answer(rules::board_size) },
    Command { usage: "gogui-rules_legal_moves", run: Answer(rules::legal_moves) },
    Command { usage: "gogui-rules_side_to_move", run: Answer(rules::side_to_move) },
    Command { usage: "gogui-rules_final_result", run: Answer(rules::final_result) },
];

/// The command called `name`.
pub(in crate::gtp) fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name() == name)
}

fn known_command(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[name]| find(name).is_some().to_string())
}

fn list_commands(_: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(COMMANDS.iter().map(Command::name).collect::<Vec<_>>().join("\n"))
}
