//! The dealer as a program: requests in the framing of the Go Text Protocol, and their answers;
//! `docs/teufel.md` documents the commands. Also a game at the terminal: a person against one to
//! five engines.

use std::io::{self, BufRead, Write};
use std::mem::replace;

use super::board::{CARDS, CELLS, Cell, Cells, Colour, MAX_PLAYERS};
use super::game::{ACTIONS, Game, name};
use super::rules::{Refusal, syntax};
use super::search::{Limits, search};
use super::table::{Decision, Table};
use pontifex::gtp::{MAX_LINE, Request, frame, read_line};

/// The commands and their arguments.
const COMMANDS: &str = "protocol_version, name, version, known_command NAME, list_commands, \
    quit, clear_board, players 2..6, seed NUMBER, \
    bordered CELL CELL CELL CELL CELL CELL, place COLOUR CELL, play COLOUR ACTION, \
    genmove COLOUR, legal_actions COLOUR, showboard [COLOUR], status, undo";

type Answer = Result<String, Refusal>;

/// A game with its dealer, and the settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Session {
    players: usize,
    bordered: Cells,
    limits: Limits,
    /// The seed of the present deal.
    seed: u64,
    game: Game,
    /// The game before every line, for `undo`.
    earlier: Vec<Game>,
    is_over: bool,
}

impl Session {
    /// A session for two to six players. The limits are those of `genmove`.
    pub fn new(players: usize, limits: Limits, seed: u64) -> Session {
        let (bordered, earlier) = (Cells::BORDERED, Vec::new());
        let game = Game::new(players, bordered, seed);
        Session { players, bordered, limits, seed, game, earlier, is_over: false }
    }

    /// The framed answer to a line; `None` for an empty line or a comment. A command that fails
    /// changes nothing.
    pub fn answer_line(&mut self, line: &[u8]) -> Option<String> {
        let request = Request::parse(line)?;
        let words: Vec<&str> = request.arguments.split_whitespace().collect();
        let answer = self.run(&request.command, &words).map_err(|error| error.to_string());
        Some(frame(request.id.as_deref(), answer.as_deref().map_err(String::as_str)))
    }

