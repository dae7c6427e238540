use thiserror::Error;

use super::selfplay::{Kind, Played};
use crate::board::Cell;
use crate::game::{Color, Move, Outcome, Position, Step};
use crate::notation::{GameResult, Record, ReplayError};

/// Games to learn from, in those to fit to and those held out.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// Those to fit to.
    pub fitted: Vec<Game>,
    /// Those to measure on.
    pub held_out: Vec<Game>,
}

/// A legal game and how it ended.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// The result for White: 1, ½ or 0.
    white: f32,
    /// White's points less Red's at the end; `None` when it was not played to
    /// the end.
    lead: Option<f32>,
    /// A game of self-play with what its searches thought of the steps.
    searched: Option<Played>,
}

/// A record that is of no use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameError {
    /// It cannot be played through.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// It says nothing about its result, and its last move does not end it.
    #[error("it was not played to its end and names no winner")]
    NoResult,
}

/// A position of a game.
pub(super) struct Sample<'a> {
    pub(super) position: &'a Position,
    /// The steps that are wanted there and the share of each, 1 in all.
    pub(super) steps: &'a [(Step, f32)],
    /// How much it counts.
    pub(super) weight: f32,
    /// The result that a full search expected for the mover.
    pub(super) value: Option<f32>,
}

impl Game {
    /// Plays `record` through.
    pub fn new(record: &Record) -> Result<Game, GameError> {
        let start = record.position_after(0)?;
        let end = record.position_after(record.moves.len())?;
        let moves = record.moves.iter().map(|played| played.mv).collect();
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
        let lead = end.is_over().then(|| points_ahead(&end));
        let white = match winner {
            Some(Color::White) => 1.0,
            Some(Color::Red) => 0.0,
            None => 0.5,
        };
        debug_assert!(outcome != Some(Outcome::Draw) || winner.is_none());
        Ok(Game { start, moves, white, lead, searched: None })
    }

    /// A game of self-play, the turns at random at its beginning left in; `None`
    /// when it is not legal.
    pub fn of_selfplay(played: &Played) -> Option<Game> {
        let start = Position::new(played.rules);
        let end = played.replay(|_| {})?;
        let mut moves = Vec::new();
        let mut first = None;
        for played in &played.steps {
            match (played.step, first.take()) {
                (Step::Tile(cell), None) => first = Some(cell),
                (Step::Tile(cell), Some(first)) => moves.push(Move::tiles(first, cell)),
                (Step::Bridge(site), _) => {
                    let [a, b] = site.ends();
                    moves.push(Move::bridge(a, b));
                }
                (Step::Pass | Step::Swap, _) => moves.push(Move::Pass),
            }
        }
        let white = match end.outcome().winner() {
            Some(Color::White) => 1.0,
            Some(Color::Red) => 0.0,
            None => 0.5,
        };
        let mut searched = played.clone();
        for step in &mut searched.steps {
            step.below = Vec::new();
        }
        let lead = Some(points_ahead(&end));
        Some(Game { start, moves, white, lead, searched: Some(searched) })
    }

    /// The result for `color`.
    pub(super) fn result(&self, color: Color) -> f32 {
        if color == Color::White { self.white } else { 1.0 - self.white }
    }

    /// The points by which `color` was ahead at the end.
    pub(super) fn lead(&self, color: Color) -> Option<f32> {
        self.lead.map(|lead| if color == Color::White { lead } else { -lead })
    }

    /// Shows the positions from the one before turn `from` on in which it is
    /// known what should be played: in a game of self-play those that were
    /// searched in full, with their shares of the visits; else all, as
    /// [`Game::for_each`] does.
    pub(super) fn for_each_choice(&self, from: usize, mut visit: impl FnMut(&Sample<'_>)) {
        let Some(searched) = &self.searched else { return self.for_each(from, visit) };
        searched.replay(|shown| {
            let visits = &shown.played.visits;
            let all: u32 = visits.iter().map(|&(_, visits)| visits).sum();
            if shown.played.kind != Kind::Full || all == 0 {
                return;
            }
            let share = |&(step, visits): &(Step, u32)| (step, visits as f32 / all as f32);
            let steps: Vec<(Step, f32)> = visits.iter().map(share).collect();
            let value = Some(shown.played.winrate);
            visit(&Sample { position: shown.position, steps: &steps, weight: 1.0, value });
        });
    }

    /// Shows every position from the one before turn `from` on, those between
    /// two tiles after either of them, with half the weight each.
    pub(super) fn for_each(&self, from: usize, mut visit: impl FnMut(&Sample<'_>)) {
        let mut position = self.start;
        for (n, &mv) in self.moves.iter().enumerate() {
            if n >= from {
                show(&position, mv, &mut visit);
            }
            for step in position.steps_of(mv) {
                position.make(step);
            }
        }
    }
}

fn show(position: &Position, mv: Move, visit: &mut impl FnMut(&Sample<'_>)) {
    match mv {
        Move::Tiles(a, b) => {
            let steps = &[(Step::Tile(a), 0.5), (Step::Tile(b), 0.5)];
            visit(&Sample { position, steps, weight: 1.0, value: None });
            let mut half = |first: Cell, second: Cell| {
                let mut between = *position;
                between.make(Step::Tile(first));
                let steps = &[(Step::Tile(second), 1.0)];
                visit(&Sample { position: &between, steps, weight: 0.5, value: None });
            };
            half(a, b);
            half(b, a);
        }
        Move::Swap => {}
        Move::Bridge(..) | Move::Pass => {
            let steps: Vec<(Step, f32)> = position.steps_of(mv).map(|step| (step, 1.0)).collect();
            visit(&Sample { position, steps: &steps, weight: 1.0, value: None });
        }
    }
}

fn points_ahead(position: &Position) -> f32 {
    let points = |color| f32::from(position.score(color).points);
    points(Color::White) - points(Color::Red)
}

impl Games {
    /// Every `nth` game is held out.
    ///
    /// Both games of an opening in a match are next to each other and mostly
    /// fall on the same side when held-out games are taken two by two.
    pub fn split(games: Vec<Game>, nth: usize) -> Games {
        let mut split = Games::default();
        for (n, game) in games.into_iter().enumerate() {
            let is_held_out = nth > 0 && (n / 2) % nth == nth - 1;
            if is_held_out { &mut split.held_out } else { &mut split.fitted }.push(game);
        }
        split
    }
}
