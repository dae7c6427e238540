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
//! **Who is to blame.** An engine that fails loses at once and is ended. So exactly one seat must
//! be responsible for whatever goes wrong. A move counts only when the opponent has accepted it;
//! an opponent that refuses it or crashes fails in the position before the move, and the journal
//! shows that position. The move that ends the game is not sent, because no failure can change
//! the result any more.
//!
//! **Colours and seats.** Seat 0 opens as White. A swap exchanges the colours of the seats and
//! leaves the board alone, so whoever is asked is found by the colour to move.
//!
//! What counts as a failure, by [`FailureKind`]:
//!
//! - `Illegal`: a move that is unreadable or breaks a rule of the game.
//! - `Timeout`: an answer later than the clock plus a margin, legal or not.
//! - `Stall`: no answer within a further `stall`.
//! - `Start`, `Crash`, `Refusal`, `Framing`: no start, the end of the process, a
//!   refused command, or an answer that violates GTP.
//!
//! Games end by the score, by `resign`, or early by an
//! [adjudication](crate::adjudication) that was asked for.

use std::time::{Duration, Instant};

use pontifex::clock::{Clock, Limit};
use pontifex::game::{Color, IllegalMove, Move, Position, Rules, Score};

use crate::adjudication::{AdjudicatedBy, Adjudication, Evaluation, Judge};
use crate::engines::failure::{Failure, FailureKind};
use crate::engines::gtp::read_move;
use crate::engines::match_engine::{GameSetup, Genmove};
use crate::engines::player::Player;

/// Everything that a game is played by, except for the engines.
#[derive(Clone, PartialEq, Debug)]
pub struct GameTask {
    /// The rules. With the pie rule the engines may swap; without it seat 0 is
    /// White throughout.
    pub rules: Rules,
    /// The moves played before the engines search; empty for a game from the empty board.
    pub opening: Vec<Move>,
    /// The limit of each seat; seat 0 opens as White.
    pub limits: [Limit; 2],
    /// By how much an answer may exceed the time before it loses: allowance for the pipe and
    /// for a busy machine. Engines are not told of it.
    pub margin: Duration,
    /// How long after its time a silent engine has stalled. Without a clock, and
    /// for commands other than `genmove`, the whole time for an answer.
    pub stall: Duration,
    /// The seed for engines that have the parameter `seed`.
    pub seed: u64,
    /// Whether engines that can are asked for the evaluation of each move.
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
    /// What the mover said of each position; `None` for moves of the opening and engines that
    /// do not say.
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
    /// By how many seconds each seat's moves exceeded their time; negative if they were in
    /// time, empty without a clock.
    pub overheads: [Vec<f64>; 2],
    /// Seconds from the first command to the last answer.
    pub wall: f64,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The game was played to its end; the score decides.
    Score,
    /// A seat resigned.
    Resignation {
        /// The seat that lost by it.
        seat: usize,
    },
    /// The referee ended it, for the winner or as a draw.
    Adjudication {
        /// The seat that wins; `None` for a draw.
        winner: Option<usize>,
        /// The rule that applied.
        by: AdjudicatedBy,
    },
    /// A seat's engine failed and loses.
    Failure {
        /// The seat that lost by it.
        seat: usize,
        /// What its engine did, and what it left behind.
        failure: Box<Failure>,
    },
}

/// Plays a game. Seat 0 opens as White.
///
/// An engine that fails loses the game and is restarted for its next one. The
/// opening ends at its first illegal move; see [`GameTask::check_opening`].
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
        judge: Judge::new(task.adjudication),
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
    /// The colour of each seat, which a swap exchanges.
    colors: [Color; 2],
    /// By seat: a swap takes no time with it.
    clocks: [Clock; 2],
    moves: Vec<Move>,
    seconds: Vec<f64>,
    evaluations: Vec<Option<Evaluation>>,
    judge: Judge,
    overheads: [Vec<f64>; 2],
}

