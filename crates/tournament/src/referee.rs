//! The referee: plays one game between two engines.
//!
//! The referee has its own [`Position`] and trusts no engine. Each turn goes like this, with the
//! engine to move in `seat`:
//!
//! ```text
//! referee                 engine in `seat`          opponent
//!   time_left ──────────────>
//!   genmove ────────────────>
//!   <────────────── d4,e6      late? Timeout. illegal? Illegal. `resign`? over
//!   play d4,e6 ───────────────────────────────────────>
//!   <──────────────────────────────────────────── =     refused? the opponent has failed
//!   the move counts: position, clock, evaluation
//!   adjudication
//! ```
//!
//! **Blame.** An engine that fails loses at once and is ended, so exactly one seat must be
//! responsible for every failure. A move counts only after the opponent has accepted it. An
//! opponent that refuses it or crashes fails in the position before the move, and the journal shows
//! that position. A move that ends the game is not sent to the opponent, because a failure could no
//! longer change the result.
//!
//! **Colours and seats.** Seat 0 opens as White. A swap exchanges the colours of the seats and
//! leaves the board alone. Players, clocks and overheads belong to seats, and the seat to ask is
//! looked up by the colour to move:
//!
//! ```text
//! turn          1        2             3        4
//! to move       White    Red           Red      White
//! seat          0        1 (swaps)     0        1
//! ```
//!
//! So across a swap Red is to move twice in a row, while the seats keep alternating.
//!
//! **Time.** Three limits follow each other. Only the first is known to the engine:
//!
//! ```text
//! command            allowed         + margin                + stall
//!    ├──────────────────┼────────────────┼───────────────────────┤
//!    │     in time      │   tolerated    │  loses by Timeout,    │ killed:
//!    │                  │                │  but is still timed   │ Stall
//! ```
//!
//! **Failures** by [`FailureKind`]:
//!
//! - `Illegal`: a move that is unreadable or breaks a rule of the game.
//! - `Timeout`: an answer later than the clock plus `margin`, legal or not.
//! - `Stall`: no answer for a further `stall`.
//! - `Start`, `Crash`, `Refusal`, `Framing`: no start, the end of the process, a refused command,
//!   or an answer that violates GTP.
//!
//! Games without a failure end by the score, by `resign`, or early by an
//! [adjudication](crate::adjudication) if the tournament has one.

use std::time::{Duration, Instant};

use pontifex::clock::{Clock, Limit};
use pontifex::game::{Color, IllegalMove, Move, Position, Rules, Score};

use crate::adjudication::{AdjudicatedBy, Adjudication, Adjudicator, Evaluation};
use crate::engines::failure::{Failure, FailureKind};
use crate::engines::gtp::read_move;
use crate::engines::match_engine::{GameSetup, Genmove};
use crate::engines::player::Player;

/// The settings of a game: everything but the engines.
#[derive(Clone, PartialEq, Debug)]
pub struct GameTask {
    /// The rules. Without the pie rule seat 0 is White throughout.
    pub rules: Rules,
    /// The moves played before the engines search; empty for a game from the empty board.
    pub opening: Vec<Move>,
    /// The limit of each seat; seat 0 opens as White.
    pub limits: [Limit; 2],
    /// By how much an answer may exceed its time before the engine loses. This allows for delays of
    /// the pipe and of a busy machine. Engines do not know the margin.
    pub margin: Duration,
    /// How long after its time a silent engine is killed. Without a clock, and for commands other
    /// than `genmove`, the longest time for an answer.
    pub stall: Duration,
    /// The seed for engines that have the parameter `seed`.
    pub seed: u64,
    /// Whether engines that support it are asked to evaluate each move.
    pub evaluations: bool,
    /// When the game ends early; by default never.
    pub adjudication: Adjudication,
}

