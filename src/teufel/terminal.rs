//! A game at the terminal: a person against one to five engines.

use std::io::{self, BufRead, Write};

use super::card::Colour;
use super::line::ACTIONS;
use super::session::Session;
use super::table::{Decision, Table};

const COMMANDS: &str = "\
legal - what you can do; board - the board again; undo - your last action; quit - the end
Cells are a1 to g7. On the board ?? is a hidden card, bA blue's A (k is black), (bA) a hidden
card you have seen, !! a devil, ^^ a tower, @@ the devil's head, and <b the sledge of blue.";

/// Plays a game to its end, `quit` or the end of input. The person is blue;
/// `session` plays the other colours.
///
/// # Errors
/// Reading or writing failed.
pub fn play_at_terminal(
    mut session: Session,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let (person, mut lines, mut shows_board) = (Colour::BLUE, input.lines(), true);
    writeln!(output, "You are {person}. 'help' lists what you can type.")?;
    while session.game.table().decision != Decision::Over {
        let chooser = session.game.table().chooser;
        if chooser != person {
            let line = session.genmove(chooser).map_err(io::Error::other)?;
            writeln!(output, "{chooser}: {line}")?;
            shows_board = true;
            continue;
        }
        if shows_board {
            writeln!(output, "\n{}", session.game.seen(Some(person)).picture())?;
        }
        write!(output, "{person}> ")?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return writeln!(output) };
        shows_board = line.trim() == "board";
        let done = match line.trim() {
            "" | "board" => continue,
            "quit" => return Ok(()),
            "help" => {
                writeln!(output, "{}\n{COMMANDS}", ACTIONS.join("\n"))?;
                continue;
            }
            "legal" => {
                writeln!(output, "{}", legal(session.game.table()))?;
                continue;
            }
            "undo" => session.undo_to(Some(person)),
            action => session.play(person, action),
        };
        match done {
            Ok(()) => shows_board = true,
            Err(error) => writeln!(output, "{error}")?,
        }
    }
    let table = session.game.table();
    writeln!(output, "\n{}\n", table.picture())?;
    table.colours().try_for_each(|who| writeln!(output, "{who}: rank {}", table.rank(who)))
}

/// The legal actions, with the many swaps in one line.
fn legal(table: &Table) -> String {
    let (swaps, mut lines): (Vec<_>, Vec<_>) =
        table.actions().into_iter().partition(|line| line.starts_with("swap"));
    if !swaps.is_empty() {
        lines.push(format!("swap two of {}", table.movable()));
    }
    lines.join("\n")
}
