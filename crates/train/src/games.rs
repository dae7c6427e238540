//! Games as training data: self-play games with their searches, and records of any origin.
//!
//! A game is visited in two ways. `for_each` visits every position, for the value.
//! `for_each_choice` visits those that have a target for the prior. In a self-play game these are
//! the positions of full searches, with the shares of their visits. In a record they are all
//! positions, with the moves played.
//!
//! A turn of two tiles is unordered, but the prior chooses one tile after the other. A record
//! therefore counts for both orders, with half the weight each:
//!
//! ```text
//!   before the turn    target  a: ½, b: ½     weight 1
//!   after a            target  b: 1           weight ½
//!   after b            target  a: 1           weight ½
//! ```

use pontifex::board::Cell;
use pontifex::game::{Color, Move, Position, Step};
use pontifex::notation::{GameResult, Record, ReplayError};
use thiserror::Error;

use crate::selfplay::{Kind, Played};

/// A legal game and its result.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// The result for White: 1, ½ or 0.
    white: f32,
    /// White's points minus Red's at the end; `None` if the game was not finished.
    lead: Option<f32>,
    /// The self-play game with its searches; `None` for a record.
    selfplay: Option<Played>,
}

/// Why a record cannot be used as training data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameError {
    /// A move is illegal.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// A step of a self-play game is illegal.
    #[error("a step is illegal")]
    Step,
    /// The game is not finished and has no result.
    #[error("it was not played to its end and names no winner")]
    NoResult,
}

/// A position of a game.
pub(super) struct Sample<'a> {
    pub(super) position: &'a Position,
    /// The target of the prior: steps and their probabilities, 1 in all.
    pub(super) steps: &'a [(Step, f32)],
    /// The weight in sums: ½ after one tile of a turn whose order is unknown, otherwise 1.
    pub(super) weight: f32,
    /// The result that a full search expected for the side to move; `None` without one.
    pub(super) value: Option<f32>,
}

impl Game {
    /// The game of a record.
    ///
    /// # Errors
    /// When a move is illegal, or the game is not finished and names no winner.
    pub fn new(record: &Record) -> Result<Game, GameError> {
        let start = record.position_after(0)?;
        let end = record.position_after(record.moves.len())?;
        let moves = record.moves.iter().map(|played| played.mv).collect();
        // The board decides if it can; a record may name another result.
        let outcome = match record.result {
            _ if end.is_over() => Some(end.outcome()),
            Some(GameResult::Played(outcome)) => Some(outcome),
            _ => None,
        };
        let winner = match (outcome, record.result) {
            (Some(outcome), _) => outcome.winner(),
            (None, Some(result @ GameResult::Won { .. })) => result.winner(),
            _ => return Err(GameError::NoResult),
        };
        let (white, lead) = (white_result(winner), white_lead(&end));
        Ok(Game { start, moves, white, lead, selfplay: None })
    }

    /// A self-play game, including its random opening turns.
    ///
    /// # Errors
    /// [`GameError::Step`] when a step is illegal.
    pub fn from_selfplay(played: Played) -> Result<Game, GameError> {
        let start = Position::new(played.rules);
        let end = played.replay(|_| {}).ok_or(GameError::Step)?;
        let mut moves = Vec::new();
        let mut first = None;
        for step in &played.steps {
            match (step.step, first.take()) {
                (Step::Tile(cell), None) => first = Some(cell),
                (Step::Tile(cell), Some(first)) => moves.push(Move::tiles(first, cell)),
                (step, _) => moves.extend(step.as_move()),
            }
        }
        let white = white_result(end.outcome().winner());
        Ok(Game { start, moves, white, lead: white_lead(&end), selfplay: Some(played) })
    }

    /// The position at the start.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// All its moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The result for `color`: 1, ½ or 0.
    pub fn result(&self, color: Color) -> f32 {
        if color == Color::White { self.white } else { 1.0 - self.white }
    }

    /// The lead of `color` in points at the end; `None` if the game was not finished.
    pub(super) fn lead(&self, color: Color) -> Option<f32> {
        self.lead.map(|lead| if color == Color::White { lead } else { -lead })
    }

    /// Visits the positions that have a target for the prior. In a self-play game these are all
    /// that were searched in full, with the shares of the visits. In a record they are the
    /// positions of [`Game::for_each`].
    pub(super) fn for_each_choice(&self, skip: usize, mut visit: impl FnMut(&Sample<'_>)) {
        let Some(selfplay) = &self.selfplay else { return self.for_each(skip, visit) };
        selfplay.replay(|step| {
            let visits = &step.played.visits;
            let total: u32 = visits.iter().map(|&(_, visits)| visits).sum();
            if step.played.kind != Kind::Full || total == 0 {
                return;
            }
            let share = |&(step, visits): &(Step, u32)| (step, visits as f32 / total as f32);
            let steps: Vec<(Step, f32)> = visits.iter().map(share).collect();
            let value = Some(step.played.winrate);
            visit(&Sample { position: step.position, steps: &steps, weight: 1.0, value });
        });
    }

    /// Visits every position after the first `skip` turns. Between the two tiles of a turn it
    /// visits the positions after either tile, with half the weight each.
    pub(super) fn for_each(&self, skip: usize, mut visit: impl FnMut(&Sample<'_>)) {
        let mut position = self.start;
        for (n, &mv) in self.moves.iter().enumerate() {
            if n >= skip {
                visit_move(&position, mv, &mut visit);
            }
            for step in mv.steps() {
                position.make(step);
            }
        }
    }
}

/// Visits `position` and, if `mv` places two tiles, the positions between.
fn visit_move(position: &Position, mv: Move, visit: &mut impl FnMut(&Sample<'_>)) {
    match mv {
        Move::Tiles(a, b) => {
            let steps = &[(Step::Tile(a), 0.5), (Step::Tile(b), 0.5)];
            visit(&Sample { position, steps, weight: 1.0, value: None });
            let mut half = |first: Cell, second: Cell| {
                let mut half_turn = *position;
                half_turn.make(Step::Tile(first));
                let steps = &[(Step::Tile(second), 1.0)];
                visit(&Sample { position: &half_turn, steps, weight: 0.5, value: None });
            };
            half(a, b);
            half(b, a);
        }
        // The prior does not choose swaps.
        Move::Swap => {}
        Move::Bridge(..) | Move::Pass => {
            let steps: Vec<(Step, f32)> = mv.steps().map(|step| (step, 1.0)).collect();
            visit(&Sample { position, steps: &steps, weight: 1.0, value: None });
        }
    }
}

/// The result for White: 1, ½ or 0.
fn white_result(winner: Option<Color>) -> f32 {
    winner.map_or(0.5, |winner| f32::from(u8::from(winner == Color::White)))
}

/// White's points minus Red's if the game is over.
fn white_lead(position: &Position) -> Option<f32> {
    let points = |color| f32::from(position.score(color).points);
    position.is_over().then(|| points(Color::White) - points(Color::Red))
}

/// Splits games into those to fit and those to measure on. One game in `nth` is held out, in pairs;
/// none if `nth` is 0. The two games of an opening in a match are adjacent, and pairs mostly keep
/// them together.
pub fn hold_out(games: Vec<Game>, nth: usize) -> (Vec<Game>, Vec<Game>) {
    let (mut fitted, mut held_out) = (Vec::new(), Vec::new());
    for (n, game) in games.into_iter().enumerate() {
        // By number, not at random: two fits of the same games leave out the same ones.
        let is_held_out = nth > 0 && (n / 2) % nth == nth - 1;
        if is_held_out { &mut held_out } else { &mut fitted }.push(game);
    }
    (fitted, held_out)
}
