//! The engines of one thread of a run, kept running from game to game.

use crate::engines::failure::Failure;
use crate::engines::player::Player;
use crate::engines::process_groups::ProcessGroups;
use crate::plan::Tournament;
use crate::referee::game::{GameEnd, GameTask, PlayedGame, play_game};
use crate::schedule::games::GameKey;
use pontifex::game::{Color, Position};

/// A finished game with what the run needs to know of its engines.
pub(super) struct Finished {
    pub(super) key: GameKey,
    pub(super) game: PlayedGame,
    /// Identity and checksum of the engines in seats 0 and 1.
    pub(super) versions: [String; 2],
    /// The settings that engines do not support, with the engine's number.
    pub(super) warnings: Vec<(usize, String)>,
}

/// Plays games one after the other. The engines of the last game keep running;
/// there are never more than two.
pub(super) struct Worker<'t> {
    tournament: &'t Tournament,
    groups: &'t ProcessGroups,
    running: Vec<(usize, Player)>,
}

impl<'t> Worker<'t> {
    pub(super) fn new(tournament: &'t Tournament, groups: &'t ProcessGroups) -> Worker<'t> {
        Worker { tournament, groups, running: Vec::new() }
    }

    /// Plays the game of `key`.
    pub(super) fn play(&mut self, key: GameKey) -> Finished {
        let task = self.tournament.task(&key);
        let seats = key.seats();
        for (_, player) in self.running.extract_if(.., |(engine, _)| !seats.contains(engine)) {
            player.quit();
        }
        let mut warnings = Vec::new();
        let game = match self.players(seats) {
            Ok(mut players) => {
                let [first, second] = &mut players;
                let game = play_game([first, second], &task);
                for (engine, player) in seats.into_iter().zip(players) {
                    let own = player.warnings().iter().cloned();
                    warnings.extend(own.map(|warning| (engine, warning)));
                    self.running.push((engine, player));
                }
                game
            }
            Err((seat, failure)) => not_played(&task, seat, failure),
        };
        Finished { key, game, versions: seats.map(|engine| self.version(engine)), warnings }
    }

    /// Asks the engines to quit.
    pub(super) fn quit(self) {
        self.running.into_iter().for_each(|(_, player)| player.quit());
    }

    /// The engines of both seats, started if they are not running.
    ///
    /// # Errors
    /// The seat whose engine does not start, and its failure.
    fn players(&mut self, seats: [usize; 2]) -> Result<[Player; 2], (usize, Box<Failure>)> {
        let [white, red] = seats;
        let first = self.take(white).map_err(|failure| (0, failure))?;
        match self.take(red) {
            Ok(second) => Ok([first, second]),
            Err(failure) => {
                self.running.push((white, first));
                Err((1, failure))
            }
        }
    }

    fn take(&mut self, engine: usize) -> Result<Player, Box<Failure>> {
        if let Some(at) = self.running.iter().position(|&(running, _)| running == engine) {
            return Ok(self.running.swap_remove(at).1);
        }
        let tournament = self.tournament;
        Player::start(&tournament.engines[engine], self.groups, tournament.stall)
    }

    fn version(&self, engine: usize) -> String {
        let player = self.running.iter().find(|(running, _)| *running == engine);
        player.map_or(String::new(), |(_, player)| player.version())
    }
}

/// A game that is lost because an engine does not start.
fn not_played(task: &GameTask, seat: usize, failure: Box<Failure>) -> PlayedGame {
    let mut position = Position::new(task.rules);
    for &mv in &task.opening {
        // `Tournament::check` has checked the openings.
        let _ = position.play(mv);
    }
    PlayedGame {
        moves: task.opening.clone(),
        seconds: vec![0.0; task.opening.len()],
        scores: Color::BOTH.map(|color| position.score(color)),
        position: position.to_string(),
        colors: Color::BOTH,
        winner: Some(1 - seat),
        end: GameEnd::Failure { seat, failure },
        overheads: [Vec::new(), Vec::new()],
        wall: 0.0,
    }
}
