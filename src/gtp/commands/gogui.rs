//! Commands for GoGui, a graphical interface for Go programs: its analysis menu, and the
//! `gogui-rules_` commands, through which it plays games whose rules it does not know. See
//! `docs/gogui.md`.
//!
//! GoGui starts the program twice: once to play, and once to ask for the rules. Both processes must
//! have the same rules, so [`params`], which reaches only one of them, refuses to change any. GoGui
//! knows stones and points and nothing else: White's tiles are white stones, Red's are black ones,
//! and moves are single points (`single_points`).
//!
//! Two commands switch modes on because only GoGui sends them: `gogui-analyze_commands` the drawing
//! during searches, `gogui-rules_game_id` the single points. So neither needs an option of the
//! command line.
//!
//! The answers are texts in GoGui's types: `gfx` is lines of drawing commands, `cboard` a colour
//! for every point, `dboard` a number from -1 to 1 for every point. The menu names the type of each
//! command.

use std::collections::BTreeMap;

use super::args::Args;
use crate::analysis::points::{cells_of, go_name, go_text};
use crate::board::Cell;
use crate::engine::{AnalysisRequest, PARAMS, Param, ParamKind, ParamUse, find_param};
use crate::game::{Color, Move};
use crate::gtp::error::CommandError;
use crate::gtp::numbers::fixed;
use crate::gtp::session::Session;
use crate::gtp::{drawing, single_points};
use crate::render::{color_name, count, turn_line};

/// The number of candidates on the board. Set by judgement: more labels hide the position.
const LABELLED_MOVES: usize = 5;

/// The menu of analysis commands. The command also turns on drawing during searches, since only
/// GoGui sends it.
pub(super) fn analyze_commands(session: &mut Session) -> String {
    session.draws_live = true;
    super::menu()
}

/// The best moves: their ranks as labels on their points, and a line of text for each.
pub(super) fn best_moves(session: &mut Session) -> Result<String, CommandError> {
    let analysis = session.analysis(&AnalysisRequest::default())?;
    let (mut labels, mut lines) = (BTreeMap::new(), Vec::new());
    for (index, candidate) in analysis.moves.iter().take(LABELLED_MOVES).enumerate() {
        let rank = index + 1;
        for cell in cells(candidate.mv) {
            // A point of several candidates has the rank of the best.
            labels.entry(cell).or_insert(rank);
        }
        lines.push(format!(
            "TEXT {rank} {} visits {} win rate {} lead {}",
            go_text(candidate.mv),
            candidate.visits,
            fixed(candidate.winrate, 3),
            fixed(candidate.lead, 1)
        ));
    }
    for (cell, rank) in labels {
        lines.push(format!("LABEL {} {rank}", go_name(cell)));
    }
    Ok(lines.join("\n"))
}

pub(super) fn main_line(session: &mut Session) -> Result<String, CommandError> {
    let analysis = session.analysis(&AnalysisRequest::default())?;
    Ok(drawing::variation(analysis.to_move, analysis.pv()))
}

/// A colour for every searched point, from red (moves that begin there lose) through yellow to
/// green (they win).
pub(super) fn winrates(session: &mut Session) -> Result<String, CommandError> {
    let size = session.engine.position().size();
    let request = AnalysisRequest { points: true, ..AnalysisRequest::default() };
    let points = session.analysis(&request)?.points;
    let winrates: BTreeMap<Cell, f64> =
        points.iter().map(|point| (point.cell, point.best.winrate)).collect();
    Ok(drawing::board(size, |cell| match winrates.get(&cell) {
        Some(&winrate) => shade(winrate),
        None => EMPTY.to_owned(),
    }))
}