    /// Answers all lines, until `quit` or the end of input.
    ///
    /// # Errors
    /// Writing failed.
    pub fn serve(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        while let Some((line, is_cut)) = (!self.is_over).then(|| read_line(&mut input)).flatten() {
            let error = format!("syntax error: the line is longer than {MAX_LINE} bytes");
            let answer =
                is_cut.then(|| frame(None, Err(&error))).or_else(|| self.answer_line(&line));
            output.write_all(answer.unwrap_or_default().as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }

    fn run(&mut self, command: &str, words: &[&str]) -> Answer {
        let commands = || COMMANDS.split(", ");
        let unknown = || Refusal("unknown command".to_owned());
        let usage = |command: &str| commands().find(|usage| name(usage) == command);
        match (command, words) {
            ("protocol_version", []) => Ok("2".to_owned()),
            ("name", []) => Ok("pontifex teufel".to_owned()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name]) => Ok(usage(name).is_some().to_string()),
            ("list_commands", []) => Ok(commands().map(name).collect::<Vec<_>>().join("\n")),
            ("quit", []) => {
                self.is_over = true;
                Ok(String::new())
            }
            ("clear_board", []) => {
                Ok(self.deal(self.players, self.bordered, self.seed.wrapping_add(1)))
            }
            ("players", [number]) => {
                let number =
                    number.parse().ok().filter(|number| (2..=MAX_PLAYERS).contains(number));
                let number = number.ok_or_else(|| syntax("players 2..6"))?;
                Ok(self.deal(number, self.bordered, self.seed))
            }
            ("seed", [number]) => {
                let seed = number.parse().map_err(|_| syntax("seed 0..2^64-1"))?;
                Ok(self.deal(self.players, self.bordered, seed))
            }
            ("bordered", names) if names.len() == CELLS - CARDS - 1 => {
                let cells: Cells = names.join(",").parse().map_err(syntax)?;
                let cells = Some(cells).filter(|cells| !cells.contains(Cell::HEAD));
                let cells = cells.ok_or_else(|| syntax("the devil's head cannot be bordered"))?;
                Ok(self.deal(self.players, cells, self.seed))
            }
            ("place", [player, cell]) => self.play(self.colour(player)?, &format!("place {cell}")),
            ("play", [player, action @ ..]) if !action.is_empty() => {
                self.play(self.colour(player)?, &action.join(" "))
            }
            ("genmove", [player]) => self.genmove(self.colour(player)?),
            ("legal_actions", [player]) => {
                self.game.table.check_chooser(self.colour(player)?)?;
                Ok(self.game.table.actions().join("\n"))
            }
            ("showboard", [] | [_]) => {
                let player = words.first().map(|name| self.colour(name)).transpose()?;
                Ok(format!("\n{}", self.game.visible_to(player).picture()))
            }
            ("status", []) => Ok(self.game.table.status()),
            ("undo", []) => self.undo_to(None),
            ("", _) => Err(syntax("a request number without a command")),
            _ => Err(usage(command).map_or_else(unknown, syntax)),
        }
    }

    /// Deals a new game. Returns the empty answer.
    fn deal(&mut self, players: usize, bordered: Cells, seed: u64) -> String {
        (self.players, self.bordered, self.seed) = (players, bordered, seed);
        self.game = Game::new(players, bordered, seed);
        self.earlier.clear();
        String::new()
    }

    /// The colour with this name, if it plays.
    fn colour(&self, name: &str) -> Result<Colour, Refusal> {
        let colour: Colour = name.parse().map_err(syntax)?;
        let plays = (colour.index() < self.players).then_some(colour);
        plays.ok_or_else(|| syntax(format!("{colour} is not among {} players", self.players)))
    }

    /// Takes back a line, or all since a colour's last decision.
    fn undo_to(&mut self, player: Option<Colour>) -> Answer {
        let fits = |game: &Game| player.is_none_or(|player| game.table.chooser == player);
        let error = || Refusal("cannot undo".to_owned());
        let last = self.earlier.iter().rposition(fits).ok_or_else(error)?;
        self.game = self.earlier.swap_remove(last);
        self.earlier.truncate(last);
        Ok(String::new())
    }

    fn play(&mut self, player: Colour, line: &str) -> Answer {
        let mut game = self.game.clone();
        game.play(player, line)?;
        self.earlier.push(replace(&mut self.game, game));
        Ok(String::new())
    }

    /// Decides the rest of a colour's turn, decision by decision.
    fn genmove(&mut self, player: Colour) -> Answer {
        let mut game = self.game.clone();
        game.table.check_chooser(player)?;
        let mut lines = Vec::new();
        while game.table.check_chooser(player).is_ok() {
            let seed = search_seed(self.seed, (self.earlier.len() + lines.len()) as u64);
            let step = search(&game.view(), self.limits, seed);
            lines.push(game.table.line(step));
            game.take(step)?;
        }
        self.earlier.push(replace(&mut self.game, game));
        Ok(lines.join(" "))
    }
}

/// A seed for a decision, unrelated to that of the deal: with the dealer's own random numbers the
/// search would draw the dealer's cards.
pub(super) fn search_seed(seed: u64, number: u64) -> u64 {
    // Any constants will do. The second is 2^64 over the golden ratio, which spreads small numbers.
    (seed ^ 0x5EED_7E0F_E17E_0FE1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number)
}

const LEGEND: &str = "\
On the board: ?? face down, (bA) face down but known to you, bA blue's A (k is black), !! a devil,
^^ a tower, @@ the devil's head, <bg the sledges of blue and green.
Besides actions you can type legal, board, undo, help and quit.";

/// Plays a game to its end, `quit` or the end of input. `session` plays the other colours.
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
            text = format!("\n{}", session.game.visible_to(Some(person)).picture());
        }
        write!(output, "{text}\n{person}> ")?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return writeln!(output) };
        let answer = match line.trim_start_matches('\u{feff}').trim() {
            "" | "board" => Ok(String::new()),
            "quit" => return Ok(()),
            "help" => Ok(format!("{}\n{LEGEND}", ACTIONS.join("\n"))),
            "legal" => Ok(legal_lines(&session.game.table)),
            "undo" => session.undo_to(Some(person)),
            action => session.play(person, action),
        };
        text = answer.unwrap_or_else(|error| error.to_string());
    }
    let table = &session.game.table;
    writeln!(output, "\n{}\n", table.picture())?;
    table.colours().try_for_each(|player| writeln!(output, "{player}: rank {}", table.rank(player)))
}

/// The legal actions, with the many swaps in one line.
fn legal_lines(table: &Table) -> String {
    let (swaps, mut lines): (Vec<_>, Vec<_>) =
        table.actions().into_iter().partition(|line| line.starts_with("swap"));
    lines.extend(swaps.first().map(|_| format!("swap two of {}", table.movable())));
    lines.join("\n")
}