impl GameTask {
    /// Checks that the opening is legal.
    ///
    /// # Errors
    /// The number of the first illegal move, from 0, and the rule it breaks.
    pub fn check_opening(&self) -> Result<(), (usize, IllegalMove)> {
        let mut position = Position::new(self.rules);
        for (number, &mv) in self.opening.iter().enumerate() {
            position.play(mv).map_err(|reason| (number, reason))?;
        }
        Ok(())
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame {
    /// All moves, including those of the opening.
    pub moves: Vec<Move>,
    /// The seconds of each move; 0 for those of the opening.
    pub seconds: Vec<f64>,
    /// The mover's evaluation before each move; `None` for moves of the opening, and if the engine
    /// gave none.
    pub evaluations: Vec<Option<Evaluation>>,
    /// The scores of White and Red in the final position.
    pub scores: [Score; 2],
    /// The final position, as position text.
    pub position: String,
    /// The final colour of each seat: after a swap seat 0 is Red.
    pub colors: [Color; 2],
    /// The seat that won; `None` in a draw.
    pub winner: Option<usize>,
    /// Why the game ended.
    pub end: GameEnd,
    /// By how many seconds each move exceeded its time, by seat. Negative if it was in time; empty
    /// without a clock.
    pub overheads: [Vec<f64>; 2],
    /// Seconds from the first command to the last answer, with the time between moves.
    pub wall: f64,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The game was played to its end; the score decides.
    Score,
    /// A seat resigned.
    Resignation {
        /// The seat that resigned and lost.
        seat: usize,
    },
    /// The referee ended the game early.
    Adjudication {
        /// The seat that wins; `None` for a draw.
        winner: Option<usize>,
        /// The rule that applied.
        by: AdjudicatedBy,
    },
    /// A seat's engine failed and loses.
    Failure {
        /// The seat whose engine failed.
        seat: usize,
        /// The record of the failure.
        failure: Box<Failure>,
    },
}

/// Plays a game. Seat 0 opens as White.
///
/// An engine that fails loses the game and is restarted for its next one. The opening ends at its
/// first illegal move; see [`GameTask::check_opening`].
pub fn play_game(players: [&mut Player; 2], task: &GameTask) -> PlayedGame {
    let start = Instant::now();
    let mut referee = Referee {
        players,
        task,
        position: Position::new(task.rules),
        colors: Color::BOTH,
        clocks: task.limits.map(Clock::new),
        moves: Vec::new(),
        seconds: Vec::new(),
        evaluations: Vec::new(),
        adjudicator: Adjudicator::new(task.adjudication),
        overheads: [Vec::new(), Vec::new()],
    };
    let end = referee.run().err().unwrap_or(GameEnd::Score);
    let Referee { position, colors, moves, seconds, evaluations, overheads, .. } = referee;
    let winner = match end {
        GameEnd::Score => position.outcome().winner().map(|color| seat_of(colors, color)),
        GameEnd::Adjudication { winner, .. } => winner,
        GameEnd::Resignation { seat } | GameEnd::Failure { seat, .. } => Some(1 - seat),
    };
    PlayedGame {
        moves,
        seconds,
        evaluations,
        scores: Color::BOTH.map(|color| position.score(color)),
        position: position.to_string(),
        colors,
        winner,
        end,
        overheads,
        wall: start.elapsed().as_secs_f64(),
    }
}

/// The seat that has `color` now.
fn seat_of(colors: [Color; 2], color: Color) -> usize {
    usize::from(colors[0] != color)
}

/// A game in progress.
struct Referee<'a> {
    players: [&'a mut Player; 2],
    task: &'a GameTask,
    position: Position,
    /// The colour of each seat. A swap exchanges them.
    colors: [Color; 2],
    /// By seat, so that an engine keeps its clock after a swap.
    clocks: [Clock; 2],
    moves: Vec<Move>,
    seconds: Vec<f64>,
    evaluations: Vec<Option<Evaluation>>,
    adjudicator: Adjudicator,
    overheads: [Vec<f64>; 2],
}

impl Referee<'_> {
    /// Plays the whole game.
    ///
    /// # Errors
    /// The end of a game that the score does not decide. It is an `Err` so that `?` leaves the turn
    /// from anywhere; a resignation is no fault.
    fn run(&mut self) -> Result<(), GameEnd> {
        self.prepare()?;
        while !self.position.is_over() {
            let seat = seat_of(self.colors, self.position.side());
            let (mv, seconds, evaluation) = self.ask_for_move(seat)?;
            let mut next_position = self.position;
            // The opponent must accept the move before it counts. The last move of a game is not
            // sent.
            if next_position.play(mv).is_ok() && !next_position.is_over() {
                self.send_move(1 - seat, mv)?;
            }
            self.make_move(mv, seconds, evaluation);
            self.adjudicate(seat)?;
        }
        Ok(())
    }

    /// Ends the game if an adjudication rule applies after a move of `seat`. A proof overrules an
    /// evaluation, because it cannot be wrong.
    fn adjudicate(&mut self, seat: usize) -> Result<(), GameEnd> {
        if self.position.is_over() {
            return Ok(());
        }
        let evaluation = self.evaluations.last().copied().flatten();
        let mut ending = self.adjudicator.count_evaluation(seat, self.moves.len(), evaluation);
        if let Some(bounds) = self.adjudicator.prove_result(&self.position) {
            let winner = bounds.winner().map(|color| seat_of(self.colors, color));
            ending = Some((winner, AdjudicatedBy::Proof));
        }
        ending.map_or(Ok(()), |(winner, by)| Err(GameEnd::Adjudication { winner, by }))
    }

    /// Sets up both engines and plays the opening.
    fn prepare(&mut self) -> Result<(), GameEnd> {
        let GameTask { rules, limits, seed, stall, evaluations, adjudication, .. } = *self.task;
        let evaluations = evaluations || adjudication.needs_evaluations();
        // Only the answer to the first turn can be a swap.
        let may_swap = self.task.opening.len() < 2;
        for (seat, limit) in limits.into_iter().enumerate() {
            let setup = GameSetup { rules, limit, seed, may_swap, stall, evaluations };
            let result = self.players[seat].new_game(&setup);
            result.map_err(|failure| self.end_by_failure(seat, failure))?;
        }
        for &mv in &self.task.opening {
            if self.position.check(mv).is_err() {
                break;
            }
            self.send_move(0, mv)?;
            self.send_move(1, mv)?;
            self.make_move(mv, 0.0, None);
        }
        Ok(())
    }

    /// Sends the move of the side to move to a seat.
    fn send_move(&mut self, seat: usize, mv: Move) -> Result<(), GameEnd> {
        let result = self.players[seat].play(self.position.side(), mv);
        result.map_err(|failure| self.end_by_failure(seat, failure))
    }

    /// Plays a legal move.
    fn make_move(&mut self, mv: Move, seconds: f64, evaluation: Option<Evaluation>) {
        for step in mv.steps() {
            self.position.make(step);
        }
        if mv == Move::Swap {
            self.colors.swap(0, 1);
        }
        self.moves.push(mv);
        self.seconds.push(seconds);
        self.evaluations.push(evaluation);
    }

    /// Asks `seat`, which must be to move, for a legal move in time. Returns the move, its seconds,
    /// which are subtracted from the seat's clock, and its evaluation.
    ///
    /// # Errors
    /// The seat resigned or failed.
    fn ask_for_move(&mut self, seat: usize) -> Result<(Move, f64, Option<Evaluation>), GameEnd> {
        let GameTask { margin, stall, .. } = *self.task;
        let color = self.position.side();
        let clock = self.clocks[seat];
        // An answer after `deadline` loses; after `timeout` the engine is killed. An answer between
        // the two is still read, so that the journal records how late it was.
        let deadline = clock.allowed().map(|time| time.duration().saturating_add(margin));
        let timeout = deadline.map_or(stall, |deadline| deadline.saturating_add(stall));
        let player = &mut *self.players[seat];
        let clock_set = match clock.time_left() {
            Some(remaining) => player.time_left(color, remaining),
            None => Ok(()),
        };
        let start = Instant::now();
        let answer = clock_set.and_then(|()| player.genmove(color, timeout));
        let Genmove { text, elapsed, evaluation } = answer.map_err(|failure| {
            // A stalled engine gave no answer to time. Without its wait the worst overhead in the
            // report would look harmless.
            if failure.kind == FailureKind::Stall {
                self.overheads[seat].extend(clock.overhead(start.elapsed().into()));
            }
            self.end_by_failure(seat, failure)
        })?;
        let seconds = elapsed.as_secs_f64();
        self.overheads[seat].extend(clock.overhead(elapsed.into()));
        // The time is checked before the text: a late answer loses, whatever it says.
        let result = match deadline {
            Some(deadline) if elapsed > deadline => {
                let (deadline, margin) = (deadline.as_secs_f64(), margin.as_secs_f64());
                let detail = format!(
                    "answered after {seconds:.3} s; the limit was {deadline:.3} s, including a margin of {margin:.3} s"
                );
                Err((FailureKind::Timeout, detail))
            }
            _ => read_move(&text, &self.position)
                .map_err(|error| (FailureKind::Illegal, error.to_string())),
        };
        match result {
            Ok(Some(mv)) => {
                self.clocks[seat].spend(elapsed.into());
                Ok((mv, seconds, evaluation))
            }
            Ok(None) => Err(GameEnd::Resignation { seat }),
            Err((kind, detail)) => {
                let failure = self.players[seat].reject_move(color, kind, detail);
                Err(self.end_by_failure(seat, failure))
            }
        }
    }

    /// The end of the game by a failure of `seat` in the current position.
    fn end_by_failure(&self, seat: usize, mut failure: Box<Failure>) -> GameEnd {
        failure.position = Some(self.position.to_string());
        GameEnd::Failure { seat, failure }
    }
}
