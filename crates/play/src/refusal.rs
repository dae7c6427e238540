//! Why a request is refused.

use super::table::TableError;
use super::terms::TermsError;
use super::tree::TreeError;
use pontifex::game::{IllegalMove, Move};

/// Why a request is refused.
pub(super) enum Refusal {
    Illegal(String, IllegalMove),
    Other(String),
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::Other(text)
    }
}

impl From<TermsError> for Refusal {
    fn from(error: TermsError) -> Refusal {
        Refusal::Other(error.to_string())
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        Refusal::Other(error.to_string())
    }
}

/// An illegal move is refused with the rule that forbids it.
pub(super) fn illegal_move(mv: Move, error: TableError) -> Refusal {
    match error {
        TableError::Tree(TreeError::Illegal(reason)) => Refusal::Illegal(mv.to_string(), reason),
        other => other.into(),
    }
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Refusal {
        Refusal::Other(error.to_string())
    }
}
