//! The commands: the table of all of them, and those about the program: identification, the list of
//! commands, parameters, `quit`, `stop` and `clear_cache`. Every other subject has its own file.
//!
//! The table is the only list of commands. `list_commands`, `known_command`, the usage in errors
//! and GoGui's menu follow from it, so a new command is one function and one entry.
//!
//! **A command that fails changes nothing.** Each parses and checks all of its arguments before it
//! changes the session. A controller that gets an error can therefore continue with the position it
//! knows.

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
use Handler::{NoArgs, Stream as Streamed, Text, WithArgs};

/// A command: its usage and the function that runs it.
#[derive(Debug)]
pub(super) struct Command {
    /// The name and the arguments, for example `play COLOR MOVE`.
    pub(super) usage: &'static str,
    pub(super) run: Handler,
    /// The entry in GoGui's analysis menu: the type of the answer and the label, `gfx/Best moves`.
    menu: Option<&'static str>,
}

/// The function that runs a command, by its arguments and its kind of answer. So the table shows
/// which commands take no arguments or cannot fail, and the caller rejects unexpected arguments.
#[derive(Debug)]
pub(super) enum Handler {
    /// Answers with one text; takes no arguments and cannot fail.
    Text(fn(&mut Session) -> String),
    /// Answers with one text; takes no arguments.
    NoArgs(fn(&mut Session) -> Result<String, CommandError>),
    /// Answers with one text.
    WithArgs(fn(&mut Session, Args) -> Result<String, CommandError>),
    /// Answers line by line, while it runs.
    Stream(fn(&mut Session, Args, &mut Stream<'_>) -> Result<(), CommandError>),
}

impl Command {
    const fn new(usage: &'static str, run: Handler) -> Command {
        Command { usage, run, menu: None }
    }

    const fn in_menu(self, entry: &'static str) -> Command {
        Command { menu: Some(entry), ..self }
    }

    /// The name: the first word of the usage.
    fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}

/// Every command, in the order of `list_commands`.
static COMMANDS: &[Command] = &[
    Command::new("protocol_version", Text(|_| "2".to_owned())),
    Command::new("name", Text(|_| env!("CARGO_PKG_NAME").to_owned())),
    Command::new("version", Text(|_| env!("CARGO_PKG_VERSION").to_owned())),
    Command::new("known_command COMMAND", WithArgs(known_command)),
    Command::new("list_commands", Text(list_commands)),
    Command::new("quit", WithArgs(quit)),
    // Nothing to do: the reader thread stopped the search when it read the line.
    Command::new("stop", WithArgs(|_, _| Ok(String::new()))),
    Command::new("clear_cache", Text(clear_cache)),
    Command::new("boardsize N", WithArgs(game::boardsize)),
    Command::new("clear_board", Text(game::clear_board)),
    Command::new("komi X", WithArgs(game::komi)),
    Command::new("play COLOR MOVE", WithArgs(game::play)),
    Command::new("undo", NoArgs(game::undo)),
    Command::new("gg-undo [N]", WithArgs(game::gg_undo)),
    Command::new("genmove COLOR", WithArgs(game::genmove)),
    Command::new("reg_genmove COLOR", WithArgs(game::reg_genmove)),
    Command::new("time_settings MAIN PERIOD MOVES", WithArgs(clock::time_settings)),
    Command::new("time_left COLOR SECONDS MOVES", WithArgs(clock::time_left)),
    Command::new(clock::KGS_TIME_SETTINGS, WithArgs(clock::kgs_time_settings)),
    Command::new(clock::KATA_TIME_SETTINGS, WithArgs(clock::kata_time_settings)),
    Command::new("kata-list_time_settings", Text(|_| clock::KATA_KINDS.to_owned())),
    Command::new(clock::PONTE_TIME_SETTINGS, WithArgs(clock::ponte_time_settings)),
    Command::new("showboard", Text(game::showboard)).in_menu("hstring/Board"),
    Command::new("final_score", NoArgs(game::final_score)),
    Command::new("loadsgf FILE [N]", WithArgs(game::loadsgf)),
    Command::new("printsgf [FILE]", WithArgs(game::printsgf)),
    Command::new("ponte-legal_moves [count]", WithArgs(game::legal_moves)),
    Command::new("ponte-score", Text(game::score)),
    Command::new("ponte-status", Text(game::status)),
    Command::new("ponte-history", Text(game::history)),
    Command::new("ponte-position", Text(game::position)),
    Command::new("ponte-set_position ROWS SIDE BRIDGES STATE", WithArgs(game::set_position)),
    Command::new("ponte-play_sequence [MOVE MOVE ...]", WithArgs(game::play_sequence)),
    Command::new(analyze::ANALYZE, Streamed(analyze::analyze)),
    Command::new(analyze::GENMOVE_ANALYZE, Streamed(analyze::genmove_analyze)),
    Command::new(analyze::KATA_ANALYZE, Streamed(analyze::kata_analyze)),
    Command::new(analyze::KATA_GENMOVE_ANALYZE, Streamed(analyze::kata_genmove_analyze)),
    Command::new("ponte-list_params", Text(list_params)),
    Command::new("ponte-get_param NAME", WithArgs(get_param)),
    Command::new("ponte-set_param NAME VALUE", WithArgs(set_param)),
    Command::new("gogui-analyze_commands", Text(gogui::analyze_commands)),
    // Its existence tells GoGui that the comment `# interrupt` ends a search.
    Command::new("gogui-interrupt", Text(|_| String::new())),
    Command::new("gogui-best_moves", NoArgs(gogui::best_moves)).in_menu("gfx/Best moves"),
    Command::new("gogui-main_line", NoArgs(gogui::main_line)).in_menu("gfx/Main line"),
    Command::new("gogui-winrates", NoArgs(gogui::winrates)).in_menu("cboard/Win rates"),
    Command::new("gogui-ownership", NoArgs(gogui::ownership)).in_menu("dboard/Ownership"),
    Command::new("gogui-candidates", Text(gogui::candidates)).in_menu("cboard/Cells still to use"),
    Command::new("gogui-networks", Text(gogui::networks)).in_menu("gfx/Networks"),
    Command::new("gogui-score", Text(gogui::score)).in_menu("string/Score"),
    Command::new("gogui-status", Text(gogui::status)).in_menu("string/Status"),
    Command::new("gogui-rules_game_id", Text(gogui::game_id)),
    Command::new("gogui-rules_board", Text(gogui::board)),
    Command::new("gogui-rules_board_gfx", Text(gogui::board_gfx)).in_menu("gfx/Bridges"),
    Command::new("gogui-rules_board_size", Text(gogui::board_size)),
    Command::new("gogui-rules_legal_moves", Text(gogui::legal_moves)),
    Command::new("gogui-rules_side_to_move", Text(gogui::side_to_move)),
    Command::new("gogui-rules_final_result", Text(gogui::final_result)),
    Command::new("gogui-params [NAME VALUE]", WithArgs(gogui::params)).in_menu("param/Parameters"),
];

/// The command called `name`.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name() == name)
}

/// GoGui's analysis menu, a line for each entry: type, label and command. The commands made for
/// GoGui come first, the parameters last.
fn menu() -> String {
    let mut entries: Vec<_> = COMMANDS.iter().filter(|command| command.menu.is_some()).collect();
    let is_last = |command: &Command| command.menu.is_some_and(|menu| menu.starts_with("param"));
    entries.sort_by_key(|command| (is_last(command), !command.name().starts_with("gogui-")));
    let line =
        |command: &&Command| format!("{}/{}", command.menu.unwrap_or_default(), command.name());
    entries.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn known_command(_: &mut Session, args: Args) -> Result<String, CommandError> {
    args.exactly().map(|[name]| find(name).is_some().to_string())
}

fn list_commands(_: &mut Session) -> String {
    COMMANDS.iter().map(Command::name).collect::<Vec<_>>().join("\n")
}

/// Ignores arguments: the reader thread has already stopped at this line.
#[expect(clippy::unnecessary_wraps, reason = "every command has this signature")]
fn quit(session: &mut Session, _: Args) -> Result<String, CommandError> {
    session.is_over = true;
    Ok(String::new())
}

/// Forgets earlier searches.
fn clear_cache(session: &mut Session) -> String {
    session.engine.clear_cache();
    String::new()
}

fn list_params(session: &mut Session) -> String {
    let options = session.engine.options();
    let line = |param: &Param| {
        let (kind, range) = (param.kind.name(), param.kind.range());
        format!("{} {kind} {} {} {range}", param.name, param.default_value(), param.get(options))
    };
    PARAMS.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn get_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let [name] = args.exactly()?;
    Ok(find_param(name)?.get(session.engine.options()))
}

fn set_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let (name, value) = args.text().split_once(' ').ok_or_else(|| args.usage_error())?;
    let param = find_param(name)?;
    // Only a file name may contain spaces.
    let value = if param.kind.is_file() {
        value.trim_start_matches(' ')
    } else {
        let [_, value] = args.exactly()?;
        value
    };
    param.set(session.engine.options_mut(), value)?;
    Ok(String::new())
}
