//! The referee: one game between two engines.

use std::time::{Duration, Instant};

use crate::clock::Limit;
use crate::clock::SeatClock;
use crate::game::{Color, IllegalMove, Move, Position, Rules, Score};
use crate::notation::ParseMoveError;
use crate::tournament::engines::failure::{Failure, FailureKind};
use crate::tournament::engines::player::{EngineError, GameSetup, Player};
use crate::tournament::engines::remote::gtp_color;

/// A game to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameTask {
    /// Size, supply, and the pie rule: with `pie` the engines open and swap
    /// by themselves, without it the colours are those of the seats.
    pub rules: Rules,
    /// Moves that are made before the engines think.
    pub opening: Vec<Move>,
    /// What each seat may use; seat 0 opens as White.
    pub limits: [Limit; 2],
    /// How much longer than the limit an answer may take.
    pub margin: Duration,
    /// How long after its time an engine that says nothing is given up; the
    /// deadline itself where no clock runs.
    pub stall: Duration,
    /// What engines that know the parameter `seed` get.
    pub seed: u64,
}

impl GameTask {
    /// Whether the opening can be played and leaves something to play.
    ///
    /// # Errors
    /// Which move (counted from 0) breaks which rule.
    pub fn check_opening(&self) -> Result<(), (usize, IllegalMove)> {
        let mut position = Position::new(self.rules);
        for (number, &mv) in self.opening.iter().enumerate() {
            position.play(mv).map_err(|reason| (number, reason))?;
        }
        Ok(())
    }
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame {
    /// All moves, those of the opening included.
    pub moves: Vec<Move>,
    /// Seconds that each move took, 0 for those of the opening.
    pub seconds: Vec<f64>,
    /// The scores of White and Red on the last position.
    pub scores: [Score; 2],
    /// The last position, as position text.
    pub position: String,
    /// The colour each seat has in the end: after a swap seat 0 is Red.
    pub colors: [Color; 2],
    /// The seat that has won, `None` in a draw.
    pub winner: Option<usize>,
    /// Why it is over.
    pub end: GameEnd,
    /// By how many seconds each seat's moves took longer than they should:
    /// below 0 where it answered earlier. Only where the limit is a time for
    /// one move.
    pub overheads: [Vec<f64>; 2],
    /// Seconds from the first command to the last answer.
    pub wall: f64,
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// By the rules: the score decides.
    Score,
    /// A seat has resigned.
    Resignation {
        /// The seat.
        seat: usize,
    },
    /// A seat's engine has failed and loses.
    Failure {
        /// The seat.
        seat: usize,
        /// How it failed.
        failure: Box<Failure>,
    },
}

/// Plays a game. Seat 0 opens as White.
///
/// An engine that fails loses, and is started anew at its next game. A move
/// of the opening that breaks a rule ends the opening;
/// [`GameTask::check_opening`] says so before.
pub fn play_game(players: [&mut Player; 2], task: &GameTask) -> PlayedGame {
    let start = Instant::now();
    let mut referee = Referee {
        players,
        task,
        position: Position::new(task.rules),
        colors: Color::BOTH,
        clocks: task.limits.map(SeatClock::new),
        moves: Vec::new(),
        seconds: Vec::new(),
        overheads: [Vec::new(), Vec::new()],
    };
    let end = referee.run().unwrap_or_else(|end| end);
    let Referee { position, colors, moves, seconds, overheads, .. } = referee;
    let seat_of = |color| usize::from(colors[0] != color);
    let winner = match end {
        GameEnd::Score => position.outcome().winner().map(seat_of),
        GameEnd::Resignation { seat } | GameEnd::Failure { seat, .. } => Some(1 - seat),
    };
    PlayedGame {
        moves,
        seconds,
        scores: Color::BOTH.map(|color| position.score(color)),
        position: position.to_string(),
        colors,
        winner,
        end,
        overheads,
        wall: start.elapsed().as_secs_f64(),
    }
}

/// A game that goes on.
struct Referee<'a> {
    players: [&'a mut Player; 2],
    task: &'a GameTask,
    position: Position,
    colors: [Color; 2],
    clocks: [SeatClock; 2],
    moves: Vec<Move>,
    seconds: Vec<f64>,
    overheads: [Vec<f64>; 2],
}

impl Referee<'_> {
    /// The whole game; the error is an end before its time.
    fn run(&mut self) -> Result<GameEnd, GameEnd> {
        let GameTask { rules, limits, seed, stall, .. } = *self.task;
        let may_swap = self.task.opening.len() < 2;
        for (seat, limit) in limits.into_iter().enumerate() {
            let setup = GameSetup { rules, limit, seed, may_swap, stall };
            let prepared = self.players[seat].new_game(&setup);
            prepared.map_err(|failure| self.lost(seat, failure))?;
        }
        for &mv in &self.task.opening {
            if self.position.check(mv).is_err() {
                break;
            }
            self.tell(0, mv)?;
            self.tell(1, mv)?;
            self.make(mv, 0.0);
        }
        while !self.position.is_over() {
            let seat = self.seat_to_move();
            let (mv, seconds) = self.ask(seat)?;
            let mut after = self.position;
            // A game that is over cannot be lost any more.
            if after.play(mv).is_ok() && !after.is_over() {
                self.tell(1 - seat, mv)?;
            }
            self.make(mv, seconds);
        }
        Ok(GameEnd::Score)
    }

