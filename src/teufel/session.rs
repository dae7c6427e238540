//! The dealer as a program: requests in the framing of the Go Text Protocol, and
//! their answers. `docs/teufel.md` documents the commands.

use std::io::{self, BufRead, Write};

use super::card::{CARDS, Colour, MOST};
use super::cells::{CELLS, Cell, Cells};
use super::game::Game;
use super::legal::Refusal;
use super::line::usage;
use super::player::Player;
use super::search::Limits;
use crate::gtp::{Request, frame};

/// The commands and their arguments.
const COMMANDS: [&str; 17] = [
    "protocol_version",
    "name",
    "version",
    "known_command NAME",
    "list_commands",
    "quit",
    "clear_board",
    "players 2..6",
    "seed NUMBER",
    "bordered CELL CELL CELL CELL CELL CELL, none of them d4",
    "place COLOUR CELL",
    "play COLOUR ACTION",
    "genmove COLOUR",
    "legal_actions COLOUR",
    "showboard [COLOUR]",
    "status",
    "undo",
];

/// A game with its dealer, and the settings.
#[derive(Debug)]
pub struct Session {
    player: Player,
    limits: Limits,
    players: usize,
    bordered: Cells,
    /// The seed of the present deal.
    seed: u64,
    /// The game.
    pub game: Game,
    /// The game before every line.
    earlier: Vec<Game>,
    is_over: bool,
}

impl Session {
    /// A session for a number of players, whose `genmove` is played by `player`.
    pub fn new(players: usize, player: Player, limits: Limits, seed: u64) -> Session {
        let bordered = Cells::BORDERED;
        let (game, earlier) = (Game::new(players, bordered, seed), Vec::new());
        Session { player, limits, players, bordered, seed, game, earlier, is_over: false }
    }

    /// The framed answer to a line; `None` for an empty line or a comment. A
    /// command that fails changes nothing.
    pub fn answer_line(&mut self, line: &[u8]) -> Option<String> {
        let request = Request::parse(line)?;
        let words: Vec<&str> = request.arguments.split_whitespace().collect();
        let answer = self.run(&request.command, &words).map_err(|error| error.to_string());
        Some(frame(request.id.as_deref(), answer.as_deref().map_err(String::as_str)))
    }

    /// Answers all lines, until `quit` or the end of input.
    ///
    /// # Errors
    /// Reading or writing failed.
    pub fn serve(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        while !self.is_over && input.read_until(b'\n', &mut line)? > 0 {
            output.write_all(self.answer_line(&line).unwrap_or_default().as_bytes())?;
            output.flush()?;
            line.clear();
        }
        Ok(())
    }

    /// Runs a command.
    fn run(&mut self, command: &str, words: &[&str]) -> Result<String, Refusal> {
        let usage_of = || Refusal::Syntax(usage(&COMMANDS, command).unwrap_or(command).to_owned());
        let mut text = String::new();
        match (command, words) {
            ("protocol_version", []) => text += "2",
            ("name", []) => text += "pontifex teufel",
            ("version", []) => text += env!("CARGO_PKG_VERSION"),
            ("known_command", [name]) => text = usage(&COMMANDS, name).is_some().to_string(),
            ("list_commands", []) => {
                text = COMMANDS.map(|usage| usage.split(' ').next().unwrap_or(usage)).join("\n");
            }
            ("quit", []) => self.is_over = true,
            ("clear_board", []) => self.shuffle(self.seed.wrapping_add(1)),
            ("players", [number]) => {
                let number = number.parse().ok().filter(|number| (2..=MOST).contains(number));
                self.players = number.ok_or_else(usage_of)?;
                self.shuffle(self.seed);
            }
            ("seed", [number]) => self.shuffle(number.parse().map_err(|_| usage_of())?),
            ("bordered", cells) if cells.len() == CELLS - CARDS - 1 => {
                let cells: Cells = cells.join(",").parse().map_err(Refusal::Syntax)?;
                let is_right = !cells.contains(Cell::HEAD);
                self.bordered = is_right.then_some(cells).ok_or_else(usage_of)?;
                self.shuffle(self.seed);
            }
            ("place", [who, cell]) => self.play(self.colour(who)?, &format!("place {cell}"))?,
            ("play", [who, action @ ..]) if !action.is_empty() => {
                self.play(self.colour(who)?, &action.join(" "))?;
            }
            ("genmove", [who]) => text = self.genmove(self.colour(who)?)?,
            ("legal_actions", [who]) => {
                self.game.table().check_chooser(self.colour(who)?)?;
                text = self.game.table().actions().join("\n");
            }
            ("showboard", who @ ([] | [_])) => {
                let who = who.first().map(|name| self.colour(name)).transpose()?;
                text = format!("\n{}", self.game.seen(who).picture());
            }
            ("status", []) => text = self.game.table().status(),
            ("undo", []) => self.undo_to(None)?,
            ("", _) => return Err(Refusal::Syntax("a number without a command".to_owned())),
            _ if usage(&COMMANDS, command).is_some() => return Err(usage_of()),
            _ => return Err(Refusal::Unknown),
        }
        Ok(text)
    }

    /// Deals a new game.
    fn shuffle(&mut self, seed: u64) {
        self.seed = seed;
        self.game = Game::new(self.players, self.bordered, seed);
        self.earlier.clear();
    }

    fn colour(&self, name: &str) -> Result<Colour, Refusal> {
        let colour: Colour = name.parse().map_err(Refusal::Syntax)?;
        if colour.index() < self.players {
            return Ok(colour);
        }
        let error = format!("{colour} does not play: there are {} players", self.players);
        Err(Refusal::Syntax(error))
    }

    /// Takes back a line, or all since a colour's last decision.
    pub(super) fn undo_to(&mut self, who: Option<Colour>) -> Result<(), Refusal> {
        let fits = |game: &Game| who.is_none_or(|who| game.table().chooser == who);
        let last = self.earlier.iter().rposition(fits).ok_or(Refusal::CannotUndo)?;
        self.game = self.earlier.swap_remove(last);
        self.earlier.truncate(last);
        Ok(())
    }

    /// Plays a line for a colour.
    pub(super) fn play(&mut self, who: Colour, line: &str) -> Result<(), Refusal> {
        let before = self.game.clone();
        self.game.play(who, line)?;
        self.earlier.push(before);
        Ok(())
    }

    /// The rest of the colour's turn, decision by decision.
    pub(super) fn genmove(&mut self, who: Colour) -> Result<String, Refusal> {
        self.game.table().check_chooser(who)?;
        self.earlier.push(self.game.clone());
        let turn = self.game.table().turn;
        let mut lines = Vec::new();
        while self.game.table().check_chooser(who).is_ok() && self.game.table().turn == turn {
            let seed = search_seed(self.seed, (self.earlier.len() + lines.len()) as u64);
            let step = self.player.choose(&self.game.view(), self.limits, seed);
            lines.push(self.game.table().line(step));
            self.game.take(step)?;
        }
        Ok(lines.join(" "))
    }
}

/// A seed for a decision, unrelated to that of the deal.
pub(super) fn search_seed(seed: u64, number: u64) -> u64 {
    (seed ^ 0x5EED_7E0F_E17E_0FE1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number)
}
