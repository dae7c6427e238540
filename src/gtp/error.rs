//! Why a command fails.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::analysis::points::IllegalPoint;
use crate::engine::{CannotAnalyze, CannotUndo, NothingToAnalyze, ParamError};
use crate::game::{IllegalMove, Move, SetupError};

/// Why a command failed. Where GTP 2 prescribes an error text, ours begins with it, because
/// controllers may compare that beginning.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no such command.
    #[error("unknown command")]
    UnknownCommand,
    /// The arguments cannot be read.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// There is no board of this size.
    #[error("unacceptable size: {0}")]
    Size(String),
    /// The rules forbid the move.
    #[error("illegal move: {0}")]
    IllegalMove(#[from] IllegalMove),
    /// The rules forbid a move of a sequence, none of which has been played.
    #[error("illegal move: move {number}, {mv}: {reason}")]
    IllegalInSequence {
        /// The place of the move in the sequence, counted from 1.
        number: usize,
        /// The first move that is illegal.
        mv: Move,
        /// The rule it breaks.
        reason: IllegalMove,
    },
    /// The rules forbid the point, in the single-point mode.
    #[error("illegal move: {0}")]
    IllegalPoint(String),
    /// The rules forbid the position.
    #[error("illegal position: {0}")]
    IllegalPosition(#[from] SetupError),
    /// There are not enough turns to undo.
    #[error("cannot undo: {0}")]
    CannotUndo(#[from] CannotUndo),
    /// There are not enough points to undo, in the single-point mode.
    #[error("cannot undo: {requested} points to take back, {played} have been played")]
    CannotUndoPoints {
        /// The number of points to take back.
        requested: usize,
        /// The number of points played.
        played: usize,
    },
    /// The game is not over.
    #[error("cannot score: the game is not over")]
    CannotScore,
    /// The file cannot be read or holds no game.
    #[error("cannot load file: {}: {reason}", path.display())]
    CannotLoad {
        /// The file as the request names it.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file cannot be written. An existing file is unchanged.
    #[error("cannot save file: {}: {reason}", path.display())]
    CannotSave {
        /// The file as the request names it.
        path: PathBuf,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// A command panicked. The state before it has been restored.
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<ParamError> for CommandError {
    fn from(error: ParamError) -> Self {
        CommandError::Syntax(error.to_string())
    }
}

impl From<NothingToAnalyze> for CommandError {
    fn from(error: NothingToAnalyze) -> Self {
        match error {
            NothingToAnalyze::Over => IllegalMove::GameOver.into(),
            NothingToAnalyze::NoMoveLeft => CommandError::Syntax(error.to_string()),
        }
    }
}

impl From<CannotAnalyze> for CommandError {
    fn from(error: CannotAnalyze) -> Self {
        match error {
            CannotAnalyze::Turn(reason) => reason.into(),
            CannotAnalyze::Nothing(nothing) => nothing.into(),
        }
    }
}

impl From<IllegalPoint> for CommandError {
    fn from(error: IllegalPoint) -> Self {
        match error {
            IllegalPoint::Move(reason) => reason.into(),
            error => CommandError::IllegalPoint(error.to_string()),
        }
    }
}