    fn seat_to_move(&self) -> usize {
        usize::from(self.colors[0] != self.position.side())
    }

    /// Tells a seat the move that is made now.
    fn tell(&mut self, seat: usize, mv: Move) -> Result<(), GameEnd> {
        let told = self.players[seat].play(self.position.side(), mv, self.task.stall);
        told.map_err(|failure| self.lost(seat, failure))
    }

    /// Makes a legal move.
    fn make(&mut self, mv: Move, seconds: f64) {
        for step in self.position.steps_of(mv) {
            self.position.make(step);
        }
        if mv == Move::Swap {
            self.colors.swap(0, 1);
        }
        self.moves.push(mv);
        self.seconds.push(seconds);
    }

    /// A seat's legal move, made in time, and the seconds it took.
    fn ask(&mut self, seat: usize) -> Result<(Move, f64), GameEnd> {
        let GameTask { margin, stall, .. } = *self.task;
        let color = self.position.side();
        let clock = self.clocks[seat];
        let allowed = clock.allowed().map(|seconds| Duration::from_secs_f64(seconds) + margin);
        let patience = allowed.map_or(stall, |allowed| allowed + stall);
        let player = &mut *self.players[seat];
        let told = match clock.time_left() {
            Some(left) => player.time_left(color, left, stall),
            None => Ok(()),
        };
        let answer = told.and_then(|()| player.genmove(color, patience));
        let (text, elapsed) = answer.map_err(|failure| self.lost(seat, failure))?;
        let seconds = elapsed.as_secs_f64();
        self.overheads[seat].extend(clock.overhead(seconds));
        let judged = match allowed {
            Some(allowed) if elapsed > allowed => Err((FailureKind::Timeout, {
                let (allowed, margin) = (allowed.as_secs_f64(), margin.as_secs_f64());
                format!(
                    "answered after {seconds:.3} s, allowed were {allowed:.3} s with a margin of {margin:.3} s"
                )
            })),
            _ => read_move(&text, &self.position).map_err(|detail| (FailureKind::Illegal, detail)),
        };
        match judged {
            Ok(Some(mv)) => {
                self.clocks[seat].spend(seconds);
                Ok((mv, seconds))
            }
            Ok(None) => Err(GameEnd::Resignation { seat }),
            Err((kind, detail)) => {
                let command = format!("genmove {}", gtp_color(color));
                let failure = self.players[seat].fail(EngineError { kind, detail, command });
                Err(self.lost(seat, failure))
            }
        }
    }

    /// A seat's engine has failed in the position as it stands.
    fn lost(&self, seat: usize, mut failure: Box<Failure>) -> GameEnd {
        failure.position = Some(self.position.to_string());
        GameEnd::Failure { seat, failure }
    }
}

/// The legal move that an engine answers, `None` when it resigns.
///
/// # Errors
/// Why it is none, one line.
pub(in crate::tournament) fn read_move(
    text: &str,
    position: &Position,
) -> Result<Option<Move>, String> {
    if text.eq_ignore_ascii_case("resign") {
        return Ok(None);
    }
    let shown = text.lines().next().unwrap_or_default().chars().take(80).collect::<String>();
    let mv: Move = if shown == text { shown.parse() } else { Err(ParseMoveError(shown)) }
        .map_err(|error| error.to_string())?;
    position.check(mv).map_err(|reason| format!("{mv} is illegal: {reason}"))?;
    Ok(Some(mv))
}
