//! What an analysis is asked for, and where its updates go.

use std::time::Duration;

use super::analysis::Analysis;
use crate::game::{Move, Position};

/// What an analysis should cover.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnalysisRequest {
    /// Moves to leave out.
    pub avoid: Vec<Move>,
    /// The only moves to consider; empty means all.
    pub allow: Vec<Move>,
    /// Whether to estimate the ownership of cells and bridge sites.
    pub ownership: bool,
    /// Whether to estimate it after each of the best moves, too, when the search
    /// ends.
    pub moves_ownership: bool,
    /// Time between updates while the search runs; `None` means no updates.
    pub interval: Option<Duration>,
}

impl AnalysisRequest {
    /// Whether some moves are left out.
    pub fn is_restricted(&self) -> bool {
        !self.avoid.is_empty() || !self.allow.is_empty()
    }

    /// The same request for all moves.
    pub(super) fn unrestricted(&self) -> AnalysisRequest {
        AnalysisRequest { avoid: Vec::new(), allow: Vec::new(), ..self.clone() }
    }

    /// Whether `mv` may be considered.
    pub fn permits(&self, mv: Move) -> bool {
        (self.allow.is_empty() || self.allow.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Whether any legal move of `position` may be considered.
    pub fn permits_any(&self, position: &Position) -> bool {
        if self.allow.is_empty() {
            return self.avoid.is_empty() || position.moves().iter().any(|&mv| self.permits(mv));
        }
        self.allow.iter().any(|&mv| self.permits(mv) && position.check(mv).is_ok())
    }
}

/// Receives the updates of a running analysis.
pub struct Reporter<'a> {
    /// What was asked for.
    pub request: &'a AnalysisRequest,
    /// Called with every update.
    pub report: &'a mut (dyn FnMut(&Analysis) + Send),
}
