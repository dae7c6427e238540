//! The commands: the table of all of them, and those about the program:
//! identification, the list of commands, parameters, `quit`, `stop` and
//! `clear_cache`. Every other subject has its own file.

mod analyze;
mod args;
mod clock;
mod game;
mod gogui;

pub(super) use args::Args;

use super::error::CommandError;
use super::frame::Stream;
use super::session::Session;
use crate::engine::{PARAMS, Param, find_param};
use Run::{Answer, Stream as Streamed};

/// A command: its usage and the function that runs it.
#[derive(Debug)]
pub(super) struct Command {
    /// The name and the arguments, for example `play COLOR MOVE`.
    pub(super) usage: &'static str,
    /// The function that runs it. A command that fails changes nothing.
    pub(super) run: Run,
}

/// How a command answers.
#[derive(Debug)]
pub(super) enum Run {
    /// With one text.
    Answer(fn(&mut Session, Args) -> Result<String, CommandError>),
    /// Line by line, while it runs.
    Stream(fn(&mut Session, Args, &mut Stream<'_>) -> Result<(), CommandError>),
}

impl Command {
    /// The name: the first word of the usage.
    fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}

/// Every command, in the order of `list_commands`.
static COMMANDS: &[Command] = &[
    Command { usage: "protocol_version", run: Answer(protocol_version) },
    Command { usage: "name", run: Answer(name) },
    Command { usage: "version", run: Answer(version) },
    Command { usage: "known_command COMMAND", run: Answer(known_command) },
    Command { usage: "list_commands", run: Answer(list_commands) },
    Command { usage: "quit", run: Answer(quit) },
    Command { usage: "stop", run: Answer(stop) },
    Command { usage: "clear_cache", run: Answer(clear_cache) },
    Command { usage: "boardsize N", run: Answer(game::boardsize) },
    Command { usage: "clear_board", run: Answer(game::clear_board) },
    Command { usage: "komi X", run: Answer(game::komi) },
    Command { usage: "play COLOR MOVE", run: Answer(game::play) },
    Command { usage: "undo", run: Answer(game::undo) },
    Command { usage: "gg-undo [N]", run: Answer(game::gg_undo) },
    Command { usage: "genmove COLOR", run: Answer(game::genmove) },
    Command { usage: "reg_genmove COLOR", run: Answer(game::reg_genmove) },
    Command { usage: "time_settings MAIN PERIOD MOVES", run: Answer(clock::time_settings) },
    Command { usage: "time_left COLOR SECONDS MOVES", run: Answer(clock::time_left) },
    Command { usage: clock::KGS_TIME_SETTINGS, run: Answer(clock::kgs_time_settings) },
    Command { usage: clock::KATA_TIME_SETTINGS, run: Answer(clock::kata_time_settings) },
    Command { usage: "kata-list_time_settings", run: Answer(clock::kata_list_time_settings) },
    Command { usage: clock::PONTE_TIME_SETTINGS, run: Answer(clock::ponte_time_settings) },
    Command { usage: "showboard", run: Answer(game::showboard) },
    Command { usage: "final_score", run: Answer(game::final_score) },
    Command { usage: "loadsgf FILE [N]", run: Answer(game::loadsgf) },
    Command { usage: "printsgf [FILE]", run: Answer(game::printsgf) },
    Command { usage: "ponte-legal_moves [count]", run: Answer(game::legal_moves) },
    Command { usage: "ponte-score", run: Answer(game::score) },
    Command { usage: "ponte-status", run: Answer(game::status) },
    Command { usage: "ponte-history", run: Answer(game::history) },
    Command { usage: "ponte-position", run: Answer(game::position) },
    Command {
        usage: "ponte-set_position ROWS SIDE BRIDGES STATE",
        run: Answer(game::set_position),
    },
    Command { usage: "ponte-play_sequence [MOVE MOVE ...]", run: Answer(game::play_sequence) },
    Command { usage: analyze::ANALYZE, run: Streamed(analyze::analyze) },
    Command { usage: analyze::GENMOVE_ANALYZE, run: Streamed(analyze::genmove_analyze) },
    Command { usage: analyze::KATA_ANALYZE, run: Streamed(analyze::kata_analyze) },
    Command { usage: analyze::KATA_GENMOVE_ANALYZE, run: Streamed(analyze::kata_genmove_analyze) },
    Command { usage: "ponte-list_params", run: Answer(list_params) },
    Command { usage: "ponte-get_param NAME", run: Answer(get_param) },
    Command { usage: "ponte-set_param NAME VALUE", run: Answer(set_param) },
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
    Command { usage: "gogui-rules_game_id", run: Answer(gogui::game_id) },
    Command { usage: "gogui-rules_board", run: Answer(gogui::board) },
    Command { usage: "gogui-rules_board_gfx", run: Answer(gogui::board_gfx) },
    Command { usage: "gogui-rules_board_size", run: Answer(gogui::board_size) },
    Command { usage: "gogui-rules_legal_moves", run: Answer(gogui::legal_moves) },
    Command { usage: "gogui-rules_side_to_move", run: Answer(gogui::side_to_move) },
    Command { usage: "gogui-rules_final_result", run: Answer(gogui::final_result) },
];

/// The command called `name`.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name() == name)
}

fn protocol_version(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| "2".to_owned())
}

fn name(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| env!("CARGO_PKG_NAME").to_owned())
}

fn version(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[]| env!("CARGO_PKG_VERSION").to_owned())
}

fn known_command(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[name]| find(name).is_some().to_string())
}

fn list_commands(_: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    Ok(COMMANDS.iter().map(Command::name).collect::<Vec<_>>().join("\n"))
}

/// Ignores arguments: the reader thread has already stopped at this line.
#[expect(clippy::unnecessary_wraps, reason = "every command has this signature")]
fn quit(session: &mut Session, _: Args) -> Result<String, CommandError> {
    session.is_over = true;
    Ok(String::new())
}

/// Does nothing: the reader thread stopped the search when it read the line.
#[expect(clippy::unnecessary_wraps, reason = "every command has this signature")]
fn stop(_: &mut Session, _: Args) -> Result<String, CommandError> {
    Ok(String::new())
}

/// Forgets earlier searches.
fn clear_cache(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    session.engine.clear_cache();
    Ok(String::new())
}

fn list_params(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [] = args.exactly()?;
    let options = session.engine.options();
    let line = |param: &Param| {
        let (kind, range) = (param.kind.name(), param.kind.range());
        format!("{} {kind} {} {} {range}", param.name, param.default_value(), param.get(options))
    };
    Ok(PARAMS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn get_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [name] = args.exactly()?;
    Ok(find_param(name)?.get(session.engine.options()))
}

fn set_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let (name, value) = args.text().split_once(' ').ok_or_else(|| args.usage_error())?;
    let param = find_param(name)?;
    let value = if param.kind.is_file() {
        value.trim_start_matches(' ')
    } else {
        let [_, value] = args.exactly()?;
        value
    };
    param.set(session.engine.options_mut(), value)?;
    Ok(String::new())
}
