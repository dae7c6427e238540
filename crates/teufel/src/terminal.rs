//! A game at the terminal: a person against one to five engines.

use std::io::{self, BufRead, Write};

use super::card::Colour;
use super::line::ACTIONS;
use super::session::Session;
use super::table::{Decision, Table};

const LEGEND: &str = "\
On the board: ?? face down, (bA) face down but known to you, bA blue's A (k is black), !! a devil,
^^ a tower, @@ the devil's head, <bg the sledges of blue and green.
Besides actions you can type legal, board, undo, help and quit.";

/// Plays a game to its end, `quit` or the end of input. `session` plays the other
/// colours.
///
/// # Errors
/// Reading or writing failed.
pub fn play_at_terminal(
    mut session: Session,
    person: Colour,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let (mut lines, mut text) = (input.lines(), String::new());
    writeln!(output, "You are {person}. 'help' lists what you can type.")?;
    while session.game.table.decision != Decision::Over {
        let chooser = session.game.table.chooser;
        if chooser != person {
            let line = session.genmove(chooser).map_err(io::Error::other)?;
            writeln!(output, "{chooser}: {line}")?;
            continue;
        } else if text.is_empty() {
            text = format!("\n{}", session.game.seen(Some(person)).picture());
        }
        write!(output, "{text}\n{person}> ")?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return writeln!(output) };
        let answer = match line.trim_start_matches('\u{feff}').trim() {
            "" | "board" => Ok(String::new()),
            "quit" => return Ok(()),
            "help" => Ok(format!("{}\n{LEGEND}", ACTIONS.join("\n"))),
            "legal" => Ok(legal(&session.game.table)),
            "undo" => session.undo_to(Some(person)),
            action => session.play(person, action),
        };
        text = answer.unwrap_or_else(|error| error.to_string());
    }
    let table = &session.game.table;
    writeln!(output, "\n{}\n", table.picture())?;
    table.colours().try_for_each(|who| writeln!(output, "{who}: rank {}", table.rank(who)))
}

/// The legal actions, with the many swaps in one line.
fn legal(table: &Table) -> String {
    let (swaps, mut lines): (Vec<_>, Vec<_>) =
        table.actions().into_iter().partition(|line| line.starts_with("swap"));
    lines.extend(swaps.first().map(|_| format!("swap two of {}", table.movable())));
    lines.join("\n")
}