impl Referee<'_> {
    /// Plays the whole game.
    ///
    /// # Errors
    /// The end, if it comes before that of the rules.
    fn run(&mut self) -> Result<(), GameEnd> {
        self.prepare()?;
        while !self.position.is_over() {
            let seat = seat_of(self.colors, self.position.side());
            let (mv, seconds, evaluation) = self.ask_for_move(seat)?;
            let mut after = self.position;
            // The move counts once the opponent has accepted it. A failure after
            // the last move cannot change the result.
            if after.play(mv).is_ok() && !after.is_over() {
                self.send_move(1 - seat, mv)?;
            }
            self.make_move(mv, seconds, evaluation);
            self.adjudicate(seat)?;
        }
        Ok(())
    }

    /// Ends the game if a rule says so after a move of `seat`. A proof has the last word: it
    /// cannot be wrong, and an evaluation can.
    fn adjudicate(&mut self, seat: usize) -> Result<(), GameEnd> {
        if self.position.is_over() {
            return Ok(());
        }
        let evaluation = self.evaluations.last().copied().flatten();
        let mut ended = self.judge.by_evaluation(seat, self.moves.len(), evaluation);
        if let Some(bounds) = self.judge.by_proof(&self.position) {
            let winner = bounds.winner().map(|color| seat_of(self.colors, color));
            ended = Some((winner, AdjudicatedBy::Proof));
        }
        ended.map_or(Ok(()), |(winner, by)| Err(GameEnd::Adjudication { winner, by }))
    }

    /// Sets up both engines and plays the opening.
    fn prepare(&mut self) -> Result<(), GameEnd> {
        let GameTask { rules, limits, seed, stall, evaluations, adjudication, .. } = *self.task;
        let evaluations = evaluations || adjudication.needs_evaluations();
        // Only the answer to the first turn can be a swap.
        let may_swap = self.task.opening.len() < 2;
        for (seat, limit) in limits.into_iter().enumerate() {
            let setup = GameSetup { rules, limit, seed, may_swap, stall, evaluations };
            let prepared = self.players[seat].new_game(&setup);
            prepared.map_err(|failure| self.lost_by(seat, failure))?;
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
        let sent = self.players[seat].play(self.position.side(), mv);
        sent.map_err(|failure| self.lost_by(seat, failure))
    }

    /// Plays a legal move.
    fn make_move(&mut self, mv: Move, seconds: f64, evaluation: Option<Evaluation>) {
        for step in self.position.steps_of(mv) {
            self.position.make(step);
        }
        if mv == Move::Swap {
            self.colors.swap(0, 1);
        }
        self.moves.push(mv);
        self.seconds.push(seconds);
        self.evaluations.push(evaluation);
    }

    /// Asks `seat`, which is to move, for a legal move in time. Returns the move,
    /// its seconds, which are taken off the seat's clock, and its evaluation.
    ///
    /// # Errors
    /// The seat resigned or failed.
    fn ask_for_move(&mut self, seat: usize) -> Result<(Move, f64, Option<Evaluation>), GameEnd> {
        let GameTask { margin, stall, .. } = *self.task;
        let color = self.position.side();
        let clock = self.clocks[seat];
        // `allowed`: later answers lose. `patience`: nobody waits longer for one. An answer
        // between the two is read, so that the journal says how late it was.
        let allowed = clock.allowed().map(|time| time.duration().saturating_add(margin));
        let patience = allowed.map_or(stall, |allowed| allowed.saturating_add(stall));
        let player = &mut *self.players[seat];
        let clock_set = match clock.time_left() {
            Some(left) => player.time_left(color, left),
            None => Ok(()),
        };
        let asked = Instant::now();
        let answer = clock_set.and_then(|()| player.genmove(color, patience));
        let Genmove { text, elapsed, evaluation } = answer.map_err(|failure| {
            // A stalled engine gave no answer to be timed, but its wait belongs to the worst.
            if failure.kind == FailureKind::Stall {
                self.overheads[seat].extend(clock.overhead(asked.elapsed().into()));
            }
            self.lost_by(seat, failure)
        })?;
        let seconds = elapsed.as_secs_f64();
        self.overheads[seat].extend(clock.overhead(elapsed.into()));
        // Time first: a late answer loses whatever it says, even `resign`.
        let accepted = match allowed {
            Some(allowed) if elapsed > allowed => {
                let (allowed, margin) = (allowed.as_secs_f64(), margin.as_secs_f64());
                let detail = format!(
                    "answered after {seconds:.3} s; allowed were {allowed:.3} s, including a margin of {margin:.3} s"
                );
                Err((FailureKind::Timeout, detail))
            }
            _ => read_move(&text, &self.position)
                .map_err(|error| (FailureKind::Illegal, error.to_string())),
        };
        match accepted {
            Ok(Some(mv)) => {
                self.clocks[seat].spend(elapsed.into());
                Ok((mv, seconds, evaluation))
            }
            Ok(None) => Err(GameEnd::Resignation { seat }),
            Err((kind, detail)) => {
                let failure = self.players[seat].reject_move(color, kind, detail);
                Err(self.lost_by(seat, failure))
            }
        }
    }

    /// The end of the game by a failure in the current position.
    fn lost_by(&self, seat: usize, mut failure: Box<Failure>) -> GameEnd {
        failure.position = Some(self.position.to_string());
        GameEnd::Failure { seat, failure }
    }
}