/// For every cell, the probability that it will belong to an island of Red, minus the same for
/// White.
pub(super) fn ownership(session: &mut Session) -> Result<String, CommandError> {
    let size = session.engine.position().size();
    let request = AnalysisRequest { ownership: true, ..AnalysisRequest::default() };
    let owners = session.analysis(&request)?.ownership;
    let share = |cell| owners.as_ref().map_or(0.0, |owners| owners.cell_margin(cell, Color::Red));
    Ok(drawing::board(size, |cell| fixed(share(cell), 3)))
}

/// Cells where a tile may be placed: green for both colours, white or red for one.
pub(super) fn candidates(session: &mut Session) -> String {
    let position = single_points::position_with_first_tile(session);
    let usable = |cell, color| position.placeable_cells(color).contains(cell);
    drawing::board(position.size(), |cell| {
        let word = match Color::BOTH.map(|color| usable(cell, color)) {
            [true, true] => "green",
            [true, false] => "white",
            [false, true] => "red",
            [false, false] => EMPTY,
        };
        word.to_owned()
    })
}

/// Every network with a bridge or an island, each in its own colour, with the number of its islands
/// on its tiles.
pub(super) fn networks(session: &mut Session) -> String {
    const COLORS: [&str; 7] = ["green", "yellow", "magenta", "cyan", "pink", "blue", "gray"];
    let position = session.engine.position();
    let networks =
        Color::BOTH.into_iter().flat_map(|color| position.networks(color)).filter(|network| {
            network.islands > 0 || !(network.tiles & position.bridge_ends()).is_empty()
        });
    let mut lines = Vec::new();
    for (network, color) in networks.zip(COLORS.iter().cycle()) {
        let islands = network.islands;
        let tiles: Vec<String> = network.tiles.into_iter().map(go_name).collect();
        lines.push(format!("COLOR {color} {}", tiles.join(" ")));
        let labels: Vec<String> = tiles.iter().map(|tile| format!("{tile} {islands}")).collect();
        lines.push(format!("LABEL {}", labels.join(" ")));
    }
    lines.join("\n")
}

/// The score in words.
pub(super) fn score(session: &mut Session) -> String {
    let position = session.engine.position();
    let sides = Color::BOTH.map(|color| {
        let score = position.score(color);
        let islands = count(score.islands.into(), "island");
        let bridges = count(score.bridges.into(), "bridge");
        let points = count(score.points, "point");
        format!("{} has {points} ({islands}, {bridges})", color_name(color))
    });
    sides.join(", ")
}

/// The side to move and what it may do, in words.
pub(super) fn status(session: &mut Session) -> String {
    let game = session.engine.game();
    let turn = game.len() + 1;
    let position = single_points::position_with_first_tile(session);
    let line = turn_line(&position);
    if position.is_over() {
        return line;
    }
    let bridge = session.point_mode.waiting_point(game).filter(|_| !position.is_half_turn());
    match bridge {
        None => format!("Turn {turn}: {line}"),
        Some(waiting) => {
            let first = go_name(waiting.first_point);
            format!("Turn {turn}: {line}, the other end of the bridge from {first}")
        }
    }
}

/// The dialog's name of [`Session::draws_live`], which is not a parameter of the engine.
const DRAWS_LIVE: &str = "live_graphics";
/// The dialog's name of the single-point mode.
const POINTS: &str = "single_points";

/// Whether GoGui's dialog offers a parameter. A rule would reach only one of the two processes, and
/// their rules would differ.
fn is_in_dialog(param: &Param) -> bool {
    param.kind != ParamKind::Tuning && !param.is_for(ParamUse::Rule)
}

