use thiserror::Error;

use super::selfplay::Played;
use crate::board::Cell;
use crate::game::{Color, Move, Outcome, Ply, Position};
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
    /// The plies that were made there, each as good as the others.
    pub(super) plies: &'a [Ply],
    /// How much it counts.
    pub(super) weight: f32,
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
        Ok(Game { start, moves, white, lead })
    }

    /// A game of self-play, the turns at random at its beginning left in; `None`
    /// when it is not legal.
    pub fn of_selfplay(played: &Played) -> Option<Game> {
        let start = Position::new(played.rules);
        let end = played.replay(|_| {})?;
        let mut moves = Vec::new();
        let mut first = None;
        for played in &played.plies {
            match (played.ply, first.take()) {
                (Ply::Tile(cell), None) => first = Some(cell),
                (Ply::Tile(cell), Some(first)) => moves.push(Move::tiles(first, cell)),
                (Ply::Bridge(site), _) => {
                    let [a, b] = site.ends();
                    moves.push(Move::bridge(a, b));
                }
                (Ply::Pass | Ply::Swap, _) => moves.push(Move::Pass),
            }
        }
        let white = match end.outcome().winner() {
            Some(Color::White) => 1.0,
            Some(Color::Red) => 0.0,
            None => 0.5,
        };
        Some(Game { start, moves, white, lead: Some(points_ahead(&end)) })
    }

    /// The result for `color`.
    pub(super) fn result(&self, color: Color) -> f32 {
        if color == Color::White { self.white } else { 1.0 - self.white }
    }

    /// The points by which `color` was ahead at the end.
    pub(super) fn lead(&self, color: Color) -> Option<f32> {
        self.lead.map(|lead| if color == Color::White { lead } else { -lead })
    }

    /// Shows every position from the one before turn `from` on, those between
    /// two tiles after either of them, with half the weight each.
    pub(super) fn for_each(&self, from: usize, mut visit: impl FnMut(&Sample<'_>)) {
        let mut position = self.start;
        for (n, &mv) in self.moves.iter().enumerate() {
            if n >= from {
                show(&position, mv, &mut visit);
            }
            for ply in position.plies_of(mv) {
                position.make(ply);
            }
        }
    }
}

fn show(position: &Position, mv: Move, visit: &mut impl FnMut(&Sample<'_>)) {
    let whole = |plies: &[Ply], visit: &mut dyn FnMut(&Sample<'_>)| {
        visit(&Sample { position, plies, weight: 1.0 });
    };
    match mv {
        Move::Tiles(a, b) => {
            whole(&[Ply::Tile(a), Ply::Tile(b)], visit);
            let mut half = |first: Cell, second: Cell| {
                let mut between = *position;
                between.make(Ply::Tile(first));
                visit(&Sample { position: &between, plies: &[Ply::Tile(second)], weight: 0.5 });
            };
            half(a, b);
            half(b, a);
        }
        Move::Swap => {}
        Move::Bridge(..) | Move::Pass => {
            let plies: Vec<Ply> = position.plies_of(mv).collect();
            whole(&plies, visit);
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