/// Lists or sets parameters in the format of GoGui's dialog, in which booleans are 1 or 0. The
/// rules of the game and the tuning constants are left out.
pub(super) fn params(session: &mut Session, args: Args) -> Result<String, CommandError> {
    if args.words().next().is_some() {
        return set_param(session, args);
    }
    let options = session.engine.options();
    let offered = PARAMS.iter().filter(|param| is_in_dialog(param));
    let mut lines: Vec<String> = offered
        .map(|param| {
            let value = param.get(options);
            let (kind, value) = match &param.kind {
                ParamKind::Switch => ("bool".to_owned(), bit(value == "on").to_owned()),
                ParamKind::Choice(words) => (format!("list/{}", words.join("/")), value),
                _ => ("string".to_owned(), value),
            };
            format!("[{kind}] {} {value}", param.name)
        })
        .collect();
    lines.push(format!("[bool] {DRAWS_LIVE} {}", bit(session.draws_live)));
    lines.push(format!("[bool] {POINTS} {}", bit(session.point_mode.is_on())));
    Ok(lines.join("\n"))
}

fn set_param(session: &mut Session, args: Args) -> Result<String, CommandError> {
    let (name, value) = args.text().split_once(' ').ok_or_else(|| args.usage_error())?;
    let value = value.trim_start_matches(' ');
    let switch = |value| match value {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err(CommandError::Syntax(format!("{name} must be 1 or 0, not '{value}'"))),
    };
    match name {
        DRAWS_LIVE => session.draws_live = switch(value)?,
        POINTS => session.point_mode.set(switch(value)?),
        _ => {
            let param = find_param(name)?;
            if param.is_for(ParamUse::Rule) {
                return Err(CommandError::Syntax(format!(
                    "{name} cannot change here: start both programs with --{name}"
                )));
            }
            let value = match (&param.kind, value) {
                (ParamKind::Switch, "1") => "on",
                (ParamKind::Switch, "0") => "off",
                _ => value,
            };
            param.set(session.engine.options_mut(), value)?;
        }
    }
    Ok(String::new())
}

fn bit(on: bool) -> &'static str {
    if on { "1" } else { "0" }
}

/// The name of the game. The command also switches the single-point mode on: GoGui asks this before
/// it plays.
pub(super) fn game_id(session: &mut Session) -> String {
    // Switching it on again would drop the first point of an unfinished move.
    if !session.point_mode.is_on() {
        session.point_mode.set(true);
    }
    "Ponte".to_owned()
}

/// White's tiles are shown as white stones, Red's as black stones.
pub(super) fn board(session: &mut Session) -> String {
    let position = single_points::position_with_first_tile(session);
    let stone = |cell| match position.tile_at(cell) {
        Some(Color::White) => "O",
        Some(Color::Red) => "X",
        None => ".",
    };
    drawing::board(position.size(), |cell| stone(cell).to_owned())
}

pub(super) fn board_gfx(session: &mut Session) -> String {
    drawing::bridges(session.engine.position())
}

pub(super) fn board_size(session: &mut Session) -> String {
    session.engine.position().size().to_string()
}

pub(super) fn legal_moves(session: &mut Session) -> String {
    let (cells, pass) = single_points::legal_points(session);
    let mut points: Vec<String> = cells.into_iter().map(go_name).collect();
    if pass {
        points.push("pass".to_owned());
    }
    points.join(" ")
}

pub(super) fn side_to_move(session: &mut Session) -> String {
    let is_white = session.engine.position().side() == Color::White;
    if is_white { "white" } else { "black" }.to_owned()
}

pub(super) fn final_result(session: &mut Session) -> String {
    let position = session.engine.position();
    if position.is_over() { position.outcome().to_string() } else { "unknown".to_owned() }
}

/// An empty cell in an answer of type `cboard`.
const EMPTY: &str = "\"\"";

fn cells(mv: Move) -> impl Iterator<Item = Cell> {
    cells_of(mv).into_iter().flatten()
}

/// A win rate as `#rrggbb`: red for 0, yellow for 0.5, green for 1. The constant blue part, 0x40,
/// was chosen to soften the colours.
fn shade(winrate: f64) -> String {
    // Each part reaches its full value at one half, so that the middle is yellow, not brown.
    let part = |share: f64| (255.0 * (2.0 * share).clamp(0.0, 1.0)) as u8;
    format!("#{:02x}{:02x}40", part(1.0 - winrate), part(winrate))
}
